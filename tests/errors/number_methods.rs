accelerate! {
    pub fn f(xs: &Vector<f32>, ns: &Vector<i32>, text: &Vector<char>) -> Vector<f32> {
        let a = xs.map(|x| x.isqrt());
        let b = ns.map(|n| n.next_up());
        let c = ns.map(|n| n.is_multiple_of(3));
        let d = ns.map(|n| n.unchecked_add(1));
        let e = text.map(|c| c.is_alphabetic());
        let g = text.map(|c| c.count_ones());
        let h = ns.map(|n| n.checked_pow());
        let i = ns.map(|n| char::from_u32_unchecked(n as u32));
        let j = text.map(|c| u8::from(c));
        let k = xs.map(|x| (x > 0.0).then(1.0));
        let l = 5.to_le_bytes();
        xs
    }
}
