//! Every driver call fails once, in turn, each time in a fresh process: always an `Err`, nothing is lost, nothing leaks,
//! and the next call works.

use faults::Tier;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicU64, Ordering};

/// Calls whose refusal is no error: memory is asked for again after what is free was given back, and freed again (for
/// which the context is asked for, or the stream waited for).
const FORGIVEN: [&str; 6] = [
    "cuCtxGetCurrent",
    "cuStreamSynchronize",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemFreeAsync",
    "cuMemFree_v2",
];

/// CUDA_ERROR_OUT_OF_MEMORY.
const OUT_OF_MEMORY: i32 = 2;
/// CUDA_ERROR_ILLEGAL_ADDRESS.
const LOST: i32 = 700;

fn main() -> ExitCode {
    let mut tier = Tier::new("failing driver");
    let modes: [(&str, i32, &[&str]); 4] = [
        ("usual codes", 0, &[]),
        ("an unknown error without pools", 999, &["plain"]),
        ("out of memory, work put off", OUT_OF_MEMORY, &["late"]),
        ("a lost context", LOST, &[]),
    ];
    match scenario(&["bare"], &[]) {
        Ok(text) if text.starts_with("a driver is installed") => tier.skip(1, &text),
        outcome => tier.case("no driver", || no_driver(outcome)),
    }
    if let Err(reason) = faults::emulated() {
        tier.skip(modes.len() + 3 + scenarios().len(), &reason);
        return tier.finish();
    }
    for (name, code, mode) in modes {
        tier.case(name, || each_in_turn(code, mode));
    }
    tier.case("memory runs out", || {
        let text = scenario(&["memory"], &[])?;
        match text.starts_with("end ") {
            true => Ok(()),
            false => Err(text),
        }
    });
    for (name, arguments, variables, expected) in scenarios() {
        tier.case(name, || {
            let text = scenario(arguments, variables)?;
            match expected(&text) {
                true => Ok(()),
                false => Err(text),
            }
        });
    }
    tier.case("a run-time compiler for a driver that is too old", || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nvrtc-of-old-driver");
        let folder = faults::run_time_compiler(folder)?;
        let folder = folder.to_string_lossy();
        let variables = [
            ("LD_LIBRARY_PATH", &*folder),
            ("ACCELERATE_EMULATOR_SOURCES", &*folder),
        ];
        match scenario(&["old", "10020"], &variables)?.as_str() {
            "[2.0]\n" => Ok(()),
            text => Err(text.to_owned()),
        }
    });
    tier.case("products by cuBLAS", || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cublas");
        emulator::cublas(&folder).map_err(|error| format!("{error:#}"))?;
        let folder = folder.to_string_lossy();
        match scenario(&["gemm"], &[("LD_LIBRARY_PATH", &*folder)])?.as_str() {
            "end\n" => Ok(()),
            text => Err(text.to_owned()),
        }
    });
    tier.finish()
}

/// Names, arguments, variables, and what is expected of the text.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static [(&'static str, &'static str)],
    fn(&str) -> bool,
);

fn scenarios() -> Vec<Case> {
    let pools: Case = (
        "allocations of their own",
        &["plain-allocations"],
        &[("ACCELERATE_POOLS", "off")],
        |text| text == "cuMemAlloc_v2: called\n",
    );
    vec![
        pools,
        (
            "PTX newer than the driver",
            &["old", "12040"],
            &[],
            |text| text == "[2.0]\n",
        ),
        ("the oldest driver", &["old", "11000"], &[], |text| {
            text == "[2.0]\n"
        }),
        ("a driver that is too old", &["old", "10020"], &[], |text| {
            let (needed, supported) = (
                "`doubled` needs CUDA ",
                "; the driver supports 10.2 (PTX unknown): ",
            );
            text.starts_with(needed) && text.contains(supported)
        }),
        ("a driver that cannot be used", &["unusable"], &[], |text| {
            let warning = "warning: accelerate: the CUDA driver cannot be used: CUDA_ERROR_UNKNOWN: unknown error: \
                           computing on the CPU instead\n";
            text == format!("cpu\ncpu\n{warning}")
        }),
        ("a driver that compiles", &["compiling"], &[], |text| {
            text == "3 loads\n"
        }),
        ("a program that is refused", &["refused"], &[], |text| {
            text == "3 loads\n"
        }),
        (
            "what the driver's compiler says",
            &["old", "13000"],
            &[("ACCELERATE_EMULATOR_CXX", "false")],
            |text| {
                let start = "`doubled_map` of `doubled` cannot be loaded: CUDA_ERROR_INVALID_PTX: ";
                text.contains(start) && text.contains("\ncannot compile ")
            },
        ),
        ("variants of kernels", &["variants"], &[], |text| {
            text == "end\n"
        }),
        ("what was launched", &["choices"], &[], |text| {
            text == "total_reduce_block block\ntotal_reduce_grid blocks\n1 after a call that fails\n0 on the CPU\n"
        }),
        ("many inputs", &["streams"], &[], |text| text == "end\n"),
        (
            "many inputs, work put off",
            &["streams", "late"],
            &[],
            |text| text == "end\n",
        ),
        ("copies beside kernels", &["overlap"], &[], |text| {
            text == OVERLAP
        }),
        ("pages of the host", &["pages"], &[], |text| text == "end\n"),
        ("a context of the caller", &["foreign"], &[], |text| {
            text == "end\n"
        }),
        ("functions of the user's", &["routines"], &[], |text| {
            text == "end\n"
        }),
        ("no cuBLAS", &["gemm"], &[], |text| {
            text == "no cuBLAS: looked for libcublas.so, libcublas.so.13, libcublas.so.12, libcublas.so.11 in the system's \
                     library path\n"
        }),
        ("sums of subnormal numbers", &["subnormal"], &[], |text| {
            // What stands in the documentation of scatters: taken for zero.
            text == "Ok([0.0, 1.0])\n"
        }),
    ]
}

/// What is queued on which stream by an ordinary call, and by `doubled::stream` of four inputs: kernels on the first one, where
/// nothing waits for the host any more. Copies to the device wait for nothing, those to the host for the end of their call.
const OVERLAP: &str = "\
2: copy to device
2: record 1
1: wait for 1
1: launch doubled_map
1: copy to host
1: synchronize
result
2: copy to device
2: record 2
1: wait for 2
1: launch doubled_map
1: record 3
2: copy to device
2: record 4
1: wait for 4
1: launch doubled_map
1: record 5
2: copy to device
2: record 6
1: wait for 6
1: launch doubled_map
1: record 7
3: wait for 3
3: copy to host
3: synchronize
result
2: copy to device
2: record 8
1: wait for 8
1: launch doubled_map
1: record 9
3: wait for 5
3: copy to host
3: synchronize
result
3: wait for 7
3: copy to host
3: synchronize
result
3: wait for 9
3: copy to host
3: synchronize
result
";

/// The CPU is the best device, unless another one is asked for.
fn no_driver(outcome: Result<String, String>) -> Result<(), String> {
    let missing =
        "no CUDA driver: looked for libcuda.so and libcuda.so.1 in the system's library path";
    let expected = |best: &str| format!("{missing}\nbest: {best}\n");
    for (variable, best) in [("", "cpu"), ("cpu", "cpu"), ("cuda", missing)] {
        let text = scenario(&["bare"], &[("ACCELERATE_DEVICE", variable)])?;
        if text != expected(best) {
            return Err(text);
        }
    }
    outcome.map(drop)
}

/// Runs the scenario in a process of its own; what it printed, warnings last.
fn scenario(arguments: &[&str], variables: &[(&str, &str)]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_scenario"))
        .args(arguments)
        .env("ACCELERATE_EMULATOR_QUIET", "1")
        .env_remove("ACCELERATE_DEVICE")
        .env_remove("ACCELERATE_POOLS")
        .envs(variables.iter().copied())
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()),
        false => Err(format!(
            "{}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

fn each_in_turn(code: i32, mode: &[&str]) -> Result<(), String> {
    let run = |call: u64| {
        let (call, code) = (call.to_string(), code.to_string());
        let arguments = [&["call", &call, &code], mode].concat();
        scenario(&arguments, &[]).map_err(|text| format!("call {call}: {text}"))
    };
    // What is alive after two scenarios of which none failed.
    let alive = |text: &str| {
        text.lines()
            .find(|line| line.starts_with("alive "))
            .map(str::to_owned)
    };
    let whole = run(1_000_000)?;
    let expected = alive(&whole).ok_or("the scenario does not end")?;
    // Each thread takes the next call until there is none.
    let (next, errors) = (AtomicU64::new(1), AtomicU64::new(0));
    let work = || -> Result<(), String> {
        loop {
            let call = next.fetch_add(1, Ordering::Relaxed);
            let text = run(call)?;
            let first = text.lines().next().unwrap_or_default();
            match first.split([' ', ':']).collect::<Vec<_>>()[..] {
                ["end", ..] => return Ok(()),
                ["error", ..] => _ = errors.fetch_add(1, Ordering::Relaxed),
                ["swallowed", name, ..] if FORGIVEN.contains(&name) => {}
                _ => return Err(format!("call {call}: {text}")),
            }
            if code != LOST && alive(&text).as_ref() != Some(&expected) {
                return Err(format!("call {call}: {text}instead of {expected}"));
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("it returns its error"))
    })?;
    match errors.into_inner() {
        errors @ 0..100 => Err(format!("only {errors} calls failed")),
        _ => Ok(()),
    }
}
