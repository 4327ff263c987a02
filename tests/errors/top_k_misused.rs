accelerate! {
    enum Kind {
        One,
        Two,
    }

    pub fn f(xs: &Vector<f32>, kinds: &Vector<u8>) -> Vector<f32> {
        let a = xs.top_k();
        let b = xs.top_k(2.0);
        let c = kinds.map(|k| if k > 0 { Kind::One } else { Kind::Two }).argtop_k(2);
        let d = xs[0].top_k(1);
        xs.topk(3)
    }

    pub fn always(xs: &Vector<f32>) -> Vector<f32> {
        generate(3, |i| i as f32).top_k(4)
    }
}
