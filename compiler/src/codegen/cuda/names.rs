//! C identifiers: readable, unique within a kernel, and never a word of C++ or of the prelude.

use std::collections::HashSet;

/// Words that a generated name must not be: C++, CUDA, and the prelude's functions and types.
const RESERVED: &str = "alignas alignof and and_eq asm atomic_cancel auto bitand bitor bool break case catch char \
    char8_t char16_t char32_t class compl concept const consteval constexpr constinit const_cast continue co_await \
    co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float \
    for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private \
    protected public register reinterpret_cast requires return short signed sizeof static static_assert static_cast \
    struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void \
    volatile wchar_t while xor xor_eq main NULL INFINITY NAN assert \
    i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 Index Team State team row row_count group at element combine step failure epoch failed partials \
    tickets report minimum maximum quotient remainder_of shift_left shift_right saturate bits_as pack load_pack \
    store_pack ones pow_f32 erfc_f32 rsqrt_f32 rsqrt_f64 slots is_last load use in inputs finish through before earlier scan_row tile handed found most span some given disorder read_ahead part parts total identity left right \
    update update_word update_part update_add update_min update_max update_and update_or update_xor with_lock load_shared store_shared \
    arrives_again reached Reached EveryTarget RangeOfTargets range_of_targets clear_table sum_of_copies is_changed \
    sort_lanes order_bits sort_digit sort_leaf sort_space sort_place sort_starts sort_ranks sort_exchange sort_rows sort_count sort_pass \
    merge_leaf merge_space merge_part merge_load merge_shared merge_tiles merge_round merge_cuts merge_pairs \
    exp expf exp2 exp2f expm1 expm1f log logf log1p log1pf log2 log2f log10 log10f sin sinf cos cosf tan tanf asin asinf \
    acos acosf atan atanf atan2 atan2f sinh sinhf cosh coshf tanh tanhf asinh asinhf acosh acoshf atanh atanhf pow powf \
    cbrt cbrtf hypot hypotf erf erff erfc erfcf lgamma lgammaf tgamma tgammaf rsqrt rsqrtf fma fmaf sqrt sqrtf \
    floor floorf ceil ceilf trunc truncf round roundf rint rintf fabs fabsf copysign copysignf fmod fmodf memcpy min max \
    abs gamma j0 j1 jn y0 y1 yn j0f j1f jnf y0f y1f ynf SHARED INLINE unix linux threadIdx blockIdx blockDim gridDim \
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
            taken: RESERVED.split_whitespace().map(str::to_owned).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_identifiers() {
        let mut names = Names::new();
        assert_eq!(names.fresh("xs"), "xs");
        assert_eq!(names.fresh("xs"), "xs_2");
        assert_eq!(names.fresh("float"), "float_2");
        assert_eq!(names.fresh("xs.0"), "xs_0");
        assert_eq!(names.fresh("__a__b"), "a_b");
        assert_eq!(names.fresh("0"), "value_0");
        assert_eq!(names.fresh("é"), "value");
    }
}
