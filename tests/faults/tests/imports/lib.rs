//! A library whose blocks others import from.

pub mod geometry;

pub mod lengths {
    //! Imports from another module of the library.

    use accelerate::accelerate;

    accelerate! {
        use crate::geometry::Point;

        pub fn total(points: &Vector<Point>) -> f32 {
            points.map(|p| p.norm()).sum()
        }
    }
}
