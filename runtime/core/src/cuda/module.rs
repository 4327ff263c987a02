//! Loading modules onto a GPU lazily. A cubin for the device is loaded as it is, with all entries. The driver compiles the PTX of
//! an entry (JIT) once per device, when a call first launches it: that takes tenths of a second an entry, seconds for all entries of
//! a function.

use super::ptx::{LEAST, newer, newest_read, with_version};
use super::split::Pieces;
use super::{Gpu, driver, embedded, failed, text};
use crate::error::{Error, Result};
use crate::image::Content;
use crate::program::{Entry, Program};
use cudarc::driver::{DriverError, sys};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::CStr;
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
    /// This driver does not take the image, such as a cubin, or PTX that is newer than what it reads and is not read as an older
    /// one either: another image may do.
    is_of_image: bool,
}

/// Nothing that another attempt would change.
fn last(error: Error) -> Refusal {
    Refusal {
        error,
        is_final: true,
        is_of_image: false,
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
    /// The embedded images that this device takes, best first.
    embedded: Vec<Embedded>,
    /// What the run-time compiler makes, if it comes to that.
    compiled: Slot<Arc<Text>>,
    /// By kernel and entry, each found at its first launch.
    variants: Box<[Box<[OnceLock<Variant>]>]>,
}

/// An embedded image, with what is loaded of it.
enum Embedded {
    Cubin {
        content: &'static [u8],
        module: Slot<driver::Module>,
    },
    Ptx(Text),
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

impl Gpu {
    /// The program's code; none if there is no CUDA code that this machine can use.
    pub(crate) fn code(&self, program: &'static Program) -> Result<Option<Arc<Code>>> {
        let read = || {
            let embedded = match program.images {
                Some(file) => self.images(program, file)?,
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

    /// The module with an entry: of the embedded images, best first; else of what the run-time compiler makes.
    fn load(&self, code: &Code, entry: &str) -> std::result::Result<driver::Module, Refusal> {
        // The refusal of the last image is told: of the portable PTX, if the device takes that.
        let mut refused = None;
        for image in &code.embedded {
            let outcome = match image {
                Embedded::Cubin { content, module } => {
                    module.get(|| self.load_cubin(code.program, content))
                }
                Embedded::Ptx(text) => self.load_piece(code.program, text, entry),
            };
            match outcome {
                Err(refusal) if refusal.is_of_image => refused = Some(refusal),
                outcome => return outcome,
            }
        }
        match refused {
            Some(refused) if !driver::nvrtc_present() => Err(refused),
            refused => (code.compiled.get(|| self.compile(code.program)))
                .and_then(|text| self.load_piece(code.program, &text, entry))
                .map_err(|refusal| refused.unwrap_or(refusal)),
        }
    }

    /// Loads a cubin, with all entries.
    fn load_cubin(
        &self,
        program: &Program,
        content: &[u8],
    ) -> std::result::Result<driver::Module, Refusal> {
        self.driver.load_cubin(content).map_err(|(error, log)| {
            let is_final = is_final(error);
            Refusal {
                is_final,
                is_of_image: is_final,
                error: unloaded(&format!("the cubin of `{}`", program.name), error, &log),
            }
        })
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
        let load = || self.load_ptx(program, entry, &text.pieces.image(piece));
        text.modules[piece].get(load)
    }

    /// Loads PTX. An older driver gets it under the newest version that it reads: the text needs no more than
    /// [`LEAST`], but bears the version of the toolkit that wrote it.
    fn load_ptx(
        &self,
        program: &Program,
        entry: &str,
        image: &CStr,
    ) -> std::result::Result<driver::Module, Refusal> {
        let driver =
            driver::version().map_err(|error| passing(failed("cuDriverGetVersion", error)))?;
        let too_new = newer(program, image, driver).map(|error| Refusal {
            is_of_image: true,
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
                _ => Refusal {
                    is_final,
                    ..last(unloaded(
                        &format!("`{entry}` of `{}`", program.name),
                        error,
                        &log,
                    ))
                },
            }
        })
    }

    /// The embedded images for this device, best first.
    fn images(
        &self,
        program: &Program,
        file: &'static [u8],
    ) -> std::result::Result<Vec<Embedded>, Refusal> {
        let images = embedded::images(program, file).map_err(last)?;
        let capability = self.capability().map_err(passing)?;
        let best = embedded::best(&images, capability);
        if !best.is_empty() {
            let embedded = |content| match content {
                Content::Ptx(text) => Embedded::Ptx(Text::of(text.to_string_lossy())),
                Content::Cubin(content) => Embedded::Cubin {
                    content,
                    module: Slot::default(),
                },
            };
            return Ok(best.iter().map(|image| embedded(image.content)).collect());
        }
        let built: Vec<String> = images.iter().map(embedded::architecture).collect();
        Err(last(Error::Cuda {
            message: format!(
                "`{}` was built for {}; {} is sm_{capability}: build with `ACCELERATE_ARCH={capability}`",
                program.name,
                built.join(", "),
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

/// That something cannot be loaded, with what the driver's compiler has to say.
fn unloaded(what: &str, error: DriverError, log: &str) -> Error {
    let message = format!(
        "{what} cannot be loaded: {}\n{}",
        text(error),
        log.trim_end()
    );
    Error::Cuda { message }
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
