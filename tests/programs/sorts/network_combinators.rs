//! The sorting network of merges with Obsidian's combinators as functions of a comparator: the same kernel as written out.
//!
//! kernels: 1 (staged)
//! shapes: keys n

accelerate! {
    /// Compares with the partner whose index differs in the bits of `mask`; the smaller one goes where `bit` is zero.
    fn exchange<T: Number>(
        f: impl Fn(T, T) -> (T, T),
        block: &Vector<T>,
        bit: usize,
        mask: usize,
    ) -> Vector<T> {
        block.map_indexed(|i, x| {
            let (small, large) = f(x, block[i ^ mask]);
            if i & bit == 0 { small } else { large }
        })
    }

    /// Elements that are `2^i` apart meet.
    fn ilv<T: Number>(f: impl Fn(T, T) -> (T, T), block: &Vector<T>, i: usize) -> Vector<T> {
        exchange(f, block, 1 << i, 1 << i)
    }

    /// Elements at equal distances from the middles of runs of `2^(i + 1)` meet.
    fn vee<T: Number>(f: impl Fn(T, T) -> (T, T), block: &Vector<T>, i: usize) -> Vector<T> {
        exchange(f, block, 1 << i, (2 << i) - 1)
    }

    /// Each merge is a network of its own, of blocks twice as long.
    fn merges<T: Number>(
        first: impl Fn(&Vector<T>, usize) -> Vector<T>,
        next: impl Fn(&Vector<T>, usize) -> Vector<T>,
        block: &Vector<T>,
        count: usize,
    ) -> Vector<T> {
        let mut block = block.clone();
        for merge in 0..count {
            block = first(&block, merge);
            for i in (0..merge).rev() {
                block = next(&block, i);
            }
        }
        block
    }

    pub fn network_combinators(keys: &Vector<i32>) -> Matrix<i32> {
        let order = |a: i32, b: i32| (a.min(b), a.max(b));
        keys.chunks_exact(512).map(|block| {
            merges(|b, i| vee(order, b, i), |b, i| ilv(order, b, i), &block, 9)
        })
    }
}
