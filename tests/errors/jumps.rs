accelerate! {
    pub fn without_a_loop(x: f32) -> f32 {
        'a: {
            if x > 0.0 {
                break;
            }
            if x < -1.0 {
                continue;
            }
        }
        x
    }

    pub fn through_a_block(n: usize) -> usize {
        let mut sum = 0;
        for i in 0..n {
            'a: {
                if i == 3 {
                    continue;
                }
                if i == 4 {
                    continue 'a;
                }
                sum += i;
            }
        }
        sum
    }

    pub fn values(x: f32) -> f32 {
        let y: f32 = 'a: {
            if x > 0.0 {
                break 'a;
            }
            if x > 1.0 {
                break 'a true;
            }
            2.0
        };
        y
    }

    enum Kind {
        One(i32),
        Two(i32, f32),
    }

    pub fn alternatives(kind: Kind) -> i32 {
        match kind {
            Kind::One(a) | Kind::Two(b, _) => a,
        }
    }

    pub fn types(kind: Kind) -> i32 {
        match kind {
            Kind::One(a) | Kind::Two(_, a) => a,
        }
    }

    pub fn arrays(xs: &Vector<f32>) -> Vector<f32> {
        let ((1, ys) | (_, ys)) = (2, xs);
        ys
    }

    pub fn place(x: Option<f32>, b: bool) -> f32 {
        if b || let Some(y) = x { 1.0 } else { 0.0 }
    }

    pub fn empty(x: f32) -> f32 {
        match x {
            1.0..1.0 => 1.0,
            _ => 0.0,
        }
    }
}
