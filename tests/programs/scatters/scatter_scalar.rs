//! A target of rank 0 is a reduction.
//!
//! kernels: 1 (reduce)
//! shapes: xs n
//! values: start -9..9, xs -3..9

accelerate! {
    pub fn total(start: i64, xs: &Vector<i32>) -> (i64, i32) {
        let sum = fill((), start)
            .scatter(|a, b| a + b as i64, xs, |i, x| if x > 3 && i > 0 { Some(()) } else { None });
        let odd = fill((), 8).scatter(
            |a, b| if a * a < b * b || (a * a == b * b && a < b) { b } else { a },
            xs,
            |_, x| if x % 2 == 0 { None } else { Some(()) },
        );
        (sum.value(), odd.value())
    }
}
