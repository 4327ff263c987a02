//! The scenario in a process of its own, with one driver call that fails: what the suite `driver` starts many times.
//!
//! Arguments: `call N CODE [MODE..]` lets the N-th driver call fail with a code; `memory` runs short of memory; `bare` looks
//! for devices where there is no driver; `old` has an old one. Modes: `plain` without memory pools, `late` with work put off. Prints `end CALLS` if there are fewer calls, else what failed
//! and what came of it, and what is alive at the end.

use accelerate::{Device, Error, Vector};
use emulator::Emulator;
use faults::scenario::{self, Held};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |mode: &str| arguments.iter().any(|argument| argument == mode);
    if has("bare") {
        return bare();
    }
    let emulator = faults::emulated().expect("the suite has asked before");
    if has("old") {
        return old(emulator);
    }
    emulator.pools(!has("plain"));
    emulator.delay(has("late"));
    if has("memory") {
        return short_of_memory(emulator);
    }
    let number = |k: usize| arguments[k].parse::<u64>().expect("a number");
    let (call, code) = (number(1), number(2) as i32);
    let mut held = Vec::new();
    emulator.fail_with(None, call, code);
    let outcome = scenario::run(&mut held);
    let failed = emulator.failed();
    emulator.fail_never();
    match (failed, &outcome) {
        (false, outcome) => {
            outcome.as_ref().expect("nothing has failed");
            println!("end {}", emulator.counters().calls);
        }
        (true, Ok(())) => println!("swallowed {}", emulator.failed_name()),
        (true, Err(error)) => {
            let ours = matches!(
                error,
                Error::Cuda { .. } | Error::OutOfMemory { .. } | Error::NoDevice { .. }
            );
            assert!(ours, "not an error of the device: {error}");
            println!(
                "error {}: {error}",
                emulator.failed_name().replace(' ', "-")
            );
        }
    }
    if failed && [700, 719].contains(&code) {
        lost(emulator, held);
        return println!("lost");
    }
    readable(&held);
    let mut more = Vec::new();
    scenario::run(&mut more).expect("the device works again");
    readable(&held);
    drop((held, more, outcome));
    let device = Device::cuda(0).expect("it was opened");
    device.synchronize().expect("it works");
    let now = emulator.counters();
    println!(
        "alive {} {} {} {} {} {} {}",
        now.live_allocations,
        now.live_bytes,
        now.live_modules,
        now.live_streams,
        now.live_events,
        now.live_contexts,
        now.live_pinned
    );
}

/// Arrays are as they were.
fn readable(held: &[Held]) {
    for (array, values) in held {
        assert_eq!(array.to_vec().as_ref(), Ok(values), "an array was lost");
    }
}

/// After the context was lost: errors, nothing worse, and the CPU works.
fn lost(emulator: &Emulator, held: Vec<Held>) {
    for (array, _) in held.iter().filter(|(array, _)| !array.is_empty()) {
        let error = array.to_vec().expect_err("its memory is gone");
        assert!(matches!(error, Error::Cuda { .. }), "{error}");
    }
    assert!(scenario::run(&mut Vec::new()).is_err());
    let cpu = Vector::from_vec(&Device::cpu(), vec![1.0f32, 2.0]).expect("host memory");
    let twice = scenario::doubled(&Device::cpu(), &cpu).expect("no device is asked");
    assert_eq!(twice.to_vec(), Ok(vec![2.0, 4.0]));
    assert!(Device::all().contains(&Device::cpu()));
    Device::best().expect("the CPU at least");
    drop(held);
    emulator.recover();
}

/// Memory that does not suffice, at every step of the scenario; then memory that would if freed memory were given back.
fn short_of_memory(emulator: &Emulator) {
    let mut exhausted = 0;
    let mut held = Vec::new();
    scenario::run(&mut held).expect("there is enough memory");
    held.truncate(3);
    let taken = emulator.counters().live_bytes;
    for limit in (0..).map(|step| taken + step * 4096) {
        emulator.memory(limit);
        let outcome = scenario::run(&mut Vec::new());
        emulator.memory(1 << 34);
        readable(&held);
        match outcome {
            Ok(()) => break,
            Err(Error::OutOfMemory { bytes, device }) => {
                assert!(bytes > 0 && !device.is_empty());
                exhausted += 1;
            }
            Err(other) => panic!("instead of OutOfMemory: {other}"),
        }
    }
    assert!(
        exhausted > 10,
        "only {exhausted} steps were short of memory"
    );
    // What is freed in the order of the stream counts as used until the stream has come that far.
    emulator.delay(true);
    let device = Device::cuda(0).expect("it was opened");
    emulator.memory(emulator.counters().live_bytes + (3 << 20));
    for _ in 0..20 {
        let block = Vector::from_vec(&device, vec![1u8; 2 << 20]).expect("enough when trimmed");
        assert_eq!(block.get(2_000_000), Ok(1));
    }
    println!("end {exhausted}");
}

/// Without a driver: an error that says what was looked for, and the CPU.
fn bare() {
    match Device::cuda(0) {
        Ok(device) => return println!("a driver is installed: {device}"),
        Err(Error::NoDevice { message }) => println!("{message}"),
        Err(other) => panic!("instead of NoDevice: {other}"),
    }
    assert_eq!(Device::all(), [Device::cpu()]);
    match Device::best() {
        Ok(device) => println!("best: {device}"),
        Err(error) => println!("best: {error}"),
    }
}

/// A driver older than the PTX: both numbers.
fn old(emulator: &Emulator) {
    emulator.driver_version(12040);
    let device = Device::cuda(0).expect("old, but a device");
    let xs = Vector::from_vec(&device, vec![1.0f32]).expect("memory");
    println!(
        "{}",
        scenario::doubled(&device, &xs).expect_err("PTX that is too new")
    );
    emulator.driver_version(13000);
    let twice = scenario::doubled(&device, &xs).and_then(|twice| twice.to_vec());
    assert_eq!(twice, Ok(vec![2.0]));
}
