//! What kind of a letter a byte is.
//!
//! kernels: 1 (elementwise)
//! bytes: 14n
//! shapes: text n

accelerate! {
    pub fn kinds(text: &Vector<u8>) -> Vector<[bool; 13]> {
        text.map(|byte| {
            let letter = byte as char;
            [
                byte.is_ascii(), byte.is_ascii_alphabetic(), byte.is_ascii_alphanumeric(), byte.is_ascii_control(),
                byte.is_ascii_digit(), letter.is_ascii_graphic(), byte.is_ascii_hexdigit(), letter.is_ascii_lowercase(),
                byte.is_ascii_uppercase(), letter.is_ascii_whitespace(), letter.is_digit(16), letter.len_utf16() == 1,
                letter.is_control(),
            ]
        })
    }
}
