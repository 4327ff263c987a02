//! Arrays in the order of one of them: that one has been sorted with the places, which are in bounds of it.
//!
//! kernels: 9 (sort, elementwise, sort)
//! shapes: keys n, values n, m (h, w)
//! values: keys -9..9, m 0..20

accelerate! {
    #[fused(checks = 1)]
    pub fn in_order(keys: &Vector<i32>, values: &Vector<f32>, m: &Matrix<u16>)
        -> (Vector<i32>, Vector<f32>, Matrix<u16>)
    {
        let order = keys.argsort();
        let places = m.argsort();
        (
            order.map(|i| keys[i]),
            values.select(&order),
            places.map_indexed(|(r, _), place| m[(r, place)]),
        )
    }
}
