//! Lines and planes of three axes; operations within each; operators on whole arrays.
//!
//! kernels: 5 (reduce, reduce, reduce, elementwise, elementwise)
//! bytes: 41a b n + 16a b + 8a n + 20n
//! shapes: c (a, b, n), d (a, b, n), m (b, n)

accelerate! {
    pub fn lines(c: &Cube<(i32, i32)>, d: &Cube<i32>, m: &Matrix<i32>) -> (Matrix<(i32, i32)>, Vector<(i32, i32)>, Matrix<(i32, i32, usize)>, Cube<(i32, bool)>, Cube<i32>, Vector<i32>) {
        let viewed = d.rows().map(|row| {
            let n = row.len();
            let (left, right) = row.halve();
            let (evens, odds) = row.interleave(row.reverse()).deinterleave();
            let cut = row.take(n / 2).dot(row.skip(n - n / 2)) + left.sum() * right.sum();
            let crossed = evens.zip_with(odds, |x, y| x * y).sum() + row.pad(1, 1, Constant(7)).gather(n, |i| i + 2).sum();
            (cut, crossed, row.filter(|x| x > 0).len())
        });
        let odd = d | 1;
        let mixed = ((d << 3) ^ (odd >> 2)) - (d % odd) * (-d);
        let within = (d < odd) & !(d == 3) | (odd >= mixed / odd);
        let planes = d.axis(1);
        (
            c.columns().map(|line| line.fold((1, 0), |(a, b), (c, d)| (a * c, b * c + d))),
            c.axis(2).map(|plane| plane.flatten().fold((1, 0), |(a, b), (c, d)| (a * c, b * c + d))),
            viewed,
            mixed.zip(within),
            zip_with((c.axis(0), d.outer()), |plane, numbers| plane.zip_with(numbers, |(x, y), z| x - y * z)),
            m.rows()[0].zip_with(planes[0].row(0), |x, y| x + y),
        )
    }
}
