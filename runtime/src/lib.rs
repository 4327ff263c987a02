#![warn(missing_docs)]
//! Array programs in Rust, fused at compile time, on the GPU and the CPU.
//!
//! Programs are written in Rust inside [`accelerate!`]. Each public function of a block becomes an ordinary Rust function
//! with a [`Device`] in front and its result in [`Result`]:
//!
//! ```
//! use accelerate::{Device, Vector, accelerate};
//!
//! accelerate! {
//!     /// The sum of the products of two vectors.
//!     #[fused(kernels = 1)]
//!     pub fn dotp(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
//!         xs.zip(ys).map(|(x, y)| x * y).sum()
//!     }
//! }
//!
//! let device = Device::best()?;
//! let xs = Vector::from_vec(&device, vec![1.0, 2.0, 3.0])?;
//! let ys = Vector::from_fn(&device, 3, |i| i as f32)?;
//! assert_eq!(dotp(&device, &xs, &ys)?, 8.0);
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! The program is compiled while cargo builds: for NVIDIA GPUs to PTX, which the binary carries, if the package has a build
//! script that calls `accelerate_build::compile()` and there is an nvcc; for the CPU to Rust over vector lanes, always. The
//! same program gives the same results on both.
//!
//! # Expressions
//!
//! A program may also stand where it is used. The closure's parameters name variables in scope:
//!
//! ```
//! use accelerate::{Device, Vector, accelerate};
//!
//! fn rmse(device: &Device, xs: &Vector<f32>, ys: &Vector<f32>) -> accelerate::Result<f32> {
//!     accelerate!(device, |xs: &Vector<f32>, ys: &Vector<f32>| -> f32 {
//!         let squares = xs.zip(ys).map(|(x, y)| (x - y) * (x - y));
//!         (squares.sum() / xs.len() as f32).sqrt()
//!     })
//! }
//!
//! let device = Device::cpu();
//! let xs = Vector::from_vec(&device, vec![1.0, 2.0])?;
//! let ys = Vector::from_vec(&device, vec![4.0, 6.0])?;
//! assert_eq!(rmse(&device, &xs, &ys)?, 12.5f32.sqrt());
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! # Arrays
//!
//! An [`Array`] lives on a device and is read when asked: [`Scalar`], [`Vector`], [`Matrix`] and [`Cube`] are ranks 0 to 3.
//! Its elements are scalars, tuples, or structs of a block, stored as one plain array per field. Functions that return
//! arrays return as soon as their work is queued; `to_vec`, `get`, `value` and scalar results wait.
//!
//! ```
//! use accelerate::{Device, Matrix, Vector, accelerate};
//!
//! accelerate! {
//!     pub struct Body { pub position: (f32, f32), pub mass: f32 }
//!
//!     pub fn moved(bodies: &Vector<Body>, by: f32) -> Vector<Body> {
//!         bodies.map(|body| Body { position: (body.position.0 + by, body.position.1), mass: body.mass })
//!     }
//!
//!     pub fn row_sums(m: &Matrix<i32>) -> Vector<i32> {
//!         m.rows().map(|row| row.sum())
//!     }
//! }
//!
//! let device = Device::cpu();
//! let body = Body { position: (1.0, 2.0), mass: 3.0 };
//! let bodies = moved(&device, &Vector::from_vec(&device, vec![body])?, 1.0)?;
//! assert_eq!(bodies.get(0)?.position, (2.0, 2.0));
//! let m = Matrix::from_vec(&device, (2, 3), vec![1, 2, 3, 4, 5, 6])?;
//! assert_eq!(row_sums(&device, &m)?.to_vec()?, [6, 15]);
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! With the feature `ndarray` of this crate views of that library come in and its arrays go out: `Matrix::from_ndarray(&device, &a)`, also
//! of slices, transposed and reversed views, and `m.to_ndarray()`.
//!
//! # Scalar code
//!
//! Between the arrays everything is Rust that needs no heap and no recursion, and means what it means there: patterns, loops, labels, early
//! returns, `?`.
//!
//! ```
//! use accelerate::{Device, Vector, accelerate};
//!
//! accelerate! {
//!     /// The smallest factor of each number, and where a walk from each leads.
//!     pub fn walked(next: &Vector<u32>) -> Vector<(u32, u32)> {
//!         next.map(|x| {
//!             let factor = 'found: {
//!                 for k in 2..x {
//!                     if x % k == 0 {
//!                         break 'found k;
//!                     }
//!                 }
//!                 x
//!             };
//!             let mut at = x;
//!             while let Some(to) = next.get(at as usize) && to > at {
//!                 at = to;
//!             }
//!             (factor, at)
//!         })
//!     }
//! }
//!
//! let device = Device::cpu();
//! let next = Vector::from_vec(&device, vec![2, 7, 3, 9])?;
//! assert_eq!(walked(&device, &next)?.to_vec()?, [(2, 9), (7, 7), (3, 9), (3, 9)]);
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! # Helpers
//!
//! Functions without `pub` are helpers of the block, inlined where they are called: generic over elements and ranks, and over
//! functions; their parameters may be patterns. Constants, types and helpers may also stand inside functions:
//!
//! ```
//! use accelerate::{Device, Matrix, Vector, accelerate};
//!
//! accelerate! {
//!     /// A function of each half.
//!     fn two<T: Number>(f: impl Fn(&Vector<T>) -> Vector<T>, xs: &Vector<T>) -> Vector<T> {
//!         let (a, b) = xs.halve();
//!         f(&a).concat(&f(&b))
//!     }
//!
//!     /// Whatever the rank, and whatever that of the result.
//!     fn along<const N: usize, const M: usize>(
//!         xs: &Array<f32, N>,
//!         f: impl Fn(&Array<f32, N>) -> Array<f32, M>,
//!     ) -> Array<f32, M> {
//!         f(xs)
//!     }
//!
//!     pub fn turned(xs: &Vector<f32>, by: f32) -> Vector<f32> {
//!         const SHIFT: f32 = 1.0;
//!         fn shifted(x: f32) -> f32 {
//!             x + SHIFT
//!         }
//!         two(|half| half.reverse().map(|x| x * by).map(shifted), xs)
//!     }
//!
//!     pub fn largest(m: &Matrix<f32>) -> Vector<f32> {
//!         along(m, |m| m.map(f32::abs).max())
//!     }
//! }
//!
//! let device = Device::cpu();
//! let xs = Vector::from_vec(&device, vec![1.0, 2.0, 3.0, 4.0])?;
//! assert_eq!(turned(&device, &xs, 2.0)?.to_vec()?, [5.0, 3.0, 9.0, 7.0]);
//! let m = Matrix::from_vec(&device, (2, 2), vec![1.0, -2.0, 3.0, 0.5])?;
//! assert_eq!(largest(&device, &m)?.to_vec()?, [2.0, 3.0]);
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! # Bundles
//!
//! A struct with arrays among its fields is a bundle: the arrays of a network, or of a simulation's state, under one name. It
//! is passed, returned and carried through loops as a tuple of arrays would be, and is the host's as it is written:
//!
//! ```
//! use accelerate::{Device, Matrix, Vector, accelerate};
//!
//! accelerate! {
//!     pub struct Layer { pub w: Matrix<f32>, pub b: Vector<f32>, pub rate: f32 }
//!
//!     impl Layer {
//!         fn gradient(&self, x: &Vector<f32>, y: &Vector<f32>) -> Layer {
//!             let errors = self.w.matvec(x) + self.b - y;
//!             Layer { w: errors.outer_product(x), b: errors, rate: 0.0 }
//!         }
//!     }
//!
//!     pub fn apply(layer: &Layer, x: &Vector<f32>) -> Vector<f32> {
//!         layer.w.matvec(x) + layer.b
//!     }
//!
//!     pub fn train(layer: Layer, x: &Vector<f32>, y: &Vector<f32>, steps: usize) -> Layer {
//!         let mut layer = layer;
//!         for _ in 0..steps {
//!             let down = layer.gradient(x, y);
//!             layer.w = layer.w - down.w * layer.rate;
//!             layer.b = layer.b - down.b * layer.rate;
//!         }
//!         layer
//!     }
//! }
//!
//! let device = Device::cpu();
//! let w = Matrix::from_vec(&device, (1, 2), vec![0.0, 0.0])?;
//! let layer = Layer { w, b: Vector::from_vec(&device, vec![0.0])?, rate: 0.25 };
//! let x = Vector::from_vec(&device, vec![1.0, 1.0])?;
//! let y = Vector::from_vec(&device, vec![3.0])?;
//! let trained = train(&device, layer.clone(), &x, &y, 20)?;
//! assert_eq!(apply(&device, &layer, &x)?.to_vec()?, [0.0]);
//! assert!((apply(&device, &trained, &x)?.get(0)? - 3.0).abs() < 1e-3);
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! # Foreign code
//!
//! A helper of numbers may have another text on CUDA devices: a function of its name, with `__device__` before it, in a file that
//! the path from the root of the package names. The file stands in a namespace of its own, and includes no other. On the CPU and
//! for the host the body is what counts; both must mean the same:
//!
//! ```text
//! #[foreign(cuda = "src/fast.cuh")]
//! fn fast_atan(x: f32) -> f32 {
//!     x.atan()
//! }
//! ```
//!
//! ```text
//! // src/fast.cuh
//! __device__ float fast_atan(float x) { return x / (1.0f + 0.28f * x * x); }
//! ```
//!
//! What fails in the body, such as an `assert!`, fails on CUDA devices, too. The function must come to an end for all arguments, also
//! for those that a program keeps from it by an `if`: both sides of a branch may be computed.
//!
//! A function of arrays may have other Rust code on CUDA devices, such as a library's: see [`foreign`].
//!
//! # From C
//!
//! `#[export(c)]` before a `pub fn` makes a symbol of its name. The build script writes `target/accelerate/<package>/<package>.h` with
//! a declaration for each. A crate of the type `cdylib` has the symbols, and those that make arrays of host memory, read them and give
//! them back:
//!
//! ```
//! use accelerate::accelerate;
//!
//! accelerate! {
//!     /// The sum of the products of two vectors.
//!     #[export(c)]
//!     pub fn dotp(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
//!         xs.zip(ys).map(|(x, y)| x * y).sum()
//!     }
//! }
//! ```
//!
//! ```text
//! int dotp(const accelerate_device *device, const accelerate_array *xs, const accelerate_array *ys, float *result);
//! ```
//!
//! Every function returns a status, zero if all is well; `accelerate_last_error()` gives the text. An array of another type or rank, and
//! a null pointer, are errors. An array that is passed by value is given away: its handle is empty after the call. Elements are
//! scalars; a tuple of results has a pointer for each part.
//!
//! # Errors
//!
//! What Rust would report at compile time is a compile error at the token. What is known only at run time is an [`Error`]
//! that begins with its place in the program:
//!
//! ```
//! use accelerate::{Device, Error, Vector, accelerate};
//!
//! accelerate! {
//!     pub fn pick(xs: &Vector<f32>, at: &Vector<usize>) -> Vector<f32> {
//!         at.map(|i| xs[i])
//!     }
//! }
//!
//! let device = Device::cpu();
//! let xs = Vector::from_vec(&device, vec![0.5; 10])?;
//! let at = Vector::from_vec(&device, vec![3, 12])?;
//! let error = pick(&device, &xs, &at)?.to_vec().unwrap_err();
//! assert!(matches!(error, Error::OutOfBounds { .. }));
//! assert!(error.to_string().contains("12"));
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! # What a function tells about itself
//!
//! Beside each function `f` stands an empty struct `f` with `f::PLAN` (the fused kernels), `f::CUDA` (the CUDA C),
//! `f::KERNELS` (their names), `f::COST` (see [`Cost`]), `f::PEAK` (the device memory that a call has at one time besides its parameters), `f::ptx()`,
//! `f::warm`, `f::choice` and `f::stream`. So a test can pin what was fused:
//!
//! ```
//! use accelerate::accelerate;
//!
//! accelerate! {
//!     pub fn norm(xs: &Vector<f64>) -> f64 {
//!         xs.map(|x| x * x).sum().sqrt()
//!     }
//! }
//!
//! assert_eq!(norm::KERNELS, ["norm_reduce"]);
//! assert_eq!(norm::COST.read, "8 * xs.len()");
//! assert_eq!(norm::PEAK, "8");
//! ```
//!
//! And a function can promise what it takes, which is checked when it is compiled: `#[fused(kernels = 1)]` (launches on the worst path,
//! also `launches`), `#[fused(checks = 0)]` (in kernels), `#[fused(atomics = 0)]` (arrays that points combine into),
//! `#[fused(bytes = 8 * xs.len() + 8)]` (read and written).
//!
//! The operations of the language stand in [`operations`].
//!
//! # The first call
//!
//! A kernel has several variants: for long rows and short ones, for many and few. A GPU's driver compiles the PTX of a variant when a call
//! launches it for the first time, in 0.02 to 0.4 seconds (all variants of a softmax would take two), and keeps what it has made on
//! disk (`CUDA_CACHE_PATH`). `f::warm` has all of them loaded at once, but for those whose indices have 64 bits: after it no call
//! with sizes below 2^31 waits. On the CPU it does nothing. Where code is missing or cannot be loaded, it does what a call does.
//!
//! Nothing is compiled on a device whose machine code is embedded: `ACCELERATE_ARCH=sm_80,sm_90` has the build script make it for devices
//! of the major versions 8 and 9. Others take the PTX, and so do these if their driver refuses the machine code.
//!
//! ```
//! use accelerate::{Device, Vector, accelerate};
//!
//! accelerate! {
//!     pub fn norm(xs: &Vector<f64>) -> f64 {
//!         xs.map(|x| x * x).sum().sqrt()
//!     }
//! }
//!
//! let device = Device::best()?;
//! norm::warm(&device)?;
//! assert_eq!(norm(&device, &Vector::from_vec(&device, vec![3.0, 4.0])?)?, 5.0);
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! Which variant it is follows from the sizes of the data and the device. `f::choice` is a call that tells: a [`Choice`] for each
//! launch, in order, and none on the CPU, whose kernels have no variants.
//!
//! ```
//! # use accelerate::{Device, Vector, accelerate};
//! # accelerate! {
//! #     pub fn norm(xs: &Vector<f64>) -> f64 {
//! #         xs.map(|x| x * x).sum().sqrt()
//! #     }
//! # }
//! # let device = Device::best()?;
//! let xs = Vector::from_vec(&device, vec![3.0, 4.0])?;
//! for launch in norm::choice(&device, &xs)? {
//!     println!("{launch}"); // the variant, `norm_reduce_block` for so few, and its blocks and threads
//! }
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! # Many inputs
//!
//! `f::stream` calls a function for each input of an iterator, and is an iterator of the results, in order. On a GPU an input is copied to
//! the device while those before it are computed, and a result from it while those after it are: when a result is asked for, the
//! calls for two more inputs are queued. On the CPU it is a map.
//!
//! An input is the parameter, or a tuple of the parameters, with arrays by value; what all inputs share is cheap to clone. It may stand
//! in a [`Result`]. An error is the result of its input, and the results after it still come.
//!
//! ```
//! use accelerate::{Device, Vector, accelerate};
//!
//! accelerate! {
//!     pub fn weighted(xs: &Vector<f32>, weights: &Vector<f32>) -> Vector<f32> {
//!         xs.zip(weights).map(|(x, w)| x * w)
//!     }
//! }
//!
//! let device = Device::best()?;
//! let weights = Vector::from_vec(&device, vec![0.5, 2.0])?;
//! let days = (1..=365).map(|day| vec![day as f32, 1.0]); // read from a file, say
//! let inputs = days.map(|day| Ok((Vector::from_vec(&device, day)?, weights.clone())));
//! let mut sum = 0.0;
//! for result in weighted::stream(&device, inputs) {
//!     sum += result?.to_vec()?[0];
//! }
//! assert_eq!(sum, 0.5 * 365.0 * 366.0 / 2.0);
//! # Ok::<(), accelerate::Error>(())
//! ```
//!
//! A call whose result is a scalar of the host waits for it, and nothing overlaps; let it return a [`Scalar`] instead.
//!
//! # Variables
//!
//! | variable | |
//! |---|---|
//! | `ACCELERATE_DEVICE` | what [`Device::best`] gives: `cpu`, `cuda` or `cuda:1` |
//! | `ACCELERATE_CUDA` | `require`: no CUDA code for a function is an error, when building and when running |
//! | `ACCELERATE_POOLS` | `off`: each array on a GPU has an allocation of its own, so that `compute-sanitizer` sees where it ends |
//! | `ACCELERATE_CHOICE` | names of variants of kernels with commas between them (`sums_rows_warp_8`): what is launched on a GPU wherever it is right for the sizes, to measure whether it is faster |
//! | `RAYON_NUM_THREADS` | threads on the CPU |

#[doc(inline)]
pub use accelerate_core::*;
pub use accelerate_macros::accelerate;

#[doc = include_str!("operations.md")]
pub mod operations {}
