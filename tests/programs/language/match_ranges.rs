//! Match on literals, ranges and guards.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs -20..140

accelerate! {
    pub fn grade(xs: &Vector<i32>) -> Vector<u8> {
        xs.map(|x| match x {
            i32::MIN..=-1 => 0,
            0 | 1 => 1,
            k if k % 7 == 0 => 7,
            2..=49 => 2,
            n @ 50..=99 => (n - 47) as u8,
            _ => 200,
        })
    }
}
