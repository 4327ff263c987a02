//! What vectors can do. Default methods go lane by lane and are the meaning; instruction sets override the hot ones.

use super::{Dealt, Element, High, Lanes, Leaf, Low, Order, VIRTUAL};

/// Conversions to every numeric vector of an instruction set: Rust's `as` in each lane.
pub trait Casts<L: Lanes>:
    Cast<L::I8>
    + Cast<L::I16>
    + Cast<L::I32>
    + Cast<L::I64>
    + Cast<L::U8>
    + Cast<L::U16>
    + Cast<L::U32>
    + Cast<L::U64>
    + Cast<L::F32>
    + Cast<L::F64>
{
}

impl<L: Lanes, V> Casts<L> for V where
    V: Cast<L::I8>
        + Cast<L::I16>
        + Cast<L::I32>
        + Cast<L::I64>
        + Cast<L::U8>
        + Cast<L::U16>
        + Cast<L::U32>
        + Cast<L::U64>
        + Cast<L::F32>
        + Cast<L::F64>
{
}

/// Rust's `as` in each lane.
pub trait Cast<To> {
    /// Converts each lane.
    fn cast(self) -> To;
}

/// A vector of any leaf type.
pub trait Value: Copy {
    /// The instruction set.
    type L: Lanes;
    /// The leaf type.
    type T: Leaf;

    /// `x` in every lane.
    fn splat(x: Self::T) -> Self;

    /// Each lane by its number.
    #[inline(always)]
    fn from_lanes(lane: impl Fn(usize) -> Self::T) -> Self {
        let mut lanes = [Self::T::ZERO; VIRTUAL];
        for (at, x) in lanes.iter_mut().enumerate().take(Self::L::W) {
            *x = lane(at);
        }
        // SAFETY: there are enough elements.
        unsafe { Self::load(lanes.as_ptr()) }
    }

    /// One lane.
    fn lane(self, lane: usize) -> Self::T;

    /// The same with `x` in one lane.
    fn with_lane(self, lane: usize, x: Self::T) -> Self;

    /// `a` where `mask` holds, else `b`.
    fn select(mask: <Self::L as Lanes>::Mask, a: Self, b: Self) -> Self;

    /// The lanes in another order.
    #[inline(always)]
    fn ordered<O: Order>(self) -> Self {
        Self::from_lanes(|lane| self.lane(O::FROM[lane] % Self::L::W))
    }

    /// The first halves of two vectors, and the second ones.
    #[inline(always)]
    fn halves(a: Self, b: Self) -> (Self, Self) {
        let half = Self::L::W / 2;
        let halves = |first: usize| {
            Self::from_lanes(|lane| match lane < half {
                true => a.lane(first + lane),
                false => b.lane(first + lane - half),
            })
        };
        (halves(0), halves(half))
    }

    /// Of the lanes of two vectors one after the other: the even ones, and the odd ones.
    #[inline(always)]
    fn pairs(a: Self, b: Self) -> (Self, Self) {
        Self::halves(a.ordered::<Dealt<Self::L>>(), b.ordered::<Dealt<Self::L>>())
    }

    /// Reads neighbours.
    ///
    /// # Safety
    /// `from` must be valid for `W` elements.
    unsafe fn load(from: *const Self::T) -> Self;

    /// Writes neighbours.
    ///
    /// # Safety
    /// `to` must be valid for `W` elements.
    unsafe fn store(self, to: *mut Self::T);

    /// Writes neighbours; if `past`, past the caches where that can be: memory is not read for them first, and what the
    /// caches hold stays. See [`Lanes::stream`] for their order.
    ///
    /// # Safety
    /// `to` must be valid for `W` elements.
    #[inline(always)]
    unsafe fn store_past(self, to: *mut Self::T, past: bool) {
        let (line, bytes) = (Self::L::STREAMED, size_of::<Self>());
        // Else it is no array of elements: truth values.
        let lanes = const { size_of::<Self>() == Self::L::W * size_of::<Self::T>() };
        if !(past
            && lanes
            && line > 0
            && bytes.is_multiple_of(line)
            && to.addr().is_multiple_of(line))
        {
            // SAFETY: by the caller's promise.
            return unsafe { self.store(to) };
        }
        let from = (&raw const self).cast::<u8>();
        for at in (0..bytes).step_by(line) {
            // SAFETY: by the caller's promise; both are that long, and the address is such a multiple.
            unsafe { Self::L::stream(from.add(at), to.cast::<u8>().add(at)) };
        }
    }

    /// Writes the lanes of two vectors in turn: the first of each, the second of each, and so on.
    ///
    /// # Safety
    /// `to` must be valid for `2 * W` elements.
    #[inline(always)]
    unsafe fn store_in_turn(a: Self, b: Self, to: *mut Self::T) {
        if Self::L::W == 1 {
            // SAFETY: by the caller's promise.
            return unsafe {
                a.store(to);
                b.store(to.wrapping_add(1));
            };
        }
        let odd = <Self::L as Lanes>::Mask::from_lanes(|lane| lane % 2 == 1);
        let low = Self::select(odd, b.ordered::<Low>(), a.ordered::<Low>());
        let high = Self::select(
            odd,
            b.ordered::<High<Self::L>>(),
            a.ordered::<High<Self::L>>(),
        );
        // SAFETY: by the caller's promise.
        unsafe {
            low.store(to);
            high.store(to.wrapping_add(Self::L::W));
        }
    }

    /// Reads neighbours where `mask` holds; zero elsewhere.
    ///
    /// # Safety
    /// The elements where `mask` holds must be valid.
    #[inline(always)]
    unsafe fn load_masked(from: *const Self::T, mask: <Self::L as Lanes>::Mask) -> Self {
        if mask.all() {
            // SAFETY: the mask holds everywhere.
            return unsafe { Self::load(from) };
        }
        Self::from_lanes(|lane| match mask.lane(lane) {
            // SAFETY: the mask holds here.
            true => unsafe { *from.wrapping_add(lane) },
            false => Self::T::ZERO,
        })
    }

    /// Writes neighbours where `mask` holds.
    ///
    /// # Safety
    /// The elements where `mask` holds must be valid.
    #[inline(always)]
    unsafe fn store_masked(self, to: *mut Self::T, mask: <Self::L as Lanes>::Mask) {
        if mask.all() {
            // SAFETY: the mask holds everywhere.
            return unsafe { self.store(to) };
        }
        for lane in 0..Self::L::W {
            if mask.lane(lane) {
                // SAFETY: the mask holds here.
                unsafe { *to.wrapping_add(lane) = self.lane(lane) };
            }
        }
    }

    /// Reads `from[index]` in each lane. Volatile, so that it is not made one of the instructions that gather: those took 17 to 20 ns
    /// an element where this was measured (a Xeon of 2.5 GHz).
    ///
    /// # Safety
    /// The elements must be valid.
    #[inline(always)]
    unsafe fn gather(from: *const Self::T, index: <Self::L as Lanes>::U64) -> Self {
        let mut at = [0u64; VIRTUAL];
        // SAFETY: there is room for all lanes; by the caller's promise. Indices are taken faster from memory than from a
        // vector.
        unsafe {
            index.store(at.as_mut_ptr());
            Self::from_lanes(|lane| {
                let at = match const { Self::L::W > 4 } {
                    true => (&raw const at[lane]).read_volatile(),
                    false => at[lane],
                };
                from.wrapping_add(at as usize).read_volatile()
            })
        }
    }

    /// Reads `from[index]` where `mask` holds; zero elsewhere.
    ///
    /// # Safety
    /// The elements where `mask` holds must be valid.
    #[inline(always)]
    unsafe fn gather_masked(
        from: *const Self::T,
        index: <Self::L as Lanes>::U64,
        mask: <Self::L as Lanes>::Mask,
    ) -> Self {
        if mask.all() {
            // SAFETY: the mask holds everywhere.
            return unsafe { Self::gather(from, index) };
        }
        let zero = Self::splat(Self::T::ZERO);
        if !mask.any() {
            return zero;
        }
        // Where one element is valid, so is the first.
        let index = Value::select(mask, index, Value::splat(0));
        // SAFETY: by the caller's promise.
        Self::select(mask, unsafe { Self::gather(from, index) }, zero)
    }

    /// Writes `to[index]` where `mask` holds.
    ///
    /// # Safety
    /// The elements where `mask` holds must be valid.
    #[inline(always)]
    unsafe fn scatter(
        self,
        to: *mut Self::T,
        index: <Self::L as Lanes>::U64,
        mask: <Self::L as Lanes>::Mask,
    ) {
        for lane in 0..Self::L::W {
            if mask.lane(lane) {
                // SAFETY: the mask holds here.
                unsafe { *to.wrapping_add(index.lane(lane) as usize) = self.lane(lane) };
            }
        }
    }
}

/// A truth value per lane.
#[expect(missing_docs, reason = "the names say it")]
pub trait Mask: Value<T = bool> {
    /// The first `count` lanes.
    fn first(count: usize) -> Self;
    /// The lanes whose bit is set, from the lowest.
    fn of_bits(bits: u32) -> Self;
    fn all(self) -> bool;
    fn any(self) -> bool;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
    /// `self && !other`.
    fn but_not(self, other: Self) -> Self;
}

/// Applies a function of elements in each lane.
macro_rules! each_lane {
    ([$($x:ident = $v:expr),*] $e:expr) => {
        Value::from_lanes(|lane| {
            $(let $x = $v.lane(lane);)*
            $e
        })
    };
}

macro_rules! compare_lanes {
    ($a:ident $op:tt $b:ident) => {
        Value::from_lanes(|lane| $a.lane(lane) $op $b.lane(lane))
    };
}

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident = $element:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name(self) -> Self { each_lane!([x = self] x.$element()) }
    )*};
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $element:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name(self, other: Self) -> Self { each_lane!([x = self, y = other] x.$element(y)) }
    )*};
}

/// Numbers. Integers wrap.
#[expect(missing_docs, reason = "the names are Rust's")]
pub trait Number: Value<T: Element> {
    binary! {
        add = plus;
        sub = minus;
        mul = times;
        /// Integers: zero where the divisor is zero.
        div = over;
        /// Integers: zero where the divisor is zero.
        rem = modulo;
        /// Ignores NaN; -0 is less than +0.
        min = least;
        /// As [`Number::min`].
        max = greatest;
    }
    unary! {
        neg = negative;
        abs = magnitude;
    }
    #[inline(always)]
    fn eq(self, other: Self) -> <Self::L as Lanes>::Mask {
        compare_lanes!(self == other)
    }
    #[inline(always)]
    fn ne(self, other: Self) -> <Self::L as Lanes>::Mask {
        compare_lanes!(self != other)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> <Self::L as Lanes>::Mask {
        compare_lanes!(self < other)
    }
    #[inline(always)]
    fn le(self, other: Self) -> <Self::L as Lanes>::Mask {
        compare_lanes!(self <= other)
    }
    /// 0, 1, 2, ...
    #[inline(always)]
    fn iota() -> Self {
        Self::from_lanes(Self::T::from_index)
    }
}

/// Integers.
#[expect(missing_docs, reason = "the names are Rust's")]
pub trait Integer: Number {
    binary! {
        and = bits_and;
        or = bits_or;
        xor = bits_xor;
        /// The high half of the product.
        mul_high = times_high;
    }
    unary! {
        not = bits_not;
        swap_bytes = swapped;
        reverse_bits = reversed;
    }
    /// The shift is taken modulo the width.
    #[inline(always)]
    fn shl(self, by: <Self::L as Lanes>::U32) -> Self {
        each_lane!([x = self, n = by] x.left(n))
    }
    /// As [`Integer::shl`]; arithmetic on signed integers.
    #[inline(always)]
    fn shr(self, by: <Self::L as Lanes>::U32) -> Self {
        each_lane!([x = self, n = by] x.right(n))
    }
    #[inline(always)]
    fn count_ones(self) -> <Self::L as Lanes>::U32 {
        each_lane!([x = self] x.ones())
    }
    #[inline(always)]
    fn leading_zeros(self) -> <Self::L as Lanes>::U32 {
        each_lane!([x = self] x.leading())
    }
    #[inline(always)]
    fn trailing_zeros(self) -> <Self::L as Lanes>::U32 {
        each_lane!([x = self] x.trailing())
    }
}

/// Floating point.
#[expect(missing_docs, reason = "the names are Rust's")]
pub trait Float: Number {
    /// Whether [`Float::fused`] rounds once.
    const FUSED: bool = false;
    unary! {
        sqrt = root;
        floor = down;
        ceil = up;
        trunc = truncated;
        round_even = even;
    }
    binary! {
        copysign = with_sign;
    }
    /// Half away from zero.
    #[inline(always)]
    fn round(self) -> Self {
        let whole = self.trunc();
        let half = self.sub(whole).abs();
        let one = Self::splat(Self::T::from_index(1));
        // Doubling is exact, and `half` is below 1.
        let away = whole.add(one.copysign(self));
        Self::select(one.le(half.add(half)), away, whole).copysign(self)
    }
    /// One rounding, with or without hardware for it.
    #[inline(always)]
    fn mul_add(self, times: Self, plus: Self) -> Self {
        each_lane!([x = self, y = times, z = plus] x.times_plus(y, z))
    }
    /// One rounding where the hardware has it, else two: for what may contract, and for math functions.
    #[inline(always)]
    fn fused(self, times: Self, plus: Self) -> Self {
        self.mul(times).add(plus)
    }
    /// `1 / sqrt(self)`, within 2 ulp.
    #[inline(always)]
    fn rsqrt(self) -> Self {
        Self::splat(Self::T::from_index(1)).div(self.sqrt())
    }
    /// `self / by` within 2 ulp, but where `by` is subnormal: for what need not be exact.
    #[inline(always)]
    fn fast_div(self, by: Self) -> Self {
        self.div(by)
    }
    /// Between two bounds that are neither zero nor NaN, at fewer instructions than [`Number::min`] takes; NaN gives `low`.
    #[inline(always)]
    fn bounded(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
    #[inline(always)]
    fn is_nan(self) -> <Self::L as Lanes>::Mask {
        self.ne(self)
    }
}
