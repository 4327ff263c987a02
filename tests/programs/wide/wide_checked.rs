//! Arithmetic that says whether it overflows, and patterns of 128 bits.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n, ys n

accelerate! {
    const LIMIT: u128 = u128::MAX / 3;

    enum Outcome { Small(u128), Large { rest: i128 }, Out }

    fn outcome(x: u128, y: u128) -> Outcome {
        match x.checked_mul(y) {
            Some(product @ 0..=LIMIT) => Outcome::Small(product),
            Some(product) => Outcome::Large { rest: (product - LIMIT) as i128 },
            None => Outcome::Out,
        }
    }

    pub fn outcomes(xs: &Vector<u64>, ys: &Vector<u64>) -> Vector<(u64, i64, u64, bool)> {
        xs.zip(ys).map(|(x, y)| {
            let (a, b) = (x as u128 * y as u128, (y >> (x & 63)) as u128);
            let value = match outcome(a, b) {
                Outcome::Small(0) => 1,
                Outcome::Small(product) => (product >> 60) as u64,
                Outcome::Large { rest } => rest.unsigned_abs() as u64,
                Outcome::Out => 2,
            };
            let (sum, overflows) = (a as i128).overflowing_mul(b as i128 - 1);
            let most = (a as i128).saturating_sub(i128::MAX >> (x & 7));
            (value, (sum >> 70) as i64, a.saturating_pow(3).isqrt() as u64, overflows != (most < sum))
        })
    }
}
