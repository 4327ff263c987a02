//! A small neural network whose parameters are a bundle: passed by one name, trained in a loop, read by the host.

use accelerate::{Device, Matrix, Vector, accelerate};
use clap::Parser;
use examples::{Options, check, difference, measure, random, report};

accelerate! {
    /// A linear layer.
    pub struct Layer {
        pub w: Matrix<f32>,
        pub b: Vector<f32>,
    }

    /// A network with one hidden layer.
    pub struct Parameters {
        pub hidden: Layer,
        pub output: Layer,
    }

    impl Layer {
        fn of(&self, x: &Matrix<f32>) -> Matrix<f32> {
            let (rows, _) = x.shape();
            x.matmul(&self.w) + self.b.broadcast_to((rows, self.b.len()))
        }

        /// The gradient of a layer that gets `x`, by that of what it gives.
        fn gradient(x: &Matrix<f32>, given: &Matrix<f32>) -> Layer {
            Layer { w: x.transpose().matmul(given), b: given.sum_axis(0) }
        }
    }

    impl Sub for Layer {
        type Output = Layer;
        fn sub(self, other: Layer) -> Layer {
            Layer { w: self.w - other.w, b: self.b - other.b }
        }
    }

    impl Mul<f32> for Layer {
        type Output = Layer;
        fn mul(self, by: f32) -> Layer {
            Layer { w: self.w * by, b: self.b * by }
        }
    }

    /// What the network makes of each row of `x`.
    pub fn predict(p: &Parameters, x: &Matrix<f32>) -> Vector<f32> {
        let hidden = p.hidden.of(x).map(f32::tanh);
        p.output.of(&hidden).column(0)
    }

    fn step(p: Parameters, x: &Matrix<f32>, y: &Vector<f32>, rate: f32) -> Parameters {
        let hidden = p.hidden.of(x).map(f32::tanh);
        let errors = p.output.of(&hidden).column(0) - y;
        let above = (errors * (2.0 / y.len() as f32)).expand_axis(1);
        let below = above
            .matmul(&p.output.w.transpose())
            .zip_with(&hidden, |slope, h| slope * (1.0 - h * h));
        Parameters {
            hidden: p.hidden - Layer::gradient(x, &below) * rate,
            output: p.output - Layer::gradient(&hidden, &above) * rate,
        }
    }

    /// Goes down the gradient of the mean squared error.
    pub fn train(p: Parameters, x: &Matrix<f32>, y: &Vector<f32>, rate: f32, steps: usize) -> Parameters {
        let mut p = p;
        for _ in 0..steps {
            p = step(p, x, y, rate);
        }
        p
    }
}

/// Trains a network to tell the points of a disc from those around it.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Points
    #[arg(long, default_value_t = 1024)]
    points: usize,
    /// Neurons of the hidden layer
    #[arg(long, default_value_t = 16)]
    hidden: usize,
    /// Steps down the gradient
    #[arg(long, default_value_t = 400)]
    steps: usize,
}

fn layer(device: &Device, seed: u64, inputs: usize, outputs: usize) -> anyhow::Result<Layer> {
    let weights = random(seed, inputs * outputs, -1.0, 1.0);
    Ok(Layer {
        w: Matrix::from_vec(device, (inputs, outputs), weights)?,
        b: Vector::from_vec(device, vec![0.0; outputs])?,
    })
}

fn error(found: &[f32], wanted: &[f32]) -> f32 {
    let squares = found.iter().zip(wanted).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f32>() / wanted.len() as f32
}

fn main() -> anyhow::Result<()> {
    let Arguments {
        options,
        points,
        hidden,
        steps,
    } = Arguments::parse();
    let device = options.open()?;
    let places = random(1, 2 * points, -1.0, 1.0);
    let inside = places
        .chunks_exact(2)
        .map(|p| f32::from(u8::from(p[0] * p[0] + p[1] * p[1] < 0.5)));
    let wanted: Vec<f32> = inside.collect();
    let x = Matrix::from_vec(&device, (points, 2), places.clone())?;
    let y = Vector::from_vec(&device, wanted.clone())?;
    let start = Parameters {
        hidden: layer(&device, 2, 2, hidden)?,
        output: layer(&device, 3, hidden, 1)?,
    };
    let before = error(&predict(&device, &start, &x)?.to_vec()?, &wanted);
    let (trained, time) = measure("parameters", 3, || {
        let trained = train(&device, start.clone(), &x, &y, 0.1, steps)?;
        device.synchronize()?;
        Ok(trained)
    })?;
    let found = predict(&device, &trained, &x)?.to_vec()?;
    let elements = (points * (2 + hidden) * steps) as u64;
    report(
        "parameters",
        &device,
        train::KERNELS.len(),
        4 * elements,
        time,
    );
    println!(
        "mean squared error {before:.4}, after {steps} steps {:.4}",
        error(&found, &wanted)
    );
    if options.check {
        let [w, b] = [trained.hidden.w.to_vec()?, trained.hidden.b.to_vec()?];
        let [v, c] = [trained.output.w.to_vec()?, trained.output.b.to_vec()?];
        let expected: Vec<f32> = places
            .chunks_exact(2)
            .map(|p| {
                let neuron = |k: usize| (p[0] * w[k] + p[1] * w[hidden + k] + b[k]).tanh() * v[k];
                (0..hidden).map(neuron).sum::<f32>() + c[0]
            })
            .collect();
        check("parameters", difference(&found, &expected), 1e-3)?;
    }
    Ok(())
}
