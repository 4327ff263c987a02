//! The scenario in a process of its own, with one driver call that fails: what the suite `driver` starts many times.
//!
//! Arguments: `call N CODE [MODE..]` lets the N-th driver call fail with a code; `memory` runs short of memory; `bare` looks
//! for devices where there is no driver; the others are the functions at the end of this file. Modes: `plain` without memory
//! pools, `late` with work put off. Prints `end CALLS` if there are fewer calls, else what failed and what came of it, and
//! what is alive at the end.

use accelerate::{Device, Error, Vector};
use emulator::Emulator;
use faults::scenario::{self, Held};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |mode: &str| arguments.iter().any(|argument| argument == mode);
    if has("bare") {
        return bare();
    }
    let emulator = faults::emulated().expect("the suite has asked before");
    if let [name, rest @ ..] = &arguments[..]
        && let Some((_, run)) = OTHERS.iter().find(|(other, _)| other == name)
    {
        return run(emulator, rest);
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
    emulator.delay(false);
    // Launches leave scratch memory, which nobody needs now.
    let large = Vector::from_vec(&device, vec![1.0f32; scenario::MOST]).expect("memory");
    let total = |large: &Vector<f32>| scenario::total(&device, large);
    total(&large).expect("enough memory");
    emulator.memory(emulator.counters().live_bytes + (64 << 10));
    Vector::from_vec(&device, vec![1u8; 128 << 10]).expect("enough without scratch memory");
    assert_eq!(total(&large), Ok(scenario::MOST as f32));
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

type Scenario = fn(&Emulator, &[String]);
const OTHERS: [(&str, Scenario); 14] = [
    ("old", old),
    ("unusable", unusable),
    ("compiling", compiling),
    ("refused", refused),
    ("variants", variants),
    ("choices", choices),
    ("pages", pages),
    ("foreign", foreign),
    ("routines", |emulator, _| {
        faults::foreign::routines(emulator)
    }),
    ("gemm", |emulator, _| faults::foreign::gemm(emulator)),
    ("plain-allocations", plain_allocations),
    ("subnormal", subnormal),
    ("streams", |emulator, arguments| {
        emulator.delay(!arguments.is_empty());
        faults::stream::streams(emulator);
    }),
    ("overlap", |emulator, _| faults::stream::overlap(emulator)),
];

/// A vector, doubled.
fn doubled(device: &Device, values: Vec<f32>) -> accelerate::Result<Vec<f32>> {
    scenario::doubled(device, &Vector::from_vec(device, values)?)?.to_vec()
}

fn opened() -> Device {
    Device::cuda(0).expect("the emulated device")
}

/// A driver older than the PTX, of the version that is given: what comes of it.
fn old(emulator: &Emulator, arguments: &[String]) {
    let version = arguments[0].parse().expect("a version");
    emulator.driver_version(version);
    match doubled(&opened(), vec![1.0]) {
        Ok(twice) => println!("{twice:?}"),
        Err(error) => println!("{error}"),
    }
}

/// A driver that refuses to begin: the CPU is best, which is told once.
fn unusable(emulator: &Emulator, _: &[String]) {
    for _ in 0..2 {
        emulator.fail_with(Some("cuInit"), 1, 999);
        println!("{}", Device::best().expect("the CPU at least"));
    }
}

/// While the driver compiles a variant of a kernel, other programs run, and other variants of the same.
fn compiling(emulator: &Emulator, _: &[String]) {
    let device = opened();
    let xs = Vector::from_vec(&device, vec![1.0f32, 2.0]).expect("memory");
    let large = ones(&device);
    doubled(&device, vec![1.0]).expect("it is loaded");
    scenario::total(&device, &large).expect("it is loaded");
    emulator.hold_loads(true);
    thread::scope(|scope| {
        let totals: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| scenario::total(&device, &xs)))
            .collect();
        let begun = Instant::now();
        while emulator.held_loads() == 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "it is loaded");
            thread::yield_now();
        }
        let (done, finished) = channel();
        let (also_done, also_finished) = channel();
        scope.spawn(move || done.send(doubled(&opened(), vec![3.0])));
        scope.spawn(move || also_done.send(scenario::total(&opened(), &large)));
        let twice = finished.recv_timeout(Duration::from_secs(60));
        let other = also_finished.recv_timeout(Duration::from_secs(60));
        emulator.hold_loads(false);
        assert_eq!(twice, Ok(Ok(vec![6.0])), "it waits for another program");
        let expected = Ok(Ok(scenario::MOST as f32));
        assert_eq!(other, expected, "it waits for another variant");
        for total in totals {
            assert_eq!(total.join().expect("no panic"), Ok(3.0));
        }
    });
    let loads = loads(emulator);
    println!("{loads} loads");
}

/// As many as several blocks share.
fn ones(device: &Device) -> Vector<f32> {
    Vector::from_vec(device, vec![1.0; scenario::MOST]).expect("memory")
}

/// A call loads the variant that it launches; after `warm` none is left to load, whatever the sizes are.
fn variants(emulator: &Emulator, _: &[String]) {
    let device = opened();
    let few = Vector::from_vec(&device, vec![1.0f32; 2]).expect("memory");
    let many = ones(&device);
    let total = |xs| scenario::total(&device, xs).expect("it works");
    for _ in 0..2 {
        assert_eq!(total(&few), 2.0);
        assert_eq!(loads(emulator), 1);
    }
    for _ in 0..2 {
        scenario::total::warm(&device).expect("it loads");
        assert_eq!(
            loads(emulator),
            2,
            "a block and a grid; none of wide indices"
        );
    }
    assert_eq!(total(&many), scenario::MOST as f32);
    scenario::centred::warm(&Device::cpu()).expect("there is nothing to load");
    assert_eq!(loads(emulator), 2);
    scenario::centred::warm(&device).expect("it loads");
    scenario::binned::warm(&device).expect("it loads");
    scenario::binned_in_order::warm(&device).expect("it loads");
    let warm = loads(emulator);
    for xs in [few, many] {
        for bins in [2, 5000] {
            let bins = Vector::from_vec(&device, vec![0.0; bins]).expect("memory");
            scenario::binned(&device, &bins, &xs).expect("it works");
            scenario::binned_in_order(&device, &bins, &xs).expect("it works");
        }
        scenario::centred(&device, &xs).expect("it works");
    }
    assert_eq!(loads(emulator), warm);
    println!("end");
}

/// What `f::choice` tells of the variants.
fn choices(_: &Emulator, _: &[String]) {
    let device = opened();
    let few = Vector::from_vec(&device, vec![1.0f32; 2]).expect("memory");
    let many = ones(&device);
    for xs in [&few, &many] {
        for choice in scenario::total::choice(&device, xs).expect("it works") {
            assert_eq!(choice.kernel, scenario::total::KERNELS[0]);
            let (x, y) = choice.blocks;
            assert!(x * y <= choice.resident * 1024 && choice.threads.is_multiple_of(32));
            println!(
                "{} {}",
                choice.variant,
                if x > 1 { "blocks" } else { "block" }
            );
        }
    }
    let centred = scenario::centred::choice(&device, &few).expect("it works");
    let kernels: Vec<&str> = centred.iter().map(|choice| choice.kernel).collect();
    assert_eq!(kernels, scenario::centred::KERNELS);
    let beyond = Vector::from_vec(&device, vec![7usize]).expect("memory");
    let failed = scenario::picked::choice(&device, &few, &beyond);
    println!(
        "{} after a call that fails",
        failed.map_or(0, |choices| choices.len())
    );
    let cpu = Vector::from_vec(&Device::cpu(), vec![1.0f32; 2]).expect("host memory");
    let none = scenario::total::choice(&Device::cpu(), &cpu).expect("it works");
    println!("{} on the CPU", none.len());
}

/// How often anything was loaded.
fn loads(emulator: &Emulator) -> u64 {
    let calls = emulator.calls();
    let load = calls.iter().find(|(name, _)| name == "cuModuleLoadDataEx");
    load.map_or(0, |(_, count)| *count)
}

/// A variant that the driver's compiler refuses is not compiled again, one for which it had no memory is.
fn refused(emulator: &Emulator, _: &[String]) {
    const INVALID_PTX: i32 = 218;
    let device = opened();
    emulator.fail_with(Some("cuModuleLoadDataEx"), 1, OUT_OF_MEMORY);
    doubled(&device, vec![1.0]).expect_err("no memory");
    assert_eq!(doubled(&device, vec![1.0]), Ok(vec![2.0]));
    let xs = Vector::from_vec(&device, vec![1.0f32, 2.0]).expect("memory");
    emulator.fail_with(Some("cuModuleLoadDataEx"), 1, INVALID_PTX);
    let first = scenario::total(&device, &xs).expect_err("refused");
    let told = "`total_reduce_block` of `total` cannot be loaded: CUDA_ERROR_INVALID_PTX";
    assert!(first.to_string().contains(told), "{first}");
    assert_eq!(scenario::total(&device, &xs), Err(first));
    println!("{} loads", loads(emulator));
}

/// CUDA_ERROR_OUT_OF_MEMORY.
const OUT_OF_MEMORY: i32 = 2;

/// A device that reads the host's pages when it comes to that: what was uploaded is what was there then.
fn pages(emulator: &Emulator, _: &[String]) {
    emulator.host_pages(true);
    emulator.delay(true);
    let device = opened();
    // Each time the pool of host memory gives out the same block again.
    let arrays: Vec<Vector<u64>> = (0..50)
        .map(|k| Vector::from_vec(&device, vec![k; 1000]).expect("memory"))
        .collect();
    for (k, array) in (0..).zip(&arrays) {
        assert_eq!(array.to_vec(), Ok(vec![k; 1000]));
    }
    println!("end");
}

/// A caller with a context of his own has it still.
fn foreign(emulator: &Emulator, _: &[String]) {
    emulator.enter_foreign_context();
    let mut held = Vec::new();
    scenario::run(&mut held).expect("nothing has failed");
    drop(held);
    assert!(emulator.in_foreign_context());
    println!("end");
}

/// As the variable says.
fn plain_allocations(emulator: &Emulator, _: &[String]) {
    scenario::run(&mut Vec::new()).expect("nothing has failed");
    let calls = emulator.calls();
    for (name, count) in calls
        .iter()
        .filter(|(name, _)| name.starts_with("cuMemAlloc"))
    {
        println!("{name}: {}", if *count > 0 { "called" } else { "never" });
    }
}

/// Sums that are too small for their exponent: what is promised of them, in any order and in one.
fn subnormal(_: &Emulator, _: &[String]) {
    let device = opened();
    let tiny = 1e-40;
    let vector = |values| Vector::from_vec(&device, values).expect("memory");
    let (bins, xs) = (vector(vec![tiny, 1.0]), vector(vec![0.0, 0.0, 0.0]));
    let sums = |sums: accelerate::Result<Vector<f32>>| sums.and_then(|sums| sums.to_vec());
    println!("{:?}", sums(scenario::binned(&device, &bins, &xs)));
    let exact = sums(scenario::binned_in_order(&device, &bins, &xs));
    assert_eq!(exact, Ok(vec![tiny, 1.0]));
}
