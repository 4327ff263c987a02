//! An element that two folds read, one of which may be of nothing.
//!
//! kernels: 1 (reduce)
//! shapes: xs n, ys m, zs k
//! values: xs -99..99, ys -99..99, zs -99..99

accelerate! {
    pub fn distances(xs: &Vector<i32>, ys: &Vector<i32>, zs: &Vector<i32>) -> Vector<i32> {
        xs.map_indexed(|i, x| {
            let near = ys.fold(1000, |least, y| least.min((x - y).abs()));
            if i % 2 == 0 { near + zs.fold(0, |most, z| most.max((x - z).abs())) } else { 0 }
        })
    }
}
