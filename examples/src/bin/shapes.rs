//! Rays cast at shapes of several kinds, an enum with payloads: one kernel, in which each pixel folds over all shapes. Points and shapes
//! are a block of their own, from which this one imports.

use accelerate::{Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Options, check, function, rgb, save};
use geometry::{Point, Shape};
use std::path::PathBuf;

mod geometry {
    use accelerate::accelerate;

    accelerate! {
        pub struct Point {
            pub x: f32,
            pub y: f32,
            pub z: f32,
        }

        impl Point {
            pub fn new(x: f32, y: f32, z: f32) -> Point {
                Point { x, y, z }
            }

            pub fn dot(self, other: Point) -> f32 {
                self.x * other.x + self.y * other.y + self.z * other.z
            }

            pub fn unit(self) -> Point {
                self * (1.0 / self.dot(self).sqrt())
            }
        }

        impl Add for Point {
            type Output = Point;

            fn add(self, other: Point) -> Point {
                Point::new(self.x + other.x, self.y + other.y, self.z + other.z)
            }
        }

        impl Sub for Point {
            type Output = Point;

            fn sub(self, other: Point) -> Point {
                Point::new(self.x - other.x, self.y - other.y, self.z - other.z)
            }
        }

        impl Mul<f32> for Point {
            type Output = Point;

            fn mul(self, by: f32) -> Point {
                Point::new(self.x * by, self.y * by, self.z * by)
            }
        }

        pub enum Shape {
            Sphere { centre: Point, radius: f32 },
            /// Parallel to the axes, by its middle and half its edges.
            Cuboid { centre: Point, half: Point },
            /// Level, at a height.
            Floor(f32),
        }

        /// How far along a ray a shape is met first, or infinity.
        pub fn distance(shape: Shape, from: Point, along: Point) -> f32 {
            match shape {
                Shape::Sphere { centre, radius } => {
                    let to = centre - from;
                    let middle = to.dot(along);
                    let half = radius * radius - (to.dot(to) - middle * middle);
                    let first = middle - half.max(0.0).sqrt();
                    if half > 0.0 && first > 0.0 { first } else { f32::INFINITY }
                }
                Shape::Cuboid { centre, half } => {
                    let slab = |from: f32, along: f32, centre: f32, half: f32| {
                        let (a, b) = ((centre - half - from) / along, (centre + half - from) / along);
                        (a.min(b), a.max(b))
                    };
                    let (in_x, out_x) = slab(from.x, along.x, centre.x, half.x);
                    let (in_y, out_y) = slab(from.y, along.y, centre.y, half.y);
                    let (in_z, out_z) = slab(from.z, along.z, centre.z, half.z);
                    let enters = in_x.max(in_y).max(in_z);
                    if enters > 0.0 && enters < out_x.min(out_y).min(out_z) { enters } else { f32::INFINITY }
                }
                Shape::Floor(height) => {
                    let far = (height - from.y) / along.y;
                    if far > 0.0 { far } else { f32::INFINITY }
                }
            }
        }

        /// The direction out of a shape at a point of its surface.
        pub fn normal(shape: Shape, at: Point) -> Point {
            match shape {
                Shape::Sphere { centre, radius } => (at - centre) * (1.0 / radius),
                Shape::Cuboid { centre, half } => {
                    let to = at - centre;
                    let (x, y, z) = (to.x / half.x, to.y / half.y, to.z / half.z);
                    if x.abs() > y.abs() && x.abs() > z.abs() {
                        Point::new(x.signum(), 0.0, 0.0)
                    } else if y.abs() > z.abs() {
                        Point::new(0.0, y.signum(), 0.0)
                    } else {
                        Point::new(0.0, 0.0, z.signum())
                    }
                }
                Shape::Floor(_) => Point::new(0.0, 1.0, 0.0),
            }
        }
    }
}

accelerate! {
    use crate::geometry::{Point, Shape, distance, normal};

    /// How bright each pixel is, by a light from a direction, and how far what it shows is away.
    #[fused(kernels = 1)]
    pub fn cast(shapes: &Vector<Shape>, width: usize, height: usize, light: Point) -> Matrix<(f32, f32)> {
        let eye = Point::new(0.0, 1.0, -6.0);
        generate((height, width), |(row, column)| {
            let x = (column as f32 + 0.5 - width as f32 / 2.0) / height as f32;
            let y = (height as f32 / 2.0 - row as f32 - 0.5) / height as f32;
            let along = Point::new(x, y - 0.1, 1.2).unit();
            let (far, which) = shapes
                .map_indexed(|k, shape| (distance(shape, eye, along), k))
                .fold((f32::INFINITY, 0), |a, b| if b.0 < a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a });
            if far < 50.0 {
                let at = eye + along * far;
                let lit = normal(shapes[which], at).dot(light).max(0.0);
                (0.15 + 0.85 * lit, far)
            } else {
                (1.0, 50.0)
            }
        })
    }
}

/// Draws spheres and cuboids on a floor.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Width of the picture in pixels; the height is two thirds of it
    #[arg(long, default_value_t = 1200)]
    size: usize,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/shapes.png")]
    output: PathBuf,
}

fn main() -> Result<()> {
    let Arguments {
        options,
        size: width,
        output,
    } = Arguments::parse();
    let device = options.start(&[function!(cast)])?;
    let height = width * 2 / 3;
    let scene = scene(options.constant(1.0));
    let light = Point::new(-0.5, 0.8, -0.6).unit();
    let shapes = Vector::from_slice(&device, &scene)?;
    let (pixels, time) = options.measure("cast", 5, || {
        let pixels = cast(&device, &shapes, width, height, light)?;
        device.synchronize()?;
        Ok(pixels)
    })?;
    let pixels = pixels.to_vec()?;
    let sizes = [
        ("shapes.len()", scene.len()),
        ("width", width),
        ("height", height),
    ];
    function!(cast).report(&device, &sizes, time);
    let colour = |&(bright, far): &(f32, f32)| match far < 50.0 {
        true => [1.0, 0.93, 0.8].map(|part| (255.0 * part * bright) as u8),
        false => [120, 160, 210],
    };
    let colours = pixels.iter().map(colour).collect();
    save(&output, rgb((height, width), colours))?;
    if options.check {
        let expected = marched(&self::scene(1.0), (height, width));
        let off = |(found, expected): (&(f32, f32), &f64)| {
            (f64::from(found.1) - expected).abs() > 0.01 * expected
        };
        let wrong = pixels.iter().zip(&expected).filter(|&pair| off(pair));
        // Rays that graze a shape.
        let part = wrong.count() as f64 / pixels.len() as f64;
        check("pixels at another distance", part, 0.01)?;
    }
    Ok(())
}

/// What is seen; `scale` of the first sphere.
fn scene(scale: f32) -> Vec<Shape> {
    let mut shapes = vec![
        Shape::Floor(-1.0),
        Shape::Sphere {
            centre: Point::new(0.0, 0.4, 1.0),
            radius: 1.4 * scale,
        },
    ];
    for k in 0..12 {
        let angle = k as f32 * std::f32::consts::TAU / 12.0;
        let centre = Point::new(3.2 * angle.cos(), -0.6, 1.0 + 3.2 * angle.sin());
        shapes.push(match k % 2 {
            0 => Shape::Sphere {
                centre,
                radius: 0.4,
            },
            _ => Shape::Cuboid {
                centre,
                half: Point::new(0.3, 0.4, 0.3),
            },
        });
    }
    shapes
}

/// How far each pixel's ray goes, by another method: it marches as far as the nearest surface is away (Hart, "Sphere tracing", 1996).
fn marched(shapes: &[Shape], (height, width): (usize, usize)) -> Vec<f64> {
    let to_surface = |at: [f64; 3]| {
        let away = shapes.iter().map(|shape| {
            let from = |centre: &Point| {
                let centre = [centre.x, centre.y, centre.z].map(f64::from);
                [0, 1, 2].map(|axis| at[axis] - centre[axis])
            };
            let length = |of: [f64; 3]| of.iter().map(|x| x * x).sum::<f64>().sqrt();
            match shape {
                Shape::Sphere { centre, radius } => length(from(centre)) - f64::from(*radius),
                Shape::Cuboid { centre, half } => {
                    let (from, half) = (from(centre), [half.x, half.y, half.z].map(f64::from));
                    length([0, 1, 2].map(|axis| (from[axis].abs() - half[axis]).max(0.0)))
                }
                Shape::Floor(level) => at[1] - f64::from(*level),
            }
        });
        away.fold(f64::INFINITY, f64::min)
    };
    let pixel = |k: usize| {
        let (row, column) = ((k / width) as f64 + 0.5, (k % width) as f64 + 0.5);
        let (height, width) = (height as f64, width as f64);
        let along = [
            (column - width / 2.0) / height,
            (height / 2.0 - row) / height - 0.1,
            1.2,
        ];
        let length = along.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut far = 0.0;
        for _ in 0..300 {
            let at = [0.0, 1.0, -6.0];
            let step = to_surface([0, 1, 2].map(|axis| at[axis] + far * along[axis] / length));
            far += step;
            if step < 1e-5 || far > 50.0 {
                break;
            }
        }
        far.min(50.0)
    };
    (0..height * width).map(pixel).collect()
}
