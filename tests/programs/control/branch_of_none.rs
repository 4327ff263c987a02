//! A branch that is taken only where there are no elements, and fails: nobody is there to evaluate it.
//!
//! shapes: xs n, m (k, l)

accelerate! {
    pub fn branch_of_none(xs: &Vector<i32>, m: &Matrix<i32>) -> Vector<i32> {
        let products = m.rows().map(|row| row.fold(-2_i32, |a, b| a * b));
        xs.map(|_| if xs.map(|_| false).all() { products[0] } else { 0 })
    }
}
