//! Values of tests' programs in parts, since the host has none of 128 bits.

use accelerate_compiler::scalar::{Leaf, Scalar};
use std::fmt::Debug;

/// What a program can take and give in the place of a value: its parts.
pub(super) trait Parts {
    /// The type in the language.
    const TYPE: &'static str;
    /// That of the parts.
    const HOST: &'static str;
    /// The parts of a variable.
    fn text(of: &str) -> String;
    fn parts(self, into: &mut Vec<u64>);
}

macro_rules! scalars {
    ($($t:ident: $host:ident, $bits:ident;)*) => {
        $(impl Parts for $t {
            const TYPE: &'static str = stringify!($t);
            const HOST: &'static str = stringify!($t);
            fn text(of: &str) -> String {
                of.to_string()
            }
            fn parts(self, into: &mut Vec<u64>) {
                into.push(u64::from(self.$bits() as $host));
            }
        })*
    };
}

trait Bits: Sized {
    fn own(self) -> Self {
        self
    }
}

impl Bits for u8 {}
impl Bits for i8 {}
impl Bits for u16 {}
impl Bits for u32 {}
impl Bits for i32 {}
impl Bits for u64 {}
impl Bits for i64 {}
impl Bits for bool {}

scalars! {
    u8: u8, own; i8: u8, own; u16: u16, own; u32: u32, own; i32: u32, own; u64: u64, own; i64: u64, own; bool: u8, own;
    f32: u32, to_bits; f64: u64, to_bits;
}

macro_rules! wide {
    ($($t:ident)*) => {
        $(impl Parts for $t {
            const TYPE: &'static str = stringify!($t);
            const HOST: &'static str = "(u64, u64)";
            fn text(of: &str) -> String {
                format!("(({of} >> 64) as u64, {of} as u64)")
            }
            fn parts(self, into: &mut Vec<u64>) {
                into.extend([(self >> 64) as u64, self as u64]);
            }
        })*
    };
}

wide! { u128 i128 }

impl<A: Parts, B: Parts> Parts for (A, B) {
    const TYPE: &'static str = "_";
    const HOST: &'static str = "_";
    fn text(of: &str) -> String {
        format!(
            "({}, {})",
            A::text(&format!("{of}.0")),
            B::text(&format!("{of}.1"))
        )
    }
    fn parts(self, into: &mut Vec<u64>) {
        self.0.parts(into);
        self.1.parts(into);
    }
}

impl Parts for [u8; 16] {
    const TYPE: &'static str = "[u8; 16]";
    const HOST: &'static str = "[u8; 16]";
    fn text(of: &str) -> String {
        of.to_string()
    }
    fn parts(self, into: &mut Vec<u64>) {
        self.into_iter().for_each(|byte| byte.parts(into));
    }
}

/// An option is a `bool` and a value, which is zero in a `None`.
impl<T: Parts + Default> Parts for Option<T> {
    const TYPE: &'static str = "_";
    const HOST: &'static str = "_";
    fn text(of: &str) -> String {
        let zero = format!("(0_u8 as {})", T::TYPE);
        let (some, none) = (T::text("value"), T::text(&zero));
        format!("match {of} {{ Some(value) => (true, {some}), None => (false, {none}) }}")
    }
    fn parts(self, into: &mut Vec<u64>) {
        into.push(self.is_some().into());
        self.unwrap_or_default().parts(into);
    }
}

/// What the tests' programs take.
pub(super) trait Input: Copy + Debug {
    const TYPE: &'static str;
    /// The type of the first of two parameters; the second is a `u64`.
    const GIVEN: &'static str;
    fn built(first: &str, second: &str) -> String;
    fn scalars(self) -> [Scalar; 2];
}

macro_rules! wide_inputs {
    ($($t:ident)*) => {
        $(impl Input for $t {
            const TYPE: &'static str = stringify!($t);
            const GIVEN: &'static str = "u64";
            fn built(first: &str, second: &str) -> String {
                format!("(({first} as {0}) << 64 | {second} as {0})", stringify!($t))
            }
            fn scalars(self) -> [Scalar; 2] {
                [(self >> 64) as u64, self as u64].map(|bits| Scalar::wrapped(Leaf::U64, bits))
            }
        })*
    };
}

wide_inputs! { u128 i128 }

macro_rules! inputs {
    ($($t:ident $leaf:ident: |$x:ident| $bits:expr;)*) => {
        $(impl Input for $t {
            const TYPE: &'static str = stringify!($t);
            const GIVEN: &'static str = stringify!($t);
            fn built(first: &str, _second: &str) -> String {
                first.to_string()
            }
            fn scalars(self) -> [Scalar; 2] {
                let $x = self;
                [Scalar::wrapped(Leaf::$leaf, $bits), Scalar::wrapped(Leaf::U64, 0)]
            }
        })*
    };
}

inputs! {
    u32 U32: |x| x.into();
    u64 U64: |x| x;
    i64 I64: |x| x as u64;
    i8 I8: |x| x as u64;
    f32 F32: |x| x.to_bits().into();
    f64 F64: |x| x.to_bits();
}
