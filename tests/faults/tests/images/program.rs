//! A program with SASS for 8.0 and 9.0 on the emulated device. Arguments: its compute capability, and the code with which it refuses the
//! first image, or 0. Prints what came of two calls, with the loads of images until then, and how many of them were cubins.

use accelerate::{Device, Vector, accelerate};
use emulator::Emulator;
use std::path::Path;

accelerate! {
    /// Several kernels.
    pub fn centred(xs: &Vector<f32>) -> Vector<f32> {
        let lowest = xs.map(|x| x + 1.0).fold(0.0, |a, b| a.min(b));
        let shifted = xs.map(|x| x - lowest).materialize();
        shifted.map(|x| x + shifted.last())
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let emulator = emulator::load().expect("the suite has asked before");
    emulator::add_sources(Path::new(concat!(env!("OUT_DIR"), "/accelerate")));
    emulator.quiet(true);
    if arguments.is_empty() {
        return direct(emulator);
    }
    let [capability, refusal] = [0, 1].map(|k| arguments[k].parse().expect("a number"));
    let ptx = centred::ptx().expect("it was built");
    assert!(ptx.contains("\n.target sm_80\n") && ptx.contains(".entry centred_"));
    assert!(!ptx.contains("accelerate_module_") && !ptx.contains('\0'));
    emulator.capability(capability);
    let device = Device::cuda(0).expect("the emulated device");
    let xs = Vector::from_vec(&device, vec![-3.0, 1.0, 2.0]).expect("memory");
    emulator.reset_counters();
    if refusal != 0 {
        emulator.fail_with(Some("cuModuleLoadDataEx"), 1, refusal);
    }
    for _ in 0..2 {
        let outcome = centred(&device, &xs).and_then(|ys| ys.to_vec());
        let calls = emulator.calls();
        let loads = calls.iter().find(|(name, _)| name == "cuModuleLoadDataEx");
        println!(
            "{} of {} loads: {}",
            emulator.counters().cubins,
            loads.map_or(0, |(_, count)| *count),
            match outcome {
                Ok(values) => format!("{values:?}"),
                Err(error) => error.to_string().trim_end().to_owned(),
            }
        );
    }
}

/// The cubins alone: a device takes that of its major version.
fn direct(emulator: &Emulator) {
    let file = centred::__PROGRAM.images.expect("they were built");
    let starts = (0..file.len()).filter(|&at| file[at..].starts_with(b"\x7fELF"));
    for start in starts {
        for capability in [80, 87, 90, 100] {
            emulator.capability(capability);
            let module = emulator.cubin(&file[start..]);
            let outcome = module.and_then(|module| {
                let found = emulator.function(module, centred::KERNELS[0]).map(drop);
                found.and(emulator.function(module, "other").map(drop))
            });
            println!("{capability}: {}", outcome.unwrap_err());
        }
    }
}
