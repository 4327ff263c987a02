// The prelude of every generated file: types, exact scalar operations, vector accesses, folds by teams.
//
// It includes nothing. nvcc and NVRTC provide what it stands on; for g++ (-DACCELERATE_EMULATED) a header included
// before it does, and the list of what that header owes is short:
//   __global__ __device__ __forceinline__ __launch_bounds__, threadIdx blockIdx blockDim gridDim (x, y),
//   __syncthreads, __syncwarp(mask), __shfl_sync and __shfl_down_sync (mask, u32, lane or distance, width),
//   __threadfence, __trap, atomicCAS atomicExch atomicAdd on unsigned, memcpy, C's math functions of float and double,
//   SHARED(type, name, count), DYNAMIC_SHARED(type, name), SPIN_WAIT().
#ifndef ACCELERATE_EMULATED
#define SHARED(type, name, count) __shared__ type name[count]
#define DYNAMIC_SHARED(type, name)                                                                                     \
    extern __shared__ unsigned long long accelerate_dynamic_shared[];                                                  \
    type* const name = reinterpret_cast<type*>(accelerate_dynamic_shared)
#define SPIN_WAIT() __nanosleep(64)
#endif
#define INLINE __device__ __forceinline__

// For what is counted without a GPU (`cargo xtask sass`): what is usually so is always so, as that a tile is full, and there
// are marks around what one warp of a block does while the others wait.
#ifdef ACCELERATE_USUALLY
#define USUALLY(condition) true
#define ONE_WARP() asm volatile("pmevent 0;")
#define ALL_WARPS() asm volatile("pmevent 1;")
#else
#define USUALLY(condition) (condition)
#define ONE_WARP()
#define ALL_WARPS()
#endif

typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

// ---- Integers: Rust's wrapping arithmetic ----

template <int bytes> struct unsigned_of;
template <> struct unsigned_of<1> { typedef u8 exact; typedef u32 word; };
template <> struct unsigned_of<2> { typedef u16 exact; typedef u32 word; };
template <> struct unsigned_of<4> { typedef u32 exact; typedef u32 word; };
template <> struct unsigned_of<8> { typedef u64 exact; typedef u64 word; };
// The unsigned type of the width of T, and one that C does not promote to a signed int.
template <class T> using exact_of = typename unsigned_of<sizeof(T)>::exact;
template <class T> using word_of = typename unsigned_of<sizeof(T)>::word;

template <class T> INLINE constexpr bool is_signed() { return T(-1) < T(0); }
template <class T> INLINE T lowest() { return is_signed<T>() ? T(word_of<T>(1) << (8 * sizeof(T) - 1)) : T(0); }
template <class T> INLINE T highest() { return T(~lowest<T>()); }

template <class T> INLINE T wrapping_add(T a, T b) { return T(word_of<T>(a) + word_of<T>(b)); }
template <class T> INLINE T wrapping_sub(T a, T b) { return T(word_of<T>(a) - word_of<T>(b)); }
template <class T> INLINE T wrapping_mul(T a, T b) { return T(word_of<T>(a) * word_of<T>(b)); }
template <class T> INLINE T wrapping_neg(T a) { return T(0 - word_of<T>(a)); }
template <class T> INLINE T wrapping_abs(T a) { return a < T(0) ? wrapping_neg<T>(a) : a; }
// MIN / -1 wraps. A zero divisor has been reported by a check; what follows must only not trap.
template <class T> INLINE T quotient(T a, T b)
{
    if (b == T(0)) return T(0);
    if (is_signed<T>() && b == T(-1)) return wrapping_neg<T>(a);
    return T(a / b);
}
template <class T> INLINE T remainder_of(T a, T b)
{
    if (b == T(0) || (is_signed<T>() && b == T(-1))) return T(0);
    return T(a % b);
}
template <class T> INLINE T shift_left(T a, u32 by) { return T(word_of<T>(a) << (by & (8 * sizeof(T) - 1))); }
template <class T> INLINE T shift_right(T a, u32 by) { return T(a >> (by & (8 * sizeof(T) - 1))); }
template <class T> INLINE T minimum(T a, T b) { return b < a ? b : a; }
template <class T> INLINE T maximum(T a, T b) { return a < b ? b : a; }

INLINE u32 multiply_high(u32 a, u32 b) { return u32(u64(a) * b >> 32); }
INLINE i32 multiply_high(i32 a, i32 b) { return i32(i64(a) * b >> 32); }
#ifdef ACCELERATE_EMULATED
INLINE u64 multiply_high(u64 a, u64 b) { return u64((unsigned __int128)a * b >> 64); }
INLINE i64 multiply_high(i64 a, i64 b) { return i64((__int128)a * b >> 64); }
INLINE u32 ones(u64 bits) { return u32(__builtin_popcountll(bits)); }
INLINE u32 zeros_above(u64 bits) { return bits == 0 ? 64u : u32(__builtin_clzll(bits)); }
INLINE u32 zeros_below(u64 bits) { return bits == 0 ? 64u : u32(__builtin_ctzll(bits)); }
#else
INLINE u64 multiply_high(u64 a, u64 b) { return __umul64hi(a, b); }
INLINE i64 multiply_high(i64 a, i64 b) { return __mul64hi(a, b); }
INLINE u32 ones(u64 bits) { return u32(__popcll((i64)bits)); }
INLINE u32 zeros_above(u64 bits) { return u32(__clzll((i64)bits)); }
INLINE u32 zeros_below(u64 bits) { return bits == 0 ? 64u : u32(__ffsll((i64)bits) - 1); }
#endif
template <class T> INLINE u32 count_ones(T a) { return ones(exact_of<T>(a)); }
template <class T> INLINE u32 leading_zeros(T a) { return zeros_above(exact_of<T>(a)) - (64 - 8 * u32(sizeof(T))); }
template <class T> INLINE u32 trailing_zeros(T a)
{
    return minimum<u32>(zeros_below(exact_of<T>(a)), 8 * u32(sizeof(T)));
}
template <class T> INLINE T swap_bytes(T a)
{
    exact_of<T> in = exact_of<T>(a);
    u64 out = 0;
#pragma unroll
    for (u32 byte = 0; byte < sizeof(T); ++byte) out = out << 8 | (u64(in) >> 8 * byte & 255);
    return T(out);
}
template <class T> INLINE T reverse_bits(T a)
{
    u64 bits = u64(exact_of<T>(a)) << (64 - 8 * sizeof(T));
    bits = (bits >> 1 & 0x5555555555555555ull) | (bits & 0x5555555555555555ull) << 1;
    bits = (bits >> 2 & 0x3333333333333333ull) | (bits & 0x3333333333333333ull) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0full) | (bits & 0x0f0f0f0f0f0f0f0full) << 4;
    return T(swap_bytes<u64>(bits));
}

// ---- Floats ----

template <class To, class From> INLINE To bits_as(From from)
{
    static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the width");
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

// Rust changes the sign alone, of a NaN too. The device's arithmetic, which takes a sign for free with most operands, does
// not: every NaN becomes 0x7fffffff in f32, and stays as it is in f64. So `negated` and C's `fabs` are for what is computed
// with, and these for what may be stored, ordered, or looked at as bits.
INLINE f32 sign_flipped(f32 x) { return bits_as<f32>(bits_as<u32>(x) ^ 1u << 31); }
INLINE f64 sign_flipped(f64 x) { return bits_as<f64>(bits_as<u64>(x) ^ 1ull << 63); }
INLINE f32 sign_cleared(f32 x) { return bits_as<f32>(bits_as<u32>(x) & ~(1u << 31)); }
INLINE f64 sign_cleared(f64 x) { return bits_as<f64>(bits_as<u64>(x) & ~(1ull << 63)); }
#ifdef ACCELERATE_EMULATED
INLINE f32 negated(f32 x) { return x == x ? -x : bits_as<f32>(0x7fffffffu); }
INLINE f64 negated(f64 x) { return x == x ? -x : x; }
#else
INLINE f32 negated(f32 x) { return -x; }
INLINE f64 negated(f64 x) { return -x; }
#endif

// Rust's `as` from a float to an integer: truncates, saturates, and NaN gives 0.
template <class To, class From> INLINE To saturate(From x)
{
    const From above = From(2) * From(1ull << (8 * sizeof(To) - (is_signed<To>() ? 2 : 1)));
    const From below = is_signed<To>() ? -above : From(0);
    if (x >= above) return highest<To>();
    if (x > below) return To(x);
    return x == x ? lowest<To>() : To(0);
}

// Ignore NaN; -0 is less than +0 (equal floats differ in the sign bit at most). For f32 the device has instructions that do
// just that (`min.f32` and `max.f32` of PTX), and give the NaN of its arithmetic where there is nothing else.
#ifdef ACCELERATE_EMULATED
template <> INLINE f32 minimum<f32>(f32 a, f32 b)
{
    if (a == b) return bits_as<f32>(bits_as<u32>(a) | bits_as<u32>(b));
    if (a != a && b != b) return bits_as<f32>(0x7fffffffu);
    return a < b || b != b ? a : b;
}
template <> INLINE f32 maximum<f32>(f32 a, f32 b)
{
    if (a == b) return bits_as<f32>(bits_as<u32>(a) & bits_as<u32>(b));
    if (a != a && b != b) return bits_as<f32>(0x7fffffffu);
    return a > b || b != b ? a : b;
}
#else
template <> INLINE f32 minimum<f32>(f32 a, f32 b) { return fminf(a, b); }
template <> INLINE f32 maximum<f32>(f32 a, f32 b) { return fmaxf(a, b); }
#endif
template <> INLINE f64 minimum<f64>(f64 a, f64 b)
{
    if (a == b) return bits_as<f64>(bits_as<u64>(a) | bits_as<u64>(b));
    return a < b || b != b ? a : b;
}
template <> INLINE f64 maximum<f64>(f64 a, f64 b)
{
    if (a == b) return bits_as<f64>(bits_as<u64>(a) & bits_as<u64>(b));
    return a > b || b != b ? a : b;
}

// ---- Vector accesses: N neighbours as one to four aligned accesses of at most 16 bytes ----

template <class T, int N> struct pack {
    static constexpr int bytes = int(sizeof(T)) * N;
    struct alignas(bytes < 16 ? bytes : 16) contents { T at[N]; } in;
    INLINE T& operator[](int k) { return in.at[k]; }
    INLINE const T& operator[](int k) const { return in.at[k]; }
};

template <int N, class T> INLINE pack<T, N> load_pack(const T* from)
{
    typedef typename pack<T, N>::contents contents;
#ifdef ACCELERATE_EMULATED
    if (reinterpret_cast<u64>(from) % alignof(contents) != 0) __trap();
#endif
    pack<T, N> to;
    to.in = *reinterpret_cast<const contents*>(from);
    return to;
}

template <int N, class T> INLINE void store_pack(T* to, const pack<T, N>& from)
{
    typedef typename pack<T, N>::contents contents;
#ifdef ACCELERATE_EMULATED
    if (reinterpret_cast<u64>(to) % alignof(contents) != 0) __trap();
#endif
    *reinterpret_cast<contents*>(to) = from.in;
}

// ---- Who am I ----

template <class Index> INLINE Index thread_of_grid() { return Index(blockIdx.x) * blockDim.x + threadIdx.x; }
template <class Index> INLINE Index threads_of_grid() { return Index(gridDim.x) * blockDim.x; }

// Blocks that so many items of one each keep busy, and this thread's place in the grid counted from a block, round about.
template <class Index> INLINE Index blocks_for(const Index items) { return items / blockDim.x + (items % blockDim.x != 0); }
template <class Index> INLINE Index thread_from_block(const Index block)
{
    const u32 turned = blockIdx.x + gridDim.x - u32(block % gridDim.x);
    return Index(turned % gridDim.x) * blockDim.x + threadIdx.x;
}
INLINE u32 lane_of_warp() { return threadIdx.x % 32; }
INLINE u32 warp_of_block() { return threadIdx.x / 32; }
INLINE u32 warps_of_block() { return blockDim.x / 32; }

// Uses what `load` gives at first, first + step, .. below the end, with `ahead` loads asked for before the first is used.
template <int ahead, class Index, class Load, class Use>
INLINE void read_ahead(Index first, const Index end, const Index step, Load load, Use use)
{
    for (; first + (ahead - 1) * step < end; first += ahead * step) {
        decltype(load(first)) loaded[ahead];
#pragma unroll
        for (int k = 0; k < ahead; ++k) loaded[k] = load(first + k * step);
#pragma unroll
        for (int k = 0; k < ahead; ++k) use(first + k * step, loaded[k]);
    }
    for (; first < end; first += step) use(first, load(first));
}

// The same where nothing else hides how long it takes: what is left in the end is asked for at once, too.
template <int ahead, class Index, class Load, class Use>
INLINE void read_in_batches(Index first, const Index end, const Index step, Load load, Use use)
{
    decltype(load(first)) loaded[ahead];
    for (; first + (ahead - 1) * step < end; first += ahead * step) {
#pragma unroll
        for (int k = 0; k < ahead; ++k) loaded[k] = load(first + k * step);
#pragma unroll
        for (int k = 0; k < ahead; ++k) use(first + k * step, loaded[k]);
    }
#pragma unroll
    for (int k = 0; k < ahead - 1; ++k) {
        if (first + k * step < end) loaded[k] = load(first + k * step);
    }
#pragma unroll
    for (int k = 0; k < ahead - 1; ++k) {
        if (first + k * step < end) use(first + k * step, loaded[k]);
    }
}

// The first `rounds` of these, and tells which one it is: what is kept of each can be in registers.
template <u32 rounds, class Index, class Use>
INLINE void first_of(const Index first, const Index end, const Index step, Use use)
{
    const Index left = first < end ? end - first : 0;
#pragma unroll
    for (u32 k = 0; k < rounds; ++k) {
        if (k * step >= left) break;
        use(first + k * step, k);
    }
}
// The same of what `load` gives for a round, with `ahead` loads asked for before the first is used.
template <u32 rounds, u32 ahead, class Index, class Load, class Use>
INLINE void read_first(const Index first, const Index end, const Index step, Load load, Use use)
{
#pragma unroll
    for (u32 from = 0; from < rounds; from += ahead) {
        constexpr u32 most = ahead < rounds ? ahead : rounds;
        const Index next = first + from * step;
        decltype(load(from)) loaded[most];
        first_of<most, Index>(next, end, step, [&](const Index, const u32 k) { loaded[k] = load(from + k); });
        first_of<most, Index>(next, end, step, [&](const Index at, const u32 k) { use(at, loaded[k], from + k); });
    }
}

// ---- Folds within a warp ----

// The group of so many neighbouring lanes that this one is in.
template <u32 width> INLINE u32 mask_of()
{
    return width == 32 ? 0xffffffffu : ((1u << width % 32) - 1) << (lane_of_warp() & ~u32(width - 1));
}

// A state of any plain type from another lane, word by word.
template <class State> INLINE State shuffle_down(u32 mask, const State& state, u32 distance, u32 width)
{
    constexpr int words = (sizeof(State) + 3) / 4;
    u32 word[words] = {};
    memcpy(word, &state, sizeof(State));
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] = __shfl_down_sync(mask, word[w], distance, width);
    State result;
    memcpy(&result, word, sizeof(State));
    return result;
}
template <class State> INLINE State shuffle_from_first(u32 mask, const State& state, u32 width)
{
    constexpr int words = (sizeof(State) + 3) / 4;
    u32 word[words] = {};
    memcpy(word, &state, sizeof(State));
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] = __shfl_sync(mask, word[w], 0, width);
    State result;
    memcpy(&result, word, sizeof(State));
    return result;
}

// The states of the first `present` lanes of a group of `width`, combined in order by a tree; valid in lane 0.
template <int width, class State, class Combine>
INLINE State fold_lanes(u32 mask, u32 lane, State state, u32 present, Combine combine)
{
#pragma unroll
    for (u32 distance = 1; distance < width; distance *= 2) {
        const State later = shuffle_down(mask, state, distance, width);
        if (lane % (2 * distance) == 0 && lane + distance < present) state = combine(state, later);
    }
    return state;
}

// The same of all lanes, by an operator that may be asked for anything: for states that no lane wants, too.
template <u32 width, class State, class Combine> INLINE State fold_all_lanes(u32 mask, State state, Combine combine)
{
#pragma unroll
    for (u32 distance = 1; distance < width; distance *= 2)
        state = combine(state, shuffle_down(mask, state, distance, width));
    return state;
}

// ---- Teams: the threads that share a row ----
//
// `rank` of `size` numbers the threads for strided work. For work in order, the row is cut into `chunks` contiguous
// chunks, each worked on by `lanes` neighbouring lanes. `fold_lanes` gives lane 0 of each chunk the states of the
// chunk's first `present` lanes; `fold_chunks` gives the whole team the states of the first `present` chunks.
// `first` is true in one thread at any time, `leader` in one thread of those that `finish`. A thread has no more elements of
// a row than its `share`, where the runtime chooses the team for that. `of_warp` neighbouring lanes are of one row.

struct thread_team {
    static constexpr u32 of_warp = 1, share = 8;
    INLINE u32 rank() const { return 0; }
    INLINE u32 size() const { return 1; }
    INLINE u32 lanes() const { return 1; }
    INLINE u32 lane() const { return 0; }
    INLINE u32 chunks() const { return 1; }
    INLINE u32 chunk() const { return 0; }
    INLINE bool first() const { return true; }
    INLINE bool leader() const { return true; }
    INLINE bool finishes() const { return true; }
    template <class State, class Combine> INLINE State fold_lanes(const State& state, u32, Combine) { return state; }
    template <class State, class Combine> INLINE State fold_chunks(const State& state, u32, Combine) { return state; }
};

// `width` neighbouring lanes of a warp; shuffles alone.
template <int width> struct warp_team {
    static constexpr u32 of_warp = width, share = width < 32 ? 8 : 32;
    INLINE u32 rank() const { return threadIdx.x % width; }
    INLINE u32 size() const { return width; }
    INLINE u32 lanes() const { return width; }
    INLINE u32 lane() const { return threadIdx.x % width; }
    INLINE u32 chunks() const { return 1; }
    INLINE u32 chunk() const { return 0; }
    INLINE bool first() const { return lane() == 0; }
    INLINE bool leader() const { return lane() == 0; }
    INLINE bool finishes() const { return true; }
    INLINE u32 mask() const { return mask_of<width>(); }
    template <class State, class Combine> INLINE State fold_lanes(const State& state, u32 present, Combine combine)
    {
        return ::fold_lanes<width>(mask(), lane(), state, present, combine);
    }
    template <class State, class Combine> INLINE State fold_chunks(const State& state, u32, Combine)
    {
        return shuffle_from_first(mask(), state, width);
    }
};

// A block. `slots` has two halves, each with room for the largest state of each warp, used in turns: a fold may write its
// half while slow threads still read the half of the fold before, and the one barrier between keeps the folds no
// further apart than that. The halves are the same whatever the state, since folds of other states stand before and after.
struct block_team {
    static constexpr u32 of_warp = 32, share = 32;
    u64* slots;
    u32 half;
    u32 turn = 0;
    INLINE block_team(u64* shared, u32 words) : slots(shared), half(words) {}
    INLINE u64* next_half()
    {
        turn = 1 - turn;
        return slots + half * (1 - turn);
    }
    INLINE u32 rank() const { return threadIdx.x; }
    INLINE u32 size() const { return blockDim.x; }
    INLINE u32 lanes() const { return 32; }
    INLINE u32 lane() const { return lane_of_warp(); }
    INLINE u32 chunks() const { return warps_of_block(); }
    INLINE u32 chunk() const { return warp_of_block(); }
    INLINE bool first() const { return threadIdx.x == 0; }
    INLINE bool leader() const { return threadIdx.x == 0; }
    INLINE bool finishes() const { return true; }
    template <class State, class Combine> INLINE State fold_lanes(const State& state, u32 present, Combine combine)
    {
        return ::fold_lanes<32>(0xffffffffu, lane(), state, present, combine);
    }
    template <class State, class Combine> INLINE State fold_chunks(State state, u32 present, Combine combine)
    {
        constexpr u32 words = (sizeof(State) + 7) / 8;
        u64* const own = next_half();
        if (lane() == 0) memcpy(own + words * warp_of_block(), &state, sizeof(State));
        // Hazard: a warp reads the slots before another has written its own. (That the first barrier of the next
        // fold is passed only after these reads is what lets the fold after it write here again.)
        __syncthreads();
        // Lanes beyond the last warp have no slot; the fold leaves them out.
        if (lane() < warps_of_block()) memcpy(&state, own + words * lane(), sizeof(State));
        state = fold_lanes(state, present, combine);
        return shuffle_from_first(0xffffffffu, state, 32);
    }
};

// Several blocks: blockIdx.x of gridDim.x work on the row. Each leaves its part in `partials`; the one that draws the
// last ticket folds the parts in the order of the blocks and finishes the row, and puts the ticket back to zero.
struct grid_team {
    static constexpr u32 of_warp = 32;
    block_team block;
    u32* is_last;
    unsigned char* partials = nullptr;
    u32* ticket = nullptr;
    bool last = false;
    INLINE grid_team(u64* shared, u32 words, u32* flag) : block(shared, words), is_last(flag) {}
    INLINE void start(void* scratch, u32* tickets, u64 row, u64 state_bytes)
    {
        partials = static_cast<unsigned char*>(scratch) + row * gridDim.x * state_bytes;
        ticket = tickets + row;
    }
    INLINE u32 rank() const { return blockIdx.x * blockDim.x + threadIdx.x; }
    INLINE u32 size() const { return gridDim.x * blockDim.x; }
    INLINE u32 lanes() const { return 32; }
    INLINE u32 lane() const { return lane_of_warp(); }
    INLINE u32 chunks() const { return gridDim.x * warps_of_block(); }
    INLINE u32 chunk() const { return blockIdx.x * warps_of_block() + warp_of_block(); }
    INLINE bool first() const { return blockIdx.x == 0 && threadIdx.x == 0; }
    INLINE bool leader() const { return threadIdx.x == 0; }
    INLINE bool finishes() const { return last; }
    template <class State, class Combine> INLINE State fold_lanes(const State& state, u32 present, Combine combine)
    {
        return block.fold_lanes(state, present, combine);
    }
    template <class State, class Combine> INLINE State fold_chunks(State state, u32 present, Combine combine)
    {
        const u32 before = blockIdx.x * warps_of_block();
        state = block.fold_chunks(state, present <= before ? 0 : minimum(present - before, warps_of_block()), combine);
        if (threadIdx.x == 0) {
            reinterpret_cast<State*>(partials)[blockIdx.x] = state;
            __threadfence();  // the part is visible before the ticket that announces it
            *is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        }
        // Hazard: threads other than the first read the flag before it is written. (The next row writes it only
        // after the barrier of that row's fold, which all threads reach after this read.)
        __syncthreads();
        last = *is_last != 0;
        if (!last) return state;
        __threadfence();  // the other blocks' parts are read after their tickets
        // The other blocks drew before this one did. A plain store would be in no order with that.
        if (threadIdx.x == 0) *(volatile u32*)ticket = 0;
        // Thread t takes a contiguous run of parts; then the tree, in order.
        const u32 parts = (present + warps_of_block() - 1) / warps_of_block();
        const u32 run = (parts + blockDim.x - 1) / blockDim.x;
        const u32 holders = run == 0 ? 0 : (parts + run - 1) / run;
        if (threadIdx.x < holders) {
            const u32 begin = threadIdx.x * run, end = minimum(begin + run, parts);
            const State* const left = reinterpret_cast<const State*>(partials);
            state = left[begin];
            for (u32 part = begin + 1; part < end; ++part) state = combine(state, left[part]);
        }
        const u32 mine = 32 * warp_of_block();
        state = block.fold_lanes(state, holders <= mine ? 0 : holders - mine, combine);
        return block.fold_chunks(state, (holders + 31) / 32, combine);
    }
};

// What all threads of a team have of a row, each something, combined by a known operator.
template <class Team, class State, class Combine> INLINE State fold_team(Team& team, State state, Combine combine)
{
    state = fold_all_lanes<Team::of_warp>(mask_of<Team::of_warp>(), state, combine);
    return team.fold_chunks(state, team.chunks(), combine);
}

// A fold whose operands keep their order: each chunk goes through its part of the row in tiles, a lane taking 4
// neighbours of a tile. The result is undefined (but zero or some element) if the domain is empty.
template <class Index, class Team, class Element, class Combine>
INLINE auto fold_in_order(Team& team, Index extent, Element element, Combine combine) -> decltype(element(extent))
{
    typedef decltype(element(extent)) State;
    const Index tile = 4 * team.lanes();
    const Index tiles = (extent + tile - 1) / tile;
    const Index length = (tiles + team.chunks() - 1) / team.chunks() * tile;
    const Index begin = team.chunk() * length;
    const Index end = minimum<Index>(extent, begin + length);
    State total = {};
    for (Index base = begin; base < end; base += tile) {
        const Index from = base + 4 * team.lane();
        State part = {};
        if (USUALLY(from + 4 <= end)) {
            // All of them are asked for before the first is used.
            State own[4];
#pragma unroll
            for (u32 k = 0; k < 4; ++k) own[k] = element(from + k);
            part = own[0];
#pragma unroll
            for (u32 k = 1; k < 4; ++k) part = combine(part, own[k]);
        } else if (from < end) {
            part = element(from);
            for (Index k = from + 1; k < end && k < from + 4; ++k) part = combine(part, element(k));
        }
        part = team.fold_lanes(part, u32(minimum<Index>(team.lanes(), (end - base + 3) / 4)), combine);
        if (team.lane() == 0) total = base == begin ? part : combine(total, part);
    }
    const Index chunks = length == 0 ? 0 : (extent + length - 1) / length;
    return team.fold_chunks(total, u32(chunks), combine);
}
