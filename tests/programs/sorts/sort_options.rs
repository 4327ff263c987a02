//! Options are in order: nothing first, then by what they hold.
//!
//! shapes: xs n, ys n

accelerate! {
    pub fn sorted(xs: &Vector<Option<f32>>, ys: &Vector<(Option<u8>, i8)>)
        -> (Vector<Option<f32>>, Vector<(Option<u8>, i8)>, Vector<usize>)
    {
        let falling = ys.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        (xs.sort(), falling, xs.map(|x| x.map(|x| x < 0.0)).argsort())
    }
}
