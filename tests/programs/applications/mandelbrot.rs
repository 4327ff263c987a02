//! A `while` loop per element, of a length that the data decide.
//!
//! kernels: 1 (elementwise)
//! values: width 0..90, height 0..70, left -2.1..-1.9, top -1.2..-1.0, step 0.02..0.05, limit 0..60

accelerate! {
    pub fn mandelbrot(width: usize, height: usize, left: f32, top: f32, step: f32, limit: i32) -> Matrix<i32> {
        generate((height, width), |(row, column)| {
            let (cx, cy) = (left + column as f32 * step, top + row as f32 * step);
            let (mut x, mut y) = (cx, cy);
            let mut rounds = 0;
            while rounds < limit && x * x + y * y < 4.0 {
                (x, y) = (cx + (x * x - y * y), cy + 2.0 * x * y);
                rounds += 1;
            }
            rounds
        })
    }
}
