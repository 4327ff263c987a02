accelerate! {
    pub struct Layer {
        pub w: Matrix<f32>,
        pub b: Vector<f32>,
    }

    #[foreign(rust)]
    fn without_path(xs: &Vector<f32>) -> Vector<f32> {
        xs
    }

    #[foreign(rust = "crate::fast::text")]
    fn text(xs: &Vector<f32>) -> Vector<f32> {
        xs
    }

    #[foreign(rust = crate::fast::of_scalars)]
    fn of_scalars(x: f32) -> f32 {
        x
    }

    #[foreign(rust = crate::fast::sum)]
    fn sum(xs: &Vector<f32>, segments: &Segmented<f32>) -> (Vector<f32>, f32) {
        (xs, segments.values().sum())
    }

    #[foreign(rust = crate::fast::trained)]
    fn trained(layer: &Layer, f: impl Fn(f32) -> f32) -> Layer {
        Layer { w: layer.w.map(f), b: layer.b }
    }

    #[foreign(rust = crate::fast::generic)]
    fn generic<T: Float>(xs: &Vector<T>) -> Vector<T> {
        xs
    }

    #[foreign(rust = crate::fast::twice)]
    #[foreign(cuda = "../programs/maps/foreign_functions.cuh")]
    fn twice(xs: &Vector<f32>) -> Vector<f32> {
        xs
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        generic(xs)
    }
}
