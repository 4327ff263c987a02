accelerate! {
    pub fn f(xs: &Vector<f32>, letters: &Vector<char>) -> Vector<f32> {
        let a = [1.0, 2.0, 3.0];
        let b = a[3];
        let c = [1.0, 2];
        let d = [xs, xs];
        let e = [0.0; 0];
        let f = a.map(|x| x);
        let g = letters.map(|c| c + 'a');
        let h = letters.map(|c| c as f32);
        let i = letters.map(|c| 300 as char);
        let [x, y] = a;
        xs
    }
}
