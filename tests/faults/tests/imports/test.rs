//! A test that imports from the library of its package.

use accelerate::{Device, Vector, accelerate};
use imports::geometry::{Point, Shape};

accelerate! {
    use imports::geometry::{Shape, inverse};

    pub fn radii(shapes: &Vector<Shape>) -> Vector<f32> {
        shapes.map(|shape| match shape {
            Shape::Dot => 0.0,
            Shape::Disc { centre, radius } => radius + centre.norm(),
        })
    }

    pub fn larger(shape: Shape) -> Shape {
        match shape {
            Shape::Disc { centre, radius } => Shape::Disc { centre, radius: radius + 1.0 },
            other => other,
        }
    }

    pub fn inverses(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| inverse(x))
    }
}

#[test]
fn imported_types_are_those_of_the_library() {
    let device = Device::cpu();
    let disc = Shape::Disc {
        centre: Point::UNIT,
        radius: 2.0,
    };
    let shapes = Vector::from_slice(&device, &[Shape::Dot, larger(disc)]).unwrap();
    assert_eq!(radii(&device, &shapes).unwrap().to_vec().unwrap(), [0.0, 4.0]);
}

#[test]
fn what_fails_is_told_at_the_call() {
    let device = Device::cpu();
    let xs = Vector::from_slice(&device, &[3, 0]).unwrap();
    let error = inverses(&device, &xs).and_then(|xs| xs.to_vec()).unwrap_err();
    assert!(error.to_string().contains("test.rs:24:20: division by zero"), "{error}");
}
