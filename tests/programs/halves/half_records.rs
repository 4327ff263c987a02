//! Structs, enums, options and fixed arrays of floats of 16 bits, kept where a condition holds.
//!
//! shapes: xs n

accelerate! {
    pub struct Sample { pub value: f16, pub weight: Option<bf16>, pub pair: [f16; 2] }

    pub enum Shade { Dark, Gray(f16), Colour(bf16, u8) }

    pub fn half_records(xs: &Vector<f16>, k: f16) -> (Vector<Sample>, Vector<Shade>) {
        let kept = xs.filter(|x| x >= k);
        let samples = kept.map(|x| Sample {
            value: x,
            weight: if x > 1.0 { Some(x as bf16) } else { None },
            pair: [x + k, x - k],
        });
        let shades = xs.map(|x| {
            if x < k { Shade::Dark } else if x < 1.0 { Shade::Gray(x) } else { Shade::Colour(x as bf16, x as u8) }
        });
        (samples, shades)
    }
}
