accelerate! {
    const A: usize = B + 1;
    const B: usize = A - 1;

    pub fn f() -> Vector<usize> {
        iota(A)
    }
}
