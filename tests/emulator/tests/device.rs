//! The emulated CUDA device itself, through cudarc, with kernels written by hand.

use cudarc::driver::sys::CUresult;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaStream, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::Ptx;
use emulator::Emulator;
use std::path::Path;
use std::sync::{Arc, MutexGuard};

struct Device {
    emulator: &'static Emulator,
    stream: Arc<CudaStream>,
    context: Arc<CudaContext>,
    _serial: MutexGuard<'static, ()>,
}

/// The device as a process finds it, or `None` (and a line) where it could not be built.
fn device() -> Option<Device> {
    let serial = ::emulator::lock();
    let emulator = match ::emulator::load() {
        Ok(emulator) => emulator,
        Err(error) => {
            eprintln!("skipped: {error:#}");
            return None;
        }
    };
    if std::env::var_os("ACCELERATE_EMULATOR_SOURCES").is_none() {
        ::emulator::add_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels"));
    }
    emulator.recover();
    emulator.seed(1);
    emulator.residency(8);
    emulator.delay(false);
    emulator.end_of_page(false);
    emulator.instrument(false);
    emulator.fail_never();
    let context = CudaContext::new(0).expect("a device");
    let stream = context.new_stream().expect("a stream");
    Some(Device {
        emulator,
        stream,
        context,
        _serial: serial,
    })
}

impl Device {
    fn kernel(&self, name: &str) -> CudaFunction {
        let image = Ptx::from_src("// accelerate-module: written\n");
        let module = self.context.load_module(image).expect("a module");
        module.load_function(name).expect("a kernel")
    }

    /// Runs a kernel on memory of `n` elements of its own; what the wait says, and the report.
    fn faulty(
        &self,
        name: &str,
        n: usize,
        threads: u32,
    ) -> (Result<Vec<u32>, DriverError>, String) {
        let kernel = self.kernel(name);
        let mut xs = self.stream.alloc_zeros::<u32>(n).expect("memory");
        let count = n as u32;
        let mut launch = self.stream.launch_builder(&kernel);
        launch.arg(&mut xs);
        if [
            "past_the_end",
            "far_past_the_end",
            "read_past_the_end",
            "divide",
        ]
        .contains(&name)
        {
            launch.arg(if name == "divide" { &0 } else { &count });
        }
        let shape = LaunchConfig {
            grid_dim: (4, 1, 1),
            block_dim: (threads, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are the kernel's.
        let launched = unsafe { launch.launch(shape) };
        let result = launched
            .and_then(|_| self.stream.clone_dtoh(&xs))
            .and_then(|ys| self.stream.synchronize().map(|()| ys));
        let report = self.emulator.report();
        self.emulator.recover();
        drop(xs);
        self.emulator.recover();
        let _ = self.context.check_err();
        (result, report)
    }

    fn sum(&self, kernel: &str, xs: &[f32], blocks: u32) -> f32 {
        let kernel = self.kernel(kernel);
        let input = self.stream.clone_htod(xs).expect("memory");
        let mut partials = self
            .stream
            .alloc_zeros::<f32>(blocks as usize)
            .expect("memory");
        let mut ticket = self.stream.alloc_zeros::<u32>(1).expect("memory");
        let mut result = self.stream.alloc_zeros::<f32>(1).expect("memory");
        let n = xs.len() as u32;
        let mut launch = self.stream.launch_builder(&kernel);
        launch
            .arg(&input)
            .arg(&mut partials)
            .arg(&mut ticket)
            .arg(&mut result)
            .arg(&n);
        let shape = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (128, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are the kernel's.
        unsafe { launch.launch(shape) }.expect("a launch");
        self.stream.clone_dtoh(&result).expect("the result")[0]
    }
}

#[test]
fn saxpy_computes_on_the_device() {
    let Some(device) = device() else { return };
    let xs: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    for seed in 0..5 {
        for pools in [true, false] {
            device.emulator.seed(seed);
            device.emulator.pools(pools);
            let kernel = device.kernel("saxpy");
            let input = device.stream.clone_htod(&xs).expect("memory");
            let mut output = device
                .stream
                .clone_htod(&vec![1.0f32; 1000])
                .expect("memory");
            let mut launch = device.stream.launch_builder(&kernel);
            launch
                .arg(&input)
                .arg(&mut output)
                .arg(&2.0f32)
                .arg(&1000u32);
            let shape = LaunchConfig {
                grid_dim: (3, 1, 1),
                block_dim: (64, 1, 1),
                shared_mem_bytes: 0,
            };
            // SAFETY: the arguments are the kernel's.
            unsafe { launch.launch(shape) }.expect("a launch");
            let ys = device.stream.clone_dtoh(&output).expect("the result");
            assert!(
                ys.iter().zip(&xs).all(|(y, x)| *y == 2.0 * x + 1.0),
                "seed {seed}"
            );
        }
    }
}

#[test]
fn the_last_block_finishes_a_sum() {
    let Some(device) = device() else { return };
    let xs: Vec<f32> = (0..5000).map(|i| (i % 7) as f32).collect();
    let expected: f32 = xs.iter().sum();
    for residency in [1, 8, 64] {
        for seed in 0..5 {
            device.emulator.residency(residency);
            device.emulator.seed(seed);
            assert_eq!(
                device.sum("sum", &xs, 17),
                expected,
                "seed {seed}, residency {residency}"
            );
        }
    }
}

#[test]
fn a_missing_barrier_shows() {
    let Some(device) = device() else { return };
    let xs: Vec<f32> = (0..5000).map(|i| (i % 7) as f32).collect();
    let expected: f32 = xs.iter().sum();
    let wrong = (0..10).filter(|seed| {
        device.emulator.seed(*seed);
        device.sum("sum_without_barrier", &xs, 17) != expected
    });
    assert!(wrong.count() >= 8);
}

#[test]
fn blocks_that_wait_in_the_order_of_their_numbers_are_a_livelock() {
    let Some(device) = device() else { return };
    let run = |name: &str| {
        let kernel = device.kernel(name);
        let mut states = device.stream.alloc_zeros::<u32>(200).expect("memory");
        let mut ticket = device.stream.alloc_zeros::<u32>(1).expect("memory");
        let mut launch = device.stream.launch_builder(&kernel);
        launch.arg(&mut states).arg(&mut ticket);
        let shape = LaunchConfig {
            grid_dim: (200, 1, 1),
            block_dim: (32, 1, 1),
            shared_mem_bytes: 0,
        };
        // SAFETY: the arguments are the kernel's.
        unsafe { launch.launch(shape) }.and_then(|_| device.stream.clone_dtoh(&states))
    };
    let states = run("chain_by_ticket").expect("tickets follow the order in which blocks start");
    assert_eq!(states, (1..=200).collect::<Vec<u32>>());
    let error = run("chain_by_block").expect_err("a livelock");
    assert_eq!(error.0, CUresult::CUDA_ERROR_LAUNCH_TIMEOUT);
    assert!(
        device.emulator.report().contains("livelock"),
        "{}",
        device.emulator.report()
    );
    device.emulator.recover();
    let _ = device.context.check_err();
}

#[test]
fn a_crowd_before_a_lock_is_no_livelock() {
    let Some(device) = device() else { return };
    let kernel = device.kernel("crowd");
    let mut count = device.stream.alloc_zeros::<u32>(1).expect("memory");
    let mut lock = device.stream.alloc_zeros::<u32>(1).expect("memory");
    let mut launch = device.stream.launch_builder(&kernel);
    launch.arg(&mut count).arg(&mut lock);
    let shape = LaunchConfig {
        grid_dim: (2, 1, 1),
        block_dim: (256, 1, 1),
        shared_mem_bytes: 0,
    };
    // SAFETY: the arguments are the kernel's.
    unsafe { launch.launch(shape) }.expect("a launch");
    let count = device.stream.clone_dtoh(&count).expect("the result");
    assert_eq!(count, [2 * 256 * 100]);
}

#[test]
fn faults_of_kernels_are_reported_and_the_device_recovers() {
    let Some(device) = device() else { return };
    let cases = [
        (
            "past_the_end",
            3,
            CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
            "past the end of an allocation of 12 bytes",
        ),
        (
            "far_past_the_end",
            3,
            CUresult::CUDA_ERROR_ILLEGAL_ADDRESS,
            "bytes into an allocation of 12",
        ),
        (
            "diverging_barrier",
            8,
            CUresult::CUDA_ERROR_LAUNCH_FAILED,
            "barrier divergence",
        ),
        (
            "missing_lane",
            32,
            CUresult::CUDA_ERROR_LAUNCH_FAILED,
            "lane 5 has ended",
        ),
        (
            "divide",
            32,
            CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION,
            "integer division",
        ),
    ];
    for (kernel, n, code, text) in cases {
        let (result, report) = device.faulty(kernel, n, 32);
        assert_eq!(result.expect_err(kernel).0, code, "{report}");
        assert!(report.contains(text), "{kernel}: {report}");
        assert_eq!(device.sum("sum", &[1.0; 100], 2), 100.0, "after {kernel}");
    }
}

#[test]
fn reads_past_the_end_fault_at_the_end_of_a_page() {
    let Some(device) = device() else { return };
    device.emulator.end_of_page(true);
    let (result, report) = device.faulty("read_past_the_end", 4, 1);
    assert!(result.is_err(), "{report}");
}

#[test]
fn instrumented_kernels_are_preempted_and_checked_at_each_access() {
    let Some(device) = device() else { return };
    device.emulator.instrument(true);
    let (result, report) = device.faulty("read_past_the_end", 3, 1);
    assert!(
        result.is_err() && report.contains("a read of 4 bytes"),
        "{report}"
    );
    let (result, _) = device.faulty("counted", 1, 128);
    assert_eq!(result.expect("atomic updates"), [512]);
    let (result, _) = device.faulty("lost_updates", 1, 128);
    assert!(result.expect("no fault")[0] < 512);
    assert_eq!(device.sum("sum", &[1.0; 1000], 5), 1000.0);
}

#[test]
fn floats_are_those_of_a_gpu() {
    let Some(device) = device() else { return };
    let (result, report) = device.faulty("float_bits", 4, 1);
    let tiny = 1e-40f32.to_bits();
    // Sums flush subnormal numbers in global memory alone; `fabs` changes every NaN of f32 to one, and none of f64.
    let expected = [0, tiny, 0x7fffffff, 0xfff80000];
    assert_eq!(result.expect(&report), expected);
}

#[test]
fn copies_of_pages_that_the_device_reads_itself_come_late() {
    let Some(device) = device() else { return };
    device.emulator.delay(true);
    let upload = |on: bool| {
        device.emulator.host_pages(on);
        let mut host = vec![1u32; 1000];
        let mut xs = device.stream.alloc_zeros::<u32>(1000).expect("memory");
        device.stream.memcpy_htod(&host, &mut xs).expect("a copy");
        host.fill(2);
        let late = device.stream.clone_dtoh(&xs).expect("the copy") != vec![1; 1000];
        device.emulator.host_pages(false);
        late
    };
    let late = |on: bool| (0..20).filter(|_| upload(on)).count();
    assert_eq!(late(false), 0);
    assert!(late(true) > 0);
}

#[test]
fn a_kernel_that_misbehaves_is_met_by_the_next_wait() {
    let Some(device) = device() else { return };
    device.emulator.misbehave(Some("counted"));
    let (result, report) = device.faulty("counted", 1, 128);
    device.emulator.misbehave(None);
    let error = result.expect_err("a fault");
    assert_eq!(error.0, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    assert!(report.contains("counted: a planned fault"), "{report}");
    assert_eq!(device.sum("sum", &[1.0; 100], 2), 100.0);
}

#[test]
fn work_can_be_put_off() {
    let Some(device) = device() else { return };
    device.emulator.delay(true);
    for seed in 0..5 {
        device.emulator.seed(seed);
        assert_eq!(device.sum("sum", &[1.0; 1000], 5), 1000.0);
    }
}

#[test]
fn each_driver_call_can_fail_once_and_nothing_leaks() {
    let Some(device) = device() else { return };
    let work = || -> Result<Vec<u32>, DriverError> {
        let xs = device.stream.alloc_zeros::<u32>(10)?;
        let ys = device.stream.clone_htod(&[1u32, 2, 3])?;
        device.stream.clone_dtoh(&xs)?;
        let zs = device.stream.clone_dtoh(&ys)?;
        device.stream.synchronize()?;
        Ok(zs)
    };
    work().expect("no failure is planned");
    device.emulator.reset_counters();
    work().expect("no failure is planned");
    let calls = device.emulator.calls();
    assert!(
        calls
            .iter()
            .any(|(name, count)| name == "cuMemcpyDtoHAsync_v2" && *count == 2),
        "{calls:?}"
    );
    let live = device.emulator.counters().live_allocations;
    // Calls inside a `Drop` of cudarc's are its own affair: it leaks what it then cannot free.
    let own = calls
        .iter()
        .filter(|(name, _)| name.starts_with("cuMem") && !name.contains("Free"));
    for (name, count) in own {
        for n in 1..=*count {
            device.emulator.fail_after(Some(name), n);
            work().expect_err(name);
            assert!(device.emulator.failed(), "call {n} of {name}");
            assert_eq!(
                device.emulator.counters().live_allocations,
                live,
                "call {n} of {name} leaks"
            );
            assert_eq!(work().expect("the next call works"), [1, 2, 3]);
        }
    }
}

#[test]
fn images_without_kernels_are_refused_with_a_text() {
    let Some(device) = device() else { return };
    let refused = |text: &str| {
        device
            .context
            .load_module(Ptx::from_src(text))
            .expect_err("no kernels")
            .0
    };
    assert_eq!(
        refused("// accelerate-module: nowhere\n"),
        CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
    );
    assert!(device.emulator.report().contains("nowhere"));
    assert_eq!(
        refused("// accelerate-module: written\n.version 9.4\n"),
        CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
    );
    let wrong = "// accelerate-module: written\n.version 9.0\n.visible .entry divide(\n.param .u64 divide_param_0\n)\n{\n}\n";
    assert_eq!(refused(wrong), CUresult::CUDA_ERROR_INVALID_IMAGE);
    let _ = device.context.check_err();
}
