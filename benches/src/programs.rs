//! The programs that are measured.

use accelerate::accelerate;

accelerate! {
    /// Sum of products.
    #[fused(kernels = 1)]
    pub fn dot(xs: &Vector<f32>, ys: &Vector<f32>) -> f32 {
        xs.zip(ys).map(|(x, y)| x * y).sum()
    }

    /// `a x + y`; `y` is consumed, so that its memory serves again.
    #[fused(kernels = 1)]
    pub fn saxpy(a: f32, xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.zip(ys).map(|(x, y)| a * x + y)
    }

    /// ASCII letters as capitals.
    #[fused(kernels = 1)]
    pub fn capitals(text: &Vector<u8>) -> Vector<u8> {
        text.map(|c| if c >= 97 && c <= 122 { c - 32 } else { c })
    }

    /// One sum per row.
    #[fused(kernels = 1)]
    pub fn row_sums(m: &Matrix<f32>) -> Vector<f32> {
        m.sum()
    }

    /// Running sums.
    #[fused(kernels = 1)]
    pub fn running_sums(xs: &Vector<f32>) -> Vector<f32> {
        xs.cumsum()
    }

    /// The mean of 5 by 5 neighbours.
    #[fused(kernels = 1)]
    pub fn blur(image: &Matrix<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let sum = (w[(-2, -2)] + w[(-2, -1)] + w[(-2, 0)] + w[(-2, 1)] + w[(-2, 2)])
                + (w[(-1, -2)] + w[(-1, -1)] + w[(-1, 0)] + w[(-1, 1)] + w[(-1, 2)])
                + (w[(0, -2)] + w[(0, -1)] + w[(0, 0)] + w[(0, 1)] + w[(0, 2)])
                + (w[(1, -2)] + w[(1, -1)] + w[(1, 0)] + w[(1, 1)] + w[(1, 2)])
                + (w[(2, -2)] + w[(2, -1)] + w[(2, 0)] + w[(2, 1)] + w[(2, 2)]);
            sum / 25.0
        })
    }

    /// A matrix with its axes exchanged, in memory.
    #[fused(kernels = 1)]
    pub fn transpose(m: &Matrix<f32>) -> Matrix<f32> {
        m.transpose().materialize()
    }

    /// A matrix and its transpose.
    #[fused(kernels = 1)]
    pub fn plus_transpose(m: &Matrix<f32>) -> Matrix<f32> {
        m + m.transpose()
    }

    /// Keys below 256, counted.
    #[fused(kernels = 1)]
    pub fn histogram(keys: &Vector<u32>) -> Vector<u32> {
        keys.histogram(256)
    }

    /// Sums over many bins.
    #[fused(kernels = 1)]
    pub fn sums_by_key(keys: &Vector<u32>, xs: &Vector<f32>, bins: usize) -> Vector<f32> {
        keys.reduce_by_index(xs, bins, 0.0, |sum, x| sum + x)
    }

    /// A sparse matrix times a vector: rows by their offsets.
    #[fused(kernels = 1)]
    pub fn smvm(offsets: &Vector<u32>, columns: &Vector<u32>, values: &Vector<f32>, xs: &Vector<f32>) -> Vector<f32> {
        let terms = columns.zip_with(values, |column, value| value * xs[column as usize]);
        terms.sum_segmented(Offsets::new(offsets))
    }

    /// Integers in order.
    #[fused(kernels = 5)]
    pub fn sorted(xs: &Vector<u32>) -> Vector<u32> {
        xs.sort()
    }

    fn cnd(d: f32) -> f32 {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        let tail = 0.3989422804 * (-0.5 * d * d).exp() * poly;
        if d > 0.0 { 1.0 - tail } else { tail }
    }

    /// (call, put) for each (price, strike, years).
    #[fused(kernels = 1)]
    pub fn black_scholes(options: &Vector<(f32, f32, f32)>, riskless: f32, volatility: f32) -> Vector<(f32, f32)> {
        options.map(|(price, strike, years)| {
            let spread = volatility * years.sqrt();
            let d1 = ((price / strike).ln() + (riskless + 0.5 * volatility * volatility) * years) / spread;
            let d2 = d1 - spread;
            let discounted = strike * (-riskless * years).exp();
            let (c1, c2) = (cnd(d1), cnd(d2));
            (price * c1 - discounted * c2, discounted * (1.0 - c2) - price * (1.0 - c1))
        })
    }

    /// Rounds until the orbit leaves the disc of radius 2.
    #[fused(kernels = 1)]
    pub fn mandelbrot(width: usize, height: usize, corner: (f32, f32), step: (f32, f32), limit: i32) -> Matrix<i32> {
        generate((height, width), |(row, column)| {
            let (cx, cy) = (corner.0 + column as f32 * step.0, corner.1 + row as f32 * step.1);
            let (mut x, mut y) = (cx, cy);
            let mut rounds = 0;
            while rounds < limit && x * x + y * y < 4.0 {
                (x, y) = (cx + (x * x - y * y), cy + 2.0 * x * y);
                rounds += 1;
            }
            rounds
        })
    }

    /// The product of two matrices.
    #[fused(kernels = 1)]
    pub fn matmul(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> {
        a.matmul(b)
    }

    /// One sum per column.
    #[fused(kernels = 1)]
    pub fn column_sums(m: &Matrix<f32>) -> Vector<f32> {
        m.transpose().sum()
    }

    /// Each row through exponentials to shares of one.
    #[fused(kernels = 1)]
    pub fn softmax(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| {
            let top = row.fold(f32::NEG_INFINITY, |a, b| a.max(b));
            let powers = row.map(|x| (x - top).exp());
            let total = powers.sum();
            powers.map(|p| p / total)
        })
    }

    /// Those above zero.
    #[fused(kernels = 1)]
    pub fn positive(xs: &Vector<f32>) -> Vector<f32> {
        xs.filter(|x| x > 0.0)
    }

    /// How each body is drawn by all.
    #[fused(kernels = 1)]
    pub fn forces(bodies: &Vector<(f32, f32, f32, f32)>) -> Vector<(f32, f32, f32)> {
        bodies.map(|(x, y, z, _)| {
            bodies
                .map(|(u, v, w, mass)| {
                    let (dx, dy, dz) = (u - x, v - y, w - z);
                    let square = dx * dx + dy * dy + dz * dz + 0.01;
                    let inverse = 1.0 / square.sqrt();
                    let pull = mass * inverse * inverse * inverse;
                    (dx * pull, dy * pull, dz * pull)
                })
                .sum()
        })
    }

    /// The cheapest call there is: on an empty array nothing is launched.
    pub fn increment(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| x + 1.0)
    }
}
