//! Products of 2x2 integer matrices in order: a struct with an operator; segments of one to seven.
//!
//! shapes: xs n

accelerate! {
    struct Matrix2 { a: i32, b: i32, c: i32, d: i32 }

    impl std::ops::Mul for Matrix2 {
        type Output = Matrix2;
        fn mul(self, other: Matrix2) -> Matrix2 {
            Matrix2 {
                a: self.a * other.a + self.b * other.c,
                b: self.a * other.b + self.b * other.d,
                c: self.c * other.a + self.d * other.c,
                d: self.c * other.b + self.d * other.d,
            }
        }
    }

    pub fn chains(xs: &Vector<i32>) -> Vector<(i32, i32, i32, i32)> {
        let n = xs.len();
        let starts = generate((n + 6) / 7 + 1, |k| min(7 * k, n));
        xs.map(|x| Matrix2 { a: x, b: 1, c: 1, d: 0 })
            .fold1_segmented(Offsets::new(&starts), |x, y| x * y)
            .map(|m| (m.a, m.b, m.c, m.d))
    }
}
