//! A type with methods, constants and operators: powers of complex numbers.
//!
//! kernels: 1 (elementwise)
//! bytes: 20n
//! shapes: zs n
//! values: zs -1.5..1.5

accelerate! {
    pub struct Complex {
        pub re: f32,
        pub im: f32,
    }

    impl Complex {
        const ONE: Self = Self { re: 1.0, im: 0.0 };

        fn norm(&self) -> f32 {
            self.re * self.re + self.im * self.im
        }
    }

    impl Add for Complex {
        type Output = Self;
        fn add(self, other: Self) -> Self {
            Complex { re: self.re + other.re, im: self.im + other.im }
        }
    }

    impl Mul for Complex {
        type Output = Complex;
        fn mul(self, other: Complex) -> Complex {
            Complex {
                re: self.re * other.re - self.im * other.im,
                im: self.re * other.im + self.im * other.re,
            }
        }
    }

    impl Mul<Complex> for f32 {
        type Output = Complex;
        fn mul(self, z: Complex) -> Complex {
            Complex { re: self * z.re, im: self * z.im }
        }
    }

    impl Neg for Complex {
        type Output = Complex;
        fn neg(self) -> Complex {
            Complex { re: -self.re, im: -self.im }
        }
    }

    pub fn polynomial(zs: &Vector<Complex>) -> (Vector<Complex>, Vector<f32>) {
        let values = zs.map(|z| {
            let mut value = Complex::ONE;
            for k in 0..3 {
                value = value * z + 0.5 * Complex::ONE;
            }
            -value
        });
        (values, values.map(|z| z.norm()))
    }
}
