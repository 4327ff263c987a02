//! Devices: the CPU and the GPUs of this machine.

use crate::cuda::{self, Gpu};
use crate::error::{Error, Result};
use crate::memory;
use std::fmt;
use std::sync::{Arc, Once, OnceLock};

/// Where arrays live and programs run. Cheap to clone.
///
/// ```
/// use accelerate::Device;
///
/// let device = Device::best()?;
/// println!("{} ({:?})", device.name(), device.kind());
/// # Ok::<(), accelerate::Error>(())
/// ```
#[derive(Clone)]
pub struct Device(Target);

#[derive(Clone)]
pub(crate) enum Target {
    Cpu,
    Cuda(Arc<Gpu>),
}

/// The kinds of device.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// The processor that the program runs on.
    Cpu,
    /// A GPU with a CUDA driver.
    Cuda,
}

/// Memory of a device, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    /// All of it.
    pub total: usize,
    /// What is free now.
    pub free: usize,
}

impl Device {
    /// The first CUDA device if there is a usable one, else the CPU, with a warning if there is a driver all the same. The
    /// variable `ACCELERATE_DEVICE` decides otherwise: `cpu`, `cuda` or `cuda:1`.
    ///
    /// # Errors
    /// If the variable names a device that is not there.
    pub fn best() -> Result<Device> {
        match std::env::var("ACCELERATE_DEVICE") {
            Ok(name) if !name.is_empty() => Device::named(&name, " (ACCELERATE_DEVICE)"),
            _ => Ok(Device::cuda(0).unwrap_or_else(|error| {
                static WARNED: Once = Once::new();
                if cuda::present() {
                    WARNED.call_once(|| {
                        eprintln!("warning: accelerate: {error}: computing on the CPU instead");
                    });
                }
                Device::cpu()
            })),
        }
    }

    /// The device of a name; `by` is where the name stands, for the error.
    pub(crate) fn named(name: &str, by: &str) -> Result<Device> {
        let unknown = || Error::NoDevice {
            message: format!("no device `{name}`{by}: expected `cpu`, `cuda` or `cuda:1`"),
        };
        match name.split_once(':') {
            None if name == "cpu" => Ok(Device::cpu()),
            None if name == "cuda" => Device::cuda(0),
            Some(("cuda", ordinal)) => Device::cuda(ordinal.parse().map_err(|_| unknown())?),
            _ => Err(unknown()),
        }
    }

    /// The CPU: all its cores, through rayon's current thread pool.
    pub fn cpu() -> Device {
        Device(Target::Cpu)
    }

    /// A CUDA device by its number. Its primary context is used. A thread that has another one current has it still after
    /// each call; a thread that has none gets this one.
    ///
    /// # Errors
    /// [`Error::NoDevice`] that says what was looked for. Never panics, driver or not.
    pub fn cuda(ordinal: usize) -> Result<Device> {
        Ok(Device(Target::Cuda(Gpu::open(ordinal)?)))
    }

    /// Every usable device, GPUs first; the CPU is always there, last.
    pub fn all() -> Vec<Device> {
        let count = cuda::count().unwrap_or(0);
        let gpus = (0..count).filter_map(|ordinal| Device::cuda(ordinal).ok());
        gpus.chain([Device::cpu()]).collect()
    }

    /// The model, as the system or the driver tells it.
    pub fn name(&self) -> String {
        match &self.0 {
            Target::Cpu => cpu_name().to_owned(),
            Target::Cuda(gpu) => gpu.name().to_owned(),
        }
    }

    /// Whether it is the CPU or a GPU.
    pub fn kind(&self) -> Kind {
        match &self.0 {
            Target::Cpu => Kind::Cpu,
            Target::Cuda(_) => Kind::Cuda,
        }
    }

    /// The memory there is, and what is free of it.
    ///
    /// # Errors
    /// If the driver does not answer.
    pub fn memory(&self) -> Result<Memory> {
        let (total, free) = match &self.0 {
            // Where the system does not tell, nobody can plan with the answer anyway.
            Target::Cpu => memory::of_machine().unwrap_or((0, 0)),
            Target::Cuda(gpu) => gpu.memory()?,
        };
        Ok(Memory { total, free })
    }

    /// Waits until everything that was queued has been done.
    ///
    /// # Errors
    /// If the driver reports that the device is lost.
    pub fn synchronize(&self) -> Result<()> {
        match &self.0 {
            Target::Cpu => Ok(()),
            Target::Cuda(gpu) => gpu.synchronize(),
        }
    }

    pub(crate) fn target(&self) -> &Target {
        &self.0
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        match (&self.0, &other.0) {
            (Target::Cpu, Target::Cpu) => true,
            (Target::Cuda(a), Target::Cuda(b)) => Arc::ptr_eq(a, b),
            (Target::Cpu, Target::Cuda(_)) | (Target::Cuda(_), Target::Cpu) => false,
        }
    }
}

impl Eq for Device {}

/// `cpu` or `cuda:0`: what `ACCELERATE_DEVICE` takes.
impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            Target::Cpu => f.write_str("cpu"),
            Target::Cuda(gpu) => write!(f, "cuda:{}", gpu.ordinal()),
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Device({self})")
    }
}

fn cpu_name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with("model name"));
        let name = line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()));
        name.unwrap_or_else(|| format!("{} CPU", std::env::consts::ARCH))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_device_is_an_error_that_says_what_was_looked_for() {
        let error = Device::named("gpu", "").unwrap_err();
        assert!(error.to_string().contains("`gpu`"), "{error}");
        // With or without a driver, there is no such device.
        let error = Device::cuda(4321).unwrap_err();
        assert!(matches!(error, Error::NoDevice { .. }), "{error}");
    }

    #[test]
    fn the_cpu_is_always_there() {
        assert_eq!(Device::all().last(), Some(&Device::cpu()));
        assert!(!Device::cpu().name().is_empty());
    }
}
