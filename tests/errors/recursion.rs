accelerate! {
    fn factorial(n: u64) -> u64 {
        if n == 0 { 1 } else { n * factorial(n - 1) }
    }

    pub fn f(xs: &Vector<u64>) -> Vector<u64> {
        xs.map(|x| factorial(x))
    }
}
