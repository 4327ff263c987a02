accelerate! {
    pub struct Layer {
        pub w: Matrix<f32>,
        pub b: Vector<f32>,
    }

    struct Borrowed {
        xs: &Vector<f32>,
    }

    enum Grown {
        Empty,
        Full(Vector<f32>),
    }

    pub fn elements(layers: &Vector<Layer>) -> usize {
        layers.len()
    }

    pub fn maybe(layer: Option<Layer>) -> f32 {
        0.0
    }

    pub fn per_row(m: &Matrix<f32>, p: &Layer) -> usize {
        m.rows().map(|row| Layer { w: p.w, b: row }).len()
    }

    pub fn equal(p: &Layer, q: &Layer) -> bool {
        p == q
    }

    pub fn added(p: &Layer) -> Vector<f32> {
        (p + 1.0).b
    }

    pub fn unknown(p: &Layer) -> f32 {
        p.weights.sum()
    }

    pub fn operation(p: &Layer) -> usize {
        p.len()
    }

    pub fn matched(p: &Layer) -> f32 {
        match p {
            Layer { w, b } => b.sum(),
        }
    }

    fn total(p: Layer) -> f32 {
        p.b.sum()
    }

    pub fn moved(p: Layer) -> f32 {
        total(p) + total(p)
    }

    pub fn inner_reference(p: (&Layer, f32)) -> f32 {
        p.0.b.sum()
    }

    pub fn repeated(p: &Layer) -> usize {
        fill(3, p).len()
    }
}
