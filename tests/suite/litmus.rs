//! Protocols between blocks, again and again, for a real GPU: look-back, tickets, folds that the last block ends, locks. What
//! goes wrong seldom, goes wrong in one of many rounds. All results are exact, so that every round must give what the CPU
//! gives. Runs only where it is asked for by name; on the emulated device it is a rehearsal.

use crate::programs::DRIVERS;
use crate::report::Report;
use accelerate::Device;
use accelerate_compiler::Options;
use harness::corpus::{self, Driver};
use harness::inputs::{self, Floats};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

pub(crate) const TIER: &str = "litmus";

/// Scans and what is made of them, sorts by digits and by merges, folds over all blocks and over parts of rows that share a
/// sector, updates under a lock, failures that many threads tell, signs of NaN.
const PROGRAMS: [&str; 12] = [
    "scan_exclusive",
    "filter",
    "partition",
    "sort",
    "sort_by_fields",
    "segments_skewed",
    "sum_integers",
    "argmax_rows",
    "scatter_closure",
    "scatter_out_of_range",
    "float_bits",
    "float_signs",
];

/// Elements: below and above 1, 32 and 1024 tiles of a scan.
const ELEMENTS: [u64; 5] = [3000, 5000, 120_000, 3_900_000, 4_000_000];
/// Of a matrix.
const ROWS: u64 = 3;
/// On the emulated device.
const FEW_ELEMENTS: [u64; 2] = [300, 5000];
const ROUNDS: u32 = 10_000;
const FEW_ROUNDS: u32 = 3;

/// Runs the tier.
pub(crate) fn run(report: &mut Report) {
    if !report.wants(TIER) || !report.is_one_tier() {
        return;
    }
    let device = match Device::cuda(0) {
        Ok(device) => device,
        // Who asks for a GPU by name wants it used.
        Err(error) => return report.case(TIER, "a device", || Err(error.to_string())),
    };
    let is_emulated = device.name().contains("mulated");
    let (elements, rounds) = match is_emulated {
        true => (&FEW_ELEMENTS[..], FEW_ROUNDS),
        false => (&ELEMENTS[..], ROUNDS),
    };
    let drivers = |program: &&str| DRIVERS.iter().find(|driver| driver.program == *program);
    let drivers: Vec<&Driver> = PROGRAMS.iter().filter_map(drivers).collect();
    let cases = (drivers.len() * elements.len()) as u32;
    let each = report.time_left().map(|left| left / cases.max(1));
    for &elements in elements {
        for driver in &drivers {
            let name = format!("{}, {elements}", driver.program);
            if !report.selects(driver.program) {
                continue;
            }
            if !report.has_time() {
                println!("not run: {TIER}: {name}");
                report.skip(TIER, 1, "no time left");
                continue;
            }
            // Whoever looks on sees where it hangs.
            println!("{TIER}: {name}");
            let mut done = 0;
            report.case(TIER, &name, || {
                done = again(&device, driver, elements, rounds, each)?;
                Ok(())
            });
            report.count(TIER, "rounds", done as usize);
        }
    }
}

/// The same call in many rounds. How many there were.
fn again(
    device: &Device,
    driver: &Driver,
    elements: u64,
    rounds: u32,
    time: Option<Duration>,
) -> Result<u32, String> {
    let begun = Instant::now();
    let compiled = corpus::compile(driver, &Options::default())?;
    let header = corpus::header(driver.program);
    // Each array has that many elements; those of rank two few long rows, which blocks share.
    let mut sizes = BTreeMap::new();
    for shape in header.shapes.values() {
        for (position, symbol) in shape.iter().enumerate() {
            let size = match (shape.len(), position) {
                (1, _) => elements,
                (_, 0) => ROWS,
                (_, 1) => elements / ROWS,
                _ => 1,
            };
            sizes.entry(symbol.clone()).or_insert(size);
        }
    }
    let arguments = inputs::arguments(&compiled.lowered, &header, &sizes, Floats::Special, 1);
    let call = |device: &Device| {
        let found = (driver.call)(device, &mut arguments.clone());
        found.map_err(|error| error.to_string())
    };
    let expected = call(&Device::cpu());
    for round in 0..rounds {
        if call(device) != expected {
            return Err(format!("round {round} differs from the CPU's result"));
        }
        if time.is_some_and(|time| begun.elapsed() > time) {
            return Ok(round + 1);
        }
    }
    Ok(rounds)
}
