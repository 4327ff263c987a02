accelerate! {
    pub fn f(xs: &Vector<f32>, n: u32) -> u32 {
        let a;
        let b = loop {
            if n > 3 {
                break 1;
            }
            break;
        };
        while n > 4 {
            break 5;
        }
        xs.map(|x| x + 1.0);
        let c = |x: u32| x;
        let d = (|x: u32| x)(n);
        let Some(e) = xs.get(0) else { 1.0 };
        if n > 3 {
            return;
        }
        let g = &mut n;
        let h = s![1..2];
        let i = vec![n];
        let j = _;
        let k = try { n };
        let l = const { 3 };
        let m = "text";
        n
    }

    pub fn g(xs: &Vector<f32>) -> f32 {
        match xs {
            _ => 1.0,
        }
    }

    pub fn h(x: u32, y: u32) -> u32 {
        match x {
            y => 1,
            0..y => 2,
            .. => 3,
        }
    }

    const fn j(x: f32) -> f32 {
        x
    }

    union Both {
        a: f32,
        b: u32,
    }

    fn k<const N: bool, T: Copy + Display, U: Fast>(x: f32) -> f32 {
        x
    }

    pub fn l(x: f32) -> f32 {
        match x { y => y + 1.0 }
        x
    }
}
