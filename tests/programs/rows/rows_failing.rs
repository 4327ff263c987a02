//! A read that fails in some round of some row: the first failing site is reported, and nobody waits for a thread that
//! has gone.
//!
//! kernels: 1 (staged)
//! shapes: xs n
//! values: xs 0..38, rounds 2..5

accelerate! {
    pub fn rows_failing(xs: &Vector<u32>, rounds: u32) -> Matrix<u32> {
        xs.chunks_exact(40).map(|row| {
            let mut row = row;
            for round in 0..rounds {
                row = row.map(|x| row[(x + round) as usize]);
            }
            row
        })
    }
}
