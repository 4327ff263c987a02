//! Letters and digits: told apart, changed, and read as numbers.
//!
//! kernels: 1 (elementwise)
//! shapes: text n, codes n
//! values: text 32..127, codes 0..1200000

accelerate! {
    pub fn read(text: &Vector<u8>, codes: &Vector<u32>) -> Vector<(char, u8, u32, usize, bool)> {
        text.zip(codes).map(|(byte, code)| {
            let letter = char::from(byte);
            let other = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            let digit = letter.to_digit(16).or((code < 5).then_some(code)).unwrap_or(99);
            let sign = (other > 'z').then(|| other.len_utf8()).unwrap_or_default();
            let shown = char::from_digit(code % 36, 36).unwrap_or('?').max(letter);
            let plain = letter.eq_ignore_ascii_case(&shown) || other.is_whitespace() && !other.is_control();
            (shown.to_ascii_uppercase(), byte.to_ascii_lowercase(), digit, sign, plain & byte.is_ascii_punctuation().max(true))
        })
    }
}
