//! C identifiers: readable, unique within a kernel, and never a word of C++ or of the prelude.

use super::prelude;
use std::collections::HashSet;

/// Words that a generated name must not be, besides those that the prelude declares: those of C++, CUDA and C's library, and
/// those that generated kernels use.
const RESERVED: &str = "alignas alignof and and_eq asm atomic_cancel auto bitand bitor bool break case catch char \
    char8_t char16_t char32_t class compl concept const consteval constexpr constinit const_cast continue co_await \
    co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float \
    for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private \
    protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast \
    struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void \
    volatile wchar_t while xor xor_eq main NULL INFINITY NAN assert \
    Index Team State team row row_count group at element combine step failure epoch failed partials tickets slots is_last \
    load use in inputs finish through before earlier tile handed found most span some given disorder part parts total keep \
    identity left right reached Reached sum_of_copies is_changed \
    exp expf exp2 exp2f expm1 expm1f log logf log1p log1pf log2 log2f log10 log10f sin sinf cos cosf tan tanf asin asinf \
    acos acosf atan atanf atan2 atan2f sinh sinhf cosh coshf tanh tanhf asinh asinhf acosh acoshf atanh atanhf pow powf \
    cbrt cbrtf hypot hypotf erf erff erfc erfcf lgamma lgammaf tgamma tgammaf rsqrt rsqrtf fma fmaf sqrt sqrtf \
    floor floorf ceil ceilf trunc truncf round roundf rint rintf fabs fabsf copysign copysignf fmod fmodf memcpy min max \
    abs gamma j0 j1 jn y0 y1 yn j0f j1f jnf y0f y1f ynf unix linux threadIdx blockIdx blockDim gridDim \
    warpSize index time signal read write exit select accept pipe stat div ldiv remainder signgam";

/// The identifiers in use.
#[derive(Clone, Default)]
pub(super) struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// None in use but the reserved words.
    pub(super) fn new() -> Names {
        Names {
            taken: (RESERVED.split_whitespace().chain(prelude::OWN.names()))
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Whether nothing is called so.
    pub(super) fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name)
    }

    /// `wanted` made an identifier, with a number at its end if it is taken.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let stem = identifier(wanted);
        let mut name = stem.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{stem}_{number}");
        }
        name
    }
}

/// Letters, digits and single underscores; not starting with a digit or an underscore.
pub(super) fn identifier(wanted: &str) -> String {
    let mut name = String::new();
    for c in wanted.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.ends_with('_') && !name.is_empty() {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    match name.chars().next() {
        None => "value".to_owned(),
        Some(c) if c.is_ascii_digit() => format!("value_{name}"),
        Some(_) => name.to_owned(),
    }
}

/// What an element of a buffer is called: an element of `xs` is an `x`.
pub(super) fn singular(buffer: &str) -> String {
    match buffer.strip_suffix('s') {
        Some(stem) if !stem.is_empty() && !stem.ends_with('s') => stem.to_owned(),
        _ => format!("{buffer}_element"),
    }
}

/// Whether an identifier stands in a text.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_identifiers() {
        let mut names = Names::new();
        assert_eq!(names.fresh("xs"), "xs");
        assert_eq!(names.fresh("xs"), "xs_2");
        assert_eq!(names.fresh("float"), "float_2");
        assert_eq!(names.fresh("lowest"), "lowest_2");
        assert_eq!(names.fresh("xs.0"), "xs_0");
        assert_eq!(names.fresh("__a__b"), "a_b");
        assert_eq!(names.fresh("0"), "value_0");
        assert_eq!(names.fresh("é"), "value");
    }
}
