//! A function of arrays, an alias and a bundle of another block, in a function and at the top.
//!
//! kernels: 2 (elementwise, reduce)
//! bytes: 24n + 5m + 4
//! values: shapes 0..3
//! shapes: cloud.points n, cloud.weights n, shapes m

#[allow(unused_imports, reason = "the types of the signature")]
pub use super::geometry::{Cloud, Point, Shape};

accelerate! {
    use crate::programs::imports::geometry::{Cloud, Point, Segment, Shape, areas};

    pub type Found = (Vector<f32>, f32, Cloud);

    fn to_zero(p: Point) -> Segment {
        use crate::programs::imports::geometry::ORIGIN as zero;
        (p, zero)
    }

    pub fn moved(cloud: Cloud, shapes: &Vector<Shape>) -> (Vector<f32>, f32, Cloud) {
        let lengths = cloud.points.map(|p| {
            let (a, b) = to_zero(p);
            (a - b).norm()
        });
        let points = cloud.points.zip_with(&cloud.weights, |p, w| p.scaled(w));
        (lengths, areas(shapes).sum(), Cloud { points, weights: cloud.weights })
    }
}
