accelerate! {
    pub fn of_zeros(n: usize) -> Vector<f32> {
        Vector::zeros(n)
    }

    pub fn of_ones(n: usize) -> Matrix<f32> {
        Matrix::ones((n, 2 * n))
    }

    pub fn alone(n: usize) -> Vector<f32> {
        zeros(n)
    }

    pub fn repeated(n: usize) -> Vector<f32> {
        Vector::from_elem(n, 1.5)
    }

    pub fn tabulated(n: usize) -> Vector<usize> {
        Vector::from_fn(n, |i| i * i)
    }

    pub fn identity(n: usize) -> Matrix<f32> {
        Matrix::eye(n)
    }

    pub fn numbers(n: usize) -> Vector<usize> {
        arange(n)
    }

    pub fn given(n: usize) -> Vector<f32> {
        Vector::from_vec(n)
    }

    pub fn ranks(m: &Matrix<f32>, v: &Vector<f32>) -> Matrix<f32> {
        m + v
    }

    pub fn ranks_the_other_way(m: &Matrix<f32>, v: &Vector<f32>) -> Matrix<f32> {
        v * m
    }

    pub fn ranks_of_expressions(c: &Cube<f32>, m: &Matrix<f32>) -> Cube<f32> {
        c - (m + 1.0)
    }

    pub fn points(n: usize) -> Vector<f32> {
        Vector::linspace(0.0, 1.0, n)
    }

    pub fn from_one(n: usize) -> Vector<usize> {
        Vector::range(1, n)
    }
}
