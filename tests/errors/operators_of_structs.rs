accelerate! {
    struct P {
        x: f32,
    }

    enum Sign {
        Minus,
        Plus,
    }

    pub fn signs(x: &Vector<Sign>) -> Sign {
        x.product()
    }

    pub fn f(p: &Vector<P>, m: &Matrix<P>) -> Vector<f32> {
        let b = p.min();
        let c = p.max();
        let d = p.argmax();
        let e = p.cumsum();
        let g = p.cumprod();
        let h = p.dot(p);
        let i = m.matvec(p);
        let j = p.mean();
        let k = P { x: 1.0 } < P { x: 2.0 };
        p.map(|p| p.x)
    }

    pub fn g(x: &Vector<f32>, b: bool, t: (f32, f32), c: char) -> f32 {
        let a = x & x;
        let d = b + b;
        let e = t + t;
        let f = 'a' - c;
        let g = x.map(|x| x.total_cmp(&1.0) + 1);
        let h = x[0] >> 1;
        let i = x.map(|y| x + x);
        let j = (1).sqrt();
        let k = x[0].abs_sub(1.0);
        let l = unsafe { x[0].to_int_unchecked::<i32>() };
        let m = c.make_ascii_lowercase();
        x.sum()
    }
}
