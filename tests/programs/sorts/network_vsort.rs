//! Obsidian's other sorting network, of pairs: keys with what comes with them.
//!
//! kernels: 1 (staged)
//! shapes: pairs n

accelerate! {
    /// Stage (i, j): the partner's index differs in bits i to i + j, the smaller key goes where bit i + j is zero.
    fn ilv_vee(block: &Vector<(f32, u32)>, i: usize, j: usize) -> Vector<(f32, u32)> {
        let mask = ((2 << j) - 1) << i;
        block.map_indexed(|ix, x| {
            let y = block[ix ^ mask];
            let first = ix & (1 << (i + j)) == 0;
            let swaps = if first { y.0 < x.0 } else { x.0 < y.0 };
            if swaps { y } else { x }
        })
    }

    pub fn network_vsort(pairs: &Vector<(f32, u32)>) -> Matrix<(f32, u32)> {
        pairs.chunks_exact(32).map(|block| {
            let mut block = block;
            for i in 1..=5 {
                for j in 1..=i {
                    block = ilv_vee(&block, 5 - i, i - j);
                }
            }
            block
        })
    }
}
