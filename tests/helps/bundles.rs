//! Helps about structs of arrays.

// help: write the type without `&`
accelerate! {
    struct Owned {
        xs: Vector<f32>,
    }

    pub fn f(xs: &Vector<f32>) -> f32 {
        let owned = Owned { xs: xs.map(|x| x + 1.0) };
        owned.xs.sum()
    }
}

// help: write the array, and a `bool` beside it
accelerate! {
    struct Layer {
        w: Vector<f32>,
    }

    pub fn f(layer: &Layer, is_some: bool) -> f32 {
        if is_some { layer.w.sum() } else { 0.0 }
    }
}

// help: the fields are `w`, `b`
accelerate! {
    struct Layer {
        w: Matrix<f32>,
        b: Vector<f32>,
    }

    pub fn f(p: &Layer) -> f32 {
        p.w.sum_all() + p.b.sum()
    }
}

// help: write it in an `impl` of `Layer`
accelerate! {
    struct Layer {
        b: Vector<f32>,
    }

    impl Layer {
        fn len(self) -> usize {
            self.b.len()
        }
    }

    pub fn f(p: &Layer) -> usize {
        p.len()
    }
}

// help: take it apart: `let Name { field, .. } = value;`
accelerate! {
    struct Name {
        field: Vector<f32>,
        other: Vector<f32>,
    }

    pub fn f(value: &Name) -> f32 {
        let Name { field, .. } = value;
        field.sum()
    }
}

// help: pass `p.clone()` to the function that takes it by value
accelerate! {
    struct Layer {
        b: Vector<f32>,
    }

    fn total(p: Layer) -> f32 {
        p.b.sum()
    }

    pub fn f(p: Layer) -> f32 {
        total(p.clone()) + total(p)
    }
}

// help: write it before the type: `p: &(..)`
accelerate! {
    struct Layer {
        b: Vector<f32>,
    }

    pub fn f(p: &(Layer, f32)) -> f32 {
        p.0.b.sum() + p.1
    }
}

// help: use `broadcast_to(shape)` to repeat an array
accelerate! {
    struct Layer {
        b: Vector<f32>,
    }

    pub fn f(p: &Layer) -> Matrix<f32> {
        let shape = (3, p.b.len());
        p.b.broadcast_to(shape)
    }
}
