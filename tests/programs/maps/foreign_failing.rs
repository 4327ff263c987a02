//! A foreign function whose body may fail: what fails there fails on CUDA devices, too.
//!
//! kernels: 1 (elementwise)
//! shapes: ks n, bs n
//! values: bs -2..30
//! work: bs 1..30

accelerate! {
    #[foreign(cuda = "../programs/maps/foreign_functions.cuh")]
    fn quotient(a: i32, b: i32) -> i32 {
        a / b
    }

    pub fn of_failures(ks: &Vector<i32>, bs: &Vector<i32>) -> Vector<i32> {
        ks.zip(bs).map(|(k, b)| if b < 0 { k } else { quotient(k, b) })
    }
}
