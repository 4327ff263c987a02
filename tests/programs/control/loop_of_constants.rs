//! A number that every round sets to the same constant, while a condition with rounds of its own is not looked through.
//!
//! kernels: 0
//! shapes: xs n

accelerate! {
    pub fn settled(xs: &Vector<bool>) -> (u8, Vector<bool>) {
        let mut ys = xs.clone();
        let mut number = 7_u8;
        let mut round = 0_usize;
        while round < 1 && { let mut more = true; for _ in 0..4_usize { more = false; } more } {
            ys = ys.reverse();
            number = { let _seen = { let all = [number, number, number]; all[3_usize % 3] }; 1 };
            round += 1;
        }
        (number, xs.clone())
    }
}
