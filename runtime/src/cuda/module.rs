//! Loading modules onto a GPU lazily: the driver compiles the PTX of an entry (JIT) once per device, when a call first launches
//! it. That takes tenths of a second an entry, seconds for all entries of a function.

use super::split::Pieces;
use super::{Gpu, driver, failed, text};
use crate::error::{Error, Result};
use crate::program::{Entry, Program};
use cudarc::driver::{DriverError, sys};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

/// The code of programs on a device, by the address of the programs (which are statics).
#[derive(Default)]
pub(super) struct Known(RwLock<HashMap<usize, Arc<OfProgram>>>);

/// The code of a program; none if there is none that this machine can use.
type OfProgram = Slot<Option<Arc<Code>>>;

/// What is made once. Compiling takes the driver seconds, for which only those wait who need the same.
struct Slot<T> {
    /// The end of it, also that it was refused.
    known: OnceLock<std::result::Result<T, Refusal>>,
    /// Held while it is made.
    making: Mutex<()>,
}

/// Why something was not loaded.
#[derive(Clone)]
struct Refusal {
    error: Error,
    /// The next attempt would fail in the same way.
    is_final: bool,
    /// Its PTX is newer than what the driver reads, and is not read as an older one either: another text may be.
    is_newer: bool,
}

/// Nothing that another attempt would change.
fn last(error: Error) -> Refusal {
    Refusal {
        error,
        is_final: true,
        is_newer: false,
    }
}

/// What may have changed at the next attempt.
fn passing(error: Error) -> Refusal {
    Refusal {
        is_final: false,
        ..last(error)
    }
}

impl<T> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot {
            known: OnceLock::new(),
            making: Mutex::new(()),
        }
    }
}

impl<T: Clone> Slot<T> {
    fn get(
        &self,
        make: impl FnOnce() -> std::result::Result<T, Refusal>,
    ) -> std::result::Result<T, Refusal> {
        if let Some(known) = self.known.get() {
            return known.clone();
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = self.known.get() {
            return known.clone();
        }
        match make() {
            Err(refusal) if !refusal.is_final => Err(refusal),
            outcome => self.known.get_or_init(|| outcome).clone(),
        }
    }
}

/// The code of a program on a device.
pub(crate) struct Code {
    program: &'static Program,
    /// The embedded PTX that this device takes, best first.
    embedded: Vec<Text>,
    /// What the run-time compiler makes, if it comes to that.
    compiled: Slot<Arc<Text>>,
    /// By kernel and entry, each found at its first launch.
    variants: Box<[Box<[OnceLock<Variant>]>]>,
}

/// PTX, and a module for each of its pieces.
struct Text {
    pieces: Pieces,
    modules: Box<[Slot<driver::Module>]>,
}

impl Known {
    fn slot(&self, program: &'static Program) -> Arc<OfProgram> {
        let key = std::ptr::from_ref(program).addr();
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = known.get(&key) {
            return slot.clone();
        }
        drop(known);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        known.entry(key).or_default().clone()
    }
}

impl Text {
    fn of(text: Cow<'static, str>) -> Text {
        let pieces = Pieces::of(text);
        Text {
            modules: (0..pieces.len()).map(|_| Slot::default()).collect(),
            pieces,
        }
    }
}

/// A kernel's function on a device.
#[derive(Clone, Copy)]
pub(super) struct Variant {
    pub(super) function: driver::Function,
    /// How many of its blocks a multiprocessor holds at once.
    pub(super) resident: u32,
}

/// The PTX version that the portable target needs.
const LEAST: i32 = 7000;

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
    /// The program's code; none if there is no CUDA code that this machine can use.
    pub(crate) fn code(&self, program: &'static Program) -> Result<Option<Arc<Code>>> {
        let read = || {
            let embedded = match program.ptx {
                Some(bytes) => self.images(program, bytes)?,
                None if driver::nvrtc_present() => Vec::new(),
                None => return Ok(None),
            };
            let variants = program.kernels.iter().map(|kernel| {
                let entries = kernel.entries.iter();
                entries.map(|_| OnceLock::new()).collect()
            });
            Ok(Some(Arc::new(Code {
                program,
                embedded,
                compiled: Slot::default(),
                variants: variants.collect(),
            })))
        };
        (self.known.slot(program).get(read)).map_err(|refusal| refusal.error)
    }

    /// Loads all variants that calls may choose whose sizes are below 2^31: each but those of wide indices that have a narrow twin.
    pub(crate) fn warm(&self, code: &Code) -> Result<()> {
        for (kernel, description) in code.program.kernels.iter().enumerate() {
            let entries = description.entries;
            for (index, entry) in entries.iter().enumerate() {
                let is_twin = |other: &Entry| other.narrow && other.regime == entry.regime;
                if entry.narrow || !entries.iter().any(is_twin) {
                    self.variant(code, kernel, index, entry)?;
                }
            }
        }
        Ok(())
    }

    /// The module with an entry: of the embedded texts, best first; else of what the run-time compiler makes.
    fn load(&self, code: &Code, entry: &str) -> std::result::Result<driver::Module, Refusal> {
        let mut newer = None;
        for text in &code.embedded {
            match self.load_piece(code.program, text, entry) {
                Err(refusal) if refusal.is_newer => _ = newer.get_or_insert(refusal),
                outcome => return outcome,
            }
        }
        match newer {
            Some(newer) if !driver::nvrtc_present() => Err(newer),
            newer => (code.compiled.get(|| self.compile(code.program)))
                .and_then(|text| self.load_piece(code.program, &text, entry))
                .map_err(|refusal| newer.unwrap_or(refusal)),
        }
    }

    /// The module of the piece of a text that has an entry.
    fn load_piece(
        &self,
        program: &Program,
        text: &Text,
        entry: &str,
    ) -> std::result::Result<driver::Module, Refusal> {
        let piece = text.pieces.with(entry).ok_or_else(|| {
            let message = format!("the PTX of `{}` has no entry `{entry}`", program.name);
            last(Error::Cuda { message })
        })?;
        let load = || self.load_image(program, entry, &text.pieces.image(piece));
        text.modules[piece].get(load)
    }

    /// Loads PTX. An older driver gets it under the newest version that it reads: the text needs no more than
    /// [`LEAST`], but bears the version of the toolkit that wrote it.
    fn load_image(
        &self,
        program: &Program,
        entry: &str,
        image: &CStr,
    ) -> std::result::Result<driver::Module, Refusal> {
        let driver =
            driver::version().map_err(|error| passing(failed("cuDriverGetVersion", error)))?;
        let too_new = newer(program, image, driver).map(|error| Refusal {
            is_newer: true,
            ..last(error)
        });
        let lowered;
        let image = match &too_new {
            None => image,
            Some(refusal) => match newest_read(driver).filter(|&version| version >= LEAST) {
                Some(version) => {
                    lowered = with_version(image, version);
                    &lowered
                }
                None => return Err(refusal.clone()),
            },
        };
        self.driver.load(image).map_err(|(error, log)| {
            let is_final = is_final(error);
            match too_new {
                Some(refusal) if is_final => refusal,
                _ => {
                    let message = format!(
                        "`{entry}` of `{}` cannot be loaded: {}\n{}",
                        program.name,
                        text(error),
                        log.trim_end()
                    );
                    let error = Error::Cuda { message };
                    Refusal {
                        is_final,
                        ..last(error)
                    }
                }
            }
        })
    }

    /// The embedded images for this device, best first.
    fn images(
        &self,
        program: &Program,
        bytes: &'static [u8],
    ) -> std::result::Result<Vec<Text>, Refusal> {
        let images = artifact(program, bytes).map_err(last)?;
        let capability = self.capability().map_err(passing)?;
        let best = best(&images, capability);
        if !best.is_empty() {
            let text = |image: &'static CStr| Text::of(image.to_string_lossy());
            return Ok(best.into_iter().map(text).collect());
        }
        let targets: Vec<&str> = images.iter().filter_map(|image| target(image)).collect();
        Err(last(Error::Cuda {
            message: format!(
                "`{}` was built for {}; {} is sm_{capability}: build with `ACCELERATE_ARCH={capability}`",
                program.name,
                targets.join(", "),
                self.name
            ),
        }))
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

    /// Compiles the program's CUDA C with the run-time compiler.
    fn compile(&self, program: &Program) -> std::result::Result<Arc<Text>, Refusal> {
        // The portable target where the device takes it: an old compiler may not know a new device.
        let arch = self.capability().map_err(passing)?.min(80);
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
        let refused = |message| last(Error::Cuda { message });
        let ptx = cudarc::nvrtc::compile_ptx_with_opts(program.cuda, options)
            .map_err(|error| refused(format!("NVRTC refuses `{}`: {error}", program.name)))?;
        Ok(Arc::new(Text::of(ptx.to_src().into())))
    }

    /// A variant of a kernel, loaded and ready to be launched.
    pub(super) fn variant(
        &self,
        code: &Code,
        kernel: usize,
        index: usize,
        entry: &Entry,
    ) -> Result<Variant> {
        let cell = &code.variants[kernel][index];
        if let Some(&variant) = cell.get() {
            return Ok(variant);
        }
        let module = (self.load(code, entry.name)).map_err(|refusal| refusal.error)?;
        let function = self
            .driver
            .function(module, entry.name)
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

/// The images that a device takes, that of the highest target first: a number is for it and all later ones, `90a` for 9.0
/// alone, `100f` for the later ones of its family.
fn best<'a>(images: &[&'a CStr], capability: i32) -> Vec<&'a CStr> {
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
    let mut ranked: Vec<((i32, bool), &CStr)> = images
        .iter()
        .filter_map(|image| Some((rank(image)?, *image)))
        .collect();
    ranked.sort_by(|(a, _), (b, _)| b.cmp(a));
    ranked.into_iter().map(|(_, image)| image).collect()
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

/// The newest PTX version that a driver reads, if it is not older than the table.
fn newest_read(driver: i32) -> Option<i32> {
    let read = TOOLKITS.iter().rfind(|(_, toolkit)| *toolkit <= driver);
    read.map(|(version, _)| *version)
}

/// That the PTX is newer than what the driver reads, if it is: the driver itself would answer with a bare number.
fn newer(program: &Program, image: &CStr, driver: i32) -> Option<Error> {
    let ptx = ptx_version(image)?;
    // Versions newer than the table are left to the driver.
    let &(_, toolkit) = TOOLKITS.iter().find(|(version, _)| *version >= ptx)?;
    if toolkit <= driver {
        return None;
    }
    let show = |version: i32| format!("{}.{}", version / 1000, version % 1000 / 10);
    Some(Error::Cuda {
        message: format!(
            "`{}` needs CUDA {} (PTX {}); the driver supports {} (PTX {}): update the driver or build with an older \
             toolkit",
            program.name,
            show(toolkit),
            show(ptx),
            show(driver),
            newest_read(driver).map_or_else(|| "unknown".into(), show),
        ),
    })
}

/// The same PTX as a text of another version.
fn with_version(image: &CStr, version: i32) -> CString {
    let line = format!(".version {}.{}", version / 1000, version % 1000 / 10);
    let mut written = false;
    let lines = image.to_bytes().split(|&b| b == b'\n').map(|old| {
        if written || !old.starts_with(b".version ") {
            return old;
        }
        written = true;
        line.as_bytes()
    });
    let text = lines.collect::<Vec<_>>().join(&b'\n');
    CString::new(text).expect("there was no NUL before")
}

/// Errors of the driver's compiler, and of images that it cannot use.
fn is_final(error: DriverError) -> bool {
    use sys::cudaError_enum as Code;
    matches!(
        error.0,
        Code::CUDA_ERROR_INVALID_IMAGE
            | Code::CUDA_ERROR_INVALID_PTX
            | Code::CUDA_ERROR_INVALID_SOURCE
            | Code::CUDA_ERROR_NO_BINARY_FOR_GPU
            | Code::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
    )
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
    fn the_version_line_alone_is_lowered() {
        let ptx = c"// accelerate-module: 12\n.version 9.0\n.target sm_80\n// .version 9.0\n.version 9.0\n";
        let lowered = c"// accelerate-module: 12\n.version 7.1\n.target sm_80\n// .version 9.0\n.version 9.0\n";
        assert_eq!(with_version(ptx, 7010).as_c_str(), lowered);
    }

    #[test]
    fn drivers_read_the_versions_of_their_toolkits() {
        assert_eq!(newest_read(10020), None);
        assert_eq!(newest_read(11000), Some(7000));
        assert_eq!(newest_read(12040), Some(8040));
        assert_eq!(newest_read(12060), Some(8050));
        assert_eq!(newest_read(13050), Some(9010));
    }

    #[test]
    fn the_best_image_is_taken() {
        let images = [
            c".version 9.0\n.target sm_80\n",
            c".version 9.0\n.target sm_90a, debug\n",
            c".version 9.0\n.target sm_100f\n",
        ];
        let taken = |capability| {
            best(&images, capability)
                .first()
                .and_then(|image| target(image))
        };
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
