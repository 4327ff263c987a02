accelerate! {
    pub fn f(n: usize) -> Vector<u32> {
        let mut count = 0;
        'outer: for i in 0..n {
            for j in 0..n {
                if i * j > 10 {
                    break 'outter;
                }
                count += 1;
            }
        }
        fill(n, count)
    }
}
