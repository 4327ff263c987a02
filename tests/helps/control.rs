//! Helps about statements, bindings, branches and loops.

// help: reduce with `fold`, or write a `for` loop
accelerate! {
    pub fn folded(xs: &Vector<f32>) -> f32 {
        xs.fold(0.0, |total, x| total + x)
    }

    pub fn looped(xs: &Vector<f32>) -> f32 {
        let mut total = 0.0;
        for i in 0..xs.len() {
            total += xs[i];
        }
        total
    }
}

// help: write `for i in 0..n`, and read `xs[i]`
// help: write `for row in m.rows()`, or `m.flatten()` for its elements
// help: write `map_segments(|s| ..)`, or `for x in s.values()`
accelerate! {
    pub fn f(xs: &Vector<f32>, m: &Matrix<f32>, s: &Segmented<f32>) -> f32 {
        let mut total = 0.0;
        let n = xs.len();
        for i in 0..n {
            total += xs[i];
        }
        for row in m.rows() {
            total += row.sum();
        }
        for x in m.flatten() {
            total += x;
        }
        for x in s.values() {
            total += x;
        }
        total + s.map_segments(|s| s.sum()).sum()
    }
}

// help: write a `while` loop
accelerate! {
    pub fn f(n: u32) -> u32 {
        let mut left = n;
        let mut sum = 0;
        while left > 0 {
            sum += left;
            left -= 1;
        }
        sum
    }
}

// help: write a `while` loop, or compare: `a <= x && x < b`
accelerate! {
    pub fn f(a: u64, b: u64, x: u64) -> bool {
        let mut wide = a as u128;
        while wide < b as u128 {
            wide *= 2;
        }
        let (a, x, b) = (wide, x as u128, b as u128);
        a <= x && x < b
    }
}

// help: did you mean `'outer`?
accelerate! {
    pub fn f(n: u32) -> u32 {
        let mut sum = 0;
        'outer: for i in 0..n {
            for j in 0..i {
                if j > 3 {
                    break 'outer;
                }
                sum += j;
            }
        }
        sum
    }
}

// help: write the other case: `else { .. }`
accelerate! {
    pub fn f(x: f32) -> f32 {
        let y: f32 = if x > 0.0 { 1.0 } else { 2.0 };
        y
    }
}

// help: pass `xs.clone()` to the function that takes it by value
accelerate! {
    fn doubled(xs: Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + x)
    }

    pub fn f(xs: Vector<f32>) -> f32 {
        let mut total = 0.0;
        for _ in 0..3 {
            total += doubled(xs.clone()).sum();
        }
        total
    }
}

// help: declare it with `let mut total`
accelerate! {
    pub fn f(n: usize) -> f32 {
        let mut total = 0.0;
        for i in 0..n {
            total += i as f32;
        }
        total
    }
}

// help: add an arm for it, or `_ => ..`
accelerate! {
    enum Shape {
        Empty,
        Circle(f32),
        Square(f32),
    }

    fn rest(shape: Shape) -> f32 {
        match shape {
            Shape::Empty => 0.0,
            _ => 1.0,
        }
    }

    fn all(shape: Shape) -> f32 {
        match shape {
            Shape::Empty => 0.0,
            Shape::Square(side) => side,
            Shape::Circle(radius) => radius,
        }
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| rest(Shape::Circle(x)) + all(Shape::Square(x)) + all(Shape::Empty))
    }
}

// help: it is `(f32, f32, f32)`; `..` leaves out the others
accelerate! {
    pub fn f(xs: &Vector<(f32, f32, f32)>) -> Vector<f32> {
        xs.map(|(a, ..)| a)
    }
}

// help: it is `[{float}; 3]`; `..` leaves out the others
accelerate! {
    pub fn f(a: [f32; 3]) -> f32 {
        let [x, ..] = a;
        x
    }
}

// help: texts stand in `assert!(condition, "text")` only
accelerate! {
    pub fn f(xs: &Vector<f32>, condition: bool) -> f32 {
        assert!(condition, "text");
        xs.sum()
    }
}

// help: did you mean `assert!`?
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        assert!(xs.len() > 0);
        xs.sum()
    }
}

// help: constants are made of literals, other constants, operators, `as` and `if`
accelerate! {
    const ONE: i32 = 1;
    const TWO: f32 = if ONE == 1 { (ONE + 1) as f32 } else { 0.0 };

    pub fn f(x: f32) -> f32 {
        x * TWO
    }
}

// help: write a plain `fn`
accelerate! {
    fn double(x: f32) -> f32 {
        x + x
    }

    pub fn f(x: f32) -> f32 {
        double(x)
    }
}

// help: write a `struct`
accelerate! {
    struct Both {
        a: f32,
        b: u32,
    }

    pub fn f(x: f32) -> u32 {
        Both { a: x, b: x.to_bits() }.b
    }
}

// help: write `break value`
accelerate! {
    pub fn f(n: u32, value: u32) -> u32 {
        loop {
            if n > 3 {
                break 1;
            }
            break value;
        }
    }
}

// help: name the closure by `let` and call it by its name
accelerate! {
    pub fn f(n: u32) -> u32 {
        let double = |x: u32| x + x;
        double(n)
    }
}

// help: end it with `return`, `break` or `continue`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        let Some(x) = xs.get(0) else { return 1.0 };
        let mut sum = x;
        for i in 0..9 {
            let Some(y) = xs.get(i * 2) else { break };
            let Some(z) = xs.get(i * 3) else { continue };
            sum += y + z;
        }
        sum
    }
}

// help: write `return value`
accelerate! {
    pub fn f(n: u32, value: u32) -> u32 {
        if n > 3 {
            return value;
        }
        n
    }
}

// help: assign the new value: `x = f(x);`
accelerate! {
    fn f(x: f32) -> f32 {
        x + 1.0
    }

    pub fn g(y: f32) -> f32 {
        let mut x = y;
        x = f(x);
        x
    }
}

// help: write `match`
accelerate! {
    pub fn f(x: Option<f32>) -> f32 {
        match x {
            Some(x) => x,
            None => 0.0,
        }
    }
}

// help: write a `const` item
accelerate! {
    const THREE: u32 = 3;

    pub fn f(n: u32) -> u32 {
        n + THREE
    }
}

// help: a text may stand in `assert!(condition, "text")` only
accelerate! {
    pub fn f(x: f32, condition: bool) -> f32 {
        assert!(condition, "text");
        x
    }
}

// help: match on a scalar, e.g. on `xs.len()`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        match xs.len() {
            0 => 0.0,
            _ => xs[0],
        }
    }
}

// help: use a guard: `x if x == y`
accelerate! {
    pub fn f(n: u32, y: u32) -> u32 {
        match n {
            x if x == y => 1,
            _ => 2,
        }
    }
}

// help: write `_`
accelerate! {
    pub fn f(n: u32) -> u32 {
        match n {
            3 => 1,
            _ => 2,
        }
    }
}

// help: write `let .. = value;`
accelerate! {
    pub fn f(value: (f32, f32)) -> f32 {
        let (a, b) = value;
        a + b
    }
}

// help: bind the value by `let`, or return it
accelerate! {
    pub fn f(x: f32) -> f32 {
        let z = match x {
            y => y + 1.0,
        };
        z
    }
}
