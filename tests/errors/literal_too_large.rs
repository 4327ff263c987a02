accelerate! {
    pub fn f(xs: &Vector<u8>) -> Vector<u8> {
        xs.map(|x| x.wrapping_add(256))
    }
}
