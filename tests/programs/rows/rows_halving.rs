//! Reduction by halving: the loop's end is not a count, and the state has two arrays and two scalars.
//!
//! kernels: 1 (staged)
//! shapes: xs n

accelerate! {
    pub fn rows_halving(xs: &Vector<i64>) -> Matrix<(i64, u32)> {
        xs.chunks_exact(64).map(|row| {
            let mut sums = row;
            let mut counts = row.map(|x| (x & 1) as u32);
            let mut step = 32;
            let mut round = 1;
            while step > 0 {
                sums = sums.map_indexed(|i, x| if i < step { x + sums[i + step] } else { x });
                counts = counts.map_indexed(|i, x| if i < step { x + counts[i + step] } else { x * round });
                step /= 2;
                round += 1;
            }
            sums.zip(counts)
        })
    }
}
