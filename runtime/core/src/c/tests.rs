//! Handles as C uses and misuses them.

use super::*;
use crate::c::accelerate_last_error;
use crate::c::devices::{accelerate_close, accelerate_open};
use std::ffi::CStr;
use std::ptr::{null, null_mut};

fn last_error() -> String {
    // SAFETY: a text that lives until the next error of this thread.
    let text = unsafe { CStr::from_ptr(accelerate_last_error()) };
    text.to_string_lossy().into_owned()
}

/// Does this with the CPU and a matrix of `f32`, and frees both.
fn with_matrix(work: impl FnOnce(*const Device, *mut Handle)) {
    let (mut device, mut matrix) = (null_mut(), null_mut());
    let (data, shape) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]);
    // SAFETY: of these lengths, and freed once.
    unsafe {
        assert_eq!(accelerate_open(c"cpu".as_ptr(), &mut device), 0);
        let made = accelerate_from_f32(device, data.as_ptr(), shape.as_ptr(), 2, &mut matrix);
        assert_eq!(made, 0);
        work(device, matrix);
        accelerate_free(matrix);
        accelerate_close(device);
    }
}

#[test]
fn values_and_shapes_come_back_as_they_went() {
    with_matrix(|_, matrix| {
        let (mut data, mut shape, mut rank) = ([0.0; 6], [0; 2], 0);
        // SAFETY: there is room for as many.
        unsafe {
            assert_eq!(accelerate_rank(matrix, &mut rank), 0);
            assert_eq!(accelerate_shape(matrix, shape.as_mut_ptr(), 2), 0);
            assert_eq!(accelerate_to_f32(matrix, data.as_mut_ptr(), 6), 0);
        }
        assert_eq!((rank, shape), (2, [2, 3]));
        assert_eq!(data, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    });
}

#[test]
fn misuse_is_a_status_and_says_what_is_wrong() {
    with_matrix(|device, matrix| {
        let (mut bytes, mut data, mut rank, mut out) = ([0; 6], [0.0; 5], 0, null_mut());
        let huge = [usize::MAX / 2, 3];
        // SAFETY: there is room for as many; what is null is said to be.
        unsafe {
            assert_eq!(accelerate_to_u8(matrix, bytes.as_mut_ptr(), 6), 1);
            assert!(
                last_error().contains("an array of `f32` of rank 2: expected an array of `u8`")
            );
            assert_eq!(accelerate_to_f32(matrix, data.as_mut_ptr(), 5), 1);
            assert_eq!(last_error(), "`count` is 5, of an array of 6 elements");
            assert_eq!(accelerate_shape(matrix, null_mut(), 2), 1);
            assert_eq!(last_error(), "`shape` is a null pointer");
            assert_eq!(accelerate_rank(null(), &mut rank), 1);
            assert_eq!(last_error(), "`array` is a null pointer");
            let made = accelerate_from_f32(device, null(), huge.as_ptr(), 1, &mut out);
            assert_eq!((made, out.is_null()), (10, true));
            let made = accelerate_from_f32(device, null(), huge.as_ptr(), 2, &mut out);
            assert_eq!((made, out.is_null()), (10, true));
            assert_eq!(accelerate_open(c"gpu".as_ptr(), &mut null_mut()), 11);
            assert!(last_error().contains("no device `gpu`"));
            accelerate_free(null_mut());
            accelerate_close(null_mut());
        }
    });
}

#[test]
fn what_was_given_away_is_empty() {
    with_matrix(|_, matrix| {
        let mut data = [0.0; 6];
        // SAFETY: a handle, and there is room for as many.
        unsafe {
            assert!(take::<f32, 1>(matrix, "m").is_err(), "of another rank");
            let array = take::<f32, 2>(matrix, "m").expect("it fits");
            assert_eq!(array.shape(), (2, 3));
            assert!(matches!(
                borrow::<f32, 2>(matrix, "m"),
                Err(Failure::Argument(_))
            ));
            assert_eq!(accelerate_to_f32(matrix, data.as_mut_ptr(), 6), 1);
        }
        assert_eq!(
            last_error(),
            "`array` is empty: it was given away to a call"
        );
    });
}
