//! The convex hull of points by Quickhull (Barber, Dobkin, Huhdanpaa: The Quickhull Algorithm for Convex Hulls, 1996), all edges
//! at once: the point farthest from each edge splits it, and the points that are outside of neither half are dropped, until
//! none is left.

use accelerate::{Vector, accelerate};
use anyhow::Result;
use clap::{Parser, ValueEnum};
use examples::{Canvas, Options, equal, function, known, save};
use std::path::{Path, PathBuf};

accelerate! {
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }

    impl Point {
        /// Whether it comes behind another one from left to right, and of two above each other from below.
        fn behind(self, other: Point) -> bool {
            self.x > other.x || (self.x == other.x && self.y > other.y)
        }

        /// Twice the area of a triangle, which is positive if `self` is to the left of the way from `a` to `b`.
        fn left_of(self, a: Point, b: Point) -> f64 {
            (b.x - a.x) * (self.y - a.y) - (b.y - a.y) * (self.x - a.x)
        }
    }

    /// A side of the polygon so far.
    pub struct Edge {
        pub from: Point,
        pub to: Point,
    }

    /// The one that is farther; of two that are as far the one behind, so that their order does not matter.
    fn farther(a: (f64, Point), b: (f64, Point)) -> (f64, Point) {
        if b.0 > a.0 || (b.0 == a.0 && b.1.behind(a.1)) { b } else { a }
    }

    /// The edges of the convex hull, one after the other with the hull to the right; and the number of rounds.
    pub fn hull(points: &Vector<Point>) -> (Vector<Edge>, u32) {
        let left = points.fold1(|a, b| if a.behind(b) { b } else { a });
        let right = points.fold1(|a, b| if b.behind(a) { b } else { a });
        let mut edges = iota(2).map(|k| if k == 0 { Edge { from: left, to: right } } else { Edge { from: right, to: left } });
        // Each point with the edge that it is outside of.
        let mut outside = points.filter_map(|p| {
            let side = p.left_of(left, right);
            if side > 0.0 { Some((p, 0_u32)) } else if side < 0.0 { Some((p, 1_u32)) } else { None }
        });
        let mut rounds = 0;
        while outside.len() > 0 {
            let keys = outside.map(|(_, edge)| edge);
            let distances = outside.map(|(p, edge)| {
                let Edge { from, to } = edges[edge as usize];
                (p.left_of(from, to), p)
            });
            let nothing = (0.0, Point { x: 0.0, y: 0.0 });
            let corners = keys.reduce_by_index(distances, edges.len(), nothing, farther);
            let halves = corners.map(|(distance, _)| if distance > 0.0 { 2_u32 } else { 1 });
            let (starts, _) = halves.scan_exclusive(0, |a, b| a + b);
            outside = outside.filter_map(|(p, edge)| {
                let Edge { from, to } = edges[edge as usize];
                let (_, corner) = corners[edge as usize];
                let first = starts[edge as usize];
                if p.left_of(from, corner) > 0.0 {
                    Some((p, first))
                } else if p.left_of(corner, to) > 0.0 {
                    Some((p, first + 1))
                } else {
                    None
                }
            });
            let split = generate(2 * edges.len(), |k| {
                let Edge { from, to } = edges[k / 2];
                let (distance, corner) = corners[k / 2];
                let first = k % 2 == 0;
                if distance <= 0.0 {
                    (first, Edge { from, to })
                } else if first {
                    (true, Edge { from, to: corner })
                } else {
                    (true, Edge { from: corner, to })
                }
            });
            edges = split.filter_map(|(kept, edge)| if kept { Some(edge) } else { None });
            rounds += 1;
        }
        (edges, rounds)
    }
}

/// Finds the convex hull of random points.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of points
    #[arg(long, default_value_t = 1_000_000)]
    size: usize,
    /// Where they lie
    #[arg(long, value_enum, default_value_t = Within::Circle)]
    within: Within,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/quickhull.png")]
    output: PathBuf,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Within {
    Rectangle,
    Circle,
    /// On a parabola, so that most are corners
    Quadratic,
}

/// Coordinates go from 0 to this one.
const REACH: u32 = 16384;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, n) = (&arguments.options, arguments.size);
    let device = options.start(&[function!(hull)])?;
    let places = places(n, arguments.within);
    let point = |&(x, y): &(i64, i64)| Point {
        x: x as f64,
        y: y as f64,
    };
    let mut points: Vec<Point> = places.iter().map(point).collect();
    // Far outside with another constant.
    points[0].x += f64::from(options.constant(0)) * f64::from(2 * REACH);
    let points = Vector::from_vec(&device, points)?;
    let ((edges, rounds), time) = options.measure("hull", 3, || {
        let (edges, rounds) = hull(&device, &points)?;
        Ok((edges.to_vec()?, rounds))
    })?;
    function!(hull).report(&device, &[], time);
    println!("{} corners after {rounds} rounds", edges.len());
    draw(&places, &edges, &arguments.output)?;
    if options.check {
        let mut found: Vec<(i64, i64)> = edges
            .iter()
            .map(|edge| (edge.from.x as i64, edge.from.y as i64))
            .collect();
        let closed = (0..edges.len()).map(|k| edges[(k + 1) % edges.len()].from);
        let ends: Vec<Point> = edges.iter().map(|edge| edge.to).collect();
        equal(
            "each edge begins where one ends",
            &ends,
            &closed.collect::<Vec<_>>(),
        )?;
        found.sort_unstable();
        equal(
            "corners by integers, from left to right",
            &found,
            &plain(places),
        )?;
        // Published for these points: "Comparing Parallel Functional Array Languages", arXiv:2505.08906.
        match (n, arguments.within) {
            (1_000_000, Within::Rectangle) => known(
                "corners of a million in a square",
                found.len() as f64,
                23.0,
                0.0,
            )?,
            (1_000_000, Within::Circle) => known(
                "corners of a million in a circle",
                found.len() as f64,
                335.0,
                0.0,
            )?,
            _ => {}
        }
    }
    Ok(())
}

/// The numbers of `rand()` of the GNU C library after `srand(123)`, which the published points are made of.
fn numbers() -> impl FnMut() -> u32 {
    let mut state: Vec<u32> = vec![123];
    for k in 1..31 {
        let next = 16807 * i64::from(state[k - 1] as i32) % 2_147_483_647;
        state.push(next.rem_euclid(2_147_483_647) as u32);
    }
    state.extend_from_within(0..3);
    let mut at = 34;
    let mut next = move || {
        // The last 31 of them are enough, in a ring.
        let sum = state[(at - 31) % 34].wrapping_add(state[(at - 3) % 34]);
        state[at % 34] = sum;
        at += 1;
        sum >> 1
    };
    (0..310).for_each(|_| {
        next();
    });
    next
}

fn places(n: usize, within: Within) -> Vec<(i64, i64)> {
    let mut number = numbers();
    let mut coordinate = || number() % (REACH + 1);
    let unit = |x: u32| f64::from(x) / f64::from(REACH);
    let place = |_| {
        let mut x = coordinate();
        if within == Within::Quadratic {
            return (x.into(), (unit(x) * unit(x) * f64::from(REACH)) as i64);
        }
        let mut y = coordinate();
        let beyond = |x, y| (unit(x) - 0.5).powi(2) + (unit(y) - 0.5).powi(2) > 0.25;
        while within == Within::Circle && beyond(x, y) {
            (x, y) = (coordinate(), coordinate());
        }
        (x.into(), y.into())
    };
    (0..n).map(place).collect()
}

/// The corners in order from left to right, by Andrew's monotone chain.
fn plain(mut places: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    places.sort_unstable();
    places.dedup();
    let chain = |places: &mut dyn Iterator<Item = (i64, i64)>| {
        let mut chain: Vec<(i64, i64)> = Vec::new();
        for p in places {
            while let [.., a, b] = chain[..]
                && (b.0 - a.0) * (p.1 - a.1) <= (b.1 - a.1) * (p.0 - a.0)
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain
    };
    let mut corners = chain(&mut places.iter().copied());
    corners.extend(chain(&mut places.iter().copied().rev()));
    corners.sort_unstable();
    corners.dedup();
    corners
}

/// Some of the points, and the hull around them.
fn draw(places: &[(i64, i64)], edges: &[Edge], to: &Path) -> Result<()> {
    let unit = |x: f64| 0.02 + 0.96 * x / f64::from(REACH);
    let mut canvas = Canvas::new(512);
    for &(x, y) in places.iter().take(20_000) {
        canvas.glow((unit(x as f64), unit(y as f64)), [60, 90, 140]);
    }
    for Edge { from, to } in edges {
        canvas.line(
            (unit(from.x), unit(from.y)),
            (unit(to.x), unit(to.y)),
            [255, 170, 60],
        );
    }
    save(to, canvas.picture())
}
