//! In a loop and in a branch, by a helper that asks for the order.
//!
//! shapes: xs n
//! values: xs -1..1, rounds 0..5

accelerate! {
    #[deterministic]
    fn spread(table: Vector<f32>, xs: &Vector<f32>, stride: usize) -> Vector<f32> {
        table.scatter(|a, b| a + b, xs, |i, _| Some(i * stride % 13))
    }

    pub fn rounds(xs: &Vector<f32>, rounds: u32) -> (Vector<f32>, f32) {
        let mut table = fill(13, 0.1f32);
        for round in 0..rounds {
            table = spread(table, &xs.map(|x| x / 3.0), round as usize + 1);
        }
        let whole = if rounds > 2 { spread(fill(13, 0.0), xs, 0) } else { table };
        (table, whole[0])
    }
}
