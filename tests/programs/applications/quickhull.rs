//! The convex hull of points in the plane: each round adds the point that is farthest from each side, and leaves out those that
//! are inside since.
//!
//! shapes: points n
//! values: points -9..9

accelerate! {
    pub struct Point {
        pub x: i64,
        pub y: i64,
    }

    impl Point {
        /// Twice the area of a triangle, which is positive if `self` is to the left of the way from `a` to `b`.
        fn left_of(self, a: Point, b: Point) -> i64 {
            (b.x - a.x) * (self.y - a.y) - (b.y - a.y) * (self.x - a.x)
        }

        /// Whether it comes behind another one from left to right, and of two above each other from below.
        fn behind(self, other: Point) -> bool {
            self.x > other.x || (self.x == other.x && self.y > other.y)
        }
    }

    /// The one that is farther; of two that are as far the one behind, so that their order does not matter.
    fn farther(a: (i64, Point), b: (i64, Point)) -> (i64, Point) {
        if b.0 > a.0 || (b.0 == a.0 && b.1.behind(a.1)) { b } else { a }
    }

    /// The corners, one after the other.
    pub fn hull(points: &Vector<Point>) -> Vector<Point> {
        let left = points.fold1(|a, b| if a.behind(b) { b } else { a });
        let right = points.fold1(|a, b| if b.behind(a) { b } else { a });
        let mut sides = iota(2).map(|k| if k == 0 { (left, right) } else { (right, left) });
        let mut outside = points.filter_map(|p| {
            let side = p.left_of(left, right);
            if side > 0 { Some((p, 0_u32)) } else if side < 0 { Some((p, 1)) } else { None }
        });
        while outside.len() > 0 {
            let keys = outside.map(|(_, side)| side);
            let distances = outside.map(|(p, side)| {
                let (from, to) = sides[side as usize];
                (p.left_of(from, to), p)
            });
            let corners = keys.reduce_by_index(distances, sides.len(), (0, Point { x: 0, y: 0 }), farther);
            let halves = corners.map(|(distance, _)| if distance > 0 { 2_u32 } else { 1 });
            let (starts, _) = halves.scan_exclusive(0, |a, b| a + b);
            outside = outside.filter_map(|(p, side)| {
                let (from, to) = sides[side as usize];
                let (_, corner) = corners[side as usize];
                let first = starts[side as usize];
                if p.left_of(from, corner) > 0 {
                    Some((p, first))
                } else if p.left_of(corner, to) > 0 {
                    Some((p, first + 1))
                } else {
                    None
                }
            });
            sides = iota(sides.len()).flat_map(|side| {
                let (from, to) = sides[side];
                let (distance, corner) = corners[side];
                let count = if distance > 0 { 2 } else { 1 };
                generate(count, |half| {
                    if distance <= 0 { (from, to) } else if half == 0 { (from, corner) } else { (corner, to) }
                })
            });
        }
        sides.map(|(from, _)| from)
    }
}
