//! Operations of BLAS 1 and 2 (Lawson, Hanson, Kincaid, Krogh: Basic Linear Algebra Subprograms for Fortran Usage, 1979), each in a
//! line or two, and two matrix products to be fused: GESUMMV and ATAX of Polybench.

use accelerate::{Error, Matrix, Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Options, equal, function, known, random_integers};

accelerate! {
    /// `a x + y`
    #[fused(kernels = 1)]
    pub fn saxpy(a: f32, x: &Vector<f32>, y: &Vector<f32>) -> Vector<f32> {
        a * x + y
    }

    /// `a x`
    #[fused(kernels = 1)]
    pub fn sscal(a: f32, x: &Vector<f32>) -> Vector<f32> {
        a * x
    }

    /// The sum of the products.
    #[fused(kernels = 1)]
    pub fn sdot(x: &Vector<f32>, y: &Vector<f32>) -> f32 {
        x.dot(y)
    }

    /// The sum of the magnitudes.
    #[fused(kernels = 1)]
    pub fn sasum(x: &Vector<f32>) -> f32 {
        x.map(f32::abs).sum()
    }

    /// The length.
    #[fused(kernels = 1)]
    pub fn snrm2(x: &Vector<f32>) -> f32 {
        x.dot(x).sqrt()
    }

    /// `alpha A x + beta y`
    #[fused(kernels = 1)]
    pub fn sgemv(alpha: f32, a: &Matrix<f32>, x: &Vector<f32>, beta: f32, y: &Vector<f32>) -> Vector<f32> {
        alpha * a.matvec(x) + beta * y
    }

    /// `A + alpha x y^T`
    #[fused(kernels = 1)]
    pub fn sger(alpha: f32, x: &Vector<f32>, y: &Vector<f32>, a: &Matrix<f32>) -> Matrix<f32> {
        a + alpha * x.outer_product(y)
    }

    /// `alpha A x + beta B x`
    #[fused(kernels = 1)]
    pub fn gesummv(alpha: f32, a: &Matrix<f32>, beta: f32, b: &Matrix<f32>, x: &Vector<f32>) -> Vector<f32> {
        alpha * a.matvec(x) + beta * b.matvec(x)
    }

    /// `A^T (A x)`
    pub fn atax(a: &Matrix<f32>, x: &Vector<f32>) -> Vector<f32> {
        a.transpose().matvec(a.matvec(x))
    }
}

/// Times operations of BLAS.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Rows and columns of matrices; vectors of the first level have as many elements as a matrix
    #[arg(long, default_value_t = 4096)]
    size: usize,
}

const ALPHA: f32 = 2.0;
const BETA: f32 = 3.0;

fn main() -> Result<()> {
    let Arguments { options, size: n } = Arguments::parse();
    let functions = [
        function!(saxpy),
        function!(sscal),
        function!(sdot),
        function!(sasum),
        function!(snrm2),
        function!(sgemv),
        function!(sger),
        function!(gesummv),
        function!(atax),
    ];
    let device = &options.start(&functions)?;
    let plain = Plain::new(n);
    let mut long = plain.long.clone();
    long[0][0] = options.constant(long[0][0]);
    let vector = |values: &[f32]| Vector::from_slice(device, values);
    let matrix = |values: &[f32]| Matrix::from_slice(device, (n, n), values);
    let [x, y] = [vector(&long[0])?, vector(&long[1])?];
    let [a, b] = [matrix(&long[0])?, matrix(&long[1])?];
    let [u, v] = [vector(&plain.short[0])?, vector(&plain.short[1])?];
    type Work<'a> = &'a dyn Fn() -> Result<Found, Error>;
    let work: [Work; 9] = [
        &|| Ok(Found::Vector(saxpy(device, ALPHA, &x, &y)?)),
        &|| Ok(Found::Vector(sscal(device, ALPHA, &x)?)),
        &|| Ok(Found::Number(sdot(device, &x, &y)?)),
        &|| Ok(Found::Number(sasum(device, &x)?)),
        &|| Ok(Found::Number(snrm2(device, &x)?)),
        &|| Ok(Found::Vector(sgemv(device, ALPHA, &a, &u, BETA, &v)?)),
        &|| Ok(Found::Matrix(sger(device, ALPHA, &u, &v, &a)?)),
        &|| Ok(Found::Vector(gesummv(device, ALPHA, &a, BETA, &b, &u)?)),
        &|| Ok(Found::Vector(atax(device, &a, &u)?)),
    ];
    for (k, (function, work)) in functions.iter().zip(work).enumerate() {
        let (found, time) = options.measure(function.name, 10, || {
            let found = work()?;
            device.synchronize()?;
            Ok(found)
        })?;
        function.report(device, &sizes(n, k < 5), time);
        if options.check {
            let (found, expected) = (found.values()?, plain.of(function.name));
            match (&found[..], &expected[..]) {
                // One number: rounded if it is a root, or a sum beyond the integers of `f32`.
                (&[found], &[expected]) => {
                    let whole = expected.fract() == 0.0 && expected.abs() < 16_777_216.0;
                    let limit = if whole { 0.0 } else { 1e-5 };
                    known(&format!("{} in f64", function.name), found, expected, limit)?;
                }
                // Sums of small integers are exact, in whatever order.
                _ => equal(function.name, &found, &expected)?,
            }
        }
    }
    Ok(())
}

/// The extents in which costs are written: those of the first level are of long vectors.
fn sizes(n: usize, first: bool) -> Vec<(&'static str, usize)> {
    let length = if first { n * n } else { n };
    let matrices = ["a.shape().0", "a.shape().1", "b.shape().0", "b.shape().1"];
    let vectors = ["x.len()", "y.len()"].map(|name| (name, length));
    vectors
        .into_iter()
        .chain(matrices.map(|name| (name, n)))
        .collect()
}

/// A result.
enum Found {
    Number(f32),
    Vector(Vector<f32>),
    Matrix(Matrix<f32>),
}

impl Found {
    fn values(self) -> Result<Vec<f64>> {
        let values = match self {
            Found::Number(value) => vec![value],
            Found::Vector(values) => values.to_vec()?,
            Found::Matrix(values) => values.to_vec()?,
        };
        Ok(values.into_iter().map(f64::from).collect())
    }
}

/// The same in plain Rust, of integers from -2 to 2.
struct Plain {
    n: usize,
    /// Elements of long vectors and of matrices.
    long: [Vec<f32>; 2],
    short: [Vec<f32>; 2],
}

impl Plain {
    fn new(n: usize) -> Plain {
        let integers = |seed, count| -> Vec<f32> {
            let integers = random_integers(seed, count, 5).into_iter();
            integers.map(|x| x as f32 - 2.0).collect()
        };
        Plain {
            n,
            long: [1, 2].map(|seed| integers(seed, n * n)),
            short: [3, 4].map(|seed| integers(seed, n)),
        }
    }

    fn of(&self, name: &str) -> Vec<f64> {
        let wide = |values: &[f32]| -> Vec<f64> { values.iter().copied().map(f64::from).collect() };
        let [x, y] = [wide(&self.long[0]), wide(&self.long[1])];
        let [u, v] = [wide(&self.short[0]), wide(&self.short[1])];
        let (alpha, beta) = (f64::from(ALPHA), f64::from(BETA));
        let both = |x: &[f64], y: &[f64], f: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
            x.iter().zip(y).map(|(&x, &y)| f(x, y)).collect()
        };
        let times = |a: &[f64], x: &[f64]| -> Vec<f64> {
            a.chunks(self.n)
                .map(|row| both(row, x, &|a, x| a * x).iter().sum())
                .collect()
        };
        let combined = |x: &[f64], y: &[f64]| both(x, y, &|x, y| alpha * x + beta * y);
        match name {
            "saxpy" => both(&x, &y, &|x, y| alpha * x + y),
            "sscal" => x.iter().map(|x| alpha * x).collect(),
            "sdot" => vec![both(&x, &y, &|x, y| x * y).iter().sum()],
            "sasum" => vec![x.iter().map(|x| x.abs()).sum()],
            "snrm2" => vec![x.iter().map(|x| x * x).sum::<f64>().sqrt()],
            "sgemv" => combined(&times(&x, &u), &v),
            "sger" => {
                let outer = u.iter().flat_map(|&u| v.iter().map(move |v| alpha * u * v));
                x.iter().zip(outer).map(|(a, more)| a + more).collect()
            }
            "gesummv" => combined(&times(&x, &u), &times(&y, &u)),
            _ => {
                let mut sums = vec![0.0; self.n];
                for (row, scale) in x.chunks(self.n).zip(times(&x, &u)) {
                    sums.iter_mut()
                        .zip(row)
                        .for_each(|(sum, a)| *sum += a * scale);
                }
                sums
            }
        }
    }
}
