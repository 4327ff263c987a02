//! Helps about what the language leaves to another way of writing it.

// help: name the parameter and write `let` in the body
accelerate! {
    fn pattern(p: (f32, f32)) -> f32 {
        let (a, b) = p;
        a + b
    }

    pub fn f(x: f32) -> f32 {
        pattern((x, 1.0))
    }
}

// help: fold the elements: `xs.axis(k)` or `transpose()` bring them together
accelerate! {
    const k: usize = 0;

    pub fn f(xs: &Matrix<f32>) -> (Vector<f32>, Vector<f32>) {
        (xs.axis(k).map(|row| row.sum()), xs.transpose().sum())
    }
}

// help: scan the elements: `transpose()` or `permute_axes` bring an axis to the end
accelerate! {
    pub fn f(m: &Matrix<f32>) -> (Matrix<f32>, Matrix<f32>) {
        (m.transpose().cumsum(), m.permute_axes((1, 0)).cumsum())
    }
}

// help: write the range here: `for i in 0..n`
// help: write `0..n`, or a `loop` with a `break`
accelerate! {
    pub fn f(n: usize) -> usize {
        let mut sum = 0;
        for i in 0..n {
            sum += i;
        }
        loop {
            sum += 3;
            if sum > 100 {
                break;
            }
        }
        sum
    }
}

// help: write `panic!("text")`
accelerate! {
    pub fn f(x: f32) -> f32 {
        if x < 0.0 { panic!("text") } else { x }
    }
}

// help: write `assert!(condition, "text")`
accelerate! {
    pub fn f(x: f32) -> f32 {
        let condition = x >= 0.0;
        assert!(condition, "text");
        x
    }
}

// help: write the text without `{}`
accelerate! {
    pub fn f(x: f32) -> f32 {
        assert!(x < 9.0, "x is large");
        x
    }
}
