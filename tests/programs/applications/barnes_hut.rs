//! Attraction between bodies in the unit square by levels of a quadtree: a body sees a cell as one mass if it is far away, else
//! the next level looks at its four parts. Cells are numbered along a Morton curve: the parts of cell `c` are `4 c` to `4 c + 3`.
//!
//! shapes: bodies n
//! values: bodies 0.0..1.0

accelerate! {
    pub struct Body {
        pub x: f64,
        pub y: f64,
    }

    /// Every second bit of a number below 8.
    fn spread(k: u32) -> u32 {
        let k = (k | k << 2) & 0x13;
        (k | k << 1) & 0x15
    }

    /// The cell of the finest level, with 8 times 8.
    fn cell(body: Body) -> usize {
        let place = |x: f64| ((x * 8.0) as u32).min(7);
        (spread(place(body.x)) | spread(place(body.y)) << 1) as usize
    }

    pub fn forces(bodies: &Vector<Body>) -> (Vector<f64>, Vector<f64>) {
        let mut force = bodies.map(|_| (0.0, 0.0));
        // Of bodies and cells: who looks at what.
        let mut pairs = iota(bodies.len()).map(|body| (body, 0_usize));
        let cells = bodies.map(|body| cell(body));
        for level in 0..4_u32 {
            let shift = 6 - 2 * level;
            let keys = cells.map(|cell| cell >> shift);
            let moments = bodies.map(|Body { x, y }| (1.0, x, y));
            let sums = keys.reduce_by_index(moments, 64 >> shift, (0.0, 0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
            let size = 1.0 / (1_u32 << level) as f64;
            let seen = pairs.map(|(body, cell)| {
                let Body { x, y } = bodies[body];
                let (mass, sx, sy) = sums[cell];
                let (dx, dy) = if mass > 0.0 { (sx / mass - x, sy / mass - y) } else { (0.0, 0.0) };
                let square = dx * dx + dy * dy;
                let far = level == 3 || size * size < 0.25 * square;
                let weight = if far && square > 0.0 { mass / (square + 0.01) } else { 0.0 };
                (body, cell, mass > 0.0 && !far, (weight * dx, weight * dy))
            });
            let pulls = seen.map(|(_, _, _, pull)| pull);
            force = force.scatter(|a, b| (a.0 + b.0, a.1 + b.1), pulls, |k, _| Some(seen[k].0));
            let near = seen.filter(|(_, _, near, _)| near);
            pairs = near.flat_map(|(body, cell, _, _)| generate(4, |part| (body, 4 * cell + part)));
        }
        force.unzip()
    }
}
