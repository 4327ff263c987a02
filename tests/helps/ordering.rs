//! Helps about comparisons and sorts.

// help: write `a.total_cmp(&b)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.sort_by(|a, b| a.total_cmp(&b))
    }
}

// help: write `a.cmp(&b)`
accelerate! {
    pub fn f(ks: &Vector<i32>) -> Vector<i32> {
        ks.sort_by(|a, b| a.cmp(&b))
    }
}

// help: compare its floats by `total_cmp`, one field `.then(..)` the other
accelerate! {
    struct Point {
        x: f32,
        y: f32,
    }

    pub fn f(ps: &Vector<Point>) -> Vector<Point> {
        ps.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)))
    }
}

// help: return an ordering: `a.cmp(&b)`, or `a.total_cmp(&b)` of floats
accelerate! {
    pub fn integers(ks: &Vector<i32>) -> Vector<i32> {
        ks.sort_by(|a, b| a.cmp(&b))
    }

    pub fn floats(xs: &Vector<f32>) -> Vector<f32> {
        xs.sort_by(|a, b| a.total_cmp(&b))
    }
}

// help: its values are `Less`, `Equal` and `Greater`
accelerate! {
    pub fn f(ks: &Vector<i32>) -> Vector<i32> {
        ks.sort_by(|a, b| match a.cmp(&b) {
            Ordering::Less => Ordering::Greater,
            Ordering::Equal => Ordering::Equal,
            Ordering::Greater => Ordering::Less,
        })
    }
}

// help: compare: `x.cmp(&0)`
accelerate! {
    pub fn f(ks: &Vector<i32>) -> Vector<i32> {
        ks.sort_by(|a, b| {
            let x = a % 3 - b % 3;
            x.cmp(&0)
        })
    }
}

// help: compare a field: `a.x < b.x`
accelerate! {
    struct P {
        x: f32,
        y: f32,
    }

    pub fn f(ps: &Vector<P>, b: P) -> Vector<bool> {
        ps.map(|a| a.x < b.x)
    }
}

// help: write `sort_by(|a, b| b.cmp(&a))`, and `b.total_cmp(&a)` of floats
accelerate! {
    pub fn integers(ns: &Vector<i32>) -> Vector<i32> {
        ns.sort_by(|a, b| b.cmp(&a))
    }

    pub fn floats(xs: &Vector<f32>) -> Vector<f32> {
        xs.sort_by(|a, b| b.total_cmp(&a))
    }
}

// help: write `sort_by_key(|x| ..)` or `sort_by(|a, b| ..)`
// help: write `is_sorted_by_key(|x| ..)` or `is_sorted_by(|a, b| ..)`
// help: write `map(|x| key).argsort()` or `argsort_by(|a, b| ..)`
accelerate! {
    enum Side {
        Left,
        Right(i32),
    }

    impl Side {
        fn place(self) -> i32 {
            match self {
                Side::Left => 0,
                Side::Right(place) => place,
            }
        }
    }

    pub fn by_key(sides: &Vector<Side>) -> Vector<Side> {
        sides.sort_by_key(|x| x.place())
    }

    pub fn by(sides: &Vector<Side>) -> Vector<Side> {
        sides.sort_by(|a, b| a.place().cmp(&b.place()))
    }

    pub fn is_sorted(sides: &Vector<Side>) -> (bool, bool) {
        (
            sides.is_sorted_by_key(|x| x.place()),
            sides.is_sorted_by(|a, b| a.place() <= b.place()),
        )
    }

    pub fn places(sides: &Vector<Side>) -> (Vector<usize>, Vector<usize>) {
        (
            sides.map(|x| x.place()).argsort(),
            sides.argsort_by(|a, b| a.place().cmp(&b.place())),
        )
    }
}

// help: a key is a number, `bool`, `char`, or a tuple, array or struct of such
accelerate! {
    struct Key {
        letter: char,
        sides: [bool; 2],
    }

    pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.sort_by_key(|x| (x % 3, Key { letter: 'a', sides: [x > 0, x > 9] }))
    }
}

// help: write `argsort()`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<usize> {
        xs.argsort()
    }
}

// help: write `map(|x| key).argsort()`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<usize> {
        xs.map(|x| -x).argsort()
    }
}

// help: write `map(|x| key).argtop_k(k)`, and `xs.select(&places)` for the elements
accelerate! {
    pub fn f(xs: &Vector<f32>, k: usize) -> Vector<f32> {
        let places = xs.map(|x| x.abs()).argtop_k(k);
        xs.select(&places)
    }
}

// help: write `binary_search(x)` of an array of keys
accelerate! {
    pub fn f(xs: &Vector<f32>, x: f32) -> usize {
        let keys = xs.map(|x| x * 2.0);
        keys.binary_search(x).unwrap_or(0)
    }
}

// help: write `map(|x| x == value).any()`
accelerate! {
    pub fn f(ns: &Vector<i32>, value: i32) -> bool {
        ns.map(|x| x == value).any()
    }
}

// help: write `map(|x| ..).any()`
// help: write `map(|x| ..).all()`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> (bool, bool) {
        (xs.map(|x| x > 0.0).any(), xs.map(|x| x > 0.0).all())
    }
}

// help: write `xs[xs.map(|x| key).argmax()]`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs[xs.map(|x| x as i32).argmax()]
    }
}

// help: ask with `is_lt()`, or write a `match`
accelerate! {
    pub fn asked(a: f32, b: f32) -> bool {
        a.total_cmp(&b).is_lt()
    }

    pub fn matched(a: f32, b: f32) -> i32 {
        match a.total_cmp(&b) {
            Ordering::Less => 1,
            Ordering::Equal => 0,
            Ordering::Greater => -1,
        }
    }
}

// help: compare fewer fields, or write `sort_by_key(|x| ..)`
accelerate! {
    pub fn fewer(xs: &Vector<[u64; 13]>) -> Vector<[u64; 13]> {
        xs.sort_by(|a, b| a[0].cmp(&b[0]).then(a[1].cmp(&b[1])))
    }

    pub fn by_key(xs: &Vector<[u64; 13]>) -> Vector<[u64; 13]> {
        xs.sort_by_key(|x| x)
    }
}

// help: write `filter(|x| ..).get(0)`
accelerate! {
    pub fn found(xs: &Vector<f32>) -> f32 {
        xs.filter(|x| x < 1.0).get(0).unwrap_or(0.0)
    }
}
