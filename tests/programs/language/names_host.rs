//! Parameters called as the host's code calls its variables.
//!
//! kernels: 1 (elementwise)
//! shapes: call n, buffer_0 n

accelerate! {
    pub fn call(buffer: i32, call: &Vector<i32>, buffer_0: &Vector<i32>, device: i32, buffer_1: i32) -> Vector<i32> {
        call.zip_with(buffer_0, |done, failures| done * buffer + failures * device - buffer_1)
    }
}
