//! Values that never come: what is bound to them has any type, and what would be computed from them is never reached.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs -9..9

accelerate! {
    fn bound(x: i32) -> i32 {
        let y = return x * 3;
        1000 + y
    }

    fn left(x: i32) -> i32 {
        let y = loop {
            if x > 3 {
                return x - 3;
            }
            return 4;
        };
        let z = y + 1;
        z * 2
    }

    fn on_one_side(x: i32) -> i32 {
        let y = if x > 0 {
            let mut k = x;
            loop {
                k += 2;
                if k > 7 {
                    return k;
                }
            }
        } else {
            7
        };
        y - x
    }

    fn bounds(x: i32) -> i32 {
        for i in x..(return x + 5) {
            return i;
        }
        3
    }

    fn condition(x: i32) -> i32 {
        let mut k = x;
        while (if k > 5 { return k } else { k < 3 }) {
            k += 2;
        }
        while (return k) {
            k += 1;
        }
        k
    }

    fn called(x: i32) -> i32 {
        let (a, b) = if x > 2 {
            return x;
        } else {
            (x, 2)
        };
        let y = (return a * b).abs();
        a + y
    }

    pub fn never(xs: &Vector<i32>) -> Vector<(i32, i32, i32, i32, i32, i32)> {
        xs.map(|x| (bound(x), left(x), on_one_side(x), bounds(x), condition(x), called(x)))
    }
}
