// CUDA's arithmetic and math functions, from g++'s builtins and libm. Included by device.h only.
#pragma once

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VAL (__builtin_huge_val())

#define EMULATED_MATH1(name)                     \
    extern "C" double name(double) noexcept;     \
    extern "C" float name##f(float) noexcept;    \
    EMULATED_INLINE float name(float x) { return name##f(x); }
#define EMULATED_MATH2(name)                             \
    extern "C" double name(double, double) noexcept;     \
    extern "C" float name##f(float, float) noexcept;     \
    EMULATED_INLINE float name(float x, float y) { return name##f(x, y); }
EMULATED_MATH1(exp) EMULATED_MATH1(exp2) EMULATED_MATH1(exp10) EMULATED_MATH1(expm1)
EMULATED_MATH1(log) EMULATED_MATH1(log2) EMULATED_MATH1(log10) EMULATED_MATH1(log1p)
EMULATED_MATH1(sin) EMULATED_MATH1(cos) EMULATED_MATH1(tan)
EMULATED_MATH1(asin) EMULATED_MATH1(acos) EMULATED_MATH1(atan)
EMULATED_MATH1(sinh) EMULATED_MATH1(cosh) EMULATED_MATH1(tanh)
EMULATED_MATH1(asinh) EMULATED_MATH1(acosh) EMULATED_MATH1(atanh)
EMULATED_MATH1(sqrt) EMULATED_MATH1(cbrt) EMULATED_MATH1(erf) EMULATED_MATH1(erfc) EMULATED_MATH1(lgamma) EMULATED_MATH1(tgamma)
EMULATED_MATH1(floor) EMULATED_MATH1(ceil) EMULATED_MATH1(trunc) EMULATED_MATH1(round) EMULATED_MATH1(rint)
EMULATED_MATH1(nearbyint) EMULATED_MATH1(logb)
EMULATED_MATH2(pow) EMULATED_MATH2(atan2) EMULATED_MATH2(hypot) EMULATED_MATH2(fmod) EMULATED_MATH2(remainder)
EMULATED_MATH2(copysign) EMULATED_MATH2(fmin) EMULATED_MATH2(fmax) EMULATED_MATH2(fdim) EMULATED_MATH2(nextafter)
// What the device makes of a NaN: one NaN of every one, or the same, sign and all, in double precision.
EMULATED_INLINE float fabsf(float x) { return x == x ? __builtin_fabsf(x) : __builtin_bit_cast(float, 0x7fffffff); }
EMULATED_INLINE double emulated_fabs(double x) { return x == x ? __builtin_fabs(x) : x; }
EMULATED_INLINE float emulated_fabs(float x) { return fabsf(x); }
#define fabs emulated_fabs
extern "C" double fma(double, double, double) noexcept;
extern "C" float fmaf(float, float, float) noexcept;
EMULATED_INLINE float fma(float x, float y, float z) { return fmaf(x, y, z); }
extern "C" double ldexp(double, int) noexcept;
extern "C" float ldexpf(float, int) noexcept;
extern "C" double scalbn(double, int) noexcept;
extern "C" float scalbnf(float, int) noexcept;
extern "C" double frexp(double, int*) noexcept;
extern "C" float frexpf(float, int*) noexcept;
extern "C" double modf(double, double*) noexcept;
extern "C" float modff(float, float*) noexcept;
extern "C" int ilogb(double) noexcept;
extern "C" int ilogbf(float) noexcept;
extern "C" long long llrint(double) noexcept;
extern "C" long long llrintf(float) noexcept;
extern "C" long lrint(double) noexcept;
extern "C" long lrintf(float) noexcept;
extern "C" void sincos(double, double*, double*) noexcept;
extern "C" void sincosf(float, float*, float*) noexcept;
extern "C" int abs(int) noexcept;
extern "C" long long llabs(long long) noexcept;
EMULATED_INLINE float rsqrtf(float x) { return 1.0f / sqrtf(x); }
EMULATED_INLINE double rsqrt(double x) { return 1.0 / sqrt(x); }
EMULATED_INLINE float rsqrt(float x) { return rsqrtf(x); }
EMULATED_INLINE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
EMULATED_INLINE double rcbrt(double x) { return 1.0 / cbrt(x); }
EMULATED_INLINE float sinpif(float x) { return (float)sin(3.14159265358979323846 * (double)x); }
EMULATED_INLINE float cospif(float x) { return (float)cos(3.14159265358979323846 * (double)x); }

#define EMULATED_CLASS(name)                                                   \
    EMULATED_INLINE bool name(float x) { return __builtin_##name(x); }         \
    EMULATED_INLINE bool name(double x) { return __builtin_##name(x); }
EMULATED_CLASS(isnan) EMULATED_CLASS(isinf) EMULATED_CLASS(isfinite) EMULATED_CLASS(signbit)

#define EMULATED_MIN_MAX(type)                                                      \
    EMULATED_INLINE type min(type x, type y) { return y < x ? y : x; }              \
    EMULATED_INLINE type max(type x, type y) { return x < y ? y : x; }
EMULATED_MIN_MAX(int) EMULATED_MIN_MAX(unsigned) EMULATED_MIN_MAX(long) EMULATED_MIN_MAX(unsigned long)
EMULATED_MIN_MAX(long long) EMULATED_MIN_MAX(unsigned long long)
EMULATED_INLINE float min(float x, float y) { return fminf(x, y); }
EMULATED_INLINE float max(float x, float y) { return fmaxf(x, y); }
EMULATED_INLINE double min(double x, double y) { return fmin(x, y); }
EMULATED_INLINE double max(double x, double y) { return fmax(x, y); }

// Integers.
EMULATED_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
EMULATED_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
EMULATED_INLINE int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
EMULATED_INLINE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
EMULATED_INLINE int __ffs(int x) { return __builtin_ffs(x); }
EMULATED_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
EMULATED_INLINE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
EMULATED_INLINE unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
EMULATED_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) result |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}
EMULATED_INLINE unsigned __umulhi(unsigned x, unsigned y) { return (unsigned)((unsigned long long)x * y >> 32); }
EMULATED_INLINE int __mulhi(int x, int y) { return (int)((long long)x * y >> 32); }
EMULATED_INLINE unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
EMULATED_INLINE long long __mul64hi(long long x, long long y) { return (long long)((__int128)x * y >> 64); }
EMULATED_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
EMULATED_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}

// Bits of floats.
EMULATED_INLINE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
EMULATED_INLINE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
EMULATED_INLINE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
EMULATED_INLINE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
EMULATED_INLINE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
EMULATED_INLINE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
EMULATED_INLINE int __double2hiint(double x) { return (int)(__builtin_bit_cast(unsigned long long, x) >> 32); }
EMULATED_INLINE int __double2loint(double x) { return (int)__builtin_bit_cast(unsigned long long, x); }
EMULATED_INLINE double __hiloint2double(int high, int low) {
    return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

// Arithmetic with the rounding in its name; only to nearest exists here.
EMULATED_INLINE float __fadd_rn(float x, float y) { return x + y; }
EMULATED_INLINE float __fsub_rn(float x, float y) { return x - y; }
EMULATED_INLINE float __fmul_rn(float x, float y) { return x * y; }
EMULATED_INLINE float __fdiv_rn(float x, float y) { return x / y; }
EMULATED_INLINE float __frcp_rn(float x) { return 1.0f / x; }
EMULATED_INLINE float __fsqrt_rn(float x) { return sqrtf(x); }
EMULATED_INLINE float __frsqrt_rn(float x) { return (float)(1.0 / sqrt((double)x)); }
EMULATED_INLINE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
EMULATED_INLINE double __dadd_rn(double x, double y) { return x + y; }
EMULATED_INLINE double __dsub_rn(double x, double y) { return x - y; }
EMULATED_INLINE double __dmul_rn(double x, double y) { return x * y; }
EMULATED_INLINE double __ddiv_rn(double x, double y) { return x / y; }
EMULATED_INLINE double __drcp_rn(double x) { return 1.0 / x; }
EMULATED_INLINE double __dsqrt_rn(double x) { return sqrt(x); }
EMULATED_INLINE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
EMULATED_INLINE float __expf(float x) { return expf(x); }
EMULATED_INLINE float __logf(float x) { return logf(x); }
EMULATED_INLINE float __log2f(float x) { return log2f(x); }
EMULATED_INLINE float __sinf(float x) { return sinf(x); }
EMULATED_INLINE float __cosf(float x) { return cosf(x); }
EMULATED_INLINE float __powf(float x, float y) { return powf(x, y); }
EMULATED_INLINE float __fdividef(float x, float y) { return x / y; }
EMULATED_INLINE float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

// Conversions saturate; NaN gives 0 in the 32-bit ones and 0x8000000000000000 in the signed 64-bit ones, as PTX says
// for sm_80 (`cvt.rzi.s64.f32` of NaN), so generated code tests for NaN itself.
template <class I, class F> EMULATED_INLINE I emulated_to_integer(F x, I low, I high, I of_nan) {
    if (x != x) return of_nan;
    if (x <= (F)low) return low;
    if (x >= (F)high) return high;
    return (I)x;
}
#define EMULATED_CONVERT(prefix, type)                                                                                     \
    EMULATED_INLINE int prefix##2int_rz(type x) { return emulated_to_integer<int, type>(x, -__INT_MAX__ - 1, __INT_MAX__, 0); } \
    EMULATED_INLINE unsigned prefix##2uint_rz(type x) { return emulated_to_integer<unsigned, type>(x, 0, ~0u, 0); }       \
    EMULATED_INLINE long long prefix##2ll_rz(type x) {                                                                    \
        return emulated_to_integer<long long, type>(x, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__, -__LONG_LONG_MAX__ - 1); \
    }                                                                                                                     \
    EMULATED_INLINE unsigned long long prefix##2ull_rz(type x) {                                                          \
        return emulated_to_integer<unsigned long long, type>(x, 0, ~0ull, 1ull << 63);                                    \
    }                                                                                                                     \
    EMULATED_INLINE int prefix##2int_rn(type x) { return prefix##2int_rz(__builtin_rint(x)); }                            \
    EMULATED_INLINE int prefix##2int_rd(type x) { return prefix##2int_rz(__builtin_floor(x)); }                           \
    EMULATED_INLINE int prefix##2int_ru(type x) { return prefix##2int_rz(__builtin_ceil(x)); }
EMULATED_CONVERT(__float, float)
EMULATED_CONVERT(__double, double)
EMULATED_INLINE float __int2float_rn(int x) { return (float)x; }
EMULATED_INLINE float __uint2float_rn(unsigned x) { return (float)x; }
EMULATED_INLINE float __ll2float_rn(long long x) { return (float)x; }
EMULATED_INLINE float __ull2float_rn(unsigned long long x) { return (float)x; }
EMULATED_INLINE double __int2double_rn(int x) { return (double)x; }
EMULATED_INLINE double __uint2double_rn(unsigned x) { return (double)x; }
EMULATED_INLINE double __ll2double_rn(long long x) { return (double)x; }
EMULATED_INLINE double __ull2double_rn(unsigned long long x) { return (double)x; }
EMULATED_INLINE float __double2float_rn(double x) { return (float)x; }


