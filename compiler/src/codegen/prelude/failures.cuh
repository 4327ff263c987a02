// ---- Failures: the smallest (site, values) of the call is kept ----
//
// A round of a loop of the host that has failed is the loop's last, in the program's meaning. Its later rounds have been
// queued already, and what they find counts for nothing: rounds are numbered through the call, 0 being outside of loops.

struct accelerate_failure {
    u32 lock;
    u32 site_plus_one;
    i64 values[2];
    u32 epoch;
};

// A load before everything that follows, and a store after everything that comes before, as others see it who store and load
// so. Fences would do, too; but where an entry has one, ptxas makes each of its atomic operations return the old
// value, used or not (`ATOMG` for `RED`).
#ifdef ACCELERATE_EMULATED
template <class T> INLINE T load_acquire(const T* from)
{
    const volatile T* const there = from;
    const T x = *there;
    __threadfence();
    return x;
}
template <class T> INLINE void store_release(T* to, T x)
{
    volatile T* const there = to;
    __threadfence();
    *there = x;
}
#else
INLINE u32 load_acquire(const u32* from)
{
    u32 x;
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(x) : "l"(from) : "memory");
    return x;
}
INLINE i64 load_acquire(const i64* from)
{
    i64 x;
    asm volatile("ld.acquire.gpu.s64 %0, [%1];" : "=l"(x) : "l"(from) : "memory");
    return x;
}
INLINE void store_release(u32* to, u32 x) { asm volatile("st.release.gpu.u32 [%0], %1;" :: "l"(to), "r"(x) : "memory"); }
INLINE void store_release(i64* to, i64 x) { asm volatile("st.release.gpu.s64 [%0], %1;" :: "l"(to), "l"(x) : "memory"); }
#endif

// Not inlined: the path is rare, and its registers must not burden the kernel. The lock counts: it is odd while somebody
// writes, so a record that was read between two equal even counts was whole: whoever reads a part of what another one
// writes finds the lock odd, or further on, afterwards. Most threads find theirs there already.
__device__ __noinline__ void report(accelerate_failure* failure, u32 epoch, u32 site, i64 first, i64 second)
{
    bool done = false;
    while (!done) {
        const u32 count = load_acquire(&failure->lock);
        const u32 old = load_acquire(&failure->site_plus_one), old_epoch = load_acquire(&failure->epoch);
        const i64 old_first = load_acquire(&failure->values[0]), old_second = load_acquire(&failure->values[1]);
        const bool smaller = old == 0 || site + 1 < old ||
            (site + 1 == old && (first < old_first || (first == old_first && second < old_second)));
        const bool earlier = epoch != 0 && (old_epoch == 0 || epoch < old_epoch);
        const bool later = old_epoch != 0 && old_epoch < epoch;
        if (count % 2 != 0 || load_acquire(&failure->lock) != count) {
            SPIN_WAIT();
        } else if (later || !(smaller || earlier)) {
            done = true;
        } else if (atomicCAS(&failure->lock, count, count + 1) == count) {
            // No thread has stored to the record since it was read.
            if (earlier) store_release(&failure->epoch, epoch);
            if (smaller) {
                store_release(&failure->values[0], first);
                store_release(&failure->values[1], second);
                store_release(&failure->site_plus_one, site + 1);
            }
            store_release(&failure->lock, count + 2);
            done = true;
        }
    }
}
