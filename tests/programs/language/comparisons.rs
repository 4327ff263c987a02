//! Orderings, asked and combined.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    pub fn compared(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<[bool; 6]> {
        xs.zip(ys).map(|(x, y)| {
            let (order, low) = (x.cmp(&y), (x % 4).cmp(&(y % 4)));
            let then = low.then(order.reverse());
            [order.is_le(), low.is_gt(), then.is_ge(), low.is_eq(), order.is_ne(), then.is_lt()]
        })
    }
}
