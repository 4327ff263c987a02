//! Helps about numbers: conversions, literals, methods, integers of 128 bits.

// help: compare with zero: `x != 0`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<bool> {
        xs.map(|x| x != 0)
    }
}

// help: make numbers of them: `map(|x| x as u32)`
accelerate! {
    pub fn f(bs: &Vector<bool>) -> u32 {
        bs.map(|x| x as u32).sum()
    }
}

// help: make integers of them: `map(|x| x as usize)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<u32> {
        xs.map(|x| x as usize).histogram(10)
    }
}

// help: convert with `as u32`
// help: it is a method of integers: convert with `as u32`
// help: write `as u32 as f32`
accelerate! {
    pub fn f(letters: &Vector<char>) -> (Vector<u32>, Vector<u32>, Vector<f32>) {
        (
            letters.map(|c| c as u32 + 1),
            letters.map(|c| (c as u32).count_ones()),
            letters.map(|c| c as u32 as f32),
        )
    }
}

// help: only a `u8` is always a `char`: write `x as u8 as char`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<char> {
        xs.map(|x| x as u8 as char)
    }
}

// help: it is a method of floats: convert with `as f32`
// help: convert with `as f32`
accelerate! {
    pub fn f(xs: &Vector<i32>) -> Vector<f32> {
        xs.map(|x| (x as f32).sqrt())
    }
}

// help: write `x as f32`
accelerate! {
    pub fn f(xs: &Vector<f16>, k: f32) -> Vector<f32> {
        xs.map(|x| x as f32 + k)
    }
}

// help: the largest is about 3.4e38: write an `f64`
accelerate! {
    pub fn f(xs: &Vector<bf16>) -> Vector<f64> {
        xs.map(|x| x as f64 + 1e39)
    }
}

// help: the largest is 65504: write an `f32`
accelerate! {
    pub fn f(xs: &Vector<f16>) -> Vector<f32> {
        xs.map(|x| x as f32 - 65520.0)
    }
}

// help: it is a method of `f16` or `bf16`: convert with `as`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| (x as f16).to_f32() + (x as bf16).to_f32())
    }
}

// help: convert with `as f16`
accelerate! {
    pub fn f(x: f16, y: bf16) -> f16 {
        x.min(y as f16)
    }
}

// help: write `1.0`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<bool> {
        xs.map(|x| x > 1.0)
    }
}

// help: write `0.0` for the literal `0`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.fold(0.0, |a, b| a + b)
    }
}

// help: write `2.0`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs * 2.0
    }
}

// help: write `1u32 as f32`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.first() + 1u32 as f32
    }
}

// help: write `x as f64`
accelerate! {
    pub fn f(xs: &Vector<f32>, scale: f64) -> Vector<f64> {
        xs.map(|x| scale + x as f64)
    }
}

// help: write `xs.len() as f32`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.sum() / xs.len() as f32
    }
}

// help: write its type: `2_i32`, or `let x: i32 = ..`
accelerate! {
    pub fn f() -> i32 {
        let x: i32 = 2_i32;
        x
    }
}

// help: Unicode's tables are not here: use the methods for ASCII, such as `is_ascii_alphabetic`
// help: assign the new value: `c = c.to_ascii_uppercase()`
accelerate! {
    pub fn f(cs: &Vector<char>) -> Vector<char> {
        cs.map(|letter| {
            let mut c = letter;
            if c.is_ascii_alphabetic() {
                c = c.to_ascii_uppercase();
            }
            c
        })
    }
}

// help: convert with `as u8`
accelerate! {
    pub fn f(xs: &Vector<u32>) -> Vector<u8> {
        xs.map(|x| x as u8)
    }
}

// help: use `is_nan`, `is_infinite`, `is_subnormal` and `is_normal`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<bool> {
        xs.map(|x| x.is_nan() || x.is_infinite() || x.is_subnormal() || x.is_normal())
    }
}

// help: nothing is undefined here: write `wrapping_` or `checked_`
accelerate! {
    pub fn f(xs: &Vector<u32>) -> Vector<u32> {
        xs.map(|x| x.wrapping_add(1) + x.checked_add(1).unwrap_or(0))
    }
}

// help: it is a method of integers: convert with `as`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<u32> {
        xs.map(|x| (x as u32).isqrt())
    }
}

// help: write it in `unsafe { .. }`, or use `char::from_u32`
accelerate! {
    pub fn f(n: u32) -> (char, char) {
        (unsafe { char::from_u32_unchecked(n) }, char::from_u32(n).unwrap_or('?'))
    }
}

// help: it has 32 bits: use `wrapping_shl` or a wider type
accelerate! {
    pub fn f(x: i32) -> (i32, i64) {
        (x.wrapping_shl(32), (x as i64) << 32)
    }
}

// help: it has 128 bits: use `wrapping_shl` or a wider type
accelerate! {
    pub fn f(x: u64) -> u64 {
        (x as u128).wrapping_shl(128) as u64
    }
}

// help: the largest type is `u128`
accelerate! {
    pub fn f(x: u64) -> u64 {
        let a = 340_282_366_920_938_463_463_374_607_431_768_211_455u128;
        (a / x as u128) as u64
    }
}

// help: the types are `i8` to `i128`, `u8` to `u128`, `isize`, `usize`, `f16`, `bf16`, `f32` and `f64`
accelerate! {
    pub fn f(a: i8, b: u8, c: isize, d: usize, x: f16, y: bf16, z: f32) -> f64 {
        let sums = (1i128 + a as i128, 1u128 + b as u128);
        sums.0 as f64 + sums.1 as f64 + c as f64 + d as f64 + x as f64 + y as f64 + z as f64
    }
}

// help: write `x as u128`
// help: convert with `as u128`
// help: convert with `as u64`
accelerate! {
    pub fn f(x: u64) -> u64 {
        let wide: u128 = x as u128;
        (wide * 3 + x as u128) as u64
    }
}

// help: write `y as i128`
// help: convert with `as i128`
// help: convert with `as f64`
accelerate! {
    pub fn f(y: u32) -> f64 {
        (y as i128 * y as i128) as f64
    }
}

// help: convert with `as`
accelerate! {
    pub fn f(xs: &Vector<u64>) -> Vector<u64> {
        xs << 3u128 as u64
    }
}

// help: take two `u64`, and put them together: `(high as u128) << 64 | low as u128`
// help: write its halves, two `u64`: `(x >> 64) as u64` and `x as u64`
accelerate! {
    pub fn f(high: u64, low: u64) -> (u64, u64) {
        let x = (high as u128) << 64 | low as u128;
        ((x >> 64) as u64, x as u64)
    }
}

// help: write two arrays of `u64`, or an array of pairs: the high halves and the low ones
accelerate! {
    pub fn arrays(high: &Vector<u64>, low: &Vector<u64>) -> Vector<u64> {
        high.zip(low).map(|(high, low)| (((high as u128) << 64 | low as u128) >> 3) as u64)
    }

    pub fn pairs(xs: &Vector<(u64, u64)>) -> Vector<u64> {
        xs.map(|(high, low)| (((high as u128) << 64 | low as u128) >> 3) as u64)
    }
}
