//! Foreign functions of arrays: Rust functions that a CUDA device calls, and what comes of their errors; products by cuBLAS.

use accelerate::foreign::{Stream, View, ViewMut};
use accelerate::{Array, Device, Error, Matrix, Result, Vector, accelerate};
use emulator::Emulator;
use std::sync::atomic::{AtomicU32, Ordering};

/// How often one of the functions below has been called.
static CALLS: AtomicU32 = AtomicU32::new(0);

/// The elements, negated by the host.
///
/// # Errors
/// Of the device.
pub fn negated(stream: &Stream, xs: View<f32, 1>, mut result: ViewMut<f32, 1>) -> Result<()> {
    CALLS.fetch_add(1, Ordering::Relaxed);
    let elements: Vec<f32> = xs.to_vec(stream)?.iter().map(|x| -x).collect();
    result.copy_from(stream, &elements)
}

/// Nothing, but for an error where the first element is negative, and some elements too many where it is large.
///
/// # Errors
/// See above.
pub fn refusing(stream: &Stream, xs: View<f32, 1>, mut result: ViewMut<f32, 1>) -> Result<()> {
    CALLS.fetch_add(1, Ordering::Relaxed);
    match xs.to_vec(stream)?.first() {
        Some(&x) if x < 0.0 => Err(Error::Cuda {
            message: "refused".into(),
        }),
        Some(&x) if x > 100.0 => result.copy_from(stream, &vec![x; xs.len() + 1]),
        _ => Ok(()),
    }
}

accelerate! {
    #[foreign(rust = crate::foreign::negated)]
    fn minus(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| -x)
    }

    #[foreign(rust = crate::foreign::refusing)]
    fn refused(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + 1.0)
    }

    #[foreign(rust = accelerate::foreign::gemm)]
    fn gemm_f32(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.matmul(b)
    }

    #[foreign(rust = accelerate::foreign::gemm)]
    fn gemm_f64(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
        a.matmul(b)
    }

    /// A call between two kernels.
    pub fn crossed(xs: &Vector<f32>) -> Vector<f32> {
        minus(&xs.map(|x| x + 1.0)).map(|x| x * 2.0)
    }

    /// A call that may fail.
    pub fn refusable(xs: &Vector<f32>) -> Vector<f32> {
        refused(xs)
    }

    /// The same after a kernel that may fail.
    pub fn refusable_picked(xs: &Vector<f32>, at: &Vector<usize>) -> Vector<f32> {
        refused(&at.map(|i| xs[i]))
    }

    /// Called only if the extents fit.
    pub fn summed(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        added(xs, ys)
    }

    #[foreign(rust = crate::foreign::never)]
    fn added(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs + ys
    }

    /// A product between two kernels.
    pub fn product(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        gemm_f32(&a.map(|x| x + 1.0), b).map(|x| x - 1.0)
    }

    /// The same of `f64`, of transposed factors.
    pub fn product_of_transposed(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
        gemm_f64(&a.transpose(), &b.transpose())
    }
}

/// What no call reaches.
///
/// # Errors
/// None.
///
/// # Panics
/// Always.
pub fn never(_: &Stream, _: View<f32, 1>, _: View<f32, 1>, _: ViewMut<f32, 1>) -> Result<()> {
    panic!("the extents do not fit")
}

fn opened() -> Device {
    Device::cuda(0).expect("the emulated device")
}

fn vector(device: &Device, values: &[f32]) -> Vector<f32> {
    Vector::from_slice(device, values).expect("there is memory")
}

/// Functions are called on the device, and not on the CPU; their errors are those of the calls, and nothing else is lost.
pub fn routines(emulator: &Emulator) {
    emulator.delay(true);
    let (device, cpu) = (opened(), Device::cpu());
    let xs = vector(&device, &[1.0, 2.0, 3.0]);
    let before = crossed(&device, &xs).expect("it is called");
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    let on_cpu = crossed(&cpu, &vector(&cpu, &[1.0, 2.0, 3.0])).expect("the body is computed");
    assert_eq!(CALLS.load(Ordering::Relaxed), 1);
    assert_eq!(on_cpu.to_vec(), before.to_vec());
    assert_eq!(before.to_vec(), Ok(vec![-4.0, -6.0, -8.0]));

    // What is left alone is zeros.
    assert_eq!(
        refusable(&device, &xs).and_then(|ys| ys.to_vec()),
        Ok(vec![0.0; 3])
    );
    let error = refusable(&device, &vector(&device, &[-1.0])).expect_err("it refuses");
    assert_eq!(error.to_string(), "refused");
    let error = refusable(&device, &vector(&device, &[101.0])).expect_err("too many elements");
    assert_eq!(error.to_string(), "2 values for a view of the shape [1]");
    // What has failed before counts.
    let at = Vector::from_vec(&device, vec![1, 9]).expect("there is memory");
    let lost = refusable_picked(&device, &vector(&device, &[-1.0, -2.0]), &at);
    assert!(matches!(lost, Err(Error::OutOfBounds { .. })), "{lost:?}");
    let error = summed(&device, &xs, &vector(&device, &[1.0])).expect_err("they do not fit");
    assert!(matches!(error, Error::ShapeMismatch { .. }), "{error}");

    assert_eq!(before.to_vec(), Ok(vec![-4.0, -6.0, -8.0]));
    assert_eq!(
        crossed(&device, &xs).and_then(|ys| ys.to_vec()),
        before.to_vec()
    );
    println!("end");
}

/// Integers as elements, so that every order of additions gives the same.
fn matrix<T: accelerate::Element>(
    device: &Device,
    (rows, columns): (usize, usize),
    element: impl Fn(f32) -> T,
) -> Array<T, 2> {
    let number = |at: usize| element(((at * 7 + 3) % 11) as f32 - 5.0);
    let elements = (0..rows * columns).map(number).collect();
    Matrix::from_vec(device, (rows, columns), elements).expect("there is memory")
}

/// Products of matrices of several shapes, by cuBLAS as on the CPU; or why there are none.
pub fn gemm(emulator: &Emulator) {
    let (device, cpu) = (opened(), Device::cpu());
    let shapes = [
        (2, 3, 5),
        (5, 2, 3),
        (1, 4, 1),
        (7, 1, 2),
        (0, 3, 2),
        (2, 0, 3),
        (3, 2, 0),
    ];
    for (m, k, n) in shapes {
        let of = |device: &Device| {
            let (a, b) = (
                matrix(device, (m, k), |x| x),
                matrix(device, (k, n), |x| x + 1.0),
            );
            product(device, &a, &b).and_then(|c| c.to_vec())
        };
        let launches = emulator.counters().launches;
        match of(&device) {
            Ok(elements) => assert_eq!(Ok(elements), of(&cpu), "{m} {k} {n}"),
            Err(error) => {
                let kept = matrix(&device, (m, k), |x| x);
                assert_eq!(kept.to_vec(), matrix(&cpu, (m, k), |x| x).to_vec());
                return println!("{error}");
            }
        }
        // Those before and after it: the product is not ours.
        let own = emulator.counters().launches - launches;
        assert_eq!(
            own,
            u64::from(m * k > 0) + u64::from(m * n > 0),
            "{m} {k} {n}"
        );
        let of = |device: &Device| {
            let a = matrix(device, (k, m), f64::from);
            let b = matrix(device, (n, k), |x| f64::from(x) - 1.0);
            product_of_transposed(device, &a, &b).and_then(|c| c.to_vec())
        };
        assert_eq!(of(&device), of(&cpu), "{m} {k} {n}");
    }
    let (a, b) = (
        matrix(&device, (2, 3), |x| x),
        matrix(&device, (2, 3), |x| x),
    );
    let error = product(&device, &a, &b).expect_err("they do not fit");
    assert!(matches!(error, Error::ShapeMismatch { .. }), "{error}");
    println!("end");
}
