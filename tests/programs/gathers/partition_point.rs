//! Where elements would stand in a sorted array, by bisection: samples by their cumulative weights, and a place in each row.
//!
//! kernels: 4 (scan, elementwise, elementwise, elementwise)
//! shapes: weights n, us l, m (h, w), keys k
//! values: weights 0.0..1.0, keys 1..9
//! work: keys 1..9

accelerate! {
    pub fn places(weights: &Vector<f32>, us: &Vector<f32>, m: &Matrix<i32>, keys: &Vector<i32>) -> (Vector<u32>, Vector<usize>, usize) {
        let sums = weights.cumsum();
        let drawn = us.map(|u| sums.partition_point(|sum| sum < u) as u32);
        let inside = m.rows().map(|row| row.partition_point(|x| x < row.len() as i32));
        (drawn, inside, keys.partition_point(|key| 100 / key > 20))
    }
}
