//! A scatter for each row of each plane is one for all, whose target has the planes and the rows as its first axes.
//!
//! kernels: 3 (elementwise, scatter, elementwise)
//! shapes: c (d, h, w)

accelerate! {
    pub fn ranges(c: &Cube<i32>) -> Cube<(i32, u32)> {
        c.outer().map(|plane| {
            plane.rows().map(|row| {
                let apart = fill(7, (i32::MIN, 0_u32)).scatter(
                    |(a, k), (b, l)| (a.max(b), k + l),
                    row.zip(plane.row(0).map(|y| y as u32)),
                    |j, (x, y)| if j % 5 == 4 { None } else { Some((x as u32 ^ y) as usize % 7) },
                );
                apart.map(|(most, count)| (if count == 0 { 0 } else { most }, count))
            })
        })
    }
}
