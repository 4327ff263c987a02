//! One step of a 5-point relaxation with fixed borders.
//!
//! kernels: 1 (stencil)
//! bytes: 8m n
//! shapes: grid (m, n)

accelerate! {
    pub fn step(grid: &Matrix<f32>) -> Matrix<f32> {
        let (rows, columns) = grid.shape();
        grid.map_indexed(|(i, j), c| {
            if i == 0 || j == 0 || i == rows - 1 || j == columns - 1 {
                c
            } else {
                0.25 * (grid[(i - 1, j)] + grid[(i + 1, j)] + grid[(i, j - 1)] + grid[(i, j + 1)])
            }
        })
    }
}
