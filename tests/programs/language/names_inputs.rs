//! A function and a parameter that are called as what a method beside the function has.
//!
//! kernels: 1 (elementwise)
//! shapes: device n

accelerate! {
    pub fn inputs(device: &Vector<i32>, call: i32) -> Vector<i32> {
        device.map(|x| x + call)
    }
}
