//! AVX2: lanes in memory that are masked, and lanes in another order. See `avx2.rs`.

use super::VIRTUAL;
use super::avx2::W;
use super::order::{Order, indices, source};
use std::arch::x86_64::*;

/// Methods of a vector of `$n` registers.
macro_rules! memory {
    ($leaf:ident, $register:ident, 2) => {
        #[inline(always)]
        unsafe fn load_masked(from: *const $leaf, mask: <Self::L as Lanes>::Mask) -> Self {
            // SAFETY: by the caller's promise; of one size, and any bits are a number; the features are present.
            unsafe {
                Self(std::mem::transmute::<[__m256i; 2], [$register; 2]>(each!(2, I => {
                    _mm256_maskload_epi32(from.wrapping_add(8 * I).cast(), mask.0[I])
                })))
            }
        }
        #[inline(always)]
        unsafe fn store_masked(self, to: *mut $leaf, mask: <Self::L as Lanes>::Mask) {
            // SAFETY: by the caller's promise; of one size; the features are present.
            unsafe {
                let lanes = std::mem::transmute::<[$register; 2], [__m256i; 2]>(self.0);
                let _: [(); 2] = each!(2, I => {
                    _mm256_maskstore_epi32(to.wrapping_add(8 * I).cast(), mask.0[I], lanes[I])
                });
            }
        }
        #[inline(always)]
        fn ordered<O: $crate::lanes::Order>(self) -> Self {
            // SAFETY: of one size, and any bits are a number; the features are present.
            unsafe {
                let lanes = std::mem::transmute::<[$register; 2], [__m256i; 2]>(self.0);
                let lanes = $crate::lanes::avx2_memory::narrow::<O>(lanes);
                Self(std::mem::transmute::<[__m256i; 2], [$register; 2]>(lanes))
            }
        }
    };
    ($leaf:ident, $register:ident, 4) => {
        #[inline(always)]
        unsafe fn load_masked(from: *const $leaf, mask: <Self::L as Lanes>::Mask) -> Self {
            // SAFETY: by the caller's promise; of one size, and any bits are a number; the features are present.
            unsafe {
                let mask = mask.wide();
                Self(std::mem::transmute::<[__m256i; 4], [$register; 4]>(each!(4, I => {
                    _mm256_maskload_epi64(from.wrapping_add(4 * I).cast(), mask[I])
                })))
            }
        }
        #[inline(always)]
        unsafe fn store_masked(self, to: *mut $leaf, mask: <Self::L as Lanes>::Mask) {
            // SAFETY: by the caller's promise; of one size; the features are present.
            unsafe {
                let mask = mask.wide();
                let lanes = std::mem::transmute::<[$register; 4], [__m256i; 4]>(self.0);
                let _: [(); 4] = each!(4, I => {
                    _mm256_maskstore_epi64(to.wrapping_add(4 * I).cast(), mask[I], lanes[I])
                });
            }
        }
    };
}
pub(super) use memory;

struct Indices<O>(std::marker::PhantomData<O>);

impl<O: Order> Indices<O> {
    const NARROW: [i32; VIRTUAL] = indices::<O>(W);
}

/// Lanes of 32 bits in another order.
///
/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn narrow<O: Order>(x: [__m256i; 2]) -> [__m256i; 2] {
    // SAFETY: by the caller's promise.
    super::avx2::each!(2, I => unsafe {
        let from = _mm256_loadu_si256(Indices::<O>::NARROW.as_ptr().add(8 * I).cast());
        match const { source::<O>(W, (8 * I, 8), 8) } {
            Some(only) => _mm256_permutevar8x32_epi32(x[only], from),
            None => {
                let low = _mm256_permutevar8x32_epi32(x[0], from);
                let high = _mm256_permutevar8x32_epi32(x[1], from);
                _mm256_blendv_epi8(low, high, _mm256_cmpgt_epi32(from, _mm256_set1_epi32(7)))
            }
        }
    })
}
