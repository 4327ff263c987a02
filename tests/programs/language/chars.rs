//! Characters: compared, matched, converted.
//!
//! kernels: 1 (elementwise)
//! bytes: 9n
//! shapes: text n
//! values: text 60..123

accelerate! {
    pub fn shouted(text: &Vector<char>) -> (Vector<char>, Vector<bool>) {
        let upper = text.map(|c| match c {
            'a'..='z' => (c as u8 - 32) as char,
            '@' => 'é',
            other => other,
        });
        (upper, upper.map(|c| c == 'A' || c > 'Y'))
    }
}
