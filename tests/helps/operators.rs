//! Helps about operators, and operations on structs, which have none of their own.

// help: write `fold1(|a, b| a * b)`
// help: write `scan1(|a, b| a * b)`
// help: write `zip(ys).map(|(x, y)| x * y).fold1(|a, b| a + b)`
// help: write `scan1(|a, b| a + b)`
// help: write `rows().map(|row| row.zip(x).map(|(a, b)| a * b).fold1(|a, b| a + b))`
accelerate! {
    struct P {
        x: f32,
    }

    impl Add for P {
        type Output = P;

        fn add(self, other: P) -> P {
            P { x: self.x + other.x }
        }
    }

    impl Mul for P {
        type Output = P;

        fn mul(self, other: P) -> P {
            P { x: self.x * other.x }
        }
    }

    pub fn product(xs: &Vector<P>) -> P {
        xs.fold1(|a, b| a * b)
    }

    pub fn running(xs: &Vector<P>) -> (Vector<P>, Vector<P>) {
        (xs.scan1(|a, b| a + b), xs.scan1(|a, b| a * b))
    }

    pub fn dot(xs: &Vector<P>, ys: &Vector<P>) -> P {
        xs.zip(ys).map(|(x, y)| x * y).fold1(|a, b| a + b)
    }

    pub fn matvec(m: &Matrix<P>, x: &Vector<P>) -> Vector<P> {
        m.rows().map(|row| row.zip(x).map(|(a, b)| a * b).fold1(|a, b| a + b))
    }
}

// help: write `fold1(|a, b| if a.x < b.x { a } else { b })`
// help: write `fold1(|a, b| if a.x > b.x { a } else { b })`
// help: use `map` to reach a field: `map(|p| p.x)`
accelerate! {
    struct P {
        x: f32,
        y: f32,
    }

    pub fn least(ps: &Vector<P>) -> P {
        ps.fold1(|a, b| if a.x < b.x { a } else { b })
    }

    pub fn greatest(ps: &Vector<P>) -> P {
        ps.fold1(|a, b| if a.x > b.x { a } else { b })
    }

    pub fn place(ps: &Vector<P>) -> usize {
        ps.map(|p| p.x).argmax()
    }
}

// help: convert with `as`: `x as i32`
accelerate! {
    pub fn f(x: f32) -> i32 {
        x as i32 >> 1
    }
}

// help: convert with `as i32`
accelerate! {
    fn half<T: Integer>(x: T) -> T {
        x / 2 as T
    }

    pub fn f(x: f32) -> i32 {
        half(x as i32)
    }
}

// help: write `(x - y).max(0.0)`
accelerate! {
    pub fn f(x: f32, y: f32) -> f32 {
        (x - y).max(0.0)
    }
}

// help: write `as`: it saturates
accelerate! {
    pub fn f(x: f32) -> i32 {
        x as i32
    }
}

// help: assign the new value: `c = c.to_ascii_lowercase()`
accelerate! {
    pub fn f(cs: &Vector<char>) -> Vector<char> {
        cs.map(|letter| {
            let mut c = letter;
            c = c.to_ascii_lowercase();
            c
        })
    }
}

// help: did you mean `TAU`?
accelerate! {
    pub fn f(x: f64) -> f64 {
        x * f64::consts::TAU
    }
}

// help: a block sees its own items and the constants of numbers, as `f32::MAX`
// help: a block sees its own functions, and methods of numbers, as `f32::max`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.fold(-f32::MAX, f32::max)
    }
}

// help: map the elements to the accumulator's type first, and combine two accumulators by an associative operator; what must go in order is a loop: `for x in xs { .. }`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> (i32, f32) {
        let small = xs.map(|x| (x < 1.0) as i32).fold(0, |a, b| a + b);
        let mut smooth = 0.0;
        for x in xs {
            smooth = 0.5 * smooth + x;
        }
        (small, smooth)
    }
}
