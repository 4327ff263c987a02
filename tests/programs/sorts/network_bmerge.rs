//! Bitonic merges of long blocks.
//!
//! kernels: 1 (staged)
//! shapes: keys n

accelerate! {
    fn ilv(block: &Vector<u64>, i: usize) -> Vector<u64> {
        block.map_indexed(|ix, x| {
            let y = block[ix ^ (1 << i)];
            if ix >> i & 1 == 0 { x.min(y) } else { x.max(y) }
        })
    }

    #[fused(kernels = 1, bytes = 16384 * (keys.len() / 1024))]
    pub fn network_bmerge(keys: &Vector<u64>) -> Matrix<u64> {
        keys.chunks_exact(1024).map(|keys| {
            let mut block = keys.map(|key| key ^ 0x5555);
            for i in (0..10).rev() {
                block = ilv(&block, i);
            }
            block
        })
    }
}
