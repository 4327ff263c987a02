//! A loop over arrays: two buffers, one kernel per round.
//!
//! kernels: 1 (elementwise)
//! shapes: start n
//! values: rounds 0..6

accelerate! {
    fn relax(grid: &Vector<f32>) -> Vector<f32> {
        let n = grid.len();
        grid.map_indexed(|i, c| {
            let left = if i == 0 { c } else { grid[i - 1] };
            let right = if i == n - 1 { c } else { grid[i + 1] };
            c + 0.25 * (left - 2.0 * c + right)
        })
    }

    pub fn heat(start: Vector<f32>, rounds: u32) -> Vector<f32> {
        let mut grid = start;
        for _ in 0..rounds {
            grid = relax(&grid);
        }
        grid
    }
}
