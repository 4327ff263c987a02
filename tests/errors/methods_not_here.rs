accelerate! {
    pub fn texts(xs: &Vector<u32>, cs: &Vector<char>) -> Vector<u32> {
        xs.map(|x| x.to_string());
        xs.map(|x| u32::from_str_radix(x, 10));
        cs.map(|c| c.escape_debug());
        cs.map(|c| c.to_uppercase());
        cs.map(|c| c.is_alphabetic());
        cs.map(|c| c.make_ascii_uppercase());
        xs
    }

    pub fn results(xs: &Vector<u32>, ys: &Vector<f32>) -> Vector<u32> {
        xs.map(|x| u8::try_from(x));
        ys.map(|y| y.classify());
        xs.map(|x| x.unchecked_add(1));
        xs
    }
}
