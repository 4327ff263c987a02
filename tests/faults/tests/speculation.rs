//! Programs that demand a large array or a long reduction in a branch that is not taken: they end at once, and need no memory
//! for it, on the CPU and on the emulated device.

use accelerate::{Device, Result, Vector, accelerate};
use faults::Tier;
use std::process::ExitCode;
use std::time::{Duration, Instant};

accelerate! {
    /// Without the branch the extent wraps.
    pub fn wrapped(t: &Vector<u32>, n: usize) -> Vector<u32> {
        t.map(|c| if c > 5 { iota(n - 1).map(|i| (i * i) as u32).sum() } else { c })
    }
    /// The scan would need 32 TB.
    pub fn scanned(t: &Vector<u32>, n: usize) -> Vector<u32> {
        t.map(|c| if c > 5 { iota(n * n * n).map(|i| i as u32).cumsum()[c as usize] } else { c })
    }
    /// The host knows that the branch is not taken.
    pub fn told(t: &Vector<u32>, n: usize) -> Vector<u32> {
        t.map(|c| if n < 1000 { iota(n * n * n).map(|i| i as u32).sum() } else { c })
    }
    /// The loop has no round.
    pub fn rounds(t: &Vector<u32>, n: usize) -> Vector<u32> {
        t.map(|c| {
            let mut s = c;
            while s > 7 { s = s / 2 + iota(n * n * n).map(|i| i as u32).sum() % 3; }
            s
        })
    }
    /// The array is stored, since its elements are dear and read again and again.
    pub fn stored(t: &Vector<u32>, n: usize) -> Vector<u32> {
        t.map(|c| if c > 5 {
            let v = iota(n * n * n).map(|i| (i as f32).sin().exp() as u32).materialize();
            v[c as usize] + v[2 * c as usize]
        } else {
            c
        })
    }
    /// There are no elements that demand it.
    pub fn of_none(t: &Vector<u32>, n: usize) -> Vector<u32> {
        t.map(|c| c + iota(n * n * n).map(|i| i as u32).sum())
    }
}

/// What each program may take, the call that compiles a kernel for the emulated device left out.
const MOST: Duration = Duration::from_secs(1);
/// Bytes that the process may grow by.
const BYTES: u64 = 64 << 20;

type Program = fn(&Device, &Vector<u32>, usize) -> Result<Vector<u32>>;

fn main() -> ExitCode {
    let mut tier = Tier::new("speculation");
    run(&mut tier, &Device::cpu());
    match faults::emulated() {
        Ok(_) => match Device::cuda(0) {
            Ok(device) => run(&mut tier, &device),
            Err(error) => tier.case("the emulated device", || Err(error.to_string())),
        },
        Err(reason) => tier.skip(CASES.len(), &reason),
    }
    tier.finish()
}

const CASES: [(&str, Program, usize, &[u32]); 6] = [
    ("an extent that wraps", wrapped, 0, &[1, 2, 3]),
    ("a scan of 32 TB", scanned, 20_000, &[1, 2, 3]),
    ("a branch that the host knows", told, 2_000, &[1, 2, 3]),
    ("a loop without rounds", rounds, 20_000, &[1, 2, 3]),
    ("an array that is stored", stored, 20_000, &[1, 2, 3]),
    ("a domain without elements", of_none, 20_000, &[]),
];

fn run(tier: &mut Tier, device: &Device) {
    for (name, program, n, values) in CASES {
        tier.case(&format!("{name}: {}", device.name()), || {
            let t = Vector::from_slice(device, values).map_err(|error| error.to_string())?;
            let small = Vector::from_slice(device, &[0u32; 0]).map_err(|e| e.to_string())?;
            let call = |t: &Vector<u32>, n| -> Result<Vec<u32>> { program(device, t, n)?.to_vec() };
            call(&small, 2).map_err(|error| error.to_string())?;
            let (before, start) = (peak(), Instant::now());
            let result = call(&t, n).map_err(|error| error.to_string())?;
            let (took, grown) = (start.elapsed(), peak() - before);
            if result != values {
                return Err(format!("{result:?}"));
            }
            if took > MOST || grown > BYTES {
                return Err(format!("{took:?}, {grown} bytes"));
            }
            Ok(())
        });
    }
    tier.case(
        &format!("branches that are taken: {}", device.name()),
        || {
            let t = Vector::from_slice(device, &[1, 9, 6]).map_err(|error| error.to_string())?;
            for (name, program, expected) in [
                ("wrapped", wrapped as Program, [1, 14, 14]),
                ("scanned", scanned, [1, 45, 21]),
                ("told", told, [2016, 2016, 2016]),
                ("of_none", of_none, [2017, 2025, 2022]),
            ] {
                let n = if name == "wrapped" { 5 } else { 4 };
                let result = program(device, &t, n).and_then(|result| result.to_vec());
                match result {
                    Ok(result) if result == expected => {}
                    other => return Err(format!("{name}: {other:?}")),
                }
            }
            Ok(())
        },
    );
}

/// The most memory that the process has had, in bytes.
fn peak() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse::<u64>().ok())
        .unwrap_or(0)
        << 10
}
