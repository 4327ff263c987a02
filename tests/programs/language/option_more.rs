//! The other methods of `Option`.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n

accelerate! {
    fn or<T: Element>(first: Option<T>, other: T) -> Option<T> {
        first.or(Some(other))
    }

    pub fn more(xs: &Vector<i32>) -> Vector<(bool, bool, i32, i32, Option<i32>)> {
        xs.map(|x| {
            let (half, third) = ((x % 2 == 0).then_some(x / 2), (x % 3 == 0).then_some(x / 3));
            let sure = or(half, x).expect("there is one");
            let least = half.unwrap_or_else(|| sure - 1);
            let both = half.xor(third).map_or_else(|| 0, |x| x + 1);
            (half.is_none(), third.is_none_or(|x| x > 4), least, both, half.and(third))
        })
    }
}
