//! As the state of loops, and in branches that are taken or not.
//!
//! shapes: xs n
//! values: rounds 0..4

accelerate! {
    pub fn shuffled(xs: &Vector<u32>, rounds: usize) -> Vector<u32> {
        let mut state = xs.map(|x| x);
        for k in 0..rounds {
            state = state.map(|x| x.wrapping_mul(2_654_435_761).rotate_left(k as u32)).sort();
        }
        while state.sum() % 3 != 0 {
            state = state.map_indexed(|i, x| if i == 0 { x.wrapping_add(1) } else { x }).sort_by_key(|x| !x);
        }
        if rounds > 2 { state.sort() } else { state }
    }
}
