//! Constants that the host sees, too: of every type, in terms of others, and of a type.
//!
//! kernels: 1 (elementwise)
//! bytes: 8n
//! shapes: xs n

accelerate! {
    /// How many weights there are.
    pub const COUNT: usize = 2 + 1;
    const HALF: f32 = 1.0 / 2.0;
    pub(crate) const WEIGHTS: [f32; COUNT] = [0.25, -HALF, 1e-3];
    pub const LIMIT: Option<u32> = Some(COUNT as u32 * 2);
    pub const LEAST: (isize, i64, i8) = (-3, i64::MIN, -1);
    pub const LETTER: char = '\'';
    pub const NOWHERE: f64 = f64::INFINITY;
    pub const SHAPE: Shape = Shape::Box { from: Corner { x: -1.5, y: 0 }, open: true };
    pub const DOT: Shape = Shape::Dot(7);

    pub struct Corner {
        x: f32,
        y: i32,
    }

    pub enum Shape {
        Dot(u8),
        Box { from: Corner, open: bool },
    }

    impl Corner {
        pub const ORIGIN: Corner = Corner { x: 0.0, y: COUNT as i32 };
        const HIDDEN: i32 = 1;
    }

    pub fn weighted(xs: &Vector<f32>) -> Vector<f32> {
        let more = match SHAPE {
            Shape::Box { from, .. } => from.x,
            Shape::Dot(_) => 0.0,
        };
        xs.map(|x| x * WEIGHTS[1] + more + (Corner::ORIGIN.y + Corner::HIDDEN) as f32)
    }
}

const _: () = {
    assert!(
        COUNT == 3
            && WEIGHTS[1] == -0.5
            && WEIGHTS.len() == COUNT
            && LEAST.0 == -3
            && LEAST.1 == i64::MIN
    );
    assert!(
        matches!(LIMIT, Some(6)) && LETTER == '\'' && NOWHERE > f64::MAX && Corner::ORIGIN.y == 3
    );
    assert!(
        matches!(
            SHAPE,
            Shape::Box {
                from: Corner { x: -1.5, y: 0 },
                open: true
            }
        ) && matches!(DOT, Shape::Dot(7))
    );
};
