//! The five records nearest to a place, NN of Rodinia (Che et al.: Rodinia: A Benchmark Suite for Heterogeneous Computing, 2009): one
//! kernel that computes each distance and keeps the five least, by a fold whose values are lists of five.

use accelerate::{Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Options, equal, function, random_integers};

accelerate! {
    /// Records and their distances, the nearest first.
    pub struct Five {
        pub distances: [f32; 5],
        pub records: [u32; 5],
    }

    /// The five nearest of two lists; of equal distances those of the first one first.
    fn merged(a: Five, b: Five) -> Five {
        let mut best = a;
        let (mut i, mut j) = (0, 0);
        for k in 0..5 {
            if b.distances[j] < a.distances[i] {
                best.distances[k] = b.distances[j];
                best.records[k] = b.records[j];
                j += 1;
            } else {
                best.distances[k] = a.distances[i];
                best.records[k] = a.records[i];
                i += 1;
            }
        }
        best
    }

    /// The five records nearest to a place.
    #[fused(kernels = 1)]
    pub fn nearest(records: &Vector<(f32, f32)>, place: (f32, f32)) -> Five {
        let none = Five { distances: [f32::INFINITY; 5], records: [u32::MAX; 5] };
        let each = records.map_indexed(|k, (latitude, longitude)| {
            let (dy, dx) = (latitude - place.0, longitude - place.1);
            let mut alone = none;
            alone.distances[0] = (dy * dy + dx * dx).sqrt();
            alone.records[0] = k as u32;
            alone
        });
        each.fold(none, merged)
    }
}

/// Finds the records that are nearest to a place.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of records
    #[arg(long, default_value_t = 1 << 23)]
    size: usize,
    /// Latitude and longitude
    #[arg(long, num_args = 2, default_values_t = [30, 90])]
    place: Vec<i32>,
}

fn main() -> Result<()> {
    let Arguments {
        options,
        size,
        place,
    } = Arguments::parse();
    let device = options.start(&[function!(nearest)])?;
    // On a grid of integers, where squares are exact.
    let latitudes = random_integers(1, size, 181)
        .into_iter()
        .map(|x| x as f32 - 90.0);
    let longitudes = random_integers(2, size, 361)
        .into_iter()
        .map(|x| x as f32 - 180.0);
    let exact: Vec<(f32, f32)> = latitudes.zip(longitudes).collect();
    let records = Vector::from_slice(&device, &exact)?;
    let place = (place[0] as f32, place[1] as f32);
    let asked = (options.constant(place.0), place.1);
    let (five, time) = options.measure("nearest", 5, || nearest(&device, &records, asked))?;
    function!(nearest).report(&device, &[("records.len()", size)], time);
    println!("    record  latitude  longitude  distance");
    for (&record, distance) in five.records.iter().zip(five.distances) {
        if let Some((latitude, longitude)) = exact.get(record as usize) {
            println!("{record:>10} {latitude:>9} {longitude:>10} {distance:>9.3}");
        }
    }
    if options.check {
        let square = |&(y, x): &(f32, f32)| (y - place.0).powi(2) + (x - place.1).powi(2);
        let mut order: Vec<u32> = (0..size as u32).collect();
        order.sort_by(|&a, &b| square(&exact[a as usize]).total_cmp(&square(&exact[b as usize])));
        order.truncate(5);
        equal("records by a stable sort", &five.records, &order)?;
        let distances: Vec<f32> = order
            .iter()
            .map(|&k| square(&exact[k as usize]).sqrt())
            .collect();
        equal("their distances", &five.distances, &distances)?;
    }
    Ok(())
}
