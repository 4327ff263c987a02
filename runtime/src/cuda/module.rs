//! Loading the code of a program onto a GPU: once per program and device, at its first call.

use super::{Gpu, driver, failed, text};
use crate::error::{Error, Result};
use crate::program::{Entry, Program};
use cudarc::driver::sys;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The modules of a device, by the address of their programs (which are statics).
#[derive(Default)]
pub(super) struct Modules(RwLock<HashMap<usize, Arc<Module>>>);

/// The code of a program on a device.
pub(crate) struct Module {
    handle: driver::Module,
    /// By kernel and entry, each found at its first launch.
    variants: Box<[Box<[OnceLock<Variant>]>]>,
}

/// A kernel's function on a device.
#[derive(Clone, Copy)]
pub(super) struct Variant {
    pub(super) function: driver::Function,
    /// How many of its blocks a multiprocessor holds at once.
    pub(super) resident: u32,
}

/// The first toolkit that wrote each PTX version, as 1000 * major + 10 * minor of both.
const TOOLKITS: &[(i32, i32)] = &[
    (7000, 11000),
    (7010, 11010),
    (7020, 11020),
    (7030, 11030),
    (7040, 11040),
    (7050, 11050),
    (7060, 11060),
    (7070, 11070),
    (7080, 11080),
    (8000, 12000),
    (8010, 12010),
    (8020, 12020),
    (8030, 12030),
    (8040, 12040),
    (8050, 12050),
    (8060, 12070),
    (8070, 12080),
    (8080, 12090),
    (9000, 13000),
    (9010, 13010),
];

impl Gpu {
    /// The program's module, loaded at the first call; none if there is no CUDA code that this machine can use.
    pub(crate) fn module(&self, program: &'static Program) -> Result<Option<Arc<Module>>> {
        let key = std::ptr::from_ref(program).addr();
        let known = self
            .modules
            .0
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = known.get(&key) {
            return Ok(Some(module.clone()));
        }
        drop(known);
        // Holding the lock while loading: two threads must not load one module twice.
        let mut known = self
            .modules
            .0
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = known.get(&key) {
            return Ok(Some(module.clone()));
        }
        let Some(handle) = self.load(program)? else {
            return Ok(None);
        };
        let variants = program.kernels.iter().map(|kernel| {
            let entries = kernel.entries.iter();
            entries.map(|_| OnceLock::new()).collect()
        });
        let module = Arc::new(Module {
            handle,
            variants: variants.collect(),
        });
        known.insert(key, module.clone());
        Ok(Some(module))
    }

    fn load(&self, program: &Program) -> Result<Option<driver::Module>> {
        let compiled;
        let image = match program.ptx {
            Some(bytes) => self.image(program, bytes)?,
            None if driver::nvrtc_present() => {
                compiled = self.compile(program)?;
                &compiled
            }
            None => return Ok(None),
        };
        self.check_version(program, image)?;
        match self.driver.load(image) {
            Ok(module) => Ok(Some(module)),
            Err((error, log)) => Err(Error::Cuda {
                message: format!(
                    "`{}` cannot be loaded: {}\n{}",
                    program.name,
                    text(error),
                    log.trim_end()
                ),
            }),
        }
    }

    /// The best of the embedded images for this device.
    fn image<'a>(&self, program: &Program, bytes: &'a [u8]) -> Result<&'a CStr> {
        let images = artifact(program, bytes)?;
        let capability = self.capability()?;
        best(&images, capability).ok_or_else(|| {
            let targets: Vec<&str> = images.iter().filter_map(|image| target(image)).collect();
            Error::Cuda {
                message: format!(
                    "`{}` was built for {}; {} is sm_{capability}: build with `ACCELERATE_ARCH={capability}`",
                    program.name,
                    targets.join(", "),
                    self.name
                ),
            }
        })
    }

    /// The compute capability: 86 for 8.6.
    fn capability(&self) -> Result<i32> {
        let part = |which| {
            self.driver
                .attribute(which)
                .map_err(|error| failed("cuDeviceGetAttribute", error))
        };
        let major = part(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = part(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        Ok(major * 10 + minor)
    }

    /// A driver older than the PTX would answer with a bare number.
    fn check_version(&self, program: &Program, image: &CStr) -> Result<()> {
        let Some(ptx) = ptx_version(image) else {
            return Ok(());
        };
        let driver = driver::version().map_err(|error| failed("cuDriverGetVersion", error))?;
        let needed = TOOLKITS.iter().find(|(version, _)| *version >= ptx);
        // Versions newer than the table are left to the driver.
        let Some(&(_, toolkit)) = needed.filter(|(_, toolkit)| *toolkit > driver) else {
            return Ok(());
        };
        let supported = TOOLKITS.iter().rfind(|(_, toolkit)| *toolkit <= driver);
        let show = |version: i32| format!("{}.{}", version / 1000, version % 1000 / 10);
        Err(Error::Cuda {
            message: format!(
                "`{}` needs CUDA {} (PTX {}); the driver supports {} (PTX {}): update the driver or build with an \
                 older toolkit",
                program.name,
                show(toolkit),
                show(ptx),
                show(driver),
                supported.map_or_else(|| "unknown".into(), |(version, _)| show(*version)),
            ),
        })
    }

    /// Compiles the program's CUDA C with the run-time compiler.
    fn compile(&self, program: &Program) -> Result<CString> {
        // The portable target where the device takes it: an old compiler may not know a new device.
        let arch = self.capability()?.min(80);
        let mut options: Vec<String> = [
            "--fmad=false",
            "--ftz=false",
            "--prec-div=true",
            "--prec-sqrt=true",
            "--std=c++17",
        ]
        .map(String::from)
        .to_vec();
        options.push(format!("--gpu-architecture=compute_{arch}"));
        let options = cudarc::nvrtc::CompileOptions {
            options,
            ..Default::default()
        };
        let ptx = cudarc::nvrtc::compile_ptx_with_opts(program.cuda, options).map_err(|error| {
            Error::Cuda {
                message: format!("NVRTC refuses `{}`: {error}", program.name),
            }
        })?;
        CString::new(ptx.to_src()).map_err(|_| Error::Cuda {
            message: format!("NVRTC's PTX of `{}` is no text", program.name),
        })
    }

    /// A variant of a kernel, ready to be launched.
    pub(super) fn variant(
        &self,
        module: &Module,
        kernel: usize,
        index: usize,
        entry: &Entry,
    ) -> Result<Variant> {
        let cell = &module.variants[kernel][index];
        if let Some(&variant) = cell.get() {
            return Ok(variant);
        }
        let function = self
            .driver
            .function(module.handle, entry.name)
            .map_err(|error| failed(&format!("cuModuleGetFunction of `{}`", entry.name), error))?;
        // More than the 48 KB that every kernel has must be asked for.
        if entry.shared > 48 << 10 {
            self.driver
                .allow_shared(function, entry.shared)
                .map_err(|error| failed("cuFuncSetAttribute", error))?;
        }
        let resident = self
            .driver
            .occupancy(function, entry.threads, entry.shared)
            .map_err(|error| failed("cuOccupancyMaxActiveBlocksPerMultiprocessor", error))?;
        if resident == 0 {
            return Err(Error::Cuda {
                message: format!(
                    "`{}` does not fit a multiprocessor of {}: {} threads, {} bytes of shared memory",
                    entry.name, self.name, entry.threads, entry.shared
                ),
            });
        }
        Ok(*cell.get_or_init(|| Variant { function, resident }))
    }
}

/// The embedded images, if they are this program's.
fn artifact<'a>(program: &Program, bytes: &'a [u8]) -> Result<Vec<&'a CStr>> {
    let ours = format!("// accelerate-module: {}", program.hash);
    let image = |bytes| {
        let image = CStr::from_bytes_with_nul(bytes).ok()?;
        let first = image.to_bytes().split(|&b| b == b'\n').next();
        (first == Some(ours.as_bytes())).then_some(image)
    };
    let images: Option<Vec<&CStr>> = bytes.split_inclusive(|&b| b == 0).map(image).collect();
    images
        .filter(|images| !images.is_empty())
        .ok_or_else(|| Error::NotBuilt {
            message: format!(
                "the embedded PTX of `{}` is not of this program ({}): are accelerate-rs and accelerate-rs-build of one \
                 version?",
                program.name, program.hash
            ),
        })
}

/// The image with the highest target that a device takes: a number is for it and all later ones, `90a` for 9.0 alone,
/// `100f` for the later ones of its family.
fn best<'a>(images: &[&'a CStr], capability: i32) -> Option<&'a CStr> {
    let rank = |image: &CStr| -> Option<(i32, bool)> {
        let name = target(image)?.strip_prefix("sm_")?;
        let number = name.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let of: i32 = number.parse().ok()?;
        let fits = match &name[number.len()..] {
            "" => of <= capability,
            "a" => of == capability,
            "f" => of <= capability && of / 10 == capability / 10,
            _ => false,
        };
        fits.then_some((of, name.len() > number.len()))
    };
    let ranked = images
        .iter()
        .filter_map(|image| Some((rank(image)?, *image)));
    ranked.max_by_key(|(rank, _)| *rank).map(|(_, image)| image)
}

/// `sm_90a` of `.target sm_90a`.
fn target(image: &CStr) -> Option<&str> {
    let word = directive(image, ".target ")?;
    word.split([',', ' ']).next()
}

/// What follows the first line of the PTX that begins so.
fn directive<'a>(image: &'a CStr, name: &str) -> Option<&'a str> {
    let head = &image.to_bytes()[..image.to_bytes().len().min(4096)];
    let lines = head.split(|&b| b == b'\n');
    let rest = |line: &'a [u8]| line.strip_prefix(name.as_bytes());
    let found = lines.into_iter().find_map(rest)?;
    std::str::from_utf8(found).ok().map(str::trim)
}

/// `.version 9.0` as 9000.
fn ptx_version(image: &CStr) -> Option<i32> {
    let (major, minor) = directive(image, ".version ")?.split_once('.')?;
    Some(major.parse::<i32>().ok()? * 1000 + minor.parse::<i32>().ok()? * 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_line_is_found() {
        let ptx = c"// accelerate-module: 12\n//\n.version 9.0\n.target sm_80\n";
        assert_eq!(ptx_version(ptx), Some(9000));
        assert_eq!(ptx_version(c""), None);
    }

    #[test]
    fn the_best_image_is_taken() {
        let images = [
            c".version 9.0\n.target sm_80\n",
            c".version 9.0\n.target sm_90a, debug\n",
            c".version 9.0\n.target sm_100f\n",
        ];
        let taken = |capability| best(&images, capability).and_then(target);
        assert_eq!(taken(75), None);
        assert_eq!(taken(80), Some("sm_80"));
        assert_eq!(taken(89), Some("sm_80"));
        assert_eq!(taken(90), Some("sm_90a"));
        assert_eq!(taken(103), Some("sm_100f"));
        assert_eq!(taken(120), Some("sm_80"));
    }

    #[test]
    fn an_artifact_of_another_program_is_refused() {
        let program = Program {
            name: "f",
            hash: "00ff",
            ptx: None,
            refused: None,
            cuda: "",
            kernels: &[],
            sites: &[],
        };
        assert!(artifact(&program, b"// accelerate-module: 00ff\n.version 9.0\n\0").is_ok());
        assert!(artifact(&program, b"// accelerate-module: 00fe\n.version 9.0\n\0").is_err());
        assert!(artifact(&program, b"// accelerate-module: 00ff\n.version 9.0\n").is_err());
        assert!(artifact(&program, b"").is_err());
        let two = b"// accelerate-module: 00ff\n1\0// accelerate-module: 00ff\n2\0";
        assert_eq!(artifact(&program, two).unwrap().len(), 2);
    }
}
