//! What a bundle may hold: segments, a rank-0 array, tuples of arrays and scalars, an enum; its fields are assigned, and
//! their lengths change in a loop.
//!
//! shapes: p.groups.values n, p.groups.offsets m, p.level (), p.pair.0 k
//! offsets: p.groups.offsets n
//! values: p.mode 0..2, p.pair.1 0..3, rounds 0..4

accelerate! {
    pub enum Mode {
        Keep,
        Scale(f32),
    }

    pub struct Store {
        pub groups: Segmented<f32>,
        pub level: Scalar<f32>,
        pub pair: (Vector<i32>, (i32, usize)),
        pub mode: Mode,
    }

    pub struct Grown {
        pub groups: Segmented<f32>,
        pub level: Scalar<f32>,
        pub pair: (Vector<i32>, (i32, usize)),
        pub factor: f32,
    }

    pub fn grown(p: Store, rounds: usize) -> (Grown, usize) {
        let mut p = p;
        for _ in 0..rounds {
            p.pair.0 = p.pair.0.concat(p.pair.0);
            p.pair.1.0 += 1;
        }
        let Store { level, mode, .. } = p;
        let factor = match mode {
            Mode::Keep => 1.0,
            Mode::Scale(by) => by * level,
        };
        let scaled = p.groups.map_segments(|group| group.map(|x| x * factor));
        (Grown { groups: scaled, level, pair: p.pair, factor }, p.groups.len())
    }
}
