//! A sparse matrix times a vector: a map and a sum of each row, one kernel however uneven the rows are. And what it is for:
//! the membrane that hangs in a frame, by conjugate gradients (Hestenes, Stiefel: Methods of Conjugate Gradients for Solving
//! Linear Systems, 1952) whose loop runs on the device.

use accelerate::{Device, Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Options, Rows, agrees, check, difference, equal, function, heat, known};
use examples::{random, random_integers, rgb, save};
use std::path::{Path, PathBuf};

accelerate! {
    /// A matrix by rows: those of row `i` are the entries from `offsets[i]` up to `offsets[i + 1]`.
    pub struct Sparse {
        pub offsets: Vector<u32>,
        /// Columns and values.
        pub entries: Vector<(u32, f32)>,
    }

    /// The product of a sparse matrix and a vector.
    #[fused(kernels = 1)]
    pub fn smvm(a: &Sparse, x: &Vector<f32>) -> Vector<f32> {
        a.entries.map(|(column, value)| value * x[column as usize]).sum_segmented(Offsets::new(&a.offsets))
    }

    /// Solves `a x = b` for a matrix that is symmetric and positive definite, until the residual is less than `tolerance`
    /// times `b`. Gives how many rounds it took, too.
    pub fn solve(a: &Sparse, b: &Vector<f32>, tolerance: f32) -> (Vector<f32>, usize) {
        let mut x = b.map(|_| 0.0);
        let mut residual = b;
        let mut direction = b;
        let mut square = b.dot(b);
        let enough = square * tolerance * tolerance;
        let mut rounds = 0;
        while square > enough && rounds < b.len() {
            let image = smvm(a, &direction);
            let step = square / direction.dot(&image);
            x = x + direction * step;
            residual = residual - image * step;
            let next = residual.dot(&residual);
            direction = residual + direction * (next / square);
            square = next;
            rounds += 1;
        }
        (x, rounds)
    }
}

/// Multiplies a sparse matrix with a vector.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// A file of the Matrix Market in place of the membrane
    file: Option<PathBuf>,
    /// Width of the board that the membrane is on
    #[arg(long, default_value_t = 512)]
    size: usize,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/membrane.png")]
    output: PathBuf,
}

const TOLERANCE: f32 = 1e-4;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let options = &arguments.options;
    let device = options.start(&[function!(smvm), function!(solve)])?;
    let size = arguments.size;
    let (rows, places) = match &arguments.file {
        Some(file) => (Rows::read(file)?, Vec::new()),
        None => Rows::laplacian(size, |i, j| wheel(size, i, j)),
    };
    println!("{} rows, {} entries", rows.len(), rows.entries.len());
    let x = random(1, rows.columns, -1.0, 1.0);
    let product = multiply(&device, options, &rows, &x)?;
    if options.check {
        let expected = rows.times(&x);
        check("the product in f64", difference(&product, &expected), 1e-5)?;
        whole(&device, options, &rows)?;
        let bundled = concat!(env!("CARGO_MANIFEST_DIR"), "/data/wheel.mtx");
        let (made, _) = Rows::laplacian(32, |i, j| wheel(32, i, j));
        let same = Rows::read(Path::new(bundled))? == made;
        agrees("the wheel of `data/wheel.mtx` is the one made here", same)?;
    }
    if !places.is_empty() {
        membrane(&device, options, &rows, &places, size, &arguments.output)?;
    }
    Ok(())
}

/// A matrix on the device.
fn sparse(device: &Device, rows: &Rows) -> Result<Sparse> {
    Ok(Sparse {
        offsets: Vector::from_slice(device, &rows.offsets)?,
        entries: Vector::from_slice(device, &rows.entries)?,
    })
}

/// Multiplies and says what it cost.
fn multiply(device: &Device, options: &Options, rows: &Rows, x: &[f32]) -> Result<Vec<f32>> {
    let mut rows = rows.clone();
    if let Some(first) = rows.entries.first_mut() {
        first.1 = options.constant(first.1);
    }
    let a = sparse(device, &rows)?;
    let x = Vector::from_slice(device, x)?;
    let (product, time) = options.measure("smvm", 10, || {
        let product = smvm(device, &a, &x)?;
        device.synchronize()?;
        Ok(product)
    })?;
    let sizes = [
        ("a.entries.len()", a.entries.len()),
        ("a.offsets.len()", a.offsets.len()),
        ("x.len()", x.len()),
    ];
    function!(smvm).report(device, &sizes, time);
    let operations = 2.0 * a.entries.len() as f64;
    println!("{:.2} GFLOP/s", operations / 1e9 / time.as_secs_f64());
    Ok(product.to_vec()?)
}

/// Values that are small integers give sums that are exact, bit for bit.
fn whole(device: &Device, options: &Options, rows: &Rows) -> Result<()> {
    let mut rows = rows.clone();
    let values = random_integers(2, rows.entries.len(), 9);
    for (entry, value) in rows.entries.iter_mut().zip(values) {
        entry.1 = value as f32 - 4.0;
    }
    let x = random_integers(3, rows.columns, 9).into_iter();
    let x: Vec<f32> = x.map(|value| value as f32 - 4.0).collect();
    let found = multiply(device, options, &rows, &x)?;
    let found: Vec<f64> = found.into_iter().map(f64::from).collect();
    equal("of integers from -4 to 4", &found, &rows.times(&x))
}

/// Solves for the membrane under its own weight and draws it.
fn membrane(
    device: &Device,
    options: &Options,
    rows: &Rows,
    places: &[(usize, usize)],
    size: usize,
    to: &Path,
) -> Result<()> {
    let a = sparse(device, rows)?;
    let weight = Vector::from_vec(device, vec![1.0; rows.len()])?;
    let ((heights, rounds), time) = options.measure("solve", 1, || {
        let (heights, rounds) = solve(device, &a, &weight, TOLERANCE)?;
        Ok((heights.to_vec()?, rounds))
    })?;
    function!(solve).report(device, &[], time);
    println!(
        "{rounds} rounds, {:.3} ms each",
        time.as_secs_f64() * 1e3 / rounds as f64
    );
    let highest = heights.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let mut colours = vec![[24, 24, 32]; size * size];
    for (&(i, j), height) in places.iter().zip(&heights) {
        colours[i * size + j] = heat(0.1 + 0.9 * height / highest);
    }
    save(to, rgb((size, size), colours))?;
    if options.check {
        let residual = rows.times(&heights).into_iter().map(|b| (b - 1.0).powi(2));
        let relative = (residual.sum::<f64>() / rows.len() as f64).sqrt();
        check("residual of the membrane in f64", relative, 5e-3)?;
        // In a round frame it is (R^2 - r^2) / 4 high.
        let radius = size as f64 / 2.0 - 1.0;
        let away = |k: usize| k as f64 - (size as f64 - 1.0) / 2.0;
        let (rows, places) = Rows::laplacian(size, |i, j| away(i).hypot(away(j)) < radius);
        let weight = Vector::from_vec(device, vec![1.0; rows.len()])?;
        let (heights, _) = solve(device, &sparse(device, &rows)?, &weight, TOLERANCE)?;
        let middle = places
            .iter()
            .position(|&(i, j)| (i, j) == (size / 2, size / 2));
        let height = heights.get(middle.expect("the frame is around it"))?;
        known(
            "height in the middle of a round frame",
            height.into(),
            radius * radius / 4.0,
            2.0 / radius,
        )?;
    }
    Ok(())
}

/// Whether a square of the board is part of a wheel with twelve teeth and five holes.
fn wheel(size: usize, i: usize, j: usize) -> bool {
    let away = |k: usize| (2.0 * k as f64 + 1.0) / size as f64 - 1.0;
    let (x, y) = (away(j), away(i));
    let (radius, angle) = (x.hypot(y), y.atan2(x));
    let rim = if (12.0 * angle).sin() > 0.0 {
        0.97
    } else {
        0.85
    };
    let part = std::f64::consts::TAU / 5.0;
    let turned = (angle + part / 2.0).rem_euclid(part) - part / 2.0;
    let hole = (radius * turned.cos() - 0.5).hypot(radius * turned.sin()) < 0.17;
    radius < rim && radius > 0.15 && !hole
}
