//! Structs with type parameters: complex numbers of two widths, their methods and their operators.
//!
//! kernels: 1 (elementwise)
//! bytes: 42n
//! shapes: xs n, ys n

accelerate! {
    pub struct Complex<T> {
        pub re: T,
        pub im: T,
    }

    struct Labelled<T, K> {
        value: T,
        key: K,
    }

    impl<T: Float> Complex<T> {
        fn real(re: T) -> Self {
            Self { re, im: 0.0 }
        }

        fn squared(self) -> T {
            self.re * self.re + self.im * self.im
        }
    }

    impl<T: Float> Mul for Complex<T> {
        type Output = Self;
        fn mul(self, other: Self) -> Self {
            Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
        }
    }

    impl<T: Float> Mul<T> for Complex<T> {
        type Output = Complex<T>;
        fn mul(self, by: T) -> Complex<T> {
            Complex { re: self.re * by, im: self.im * by }
        }
    }

    fn labelled<T: Float, K: Integer>(value: Complex<T>, key: K) -> Labelled<T, K> {
        Labelled { value: value.squared(), key }
    }

    pub fn turned(xs: &Vector<Complex<f32>>, ys: &Vector<Complex<f64>>) -> Vector<(Complex<f32>, f64, u16)> {
        xs.zip(ys).map(|(x, y)| {
            let square = x * x * 0.5;
            let Labelled { value, key } = labelled(y * Complex::real(2.0), 7_u16);
            (square, value, key.wrapping_add(square.re as u16))
        })
    }
}
