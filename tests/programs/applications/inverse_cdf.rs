//! Samples of a distribution: running sums of weights that are looked up, and a bisection in them for each.
//!
//! shapes: w k, ids n, us m
//! values: ids 0..k, us 0..1000, w 0..9

accelerate! {
    pub fn drawn(w: &Vector<u32>, ids: &Vector<usize>, us: &Vector<u32>) -> Vector<usize> {
        let cdf = ids.map(|i| w[i]).cumsum();
        us.map(|u| {
            let mut low = 0;
            let mut high = cdf.len();
            while low < high {
                let middle = (low + high) / 2;
                if cdf[middle] < u {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        })
    }
}
