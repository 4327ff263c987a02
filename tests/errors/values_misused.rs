accelerate! {
    struct Point {
        x: f32,
        y: f32,
    }

    enum Shape {
        Empty,
        Square { side: f32 },
    }

    fn area(shape: Shape) -> f32 {
        match shape {
            Shape::Square(side) => side,
            Shape::Empty => 0.0,
        }
    }

    pub fn f(ps: &Vector<Point>, xs: &Vector<f32>, m: &Matrix<f32>, c: &Cube<f32>, i: i32) -> f32 {
        let a = ps.x;
        let b = Point;
        let d = area;
        let e = Shape::Square(1.0);
        let g = (1.0, 2.0).2;
        let h = (1.0, 2.0)[i];
        let j = xs(3);
        let k = c[3];
        let l = xs.broadcast_to(3, 4);
        let n = c.broadcast_to(3);
        let o = xs.select(3);
        let p = xs.select(xs);
        let q = xs[i];
        let r = Some(1, 2);
        let s = ps + 1.0;
        let t = ps.map(|p| p).then(|p| p);
        let Point { x } = Point { x: 1.0, y: 2.0 };
        let (u, v) = xs.zip(xs);
        let [w, z] = xs;
        xs.sum()
    }

    pub fn g(xs: &Vector<f32>, m: &Matrix<f32>) -> f32 {
        let a = xs.get(0).expect(xs);
        let b = xs.get(0).flatten();
        let c = xs.stencil(|w| w[1]);
        let d = xs.stencil(Clamp, |w| w);
        let e = xs.slice(1..3);
        let f = m.slice(s![.., true]);
        let g = xs.replicate(s![1..2]);
        let h = stack(());
        let i = xs.linspace(0, 1);
        let j = 1.0_f32.saturating_sub(2.0);
        let k = xs.map(|x| x.saturating_sub(1.0));
        let l = xs.map(|x| f32::try_from(x));
        let n = (xs.len() as u8).total_cmp(&3);
        let o = xs.sort_by(|a, b| a.total_cmp(b) > 0);
        let p = xs.sum().x;
        let q: Array<f32> = xs;
        let s = xs.zip((xs, xs));
        let t = m.select(xs);
        let u = Offsets::new(&iota(3)).len();
        let v = -xs[0].total_cmp(&1.0);
        let w = [];
        let r: HashMap<f32> = xs;
        xs.sum()
    }
}
