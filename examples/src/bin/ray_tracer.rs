//! Spheres that mirror each other above a chequered floor: one kernel, in which each pixel follows its own ray from bounce to
//! bounce (Whitted: An Improved Illumination Model for Shaded Display, 1980). What a ray may meet is an enum.

use accelerate::{Vector, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Options, agrees, function, rgb, save};
use std::path::PathBuf;

accelerate! {
    /// A vector of space, or a colour.
    pub struct Space {
        pub x: f32,
        pub y: f32,
        pub z: f32,
    }

    impl Space {
        const BLACK: Space = Space { x: 0.0, y: 0.0, z: 0.0 };

        fn dot(self, other: Space) -> f32 {
            self.x * other.x + self.y * other.y + self.z * other.z
        }

        fn length(self) -> f32 {
            self.dot(self).sqrt()
        }

        fn unit(self) -> Space {
            self * (1.0 / self.length())
        }

        /// What a surface of this colour leaves of a light.
        fn tinted(self, light: Space) -> Space {
            let channel = |a: f32, b: f32| (a * b).clamp(0.0, 1.0);
            Space { x: channel(self.x, light.x), y: channel(self.y, light.y), z: channel(self.z, light.z) }
        }
    }

    impl Add for Space {
        type Output = Space;
        fn add(self, other: Space) -> Space {
            Space { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
        }
    }

    impl Sub for Space {
        type Output = Space;
        fn sub(self, other: Space) -> Space {
            Space { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
        }
    }

    impl Mul<f32> for Space {
        type Output = Space;
        fn mul(self, by: f32) -> Space {
            Space { x: self.x * by, y: self.y * by, z: self.z * by }
        }
    }

    pub enum Shape {
        Sphere { centre: Space, radius: f32 },
        /// Seen from the side that its normal points to.
        Floor { point: Space, normal: Space },
    }

    impl Shape {
        /// How far a ray goes before it meets the shape.
        fn distance(self, from: Space, towards: Space) -> Option<f32> {
            match self {
                Shape::Sphere { centre, radius } => {
                    let along = (centre - from).dot(towards);
                    let away = from + towards * along - centre;
                    let half = radius * radius - away.dot(away);
                    if along > 0.0 && half > 0.0 { Some(along - half.sqrt()) } else { None }
                }
                Shape::Floor { point, normal } => {
                    let slope = towards.dot(normal);
                    let distance = (point - from).dot(normal) / slope;
                    if slope < 0.0 && distance > 0.0 { Some(distance) } else { None }
                }
            }
        }

        fn normal(self, at: Space) -> Space {
            match self {
                Shape::Sphere { centre, .. } => (at - centre).unit(),
                Shape::Floor { normal, .. } => normal,
            }
        }

        /// The squares of the floor.
        fn pattern(self, at: Space) -> f32 {
            match self {
                Shape::Sphere { .. } => 1.0,
                Shape::Floor { .. } => {
                    let square = (at.x / 100.0).floor() as i32 + (at.z / 100.0).floor() as i32;
                    if square.rem_euclid(2) == 0 { 1.0 } else { 0.4 }
                }
            }
        }
    }

    /// A shape, its colour, and what part of the light it mirrors.
    pub struct Thing {
        pub shape: Shape,
        pub colour: Space,
        pub shine: f32,
    }

    /// The nearest thing on a ray, and how far it is; the number of things if there is none.
    fn nearest(things: &Vector<Thing>, from: Space, towards: Space) -> (usize, f32) {
        let mut best = (things.len(), f32::INFINITY);
        for k in 0..things.len() {
            if let Some(distance) = things[k].shape.distance(from, towards) {
                if distance < best.1 {
                    best = (k, distance);
                }
            }
        }
        best
    }

    /// What comes back to `eye` from a direction.
    fn trace(things: &Vector<Thing>, eye: Space, direction: Space, light: Space, power: f32) -> Space {
        // What each bounce met, so that it can be put together from the last to the first.
        let mut met = [(Space::BLACK, 0.0_f32, 0.0_f32); 4];
        let (mut from, mut towards) = (eye, direction);
        let mut bounces = 0;
        while bounces < 4 {
            let (which, distance) = nearest(things, from, towards);
            if which == things.len() {
                break;
            }
            let Thing { shape, colour, shine } = things[which];
            let at = from + towards * distance;
            let normal = shape.normal(at);
            let to_light = light - at;
            let (_, obstacle) = nearest(things, at, to_light.unit());
            let direct = if obstacle < to_light.length() {
                0.0
            } else {
                power * normal.dot(to_light.unit()) / to_light.dot(to_light)
            };
            met[bounces] = (colour * shape.pattern(at), shine, direct + 0.3);
            (from, towards) = (at, towards - normal * (2.0 * normal.dot(towards)));
            bounces += 1;
        }
        let mut seen = Space::BLACK;
        for k in (0..bounces).rev() {
            let (colour, shine, lit) = met[k];
            let white = Space { x: 1.0, y: 1.0, z: 1.0 };
            seen = colour.tinted(seen * shine + white * ((1.0 - shine) * lit));
        }
        seen
    }

    /// The picture that is seen through a window of 200 in height, at z = 0.
    #[fused(kernels = 1)]
    pub fn render(
        things: &Vector<Thing>, width: usize, height: usize, eye: Space, light: Space, power: f32,
    ) -> Matrix<[u8; 3]> {
        generate((height, width), |(row, column)| {
            let x = (2 * column + 1) as f32 / width as f32 - 1.0;
            let y = (2 * row + 1) as f32 / height as f32 - 1.0;
            let window = Space { x: 100.0 * x * width as f32 / height as f32, y: 100.0 * y, z: 0.0 };
            let seen = trace(things, eye, (window - eye).unit(), light, power);
            [(255.0 * seen.x) as u8, (255.0 * seen.y) as u8, (255.0 * seen.z) as u8]
        })
    }
}

/// Draws spheres above a floor.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Width of the picture in pixels; the height is three quarters of it
    #[arg(long, default_value_t = 1600)]
    size: usize,
    /// The time: the spheres go around
    #[arg(long, default_value_t = 0.6)]
    time: f32,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/ray_tracer.png")]
    output: PathBuf,
}

const EYE: Space = space(50.0, -100.0, -700.0);
const LIGHT: Space = space(300.0, -300.0, -100.0);
const POWER: f32 = 150_000.0;

const fn space(x: f32, y: f32, z: f32) -> Space {
    Space { x, y, z }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let options = &arguments.options;
    let device = options.start(&[function!(render)])?;
    let (width, height) = (arguments.size, arguments.size * 3 / 4);
    let scene = scene(arguments.time);
    let things = Vector::from_slice(&device, &scene)?;
    let power = options.constant(POWER);
    let (picture, time) = options.measure("render", 5, || {
        let picture = render(&device, &things, width, height, EYE, LIGHT, power)?;
        device.synchronize()?;
        Ok(picture)
    })?;
    let sizes = [
        ("things.len()", scene.len()),
        ("width", width),
        ("height", height),
    ];
    function!(render).report(&device, &sizes, time);
    let found = picture.to_vec()?;
    save(&arguments.output, rgb((height, width), found.clone()))?;
    if options.check {
        let plain = plain::Scene::new(&scene);
        let differing = (0..found.len()).filter(|&k| {
            let expected = plain.pixel(k % width, k / width, width, height);
            found[k]
                .iter()
                .zip(expected)
                .any(|(&a, b)| (f64::from(a) + 0.5 - b).abs() > 2.0)
        });
        // A ray that grazes a silhouette or the edge of a square may go either way.
        let differing = differing.count();
        let name = format!("pixels in f64, but for {differing} on edges");
        agrees(&name, differing * 200 <= found.len())?;
    }
    Ok(())
}

/// Four spheres and the floor.
fn scene(time: f32) -> Vec<Thing> {
    let (sin, cos) = time.sin_cos();
    let quarter = std::f32::consts::FRAC_PI_2;
    let sphere = |centre, radius, colour, shine| Thing {
        shape: Shape::Sphere { centre, radius },
        colour,
        shine,
    };
    let (lilac, blue, white) = (
        space(1.0, 0.3, 1.0),
        space(0.4, 0.4, 1.0),
        space(1.0, 1.0, 1.0),
    );
    let (left, right) = (
        -40.0 * (time + quarter).sin(),
        -40.0 * (time - quarter).sin(),
    );
    vec![
        sphere(space(40.0 * sin, 80.0, 0.0), 20.0, lilac, 0.4),
        sphere(space(200.0 * sin, left, 200.0 * cos), 100.0, blue, 0.8),
        sphere(space(-200.0 * sin, right, -200.0 * cos), 100.0, blue, 0.5),
        sphere(space(0.0, -150.0, -100.0), 50.0, white, 0.8),
        Thing {
            shape: Shape::Floor {
                point: space(0.0, 100.0, 0.0),
                normal: space(0.0, -0.9805807, -0.19611613),
            },
            colour: white,
            shine: 0.2,
        },
    ]
}

/// The same in `f64`, by recursion.
mod plain {
    use super::{EYE, LIGHT, POWER, Shape, Space, Thing};

    type Vector = [f64; 3];

    fn wide(v: Space) -> Vector {
        [v.x, v.y, v.z].map(f64::from)
    }

    fn dot(a: Vector, b: Vector) -> f64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// `a + s b`
    fn plus(a: Vector, s: f64, b: Vector) -> Vector {
        std::array::from_fn(|c| a[c] + s * b[c])
    }

    fn unit(a: Vector) -> Vector {
        a.map(|x| x / dot(a, a).sqrt())
    }

    pub(super) struct Scene<'a>(&'a [Thing]);

    impl Scene<'_> {
        pub(super) fn new(things: &[Thing]) -> Scene<'_> {
            Scene(things)
        }

        /// Levels from 0 to 255.
        pub(super) fn pixel(
            &self,
            column: usize,
            row: usize,
            width: usize,
            height: usize,
        ) -> Vector {
            let place = |k: usize, n: usize| 100.0 * ((2 * k + 1) as f64 / n as f64 - 1.0);
            let x = place(column, width) * width as f64 / height as f64;
            let eye = wide(EYE);
            let seen = self.trace(eye, unit(plus([x, place(row, height), 0.0], -1.0, eye)), 4);
            seen.map(|level| 255.0 * level)
        }

        fn nearest(&self, from: Vector, towards: Vector) -> Option<(&Thing, f64)> {
            let hits = self
                .0
                .iter()
                .filter_map(|thing| Some((thing, distance(&thing.shape, from, towards)?)));
            hits.min_by(|a, b| a.1.total_cmp(&b.1))
        }

        fn trace(&self, from: Vector, towards: Vector, bounces: u32) -> Vector {
            let hit = self.nearest(from, towards).filter(|_| bounces > 0);
            let Some((thing, distance)) = hit else {
                return [0.0; 3];
            };
            let at = plus(from, distance, towards);
            let (normal, pattern) = match thing.shape {
                Shape::Sphere { centre, .. } => (unit(plus(at, -1.0, wide(centre))), 1.0),
                Shape::Floor { normal, .. } => {
                    let odd = ((at[0] / 100.0).floor() + (at[2] / 100.0).floor()) % 2.0 != 0.0;
                    (wide(normal), if odd { 0.4 } else { 1.0 })
                }
            };
            let to_light = plus(wide(LIGHT), -1.0, at);
            let square = dot(to_light, to_light);
            let shadow = self
                .nearest(at, unit(to_light))
                .is_some_and(|(_, near)| near * near < square);
            let direct = f64::from(POWER) * dot(normal, unit(to_light)) / square;
            let lit = if shadow { 0.0 } else { direct } + 0.3;
            let mirrored = self.trace(
                at,
                plus(towards, -2.0 * dot(normal, towards), normal),
                bounces - 1,
            );
            let (colour, shine) = (wide(thing.colour), f64::from(thing.shine));
            std::array::from_fn(|c| {
                ((shine * mirrored[c] + (1.0 - shine) * lit) * pattern * colour[c]).clamp(0.0, 1.0)
            })
        }
    }

    fn distance(shape: &Shape, from: Vector, towards: Vector) -> Option<f64> {
        match *shape {
            Shape::Sphere { centre, radius } => {
                let along = dot(plus(wide(centre), -1.0, from), towards);
                let away = plus(plus(from, along, towards), -1.0, wide(centre));
                let half = f64::from(radius).powi(2) - dot(away, away);
                (along > 0.0 && half > 0.0).then(|| along - half.sqrt())
            }
            Shape::Floor { point, normal } => {
                let slope = dot(towards, wide(normal));
                let distance = dot(plus(wide(point), -1.0, from), wide(normal)) / slope;
                (slope < 0.0 && distance > 0.0).then_some(distance)
            }
        }
    }
}
