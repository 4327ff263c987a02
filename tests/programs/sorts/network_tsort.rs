//! Obsidian's sorting network of merges: each block of 512 goes through 45 stages in one kernel.
//!
//! kernels: 1 (staged)
//! shapes: keys n

accelerate! {
    /// Compares with the partner whose index differs in the bits of `mask`; the smaller one goes where `bit` is zero.
    fn exchange(block: &Vector<i32>, bit: usize, mask: usize) -> Vector<i32> {
        block.map_indexed(|i, x| {
            let y = block[i ^ mask];
            if i & bit == 0 { x.min(y) } else { x.max(y) }
        })
    }

    /// Elements that are `2^i` apart meet.
    fn ilv(block: &Vector<i32>, i: usize) -> Vector<i32> {
        exchange(block, 1 << i, 1 << i)
    }

    /// Elements at equal distances from the middles of runs of `2^(i + 1)` meet.
    fn vee(block: &Vector<i32>, i: usize) -> Vector<i32> {
        exchange(block, 1 << i, (2 << i) - 1)
    }

    pub fn network_tsort(keys: &Vector<i32>) -> Matrix<i32> {
        keys.chunks_exact(512).map(|block| {
            let mut block = block;
            for merge in 0..9 {
                block = vee(&block, merge);
                for i in (0..merge).rev() {
                    block = ilv(&block, i);
                }
            }
            block
        })
    }
}
