accelerate! {
    use accelerate::Matrix;
    use crate::programs::imports::geometry::{Point, areas, nothing, sum_of_squares};
    use crate::programs::imports::gone::{First, Second};
    use crate::programs::imports::geometry::Shape as Twice;
    use crate::programs::imports::geometry::*;
    use crate::programs::imports::geometry::{self};
    use serde::Serialize;
    use super::geometry::Point as P;
    use self::geometry::Point as Q;
    use whole;

    enum Twice {
        One,
    }

    pub fn f(points: &Vector<Point>, shape: First) -> f32 {
        use crate::programs::imports::geometry::norm;
        points.map(|p| norm(p) + areas(p)).sum()
    }

    pub fn g(points: &Vector<Point>) -> f32 {
        points.map(|p| p.length()).sum()
    }
}
