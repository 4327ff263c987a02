//! A loop over an array that nobody asks for: neither its rounds nor the array that it begins with are computed, with or
//! without passes.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! shapes: xs n

accelerate! {
    pub fn loop_unwanted(xs: &Vector<i32>) -> (Vector<i32>, u8) {
        let places = xs.argsort();
        let mut products = places.outer_product(&places);
        let mut least = 3_u8;
        for k in 0..2_usize {
            products = products.map(|_| k);
            least -= 1;
        }
        (xs.map(|x| x / 2), least)
    }
}
