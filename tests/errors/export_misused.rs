accelerate! {
    #[export(c)]
    fn helper(x: f32) -> f32 {
        x
    }

    #[export(c)]
    pub(crate) fn hidden(x: f32) -> f32 {
        helper(x)
    }

    #[export]
    pub fn unsaid(x: f32) -> f32 {
        x
    }

    #[export(cpp)]
    pub fn other(x: f32) -> f32 {
        x
    }

    #[export(c, name = "f")]
    pub fn named(x: f32) -> f32 {
        x
    }

    #[export(c)]
    #[export(c)]
    pub fn twice(x: f32) -> f32 {
        x
    }

    #[export(c)]
    pub struct Point {
        x: f32,
        y: f32,
    }

    pub struct Layer {
        w: Matrix<f32>,
    }

    #[export(c)]
    impl Point {
        #[export(c)]
        pub fn norm(self) -> f32 {
            self.x.hypot(self.y)
        }
    }

    #[export(c)]
    pub fn structs(ps: &Vector<Point>, p: Point) -> Vector<f32> {
        ps.map(|q| q.x + p.y)
    }

    #[export(c)]
    pub fn tuples(ps: &Vector<(f32, f32)>, both: (Vector<f32>, f32)) -> Vector<[f32; 2]> {
        ps.map(|(x, y)| [x, y + both.1])
    }

    #[export(c)]
    pub fn options(x: Option<f32>, xs: &Vector<f32>) -> (f32, Vector<Option<f32>>) {
        (x.unwrap_or(0.0), xs.map(|x| Some(x)))
    }

    #[export(c)]
    pub fn bundles(layer: &Layer) -> Segmented<f32> {
        layer.w.rows().map_segments(|row| row.filter(|x| x > 0.0))
    }

    #[export(c)]
    pub fn generic<T: Float>(x: T) -> T {
        x
    }

    #[export(c)]
    pub fn cosf(x: f32) -> f32 {
        x
    }

    #[export(c)]
    pub fn double(x: f32) -> f32 {
        x + x
    }

    #[export(c)]
    pub fn accelerate_free(x: f32) -> f32 {
        x
    }

    #[export(c)]
    pub fn größe(x: f32) -> f32 {
        x
    }

    pub fn statement(x: f32) -> f32 {
        #[export(c)]
        let y = x;
        y
    }
}
