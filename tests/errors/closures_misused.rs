accelerate! {
    fn half<T: Integer>(x: T) -> T {
        x / 2
    }

    fn root<T: Float>(x: T) -> T {
        x.sqrt()
    }

    pub fn f(x: &Vector<f32>, s: &Segmented<f32>, z: &Scalar<f32>, n: u32) -> Vector<f32> {
        let (a, b) = |y| y;
        let (c, d);
        let third = |y| y / 3.0;
        let (e, f) = third;
        let e = |y| y.0;
        let g = |y| y[0];
        let h = x.map(|Some(y)| y);
        let h = x.map(|y| Some(y)).map(|Some(y)| y);
        let i = [|y| y, |z| z];
        let j = half(1.0_f32);
        let aa = root(1_i32);
        let k = x.map(root).map(|y: Vector<f32>| y);
        let l = z.sum();
        let m: Cube<f32> = x;
        let o: Vector<f32> = s;
        let p = 0..;
        let q = [0.0; 1000];
        let r = x.unzip();
        let t = x.stencil(Fixed, |w| w[1]) + x.stencil(Clamp, |w| w[(1, 2)]);
        let u = x.slice(s![1 2]);
        let v = zip(1.0, x);
        let w = match n { 0..x => 1, _ => 2 };
        let y = f64::consts::TAUS + f32::TAU + Fast::ONE + Fast::new(x);
        x
    }

    #[quick]
    pub fn g(x: &Vector<f32>) -> f32 {
        x.fold1(|a, b| a - b)
    }

    #[instances]
    pub fn h<T: Float>(x: T) -> T {
        x
    }

    pub fn i(x: &Vector<f32>) -> Vector<f32> {
        x.iter().map(|x| x * 2.0 + x * x * 3.0 + x * x * x * 4.0 + x * x * x * x * 5.0 + x * x * x * x * x * 6.0).collect()
    }
}
