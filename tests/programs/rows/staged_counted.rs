//! Short rows of sums over distinct elements, relaxed in one kernel: how many rows there are is known on the device first.
//!
//! kernels: 6
//! shapes: xs n

accelerate! {
    pub fn staged_counted(xs: &Vector<u8>) -> Matrix<u32> {
        let sums = xs.unique().map(|x| x as u32).cumsum();
        sums.chunks_exact(4).map(|row| {
            let mut row = row;
            for round in 0..2_u32 {
                row = row.map(|x| x + round);
            }
            row
        })
    }
}
