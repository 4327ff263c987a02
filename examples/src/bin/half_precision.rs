//! Records of 128 components, stored as `f32`, `f16` and `bf16`, and a query's scores against each: half the memory read, and what
//! it costs in digits. Whatever is stored, products and sums are computed in `f32`.

use accelerate::{Device, Matrix, Vector, accelerate, bf16, f16};
use anyhow::Result;
use clap::Parser;
use examples::{Function, Options, check, difference, equal, function, random};

accelerate! {
    pub fn as_f16(records: &Matrix<f32>) -> Matrix<f16> {
        records.map(|x| x as f16)
    }

    pub fn as_bf16(records: &Matrix<f32>) -> Matrix<bf16> {
        records.map(|x| x as bf16)
    }

    /// How much each record is like the query.
    #[instances(f32, f16, bf16)]
    #[fused(kernels = 1)]
    pub fn scores<T: Float>(records: &Matrix<T>, query: &Vector<f32>, scale: f32) -> Vector<f32> {
        records.rows().map(|record| record.zip(query).map(|(a, b)| a as f32 * b).sum() * scale)
    }

    /// The ten records most like it.
    pub fn best(scores: &Vector<f32>) -> Vector<usize> {
        scores.argtop_k(10)
    }
}

/// Compares a query with records of 16 and of 32 bits a component.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of records
    #[arg(long, default_value_t = 1 << 18)]
    size: usize,
}

const WIDTH: usize = 128;

const SCALE: f32 = 0.125;

fn main() -> Result<()> {
    let Arguments { options, size } = Arguments::parse();
    let functions = [
        function!(scores_f32),
        function!(scores_f16),
        function!(scores_bf16),
    ];
    let device = options.start(&functions)?;
    let values = random(1, size * WIDTH, -1.0, 1.0);
    let asked = random(2, WIDTH, -1.0, 1.0);
    let records = Matrix::from_slice(&device, (size, WIDTH), &values)?;
    let query = Vector::from_slice(&device, &asked)?;
    let scale = options.constant(SCALE);
    let (halves, brains) = (as_f16(&device, &records)?, as_bf16(&device, &records)?);
    let [single, half, brain] = functions;
    let run = Run {
        device: &device,
        options: &options,
        size,
    };
    let single = run.of(single, || scores_f32(&device, &records, &query, scale))?;
    let half = run.of(half, || scores_f16(&device, &halves, &query, scale))?;
    let brain = run.of(brain, || scores_bf16(&device, &brains, &query, scale))?;
    let ten = best(&device, &single)?.to_vec()?;
    println!("of the ten best records, and the largest error of a score:");
    for (name, scores) in [("f16", &half), ("bf16", &brain)] {
        let found = best(&device, scores)?.to_vec()?;
        let same = found.iter().filter(|record| ten.contains(record)).count();
        let error = difference(&scores.to_vec()?, &single.to_vec()?);
        println!("{name:>6} {same:>3} {error:.1e}");
    }
    if options.check {
        let scores = |round: &dyn Fn(f32) -> f32| -> Vec<f64> {
            let record = |row: &[f32]| {
                let terms = row.iter().zip(&asked);
                let terms = terms.map(|(&a, &b)| f64::from(round(a)) * f64::from(b));
                terms.sum::<f64>() * f64::from(SCALE)
            };
            values.chunks_exact(WIDTH).map(record).collect()
        };
        let exact: Vec<f16> = values.iter().map(|&x| f16::from_f32(x)).collect();
        equal("records as `f16`", &halves.to_vec()?, &exact)?;
        for (name, found, expected) in [
            ("scores of `f32`", &single, scores(&|x| x)),
            (
                "scores of `f16`",
                &half,
                scores(&|x| f16::from_f32(x).to_f32()),
            ),
            (
                "scores of `bf16`",
                &brain,
                scores(&|x| bf16::from_f32(x).to_f32()),
            ),
        ] {
            check(name, difference(&found.to_vec()?, &expected), 1e-5)?;
        }
    }
    Ok(())
}

struct Run<'a> {
    device: &'a Device,
    options: &'a Options,
    size: usize,
}

impl Run<'_> {
    fn of(
        &self,
        function: Function,
        scores: impl Fn() -> accelerate::Result<Vector<f32>>,
    ) -> Result<Vector<f32>> {
        let (scores, time) = self.options.measure(function.name, 5, || {
            let scores = scores()?;
            self.device.synchronize()?;
            Ok(scores)
        })?;
        let sizes = [
            ("records.len()", self.size * WIDTH),
            ("records.shape().0", self.size),
            ("records.shape().1", WIDTH),
        ];
        function.report(self.device, &sizes, time);
        Ok(scores)
    }
}
