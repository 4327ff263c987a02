//! A matrix to a cube, by a closure of all coordinates; small elements change with the word around them.
//!
//! kernels: 1 (scatter)
//! shapes: m (h, w)

accelerate! {
    pub fn turned(m: &Matrix<u8>) -> Cube<u8> {
        let (h, w) = m.shape();
        fill((w, 2, h), 0).scatter(
            |a, b| a ^ b,
            m,
            |(i, j), x| if x % 5 == 0 { None } else { Some((j, (x % 2) as usize, i)) },
        )
    }
}
