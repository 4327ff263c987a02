//! One call of a compiled function: what the macro's code talks to.

use crate::array::{Array, Untyped};
use crate::buffer::{Buffer, download, upload};
use crate::cuda;
use crate::device::{Device, Target};
use crate::element::{Element, Leaf};
use crate::error::{Error, Result};
use crate::failure::{Failure, Found, Outcome, Status, is_later};
use crate::foreign::Stream;
use crate::program::Program;
use crate::shape::{count, is_argument};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// A call in progress.
#[derive(Debug)]
pub struct Call<'a> {
    device: &'a Device,
    program: &'static Program,
    /// Where it runs: not on the call's device if that is a GPU for which no code was built.
    place: Place,
    /// What the inputs depend on.
    inputs: Status,
    /// What kernels on the CPU have found.
    failure: Failure,
    /// The rounds of loops so far, counted through the call.
    rounds: u32,
    /// What kernels on a GPU find; made at the first launch that needs it.
    record: Option<cuda::Record>,
}

enum Place {
    Cpu,
    Cuda {
        gpu: Arc<cuda::Gpu>,
        /// None of a function without kernels, which calls functions of the user's.
        code: Option<Arc<cuda::Code>>,
    },
    /// On the CPU for this GPU, since there is no code that it could run.
    Instead {
        gpu: Arc<cuda::Gpu>,
    },
}

impl std::fmt::Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Place::Cpu => f.write_str("Cpu"),
            Place::Cuda { gpu, .. } => write!(f, "Cuda({gpu:?})"),
            Place::Instead { gpu } => write!(f, "Instead({gpu:?})"),
        }
    }
}

/// Why there is no CUDA code for a program.
fn not_built(program: &Program) -> String {
    let name = program.name;
    match program.refused {
        Some(error) => format!(
            "nvcc refused the CUDA code of `{name}` when it was built ({}), which is a bug of accelerate (please report it: \
             {}), and there is no NVRTC to build it now",
            error.trim(),
            env!("CARGO_PKG_REPOSITORY")
        ),
        None => format!(
            "no CUDA code was built for `{name}` (no nvcc, or no build script that calls \
             `accelerate_build::compile()`), and there is no NVRTC to build it now"
        ),
    }
}

/// Whether nobody has been told yet why this program is not built: all that were not even tried have one reason.
fn is_first(program: &Program) -> bool {
    static TOLD: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let which = program.refused.map_or("", |_| program.hash);
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.insert(which)
}

impl Place {
    fn of(device: &Device, program: &'static Program) -> Result<Place> {
        Ok(match device.target() {
            Target::Cpu => Place::Cpu,
            // A function without kernels needs no code.
            Target::Cuda(gpu) if program.kernels.is_empty() => Place::Instead { gpu: gpu.clone() },
            Target::Cuda(gpu) => match gpu.code(program)? {
                Some(code) => Place::Cuda {
                    gpu: gpu.clone(),
                    code: Some(code),
                },
                None => {
                    let message = not_built(program);
                    if std::env::var("ACCELERATE_CUDA").is_ok_and(|value| value == "require") {
                        return Err(Error::NotBuilt { message });
                    }
                    if is_first(program) {
                        eprintln!("warning: accelerate: {message}: computing on the CPU instead");
                    }
                    Place::Instead { gpu: gpu.clone() }
                }
            },
        })
    }
}

/// Loads what calls of a program launch on a device, unless they run on the CPU.
pub fn warm(device: &Device, program: &'static Program) -> Result<()> {
    match Place::of(device, program)? {
        Place::Cpu | Place::Instead { .. } => Ok(()),
        Place::Cuda {
            gpu,
            code: Some(code),
        } => gpu.warm(&code),
        Place::Cuda { code: None, .. } => Ok(()),
    }
}

impl<'a> Call<'a> {
    /// Begins a call.
    pub fn begin(device: &'a Device, program: &'static Program) -> Result<Call<'a>> {
        let place = Place::of(device, program)?;
        Ok(Call::at(place, device, program))
    }

    /// Begins a call of a program that may call functions of the user's where it runs on a GPU.
    pub fn begin_with_routines(device: &'a Device, program: &'static Program) -> Result<Call<'a>> {
        let place = match device.target() {
            Target::Cuda(gpu) if program.kernels.is_empty() => Place::Cuda {
                gpu: gpu.clone(),
                code: None,
            },
            _ => Place::of(device, program)?,
        };
        Ok(Call::at(place, device, program))
    }

    fn at(place: Place, device: &'a Device, program: &'static Program) -> Call<'a> {
        Call {
            device,
            program,
            place,
            inputs: Status::default(),
            failure: Failure::default(),
            rounds: 0,
            record: None,
        }
    }

    /// Whether the kernels run on the CPU.
    pub fn on_cpu(&self) -> bool {
        match self.place {
            Place::Cpu | Place::Instead { .. } => true,
            Place::Cuda { .. } => false,
        }
    }

    /// Where kernels on the CPU report failures.
    pub fn failure(&self) -> &Failure {
        &self.failure
    }

    /// The round of a loop that runs now, for [`Call::set_epoch`] after a loop inside of it; 0 outside of loops.
    pub fn epoch(&self) -> u32 {
        self.failure.epoch()
    }

    /// A round of a loop starts. What it finds counts for nothing if an earlier one has failed.
    pub fn begin_round(&mut self) {
        // A call of so many rounds takes hours; the last of them would be one.
        self.rounds = self.rounds.saturating_add(1);
        self.set_epoch(self.rounds);
    }

    /// After a loop: the round around it goes on, or none.
    pub fn set_epoch(&mut self, epoch: u32) {
        self.failure.set_epoch(epoch);
    }

    /// The extents and leaves of an argument.
    pub fn input<T: Element, const N: usize, const LEAVES: usize>(
        &mut self,
        name: &str,
        array: &Array<T, N>,
    ) -> Result<([u64; N], [Buffer; LEAVES])> {
        let mut extents = [0; N];
        let mut leaves = [const { Buffer::EMPTY }; LEAVES];
        self.take(name, array.untyped(), &mut extents, &mut leaves)?;
        Ok((extents, leaves))
    }

    /// See [`Call::input`]: compiled once, and not again for every type.
    fn take(
        &mut self,
        name: &str,
        array: Untyped<'_>,
        extents: &mut [u64],
        leaves: &mut [Buffer],
    ) -> Result<()> {
        if array.device != self.device {
            return Err(Error::WrongDevice {
                message: format!(
                    "`{name}` is on {}, the call of `{}` on {}",
                    array.device, self.program.name, self.device
                ),
            });
        }
        // The proofs that removed bounds checks and chose index types rest on this.
        if !is_argument(array.extents) {
            return Err(Error::shape(format!(
                "`{name}` has the shape {:?}: more than 2^48 elements cannot be passed to `{}`",
                array.extents, self.program.name
            )));
        }
        self.inputs.join(array.status)?;
        for (to, &extent) in extents.iter_mut().zip(array.extents) {
            *to = extent as u64;
        }
        match &self.place {
            Place::Cpu | Place::Cuda { .. } => leaves.clone_from_slice(array.leaves),
            Place::Instead { .. } => {
                for (to, leaf) in leaves.iter_mut().zip(array.on_host()?) {
                    *to = leaf;
                }
            }
        }
        Ok(())
    }

    /// Fails the call if `condition` is false: with this failure, or a lesser one that kernels have found.
    pub fn check(&self, condition: bool, site: u32, values: [i64; 2]) -> Result<()> {
        if condition {
            return Ok(());
        }
        let mine = Found { site, values };
        let least = match self.found()? {
            Some((found, first)) if is_later(self.epoch(), first) => found,
            Some((found, _)) => found.min(mine),
            None => mine,
        };
        self.inputs.wait()?;
        Err(least.error(self.program.sites))
    }

    /// Waits, and gives what the kernels have found so far, and its epoch.
    fn found(&self) -> Result<Option<(Found, u32)>> {
        match &self.record {
            Some(record) => record.read(),
            None => Ok(self.failure.found_in()),
        }
    }

    /// Uninitialised memory for an array.
    pub fn allocate(&self, leaf: Leaf, extents: &[u64]) -> Result<Buffer> {
        let bytes = self.bytes(leaf, extents)?;
        match &self.place {
            Place::Cpu | Place::Instead { .. } => Buffer::host(bytes),
            Place::Cuda { gpu, .. } => Buffer::cuda(gpu, bytes),
        }
    }

    fn bytes(&self, leaf: Leaf, extents: &[u64]) -> Result<usize> {
        let exhausted = |bytes| Error::OutOfMemory {
            bytes,
            device: self.device.name(),
        };
        let sizes: Vec<usize> = extents.iter().map(|&extent| extent as usize).collect();
        let bytes = count(&sizes).and_then(|count| count.checked_mul(leaf.bytes()));
        bytes
            .filter(|&bytes| bytes <= isize::MAX as usize)
            .ok_or_else(|| exhausted(usize::MAX))
    }

    /// Sets all bytes of an array, whose extents these are, to one value.
    pub fn fill(&self, buffer: &Buffer, byte: u8, leaf: Leaf, extents: &[u64]) -> Result<()> {
        let bytes = self.bytes(leaf, extents)?;
        match &self.place {
            _ if bytes == 0 => Ok(()),
            Place::Cpu | Place::Instead { .. } => {
                // SAFETY: the call's own memory, of as many bytes.
                unsafe { crate::cpu::fill(buffer.pointer::<u8>(), byte, bytes) };
                Ok(())
            }
            // SAFETY: as above.
            Place::Cuda { gpu, .. } => unsafe { gpu.fill(buffer.address(), byte, bytes) },
        }
    }

    /// The contents of an array, whose extents these are, in memory that has no other owner: a copy, unless `buffer` is
    /// the only one.
    pub fn own(&self, buffer: Buffer, leaf: Leaf, extents: &[u64]) -> Result<Buffer> {
        if buffer.is_sole() {
            return Ok(buffer);
        }
        self.copied(&buffer, self.bytes(leaf, extents)?)
    }

    /// The first elements of an array, which have these extents: in its own memory, unless that is more than twice as
    /// large and worth a copy.
    pub fn shrink(&self, buffer: Buffer, leaf: Leaf, extents: &[u64]) -> Result<Buffer> {
        const PAGE: usize = 4096;
        let bytes = self.bytes(leaf, extents)?;
        if buffer.bytes() <= 2 * bytes + PAGE {
            return Ok(buffer);
        }
        self.copied(&buffer, bytes)
    }

    /// The first bytes of an array in memory of their own.
    fn copied(&self, buffer: &Buffer, bytes: usize) -> Result<Buffer> {
        match &self.place {
            Place::Cpu | Place::Instead { .. } => {
                let copy = Buffer::host(bytes)?;
                let (from, to) = (buffer.pointer::<u8>(), copy.pointer::<u8>());
                // SAFETY: two arrays of at least as many bytes, one of which is new.
                unsafe { to.copy_from_nonoverlapping(from, bytes) };
                Ok(copy)
            }
            Place::Cuda { gpu, .. } => {
                let copy = Buffer::cuda(gpu, bytes)?;
                if bytes > 0 {
                    // SAFETY: as above.
                    unsafe { gpu.copy(copy.address(), buffer.address(), bytes)? };
                }
                Ok(copy)
            }
        }
    }

    /// Queues a kernel on the GPU. `rows` are its independent rows or elements, `inner` the elements of a row, if the
    /// host knows.
    ///
    /// # Safety
    /// Buffers and scalars are those of the kernel's declaration, in order; each scalar is the low bytes of a `u64`.
    pub unsafe fn launch(
        &mut self,
        kernel: usize,
        rows: u64,
        inner: Option<u64>,
        buffers: &[&Buffer],
        scalars: &[u64],
    ) -> Result<()> {
        let Place::Cuda {
            gpu,
            code: Some(code),
        } = &self.place
        else {
            unreachable!("kernels on the CPU are called by the expansion");
        };
        let description = &self.program.kernels[kernel];
        let length = |(buffer, leaf): (&&Buffer, &Leaf)| buffer.bytes() / leaf.bytes();
        let longest = buffers.iter().zip(description.buffers).map(length).max();
        let launch = cuda::Launch {
            code,
            kernel,
            description,
            sizes: cuda::Sizes {
                rows,
                inner,
                longest: longest.unwrap_or(0) as u64,
            },
        };
        let record = || {
            let record = match &self.record {
                Some(record) => record,
                None => self.record.insert(cuda::Record::new(gpu)?),
            };
            Ok([record.address(), u64::from(self.failure.epoch())])
        };
        let addresses = buffers.iter().map(|buffer| buffer.address());
        // SAFETY: by contract; memory is freed in the order of the stream.
        unsafe { gpu.launch(launch, addresses, scalars, record) }
    }

    /// Calls a function of the user's. Its error fails the call, unless something before it has failed.
    pub fn routine(&self, function: impl FnOnce(&Stream) -> Result<()>) -> Result<()> {
        let Place::Cuda { gpu, .. } = &self.place else {
            unreachable!("on the CPU the body is computed");
        };
        let stream = Stream::of(gpu);
        let Err(error) = gpu.with_context(|| function(&stream)) else {
            return Ok(());
        };
        self.inputs.wait()?;
        match self.found()? {
            Some((found, _)) => Err(found.error(self.program.sites)),
            None => Err(error),
        }
    }

    /// Waits, and reads the only element of a buffer. An error of the inputs or of the kernels so far fails the call.
    pub fn read<T: Element>(&self, buffer: &Buffer) -> Result<T> {
        self.inputs.wait()?;
        if let Some((found, _)) = self.found()? {
            return Err(found.error(self.program.sites));
        }
        let bytes = size_of::<T>();
        let on_host;
        let buffer = match &self.place {
            Place::Cpu | Place::Instead { .. } => buffer,
            Place::Cuda { gpu, .. } => {
                on_host = download(gpu, buffer, 0, bytes, None)?;
                &on_host
            }
        };
        assert!(T::PLAIN);
        // SAFETY: a plain element, which a kernel has stored.
        Ok(unsafe { buffer.pointer::<T>().read() })
    }

    /// All kernels have been queued: what the results depend on.
    pub fn end(mut self) -> Result<Finished<'a>> {
        let mut status = std::mem::take(&mut self.inputs);
        if let Target::Cuda(gpu) = self.device.target() {
            status.set_end(cuda::End::current(gpu));
        }
        if let Some(mut record) = self.record.take() {
            record.set_end(status.end().cloned());
            status.push(Outcome::pending(record, self.program.sites));
        } else if let Some(found) = self.failure.found() {
            status.push(Outcome::failed(found.error(self.program.sites)));
        }
        Ok(Finished { call: self, status })
    }
}

/// A call whose kernels are queued: hands out the results.
#[derive(Debug)]
pub struct Finished<'a> {
    call: Call<'a>,
    status: Status,
}

impl Finished<'_> {
    /// For results that are scalars of the host: waits, and fails if anything has.
    pub fn wait(&self) -> Result<()> {
        self.status.wait()
    }

    /// A result in memory.
    pub fn array<T: Element, const N: usize>(
        &self,
        extents: [u64; N],
        buffers: &[&Buffer],
    ) -> Result<Array<T, N>> {
        let extents = extents.map(|extent| extent as usize);
        Ok(Array::from_leaves(
            self.call.device.clone(),
            extents,
            self.leaves(&extents, buffers, T::leaf)?,
            self.status.clone(),
        ))
    }

    /// See [`Finished::array`]: compiled once, and not again for every type.
    fn leaves(
        &self,
        extents: &[usize],
        buffers: &[&Buffer],
        leaf: fn(usize) -> Leaf,
    ) -> Result<Box<[Buffer]>> {
        let extents: Vec<u64> = extents.iter().map(|&extent| extent as u64).collect();
        let place = |(k, &buffer): (usize, &&Buffer)| {
            let bytes = self.call.bytes(leaf(k), &extents)?;
            // A shape whose difference wraps is taken as empty where it is allocated, and may be none.
            if buffer.bytes() < bytes {
                let device = self.call.device.name();
                return Err(Error::OutOfMemory { bytes, device });
            }
            match &self.call.place {
                Place::Cpu | Place::Cuda { .. } => Ok(buffer.clone()),
                Place::Instead { gpu } => upload(gpu, buffer, bytes),
            }
        };
        buffers.iter().enumerate().map(place).collect()
    }

    /// A result of rank 0 whose value the host knows.
    pub fn scalar<T: Element>(&self, value: T) -> Result<Array<T, 0>> {
        let array = Array::from_value(self.call.device, value)?;
        Ok(array.depending(&self.status))
    }

    /// Reads one leaf of a scalar result from the device. The caller has waited.
    pub fn read<T: Element>(&self, buffer: &Buffer) -> Result<T> {
        self.call.read(buffer)
    }
}
