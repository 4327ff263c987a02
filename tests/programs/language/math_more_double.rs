//! The other mathematical functions, in f64.
//!
//! kernels: 1 (elementwise)
//! bytes: 168n
//! shapes: xs n
//! values: xs 0.1..0.9

accelerate! {
    pub fn math_more_double(xs: &Vector<f64>) -> Vector<[f64; 20]> {
        xs.map(|x| {
            let (s, c) = (5.0 * x).sin_cos();
            let trigonometry = [x.tan(), x.asin(), (-x).acos(), (9.0 * x).atan(), s, c];
            let hyperbolic = [x.sinh(), x.cosh(), x.asinh(), (x + 1.0).acosh(), x.atanh(), x.to_radians()];
            [
                trigonometry[0], trigonometry[1], trigonometry[2], trigonometry[3], trigonometry[4], trigonometry[5],
                hyperbolic[0], hyperbolic[1], hyperbolic[2], hyperbolic[3], hyperbolic[4], hyperbolic[5],
                x.exp_m1(), x.log(3.0), x.log10(), x.erfc(), (4.0 * x).lgamma(), (4.0 * x).tgamma(),
                x.recip().ln_1p(), x.to_degrees().fract(),
            ]
        })
    }
}
