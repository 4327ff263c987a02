//! Shortest ways between all pairs of nodes (Floyd: Algorithm 97, 1962; Warshall: A Theorem on Boolean Matrices, 1962): for
//! each node in turn, whether the way over it is shorter. One kernel a round; the loop runs on the device. The picture shows
//! a map of roads, coloured by how far everything is from its middle.

use accelerate::{Matrix, accelerate};
use anyhow::Result;
use clap::Parser;
use examples::{Canvas, Options, equal, function, heat, random, rgb, save};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

accelerate! {
    /// How long the shortest way is from each node to each, for edges of these lengths.
    #[fused(kernels = 1)]
    pub fn shortest(edges: &Matrix<i32>) -> Matrix<i32> {
        let (n, _) = edges.shape();
        let mut ways = edges;
        for k in 0..n {
            ways = ways.map_indexed(|(i, j), way| way.min(ways[(i, k)] + ways[(k, j)]));
        }
        ways
    }
}

/// No way; two of them can be added.
const FAR: i32 = i32::MAX / 2;

/// Finds shortest ways on a map of random towns.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of nodes
    #[arg(long, default_value_t = 1024)]
    size: usize,
    /// Where to write the picture
    #[arg(long, default_value = "target/pictures/roads.png")]
    output: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (options, n) = (&arguments.options, arguments.size);
    let device = options.start(&[function!(shortest)])?;
    let map = Map::new(n);
    let mut lengths = vec![FAR; n * n];
    for (from, roads) in map.roads.iter().enumerate() {
        lengths[from * n + from] = 0;
        for &(to, length) in roads {
            lengths[from * n + to] = options.constant(length);
        }
    }
    let edges = Matrix::from_vec(&device, (n, n), lengths)?;
    let (ways, time) = options.measure("shortest", 2, || {
        let ways = shortest(&device, &edges)?;
        device.synchronize()?;
        Ok(ways)
    })?;
    function!(shortest).report(&device, &[], time);
    let updates = (n as f64).powi(3) / 1e9;
    println!(
        "{:.2} billion ways compared a second",
        updates / time.as_secs_f64()
    );
    let found = ways.to_vec()?;
    let middle = map.nearest(0.5, 0.5);
    map.draw(&found[middle * n..(middle + 1) * n], &arguments.output)?;
    if options.check {
        for k in 0..4.min(n) {
            let from = k * n / 4;
            let name = format!("Dijkstra's from town {from}");
            equal(&name, &found[from * n..(from + 1) * n], &map.dijkstra(from))?;
        }
        let again = shortest(&device, &ways)?.to_vec()?;
        equal("a second run changes nothing", &again, &found)?;
    }
    Ok(())
}

/// Towns in the unit square, and roads between neighbours.
struct Map {
    towns: Vec<(f32, f32)>,
    /// To which towns, how long.
    roads: Vec<Vec<(usize, i32)>>,
}

impl Map {
    fn new(n: usize) -> Map {
        let (x, y) = (random(1, n, 0.0, 1.0), random(2, n, 0.0, 1.0));
        let towns: Vec<(f32, f32)> = x.into_iter().zip(y).collect();
        let mut roads = vec![Vec::new(); n];
        for (from, &(x, y)) in towns.iter().enumerate() {
            let away = |to: usize| (towns[to].0 - x).hypot(towns[to].1 - y);
            let mut others: Vec<usize> = (0..n).filter(|&to| to != from).collect();
            others.sort_by(|&a, &b| away(a).total_cmp(&away(b)));
            for &to in others.iter().take(3) {
                let length = (10_000.0 * away(to)).round() as i32;
                roads[from].push((to, length));
                roads[to].push((from, length));
            }
        }
        Map { towns, roads }
    }

    /// The town next to a place.
    fn nearest(&self, x: f32, y: f32) -> usize {
        let away = |&(a, b): &(f32, f32)| (a - x).powi(2) + (b - y).powi(2);
        let towns = self.towns.iter().map(away).enumerate();
        let nearest = towns.min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(0, |(town, _)| town)
    }

    /// Each place has the colour of the town next to it.
    fn draw(&self, ways: &[i32], to: &Path) -> Result<()> {
        const SIZE: usize = 256;
        let reached = ways.iter().copied().filter(|&way| way < FAR);
        let farthest = reached.max().unwrap_or(0).max(1) as f32;
        let colour = |k: usize| {
            let (x, y) = ((k % SIZE) as f32 + 0.5, (SIZE - 1 - k / SIZE) as f32 + 0.5);
            match ways[self.nearest(x / SIZE as f32, y / SIZE as f32)] {
                FAR.. => [90, 100, 110],
                way => heat(1.0 - way as f32 / farthest),
            }
        };
        let mut canvas = Canvas::on(rgb((SIZE, SIZE), (0..SIZE * SIZE).map(colour).collect()));
        let place = |town: usize| (self.towns[town].0.into(), self.towns[town].1.into());
        for (from, roads) in self.roads.iter().enumerate() {
            for &(to, _) in roads {
                canvas.line(place(from), place(to), [40, 60, 60]);
            }
        }
        save(to, canvas.picture())
    }

    /// The same from one town (Dijkstra: A Note on Two Problems in Connexion with Graphs, 1959).
    fn dijkstra(&self, from: usize) -> Vec<i32> {
        let mut ways = vec![FAR; self.towns.len()];
        let mut next = BinaryHeap::from([(Reverse(0), from)]);
        while let Some((Reverse(way), town)) = next.pop() {
            if way >= ways[town] {
                continue;
            }
            ways[town] = way;
            let roads = self.roads[town].iter();
            next.extend(roads.map(|&(to, length)| (Reverse(way + length), to)));
        }
        ways
    }
}
