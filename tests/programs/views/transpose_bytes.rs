//! A transpose of elements of one byte.
//!
//! kernels: 1 (elementwise)
//! bytes: 2m n
//! shapes: image (m, n)

accelerate! {
    pub fn negative(image: &Matrix<u8>) -> Matrix<u8> {
        image.transpose().map(|x| !x)
    }
}
