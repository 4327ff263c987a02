//! A small neural network whose parameters are a bundle: passed by one name, trained in a loop, read by the host. The picture
//! shows what it says of each point of the plane.

use accelerate::{Device, Matrix, Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Canvas, Options, check, difference, function, heat, random, rgb, save};
use std::path::{Path, PathBuf};

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
    size: usize,
    /// Neurons of the hidden layer
    #[arg(long, default_value_t = 16)]
    hidden: usize,
    /// Steps down the gradient
    #[arg(long, default_value_t = 2000)]
    steps: usize,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/parameters.png")]
    output: PathBuf,
}

const RATE: f32 = 0.2;

fn layer(device: &Device, weights: &[f32], outputs: usize) -> Result<Layer> {
    let shape = (weights.len() / outputs, outputs);
    Ok(Layer {
        w: Matrix::from_slice(device, shape, weights)?,
        b: Vector::from_vec(device, vec![0.0; outputs])?,
    })
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, steps, hidden) = (&arguments.options, arguments.steps, arguments.hidden);
    let device = options.start(&[function!(train), function!(predict)])?;
    let points = random(1, 2 * arguments.size, -1.0, 1.0);
    let inside = points
        .chunks_exact(2)
        .map(|p| p[0] * p[0] + p[1] * p[1] < 0.5);
    let wanted: Vec<f32> = inside.map(|inside| f32::from(u8::from(inside))).collect();
    let x = Matrix::from_slice(&device, (arguments.size, 2), &points)?;
    let y = Vector::from_slice(&device, &wanted)?;
    let weights = [
        random(2, 2 * hidden, -2.0, 2.0),
        random(3, hidden, -1.0, 1.0),
    ];
    let start = Parameters {
        hidden: layer(&device, &weights[0], hidden)?,
        output: layer(&device, &weights[1], 1)?,
    };
    let before = error(&predict(&device, &start, &x)?.to_vec()?, &wanted);
    let rate = options.constant(RATE);
    let (trained, time) = options.measure("train", 1, || {
        let trained = train(&device, start.clone(), &x, &y, rate, steps)?;
        device.synchronize()?;
        Ok(trained)
    })?;
    function!(train).report(&device, &[], time);
    let found = predict(&device, &trained, &x)?.to_vec()?;
    let after = error(&found, &wanted);
    println!("mean squared error {before:.4}, after {steps} steps {after:.4}");
    draw(&device, &trained, &points, &wanted, &arguments.output)?;
    if options.check {
        let mut plain = Plain::new(&weights);
        for _ in 0..steps {
            plain.step(&points, &wanted);
        }
        let expected: Vec<f64> = points.chunks_exact(2).map(|p| plain.of(p).0).collect();
        check("trained in f64", difference(&found, &expected), 2e-3)?;
    }
    Ok(())
}

fn error(found: &[f32], wanted: &[f32]) -> f32 {
    let squares = found.iter().zip(wanted).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f32>() / wanted.len() as f32
}

/// What the network says of the plane, and the points that it has learnt from.
fn draw(device: &Device, p: &Parameters, points: &[f32], wanted: &[f32], to: &Path) -> Result<()> {
    const SIZE: usize = 256;
    let place = |k: usize| 2.0 * k as f32 / SIZE as f32 - 1.0;
    let plane = (0..SIZE * SIZE).flat_map(|k| [place(k % SIZE), -place(k / SIZE)]);
    let plane = Matrix::from_vec(device, (SIZE * SIZE, 2), plane.collect())?;
    let said = predict(device, p, &plane)?.to_vec()?;
    let mut canvas = Canvas::on(rgb((SIZE, SIZE), said.iter().map(|&x| heat(x)).collect()));
    for (point, &wanted) in points.chunks_exact(2).zip(wanted) {
        let at = [point[0], point[1]].map(|x| f64::from(x + 1.0) / 2.0);
        canvas.dot((at[0], at[1]), 2, [(255.0 * wanted) as u8; 3]);
    }
    save(to, canvas.picture())
}

/// The network in `f64`: for each neuron its two weights, what is added, and the weight of the neuron.
struct Plain {
    neurons: Vec<[f64; 4]>,
    added: f64,
}

impl Plain {
    fn new([hidden, output]: &[Vec<f32>; 2]) -> Plain {
        let n = output.len();
        let neuron = |k| [hidden[k], hidden[n + k], 0.0, output[k]].map(f64::from);
        Plain {
            neurons: (0..n).map(neuron).collect(),
            added: 0.0,
        }
    }

    /// What it says of a point, and the values of its neurons.
    fn of(&self, point: &[f32]) -> (f64, Vec<f64>) {
        let (x, y) = (f64::from(point[0]), f64::from(point[1]));
        let value = |&[a, b, c, _]: &[f64; 4]| (a * x + b * y + c).tanh();
        let values: Vec<f64> = self.neurons.iter().map(value).collect();
        let weighed = values.iter().zip(&self.neurons).map(|(h, n)| h * n[3]);
        (weighed.sum::<f64>() + self.added, values)
    }

    /// One step down the gradient of the mean squared error.
    fn step(&mut self, points: &[f32], wanted: &[f32]) {
        let rate = f64::from(RATE);
        let mut next = (self.neurons.clone(), self.added);
        for (point, &wanted) in points.chunks_exact(2).zip(wanted) {
            let (said, values) = self.of(point);
            let slope = rate * 2.0 * (said - f64::from(wanted)) / (points.len() / 2) as f64;
            next.1 -= slope;
            for ((to, neuron), h) in next.0.iter_mut().zip(&self.neurons).zip(values) {
                let below = slope * neuron[3] * (1.0 - h * h);
                to[0] -= below * f64::from(point[0]);
                to[1] -= below * f64::from(point[1]);
                to[2] -= below;
                to[3] -= slope * h;
            }
        }
        (self.neurons, self.added) = next;
    }
}
