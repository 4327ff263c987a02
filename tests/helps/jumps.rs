//! Helps about labels, alternatives and conditions with `let`.

// help: write `break 'a` to leave the block
accelerate! {
    pub fn f(x: f32) -> f32 {
        let mut y = x;
        'a: {
            if x > 0.0 {
                break 'a;
            }
            y = -x;
        }
        y
    }
}

// help: write `break 'label value`
accelerate! {
    pub fn f(x: f32) -> f32 {
        let value = 3.0;
        'label: {
            if x > 0.0 {
                break 'label value;
            }
            2.0
        }
    }
}

// help: give the loop a label, and write `continue 'label`
accelerate! {
    pub fn f(n: usize) -> usize {
        let mut sum = 0;
        'label: for i in 0..n {
            'a: {
                if i == 3 {
                    continue 'label;
                }
                if i == 4 {
                    break 'a;
                }
                sum += i;
            }
            sum += 1;
        }
        sum
    }
}

// help: write `break 'a`
accelerate! {
    pub fn f(n: usize) -> usize {
        let mut sum = 0;
        for i in 0..n {
            'a: {
                if i == 4 {
                    break 'a;
                }
                sum += i;
            }
        }
        sum
    }
}

// help: bind the whole value, and choose with `if`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>, n: i32) -> Vector<f32> {
        let zs = if n == 1 { xs } else { ys };
        zs.map(|z| z + 1.0)
    }
}

// help: write it in the condition of an `if` or a `while`, alone or joined by `&&`
accelerate! {
    pub fn alone(x: Option<f32>) -> f32 {
        if let Some(y) = x { y } else { 0.0 }
    }

    pub fn joined(x: Option<f32>, b: bool) -> f32 {
        if b && let Some(y) = x { y } else { 0.0 }
    }

    pub fn around(xs: &Vector<u32>) -> Vector<u32> {
        xs.map(|x| {
            let mut at = x;
            while at > 0 && let Some(next) = xs.get(at as usize) && next < at {
                at = next;
            }
            at
        })
    }
}
