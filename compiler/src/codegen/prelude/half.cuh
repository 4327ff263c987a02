// ---- Floats of 16 bits, which are their bits: computed with as f32 ----

typedef u16 f16;

typedef u16 bf16;

#ifdef ACCELERATE_EMULATED
INLINE f32 f32_from_f16(f16 x)
{
    const u32 size = u32(x & 0x7fff) << 13;
    // The exponents of the two formats are 112 apart: exact, for subnormal ones too.
    const u32 finite = bits_as<u32>(bits_as<f32>(size) * bits_as<f32>(239u << 23));
    return bits_as<f32>((size < 0x7c00u << 13 ? finite : finite | 255u << 23) | u32(x & 0x8000) << 16);
}
INLINE f16 f16_from_f32(f32 x)
{
    if (x != x) return 0x7e00;
    const u32 size = bits_as<u32>(x) & ~(1u << 31);
    const u32 sign = bits_as<u32>(x) >> 31 << 15;
    if (size >= (142u << 23 | 0x7ff000u)) return f16(sign | 0x7c00);
    // Added to a number whose last bit is the last one of a subnormal, it is rounded there.
    if (size < 113u << 23) return f16(sign | (bits_as<u32>(bits_as<f32>(size) + 0.5f) - (126u << 23)));
    return f16(sign | (size + 0xfffu + (size >> 13 & 1) - (112u << 23)) >> 13);
}
#else
INLINE f32 f32_from_f16(f16 x)
{
    f32 wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x));
    return wide;
}
// The conversion's own NaN is another one.
INLINE f16 f16_from_f32(f32 x)
{
    f16 rounded;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(rounded) : "f"(x));
    return x == x ? rounded : f16(0x7e00);
}
#endif

INLINE f32 f32_from_bf16(bf16 x) { return bits_as<f32>(u32(x) << 16); }

INLINE bf16 bf16_from_f32(f32 x)
{
    const u32 bits = bits_as<u32>(x);
    return x == x ? bf16((bits + 0x7fffu + (bits >> 16 & 1)) >> 16) : bf16(0x7fc0);
}
