//! Clusters of points by Lloyd's algorithm (Least Squares Quantization in PCM, 1982): each point goes to the nearest centre,
//! each centre to the mean of its points, until no centre moves. The loop and its end are on the device.

use accelerate::{Device, Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{
    Canvas, Options, agrees, check, difference, equal, function, random, random_integers, save,
    spread,
};
use std::path::{Path, PathBuf};

accelerate! {
    /// The centre nearest to each point, the first one of equals.
    pub fn nearest(points: &Vector<(f32, f32)>, centres: &Vector<(f32, f32)>) -> Vector<usize> {
        points.map(|(x, y)| centres.map(|(a, b)| (x - a) * (x - a) + (y - b) * (y - b)).argmin())
    }

    /// The mean of the points of each cluster. One without points stays.
    fn means(points: &Vector<(f32, f32)>, clusters: &Vector<usize>, centres: &Vector<(f32, f32)>) -> Vector<(f32, f32)> {
        let terms = points.map(|(x, y)| (x, y, 1.0));
        let sums = clusters.reduce_by_index(
            terms, centres.len(), (0.0, 0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2),
        );
        sums.zip_with(centres, |(x, y, count), old| if count > 0.0 { (x / count, y / count) } else { old })
    }

    /// Moves the centres until none moves by more than `enough` in a coordinate. Gives the number of rounds, too.
    pub fn settle(points: &Vector<(f32, f32)>, start: &Vector<(f32, f32)>, enough: f32) -> (Vector<(f32, f32)>, u32) {
        let mut centres = start;
        let mut rounds = 0;
        loop {
            let next = means(points, &nearest(points, &centres), &centres);
            let moved = next.zip_with(&centres, |a, b| (a.0 - b.0).abs().max((a.1 - b.1).abs())).fold(0.0, f32::max);
            centres = next;
            rounds += 1;
            if moved <= enough {
                break;
            }
        }
        (centres, rounds)
    }

    /// The sum of the squared distances to the nearest centres.
    pub fn spread_of(points: &Vector<(f32, f32)>, centres: &Vector<(f32, f32)>) -> f32 {
        points.map(|(x, y)| centres.map(|(a, b)| (x - a) * (x - a) + (y - b) * (y - b)).min()).sum()
    }
}

/// Finds clusters of points.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of points
    #[arg(long, default_value_t = 100_000)]
    size: usize,
    /// Number of clusters
    #[arg(long, default_value_t = 24)]
    clusters: usize,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/k_means.png")]
    output: PathBuf,
}

const ENOUGH: f32 = 0.01;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, n, k) = (&arguments.options, arguments.size, arguments.clusters);
    let functions = [function!(settle), function!(nearest), function!(spread_of)];
    let device = options.start(&functions)?;
    let (places, _) = clouds(n, k, 3.0);
    let points = Vector::from_slice(&device, &places)?;
    let start = random_integers(1, k, n as u64).into_iter();
    let start = start.map(|place| places[place as usize]).collect();
    let start = Vector::from_vec(&device, start)?;
    let ((centres, rounds), time) =
        options.measure("settle", 3, || settle(&device, &points, &start, ENOUGH))?;
    functions[0].report(&device, &[], time);
    println!(
        "{rounds} rounds, {:.3} ms each",
        time.as_secs_f64() * 1e3 / f64::from(rounds)
    );
    let (clusters, time) = options.measure("nearest", 3, || {
        let clusters = nearest(&device, &points, &centres)?;
        device.synchronize()?;
        Ok(clusters)
    })?;
    let sizes = [("points.len()", n), ("centres.len()", k)];
    functions[1].report(&device, &sizes, time);
    let clusters = clusters.to_vec()?;
    draw(&places, &clusters, &centres.to_vec()?, &arguments.output)?;
    if options.check {
        compare(&device, options, &places, &start.to_vec()?, k)?;
        let centres = centres.to_vec()?;
        let expected: Vec<usize> = places
            .iter()
            .map(|&point| plain_nearest(point, &centres))
            .collect();
        equal("nearest centres by brute force", &clusters, &expected)?;
    }
    Ok(())
}

/// Compares with `f64`, round by round, and with what is known.
fn compare(
    device: &Device,
    options: &Options,
    places: &[(f32, f32)],
    start: &[(f32, f32)],
    k: usize,
) -> Result<()> {
    let moved = places.iter().map(|&(x, y)| (options.constant(x), y));
    let points = Vector::from_vec(device, moved.collect())?;
    let mut centres = Vector::from_slice(device, start)?;
    let mut before = f32::INFINITY;
    let (mut falls, mut worst) = (true, 0.0f64);
    for _ in 0..5 {
        let spread = spread_of(device, &points, &centres)?;
        falls &= spread <= before * (1.0 + 1e-6);
        before = spread;
        let from = centres.to_vec()?;
        // Enough is infinite: one round.
        (centres, _) = settle(device, &points, &centres, f32::INFINITY)?;
        let plain = plain_means(places, &from);
        let flat =
            |pairs: &[(f32, f32)]| pairs.iter().flat_map(|&(x, y)| [x, y]).collect::<Vec<_>>();
        let expected: Vec<f64> = plain.iter().flat_map(|&(x, y)| [x, y]).collect();
        worst = worst.max(difference(&flat(&centres.to_vec()?), &expected));
    }
    check("centres of five rounds in f64", worst, 1e-4)?;
    agrees("the squared distances never grow", falls)?;
    // From one point of each cloud, each centre finds the middle of its own.
    let (places, middles) = clouds(20_000, k, 1.0);
    let points = Vector::from_slice(device, &places)?;
    let start = Vector::from_slice(device, &places[..k])?;
    let (centres, _) = settle(device, &points, &start, ENOUGH)?;
    let away = centres.to_vec()?.into_iter().zip(middles);
    let farthest = away
        .map(|(a, b)| (a.0 - b.0).hypot(a.1 - b.1))
        .fold(0.0, f32::max);
    check("middles of separate clouds", farthest.into(), 0.5)
}

type Points = Vec<(f32, f32)>;

/// Points around `k` middles that are about 10 apart, the next point around the next one, normally distributed; and the
/// middles.
fn clouds(n: usize, k: usize, width: f32) -> (Points, Points) {
    let middle = |cluster: usize| {
        // As the seeds of a sunflower.
        let angle = 2.399_963 * cluster as f32;
        let radius = 6.0 * (cluster as f32 + 0.5).sqrt();
        (radius * angle.cos(), radius * angle.sin())
    };
    let middles: Points = (0..k).map(middle).collect();
    let (u, v) = (
        random(2, n, 0.0, 1.0),
        random(3, n, 0.0, std::f32::consts::TAU),
    );
    let around = u.into_iter().zip(v).enumerate();
    let points = around.map(|(i, (u, angle))| {
        let (x, y) = middles[i % k.max(1)];
        let radius = width * (-2.0 * (1.0 - u).ln()).sqrt();
        (x + radius * angle.cos(), y + radius * angle.sin())
    });
    (points.collect(), middles)
}

fn plain_nearest((x, y): (f32, f32), centres: &[(f32, f32)]) -> usize {
    let away = centres
        .iter()
        .map(|&(a, b)| (x - a) * (x - a) + (y - b) * (y - b));
    let nearest = away.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map_or(0, |(centre, _)| centre)
}

/// One round in plain Rust.
fn plain_means(places: &[(f32, f32)], centres: &[(f32, f32)]) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0, 0.0); centres.len()];
    for &point in places {
        let sum = &mut sums[plain_nearest(point, centres)];
        sum.0 += f64::from(point.0);
        sum.1 += f64::from(point.1);
        sum.2 += 1.0;
    }
    let mean = |(&(x, y, count), &(a, b)): (&(f64, f64, f64), &(f32, f32))| match count {
        0.0 => (a.into(), b.into()),
        _ => (x / count, y / count),
    };
    sums.iter().zip(centres).map(mean).collect()
}

/// The points in the colours of their clusters, and the centres.
fn draw(
    points: &[(f32, f32)],
    clusters: &[usize],
    centres: &[(f32, f32)],
    to: &Path,
) -> Result<()> {
    let reach = points
        .iter()
        .map(|p| p.0.abs().max(p.1.abs()))
        .fold(1.0, f32::max);
    let place = |(x, y): (f32, f32)| {
        let unit = |x: f32| f64::from(0.5 + 0.49 * x / reach);
        (unit(x), unit(y))
    };
    let mut canvas = Canvas::new(512);
    for (&point, &cluster) in points.iter().zip(clusters) {
        canvas.dot(place(point), 1, spread(cluster, centres.len()));
    }
    centres
        .iter()
        .for_each(|&centre| canvas.dot(place(centre), 7, [255; 3]));
    save(to, canvas.picture())
}
