//! Prices of European options; the two calls of a helper share nothing but its code.
//!
//! kernels: 1 (elementwise)
//! bytes: 20n
//! shapes: options n
//! values: options 1.0..30.0, riskless 0.01..0.05, volatility 0.2..0.4

accelerate! {
    /// Cumulative normal distribution, by the polynomial of Abramowitz and Stegun, 26.2.17.
    fn cnd(d: f32) -> f32 {
        let k = 1.0 / (1.0 + 0.2316419 * d.abs());
        let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
        let tail = 0.3989422804 * (-0.5 * d * d).exp() * poly;
        if d > 0.0 { 1.0 - tail } else { tail }
    }

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
}
