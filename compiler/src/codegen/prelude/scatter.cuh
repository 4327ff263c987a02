// ---- Scatters ----
//
// What is there becomes `combine` of what is there, whoever else changes it at the time. Nobody uses what was there
// before, so that the device need not send it back.

template <class T, class Combine> INLINE void update_word(T* at, Combine combine)
{
    exact_of<T>* const word = reinterpret_cast<exact_of<T>*>(at);
    exact_of<T> old = *reinterpret_cast<volatile exact_of<T>*>(word);
    for (bool done = false; !done;) {
        const exact_of<T> next = bits_as<exact_of<T>>(combine(bits_as<T>(old)));
        const exact_of<T> seen = next == old ? old : atomicCAS(word, old, next);
        done = seen == old;
        old = seen;
    }
}

// Memory comes in words of four bytes, so the one around a smaller element is there.
template <class T, class Combine> INLINE void update_part(T* at, Combine combine)
{
    const u64 address = reinterpret_cast<u64>(at);
    u32* const word = reinterpret_cast<u32*>(address & ~u64(3));
    const u32 shift = 8 * u32(address & 3), mask = ((1u << 8 * sizeof(T)) - 1) << shift;
    u32 old = *reinterpret_cast<volatile u32*>(word);
    for (bool done = false; !done;) {
        const T there = bits_as<T>(exact_of<T>(old >> shift));
        const u32 next = (old & ~mask) | u32(bits_as<exact_of<T>>(T(combine(there)))) << shift;
        const u32 seen = next == old ? old : atomicCAS(word, old, next);
        done = seen == old;
        old = seen;
    }
}

template <class T, class Combine> INLINE void update(T* at, Combine combine)
{
    if constexpr (sizeof(T) < 4) update_part(at, combine);
    else update_word(at, combine);
}

// Operations that the device has.
INLINE void update_add(u32* at, u32 x) { atomicAdd(at, x); }
INLINE void update_add(i32* at, i32 x) { atomicAdd(reinterpret_cast<u32*>(at), u32(x)); }
INLINE void update_add(u64* at, u64 x) { atomicAdd(at, x); }
INLINE void update_add(i64* at, i64 x) { atomicAdd(reinterpret_cast<u64*>(at), u64(x)); }
INLINE void update_add(f32* at, f32 x) { atomicAdd(at, x); }
INLINE void update_add(f64* at, f64 x) { atomicAdd(at, x); }
template <class T> INLINE void update_min(T* at, T x) { atomicMin(at, x); }
template <class T> INLINE void update_max(T* at, T x) { atomicMax(at, x); }
template <class T> INLINE void update_and(T* at, T x)
{
    atomicAnd(reinterpret_cast<exact_of<T>*>(at), exact_of<T>(x));
}
template <class T> INLINE void update_or(T* at, T x)
{
    atomicOr(reinterpret_cast<exact_of<T>*>(at), exact_of<T>(x));
}
template <class T> INLINE void update_xor(T* at, T x)
{
    atomicXor(reinterpret_cast<exact_of<T>*>(at), exact_of<T>(x));
}

// `use` while nobody else holds the lock. The lock is taken and given back within one round, so that lanes of a warp
// cannot wait for each other.
template <class Use> INLINE void with_lock(u32* lock, Use use)
{
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0u, 1u) == 0u) {
            __threadfence();  // what the last holder wrote is read after its release
            use();
            __threadfence();  // what is written is visible before the release
            atomicExch(lock, 0u);
            done = true;
        } else {
            SPIN_WAIT();
        }
    }
}
// Memory that others write under the same lock.
template <class T> INLINE T load_shared(const T* from) { return *const_cast<const volatile T*>(from); }
template <class T> INLINE void store_shared(T* to, T x) { *const_cast<volatile T*>(to) = x; }

// Notes that somebody has come to an element; whether somebody had before.
template <class Index> INLINE bool arrives_again(u32* met, Index at)
{
    const u32 bit = 1u << u32(at % 32);
    return (atomicOr(met + at / 32, bit) & bit) != 0;
}

// A block combines its points in memory, ...
struct EveryTarget {
    template <class Index, class Arrive> INLINE void operator()(const Index at, const Arrive arrive) const { arrive(at); }
};
// ... or in a table of its own: of the targets in a range, with neighbouring copies of each, which are in different banks.
struct RangeOfTargets {
    u32 first, count, copies;

    template <class Index, class Arrive> INLINE void operator()(const Index at, const Arrive arrive) const
    {
        const Index place = at - first;
        if (place < count) arrive(place * copies + (threadIdx.x & (copies - 1)));
    }
};
// The range of a block of the row `blockIdx.y`, of as many targets as any other's: at the end some may not exist, and no
// point comes to them. Copies are a power of two.
INLINE RangeOfTargets range_of_targets(const u32 size, const u32 copies)
{
    const u32 count = size / gridDim.y + (size % gridDim.y != 0);
    return { blockIdx.y * count, count, copies };
}
template <class T> INLINE void clear_table(T* table, u32 size, T identity)
{
    for (u32 at = threadIdx.x; at < size; at += blockDim.x) table[at] = identity;
}
// What the copies of an element come to. Neighbours begin with copies in different banks.
template <class T, class Combine> INLINE T sum_of_copies(const T* table, const u32 copies, const u32 at, const Combine combine)
{
    const T* const own = table + at * copies;
    T sum = own[at & (copies - 1)];
    for (u32 copy = 1; copy < copies; ++copy) sum = combine(sum, own[(at + copy) & (copies - 1)]);
    return sum;
}
// Whether somebody has changed an element of it: bits, as NaN may be the identity.
template <class T> INLINE bool is_changed(T x, T identity)
{
    return bits_as<exact_of<T>>(x) != bits_as<exact_of<T>>(identity);
}
