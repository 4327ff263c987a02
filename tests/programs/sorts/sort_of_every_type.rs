//! Each type that has an order.
//!
//! shapes: a n, b n, c n, d n

accelerate! {
    pub fn kinds(
        a: &Vector<i8>, b: &Vector<bool>, c: &Vector<u16>, d: &Vector<i16>,
    ) -> (Vector<i8>, Vector<bool>, Vector<char>, Vector<i16>) {
        let letters = c.map(|c| (b'a' + (c % 26) as u8) as char);
        (a.sort(), b.sort(), letters.sort(), d.sort())
    }
}
