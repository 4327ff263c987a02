//! A median, the k-th element, the greatest ones, a trimmed sum and gaps: of sorted elements, those between two places.
//!
//! kernels: 20 (sort, elementwise, sort, elementwise, sort, elementwise, sort, reduce, sort, elementwise)
//! shapes: xs n
//! values: k 0..n, few 0..n
//! work: k 0..4, few 0..4

accelerate! {
    pub fn statistics(xs: &Vector<i16>, k: usize, few: usize) -> (i16, i16, Vector<i16>, i64, Vector<i16>) {
        let n = xs.len();
        let sorted = xs.sort();
        let median = match n % 2 {
            _ if n == 0 => 0,
            1 => sorted[n / 2],
            _ => sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2,
        };
        let magnitudes = xs.map(|x| x.unsigned_abs()).sort();
        let turned = xs.map(|x| !x).sort();
        let gaps = xs.sort_by_key(|x| x.wrapping_mul(7));
        (
            median,
            if k < n { (magnitudes[k] / 2) as i16 } else { -1 },
            xs.map(|x| x ^ 5).sort().reverse().take(few),
            turned.slice(s![n / 4..n - n / 4]).map(|x| x as i64).sum(),
            generate(few, |i| if i > 0 && i < n { gaps[i].wrapping_sub(gaps[i - 1]) } else { 0 }),
        )
    }
}
