//! Methods of `Option` that take closures: each is called only where there is a value.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, table k
//! values: xs 0..40

accelerate! {
    pub fn lookup(xs: &Vector<usize>, table: &Vector<i32>) -> Vector<i32> {
        xs.map(|i| {
            let found = table.get(i).filter(|v| v % 2 == 0);
            let next = i.checked_add(1).and_then(|j| table.get(j));
            let both = found.zip(next).map(|(a, b)| 100 / (b * b + 1) + a);
            both.or_else(|| next).or(found).map_or(-1, |v| v + 1)
        })
    }
}
