//! Numbers as bytes and back, in either order.
//!
//! kernels: 1 (elementwise)
//! bytes: 20n
//! shapes: xs n, ys n

accelerate! {
    pub fn exchanged(xs: &Vector<f32>, ys: &Vector<u16>) -> Vector<(u32, i64, u16)> {
        xs.zip(ys).map(|(x, y)| {
            let [a, b, c, d] = x.to_be_bytes();
            let [low, high] = y.to_le_bytes();
            let wide = i64::from_be_bytes([a, low, b, c, high, d, 7, a]);
            (u32::from_le_bytes([a, b, c, d]), wide, u16::from_be(y.to_le()))
        })
    }
}
