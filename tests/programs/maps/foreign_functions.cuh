// The functions of foreign_functions.rs for CUDA devices: the same to the bit, written otherwise.

#define SCALE(x) ((x) * 2.0f)

__device__ float squashed(float x, float y)
{
    const float t = SCALE(x * x) + y;
    return t / (1.0f + fabsf(t));
}

__device__ unsigned long long mixed(unsigned long long key, unsigned rounds)
{
    for (unsigned k = 0; k < rounds % 8; ++k) {
        key ^= key >> 7;
        key *= 0x9e3779b97f4a7c15ull;
    }
    return key;
}

// Where the body fails, nobody reads what comes out; but no device may trap.
__device__ int quotient(int a, int b)
{
    return b == 0 ? 0 : static_cast<int>(static_cast<long long>(a) / b);
}

struct Pair {
    bool low;
    bool high;
};

__device__ bool inside(float x, unsigned long long at, bool open)
{
    const Pair pair = {open ? x > -1.0f : x >= -1.0f, at < 7};
    return pair.low && pair.high;
}

#undef SCALE
