//! An error in a body whose signature uses the block's own names; its callers type-check.

use accelerate::{Device, Matrix, Vector, accelerate};

accelerate! {
    const RANK: usize = 2;
    type Grid = Array<f32, RANK>;
    type Pair = (f32, f32);

    pub struct Wave { pub ends: Pair, pub height: f32 }

    pub fn sums(grid: &Grid, pair: Pair) -> Vector<Pair> {
        grid.rows().map(|row| (row.sum() + pair.0, missing))
//~                                                ^ error: unknown name `missing`
    }

    pub fn heights(waves: &Vector<Wave>) -> Vector<f32> {
        waves.map(|wave| wave.height + wave.ends.0)
    }
}

fn main() -> accelerate::Result<()> {
    let device = Device::cpu();
    let grid = Matrix::from_vec(&device, (1, 2), vec![1.0f32, 2.0])?;
    let pairs: Vec<(f32, f32)> = sums(&device, &grid, (0.5, 1.5))?.to_vec()?;
    let waves = vec![Wave { ends: pairs[0], height: 1.0 }];
    let heights: Vec<f32> = heights(&device, &Vector::from_vec(&device, waves)?)?.to_vec()?;
    let wrong: u8 = heights.len();
//~                 ^ error[E0308]: mismatched types: expected `u8`, found `usize`
    println!("{wrong} {}", sums::PLAN);
    Ok(())
}
