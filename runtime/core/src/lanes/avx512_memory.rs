//! AVX-512: lanes in memory that are masked, and lanes in another order. See `avx512.rs`.

use super::VIRTUAL;
use super::order::{Order, indices, source};
use std::arch::x86_64::*;

/// Methods of a vector of `$n` registers.
macro_rules! memory {
    ($leaf:ident, $register:ident, 2) => {
        memory!(@ $leaf, $register, 2, u16, 16, _mm512_maskz_loadu_epi32, _mm512_mask_storeu_epi32, narrow);
    };
    ($leaf:ident, $register:ident, 4) => {
        memory!(@ $leaf, $register, 4, u8, 8, _mm512_maskz_loadu_epi64, _mm512_mask_storeu_epi64, wide);
    };
    (@ $leaf:ident, $register:ident, $n:tt, $bits:ty, $lanes:expr, $load:ident, $store:ident, $order:ident) => {
        #[inline(always)]
        unsafe fn load_masked(from: *const $leaf, mask: <Self::L as Lanes>::Mask) -> Self {
            // SAFETY: by the caller's promise; of one size, and any bits are a number; the features are present.
            unsafe {
                Self(std::mem::transmute::<[__m512i; $n], [$register; $n]>(each!($n, I => {
                    $load((mask.0 >> ($lanes * I)) as $bits, from.wrapping_add($lanes * I).cast())
                })))
            }
        }
        #[inline(always)]
        unsafe fn store_masked(self, to: *mut $leaf, mask: <Self::L as Lanes>::Mask) {
            // SAFETY: by the caller's promise; of one size; the features are present.
            unsafe {
                let lanes = std::mem::transmute::<[$register; $n], [__m512i; $n]>(self.0);
                let _: [(); $n] = each!($n, I => {
                    $store(to.wrapping_add($lanes * I).cast(), (mask.0 >> ($lanes * I)) as $bits, lanes[I])
                });
            }
        }
        #[inline(always)]
        fn ordered<O: $crate::lanes::Order>(self) -> Self {
            // SAFETY: of one size, and any bits are a number; the features are present.
            unsafe {
                let lanes = std::mem::transmute::<[$register; $n], [__m512i; $n]>(self.0);
                Self(std::mem::transmute::<[__m512i; $n], [$register; $n]>($crate::lanes::avx512_memory::$order::<O>(lanes)))
            }
        }
    };
}
pub(super) use memory;

struct Indices<O>(std::marker::PhantomData<O>);

impl<O: Order> Indices<O> {
    const NARROW: [i32; VIRTUAL] = indices::<O>(VIRTUAL);
    const WIDE: [i64; VIRTUAL] = {
        let mut wide = [0; VIRTUAL];
        let mut lane = 0;
        while lane < VIRTUAL {
            wide[lane] = Self::NARROW[lane] as i64;
            lane += 1;
        }
        wide
    };
}

/// Lanes of 32 bits in another order.
///
/// # Safety
/// AVX-512.
#[inline(always)]
pub(super) unsafe fn narrow<O: Order>(x: [__m512i; 2]) -> [__m512i; 2] {
    // SAFETY: by the caller's promise.
    super::avx2::each!(2, I => unsafe {
        let from = _mm512_loadu_si512(Indices::<O>::NARROW.as_ptr().add(16 * I).cast());
        match const { source::<O>(VIRTUAL, (16 * I, 16), 16) } {
            Some(only) => _mm512_permutexvar_epi32(from, x[only]),
            None => _mm512_permutex2var_epi32(x[0], from, x[1]),
        }
    })
}

/// Lanes of 64 bits in another order.
///
/// # Safety
/// AVX-512.
#[inline(always)]
pub(super) unsafe fn wide<O: Order>(x: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: by the caller's promise.
    super::avx2::each!(4, I => unsafe {
        let from = _mm512_loadu_si512(Indices::<O>::WIDE.as_ptr().add(8 * I).cast());
        if let Some(only) = const { source::<O>(VIRTUAL, (8 * I, 8), 8) } {
            _mm512_permutexvar_epi64(from, x[only])
        } else if let Some(pair) = const { source::<O>(VIRTUAL, (8 * I, 8), 16) } {
            _mm512_permutex2var_epi64(x[2 * pair], from, x[2 * pair + 1])
        } else {
            let low = _mm512_permutex2var_epi64(x[0], from, x[1]);
            let high = _mm512_permutex2var_epi64(x[2], from, x[3]);
            let second = _mm512_cmpge_epi64_mask(from, _mm512_set1_epi64(16));
            _mm512_mask_blend_epi64(second, low, high)
        }
    })
}
