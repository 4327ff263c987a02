//! Numbers as bytes and back, in either order.
//!
//! kernels: 1 (elementwise)
//! bytes: 16n
//! shapes: xs n, ys n

accelerate! {
    pub fn exchanged(xs: &Vector<f32>, ys: &Vector<u16>) -> Vector<(u32, i32, u16)> {
        xs.zip(ys).map(|(x, y)| {
            let [a, b, c, d] = x.to_be_bytes();
            let [low, high] = y.to_le_bytes();
            let mixed = i32::from_be_bytes([a, low, high, 7]);
            (u32::from_le_bytes([a, b, c, d]), mixed, u16::from_be(y.to_le()))
        })
    }
}
