// ---- Mathematical functions ----
//
// Largest errors in ulp by NVIDIA's tables (CUDA C++ Programming Guide, "Mathematical Functions Appendix", full range):
//   f32: exp 2, exp2 2, expm1 1, log 1, log1p 1, log2 1, log10 2, sin 2, cos 2, tan 4, asin 2, acos 2, atan 2,
//        atan2 3, sinh 3, cosh 2, tanh 2, asinh 3, acosh 4, atanh 3, cbrt 1, hypot 3, erf 2, rsqrt 2
//   f64: exp 1, exp2 1, expm1 1, log 1, log1p 1, log2 1, log10 1, sin 2, cos 2, tan 2, asin 2, acos 2, atan 2,
//        atan2 2, sinh 2, cosh 1, tanh 1, asinh 3, acosh 3, atanh 2, pow 2, cbrt 1, hypot 2, erf 2, rsqrt 1
// powf (up to 9, by toolkit), erfcf (up to 6) and erfc (up to 5) exceed the promised 4. The first two are computed in double
// (1 ulp), erfc as follows (2.8, and what exp is off by beyond a half).
// `fast_div` 2 where 2^-126 <= |y| <= 2^126; 0 beyond (NaN of an infinity).
INLINE f32 pow_f32(f32 x, f32 y) { return f32(pow(f64(x), f64(y))); }
INLINE f32 erfc_f32(f32 x) { return f32(erfc(f64(x))); }

// Chebyshev fits computed with 50 digits: of erf(x) / x in x^2 for |x| < 1/4 (largest error 1.5e-17), and of
// exp(x^2) (x + 2) erfc(x) in u = (x - 2) / (x + 2) from there up to 28 (1.7e-17), where erfc is less than any number.
INLINE f64 erfc_f64(f64 x)
{
    constexpr f64 near[] = {
        1.1283791670955126, -0.37612638903182716, 0.11283791670689047, -0.026866170389511425, 0.0052239659251541734,
        -0.0008545574555054128, 0.00011733567662844532};
    constexpr f64 far[] = {
        1.021582705242023, -0.6871606844138106, 0.27947209255605415, -0.03644223150687698, -0.02151066188944709,
        0.00647918506766428, 0.003090612058179181, -0.000837296061138676, -0.0006630734914738881,
        3.4371422035032525e-05, 0.00014447062971496857, 3.41489868879673e-05, -2.169550919055061e-05,
        -1.6121255499262173e-05, -1.1286347554724534e-06, 3.644422095965085e-06, 2.011329100022856e-06,
        2.0337094763781282e-09, -5.908235915491446e-07, -3.2693473379550274e-07, 2.3458455104727812e-08,
        1.1589851327661316e-07, 3.503421204357036e-08, -1.5887792310339064e-08, -8.185128082119546e-09};
    const f64 a = fabs(x);
    if (a < 0.25) {
        const f64 z = x * x;
        f64 fit = near[6];
#pragma unroll
        for (int k = 5; k >= 0; --k) fit = fma(fit, z, near[k]);
        return fma(-x, fit, 1.0);
    }
    const f64 b = a < 28.0 ? a : 28.0;
    // What rounding loses of b^2 and of b + 2.
    const f64 square = b * b, lost_of_square = fma(b, b, -square);
    const f64 sum = b + 2.0, lost_of_sum = (b - (sum - 2.0)) / sum;
    f64 u = (b - 2.0) / sum;
    u = fma(-lost_of_sum, u, u);
    f64 fit = far[24];
#pragma unroll
    for (int k = 23; k >= 1; --k) fit = fma(fit, u, far[k]);
    const f64 high = fma(fit, u, far[0]), low = fma(fit, u, far[0] - high);
    const f64 scale = exp(-square);
    const f64 product = high / sum * scale;
    const f64 tail = fma(-product, lost_of_square + lost_of_sum, fma(low / sum, scale, product));
    if (x != x) return x;
    return x < 0.0 ? 2.0 - tail : tail;
}

#ifdef ACCELERATE_EMULATED
INLINE f32 rsqrt_f32(f32 x) { return f32(1.0 / sqrt(f64(x))); }
INLINE f64 rsqrt_f64(f64 x) { return 1.0 / sqrt(x); }
INLINE f32 fast_div(f32 x, f32 y) { return x / y; }
#else
INLINE f32 rsqrt_f32(f32 x) { return rsqrtf(x); }
INLINE f64 rsqrt_f64(f64 x) { return rsqrt(x); }
INLINE f32 fast_div(f32 x, f32 y) { return __fdividef(x, y); }
#endif
