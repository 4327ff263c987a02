//! A program that imports from the library of its package.

use accelerate::{Device, Vector, accelerate};
use imports::geometry::Point;

mod own {
    use accelerate::accelerate;

    accelerate! {
        pub fn twice(x: f32) -> f32 {
            x + x
        }
    }
}

accelerate! {
    use crate::own::twice;
    use imports::geometry::Point;
    use imports::lengths::total;

    pub fn doubled(points: &Vector<Point>) -> f32 {
        twice(total(points))
    }
}

fn main() -> accelerate::Result<()> {
    let device = Device::cpu();
    let three = Point::UNIT + Point { x: 2.0, y: 4.0 };
    let points = Vector::from_slice(&device, &[three, three])?;
    assert_eq!(doubled(&device, &points)?, 20.0);
    assert_eq!(three.norm(), 5.0);
    println!("{}", doubled::ptx().is_some());
    Ok(())
}
