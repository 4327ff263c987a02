//! Driver calls made without any bindings: for tests that run CUDA C as text, with no runtime in between.

use crate::Emulator;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::ptr::null_mut;

/// A loaded module.
#[derive(Clone, Copy, Debug)]
pub struct Module(*mut c_void);

/// A kernel of a module.
#[derive(Clone, Copy, Debug)]
pub struct Function(*mut c_void);

/// Memory of the device, freed when dropped.
#[derive(Debug)]
pub struct Memory<'a> {
    emulator: &'a Emulator,
    address: u64,
    bytes: usize,
}

/// Blocks in x and y, threads in x.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Blocks.
    pub grid: (u32, u32),
    /// Threads of a block.
    pub threads: u32,
    /// Dynamic shared memory of a block.
    pub shared: u32,
}

type Launch = unsafe extern "C" fn(
    *mut c_void,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    *mut c_void,
    *const *const c_void,
    *mut *mut c_void,
) -> c_int;

impl Emulator {
    fn status(&self, name: &str, code: c_int) -> Result<(), String> {
        if code == 0 {
            Ok(())
        } else {
            Err(format!("{name} gives {code}: {}", self.report()))
        }
    }

    /// Compiles and loads the kernels that an image names.
    pub fn module(&self, image: &str) -> Result<Module, String> {
        let image = CString::new(image).map_err(|error| error.to_string())?;
        // SAFETY: it ends in NUL.
        unsafe { self.load(image.as_ptr().cast()) }
    }

    /// The same for a cubin, with anything behind it.
    pub fn cubin(&self, image: &[u8]) -> Result<Module, String> {
        let end = end_of_tables(image).ok_or("no ELF file")?;
        if end > image.len() as u64 {
            return Err(format!("{} of {end} bytes of a cubin", image.len()));
        }
        // SAFETY: the device reads up to there.
        unsafe { self.load(image.as_ptr().cast()) }
    }

    /// Loads an image.
    ///
    /// # Safety
    /// It is a text that ends in NUL, or an ELF file to the end of its tables.
    unsafe fn load(&self, image: *const c_void) -> Result<Module, String> {
        let mut module = null_mut();
        type Load = unsafe extern "C" fn(*mut *mut c_void, *const c_void) -> c_int;
        // SAFETY: the driver's signature; the image by contract.
        let code = unsafe { self.symbol::<Load>("cuModuleLoadData")(&mut module, image) };
        self.status("cuModuleLoadData", code)
            .map(|()| Module(module))
    }

    /// Unloads a module; its functions must not be used any more.
    pub fn unload(&self, module: Module) {
        type Unload = unsafe extern "C" fn(*mut c_void) -> c_int;
        // SAFETY: the driver's signature; a module that does not exist is refused.
        unsafe { self.symbol::<Unload>("cuModuleUnload")(module.0) };
    }

    /// A kernel of a module.
    pub fn function(&self, module: Module, name: &str) -> Result<Function, String> {
        let name = CString::new(name).map_err(|error| error.to_string())?;
        let mut function = null_mut();
        type Get = unsafe extern "C" fn(*mut *mut c_void, *mut c_void, *const c_char) -> c_int;
        // SAFETY: the driver's signature; a module that does not exist is refused.
        let code = unsafe {
            self.symbol::<Get>("cuModuleGetFunction")(&mut function, module.0, name.as_ptr())
        };
        self.status("cuModuleGetFunction", code)
            .map(|()| Function(function))
    }

    /// Memory that holds `content`; of one byte if that is empty, since the driver makes none of 0.
    pub fn upload(&self, content: &[u8]) -> Result<Memory<'_>, String> {
        let mut memory = Memory {
            emulator: self,
            address: 0,
            bytes: content.len(),
        };
        type Allocate = unsafe extern "C" fn(*mut u64, usize) -> c_int;
        type Copy = unsafe extern "C" fn(u64, *const c_void, usize) -> c_int;
        // SAFETY: the driver's signatures; the memory is as large as the content.
        unsafe {
            let code =
                self.symbol::<Allocate>("cuMemAlloc_v2")(&mut memory.address, content.len().max(1));
            self.status("cuMemAlloc_v2", code)?;
            if !content.is_empty() {
                let code = self.symbol::<Copy>("cuMemcpyHtoD_v2")(
                    memory.address,
                    content.as_ptr().cast(),
                    content.len(),
                );
                self.status("cuMemcpyHtoD_v2", code)?;
            }
        }
        Ok(memory)
    }

    /// Runs a kernel to its end. Each argument is the low bytes of a `u64`.
    ///
    /// # Errors
    /// What the emulated device found wrong; it goes on as if nothing had happened.
    pub fn launch(
        &self,
        function: Function,
        shape: Shape,
        arguments: &[u64],
    ) -> Result<(), String> {
        let mut pointers: Vec<*const c_void> = arguments
            .iter()
            .map(|argument| (&raw const *argument).cast())
            .collect();
        pointers.push(std::ptr::null());
        let Shape {
            grid: (x, y),
            threads,
            shared,
        } = shape;
        // SAFETY: the driver's signature. Too few arguments end in a null pointer, which the emulator refuses.
        let code = unsafe {
            self.symbol::<Launch>("cuLaunchKernel")(
                function.0,
                x,
                y,
                1,
                threads,
                1,
                1,
                shared,
                null_mut(),
                pointers.as_ptr(),
                null_mut(),
            )
        };
        let result = self.status("cuLaunchKernel", code);
        if result.is_err() {
            self.recover();
        }
        result
    }
}

/// Where the tables of an ELF file end that name its programs and its sections.
fn end_of_tables(elf: &[u8]) -> Option<u64> {
    let number = |at: usize, bytes: usize| -> Option<u64> {
        let digit = |sum, &byte: &u8| sum << 8 | u64::from(byte);
        Some(elf.get(at..at + bytes)?.iter().rev().fold(0, digit))
    };
    let table =
        |start, size, count| number(start, 8)?.checked_add(number(size, 2)? * number(count, 2)?);
    let end = table(32, 54, 56)?.max(table(40, 58, 60)?);
    elf.starts_with(b"\x7fELF").then_some(end)
}

impl Memory<'_> {
    /// Where it lies, as kernels get it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Its content.
    pub fn download(&self) -> Result<Vec<u8>, String> {
        let mut content = vec![0; self.bytes];
        if self.bytes > 0 {
            type Copy = unsafe extern "C" fn(*mut c_void, u64, usize) -> c_int;
            // SAFETY: the driver's signature; both sides are of this size.
            let code = unsafe {
                self.emulator.symbol::<Copy>("cuMemcpyDtoH_v2")(
                    content.as_mut_ptr().cast(),
                    self.address,
                    self.bytes,
                )
            };
            self.emulator.status("cuMemcpyDtoH_v2", code)?;
        }
        Ok(content)
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        type Free = unsafe extern "C" fn(u64) -> c_int;
        if self.address != 0 {
            // SAFETY: the driver's signature; allocated by `upload` and freed once.
            unsafe { self.emulator.symbol::<Free>("cuMemFree_v2")(self.address) };
        }
    }
}
