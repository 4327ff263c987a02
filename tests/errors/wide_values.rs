//! Integers of 128 bits in place of other types, and their values.

accelerate! {
    const BELOW: u128 = 0 - 1;
    const ABOVE: i128 = i128::MAX + 1;
    const SHIFTED: u128 = 1 << 128;
    const DIVIDED: i128 = 1 / 0;

    pub fn literals() -> u64 {
        let a = 340_282_366_920_938_463_463_374_607_431_768_211_456;
        let b: i128 = 170_141_183_460_469_231_731_687_303_715_884_105_728;
        let c = 300u128 as u8 + 0x1_FFu8;
        let d = 1u129;
        let e: u64 = 18_446_744_073_709_551_616;
        a + b as u64 + c as u64 + d + e
    }

    pub fn mixed(x: u64, y: u32) -> u64 {
        let a = x as u128 + x;
        let b = y * y as i128;
        let c: u64 = x as u128;
        let d: u128 = x;
        a as u64 + b as u64 + c + d as u64
    }

    pub fn casts(x: u64) -> bool {
        let a = x as u128 as char;
        let b = x as u128 as bool;
        b && a == 'a'
    }

    pub fn from(x: i64, y: u64) -> u64 {
        let a = u128::from(x);
        let b = i128::from(y as u128);
        let c = u64::from(y as u128);
        let d = f64::from(y as u128);
        a as u64 + b as u64 + c + d as u64
    }

    pub fn operators(x: u64) -> u64 {
        let wide = x as u128;
        let a = wide << 128;
        let b = wide / 0;
        let c = -wide;
        let d = wide % 0u128;
        (a + b + c + d) as u64
    }

    pub fn methods(x: u64) -> u64 {
        let wide = x as u128;
        let a = wide.sqrt();
        let b = wide.count_one();
        let c = wide.abs();
        let d = u128::PI;
        let e = u128::zero();
        a + b + c + d + e
    }

    pub fn patterns(x: i128, y: u64) -> u32 {
        match y as u128 {
            0 => 1,
            5..=2 => 2,
            7..u128::MAX => 3,
        }
    }

    pub fn missing(y: u64) -> u32 {
        match y as i128 {
            i128::MIN..=0 => 1,
            2.. => 2,
        }
    }

    pub fn unreached(y: u64) -> u32 {
        match y as u128 {
            0..=99 => 1,
            50 => 2,
            _ => 3,
        }
    }

    #[foreign(cuda = "src/fast.cuh")]
    fn foreign(x: u128) -> u64 {
        x as u64
    }
}
