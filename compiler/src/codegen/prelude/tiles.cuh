// ---- Contractions: a block works on a tile of rows and columns, and what they share lies in shared memory ----

// Rows, columns and elements of the fold that a block has at hand; rows and columns of a thread, and its steps that are
// unrolled.
template <int rows_, int columns_, int depth_, int rows_of_each, int columns_of_each, int unrolled> struct tile_schedule {
    static constexpr int rows = rows_, columns = columns_, depth = depth_, each_row = rows_of_each,
                         each_column = columns_of_each, unroll = unrolled, thread_columns = columns / each_column,
                         threads = rows / each_row * thread_columns;
};

// Of `lines` dealt to `lines / each` threads in pieces of neighbours: the one that a thread has at `at`.
template <int lines, int each> INLINE u32 tile_line(u32 thread, u32 at)
{
    constexpr u32 piece = each < 4 ? each : 4;
    return (at / piece * (lines / each) + thread) * piece + at % piece;
}

// A side of a tile: `lines` (the rows on the left, the columns on the right) by `depth` elements of the fold. A thread
// asks for `width` neighbours at a time, along the fold or across the lines, and computes with `each` lines.
template <class T, int threads, int lines, int depth, int width, bool along, int each> struct tile_side {
    // Packs of one access, 16 bytes at most: of a piece, and of what a thread loads.
    static constexpr int piece = each < 4 ? each : 4, bytes = piece * int(sizeof(T)), power = bytes & -bytes;
    struct alignas(power < 16 ? power : 16) pieces { T at[piece]; };
    static constexpr int asked_bytes = width * int(sizeof(T)), asked_power = asked_bytes & -asked_bytes;
    struct alignas(asked_power < 16 ? asked_power : 16) asked { T at[width]; };
    // Neighbours along the fold are written to different lines: the room between them spreads the banks.
    static constexpr int stride = lines + (along && lines % 4 == 0 ? 4 : 0);
    static constexpr int groups = lines * depth / width;
    static constexpr int mine = (groups + threads - 1) / threads;
    struct alignas(16) slot { u64 word[2]; };
    static constexpr int slots = 2 * ((stride * depth * int(sizeof(T)) + 15) / 16);
    typedef T item;
    T held[mine][width];

    INLINE static T* tile(slot* room, u32 turn) { return reinterpret_cast<T*>(room + turn * (slots / 2)); }
    static_assert((along ? depth : lines) % width == 0, "groups of neighbours fill a tile");
    // Where a thread's group at `k` is: groups go along first where neighbours do. Where threads fill whole lines (or whole
    // steps of the fold), one is a number from the other, which ptxas does not find by itself.
    static constexpr int around = along ? depth / width : lines / width;
    INLINE static u32 inner_of(u32 k)
    {
        return (threads % around == 0 ? threadIdx.x : threadIdx.x + threads * k) % around * width;
    }
    INLINE static u32 outer_of(u32 k)
    {
        return threads % around == 0 ? threadIdx.x / around + threads / around * k : (threadIdx.x + threads * k) / around;
    }
    INLINE static u32 line_of(u32 k) { return along ? outer_of(k) : inner_of(k); }
    INLINE static u32 depth_of(u32 k) { return along ? inner_of(k) : outer_of(k); }
    // Whether a thread has one at `k`.
    INLINE static bool has(u32 k) { return groups % threads == 0 || threadIdx.x + threads * k < groups; }

    // Loads the tile with this first line and element: by `packs` where groups of neighbours are `aligned` and in bounds, without
    // a bounds test where the whole tile is; else by `one`.
    template <class Index, class One, class Packs>
    INLINE void fetch(
        const Index first, const Index end, const Index start, const Index stop, const bool aligned, One one,
        Packs packs)
    {
        if (USUALLY(aligned && first + lines <= end && start + depth <= stop)) {
#pragma unroll
            for (int k = 0; k < mine; ++k) {
                if (has(k)) packs(first + line_of(k), start + depth_of(k), held[k]);
            }
            return;
        }
#pragma unroll
        for (int k = 0; k < mine; ++k) {
            if (!has(k)) break;
            const Index line = first + line_of(k), at = start + depth_of(k);
            if (aligned && line + (along ? 1 : width) <= end && at + (along ? width : 1) <= stop) {
                packs(line, at, held[k]);
                continue;
            }
#pragma unroll
            for (int next = 0; next < width; ++next) {
                const Index l = along ? line : line + next, a = along ? at + next : at;
                held[k][next] = l < end && a < stop ? one(l, a) : T();
            }
        }
    }

    // Puts what has come into shared memory.
    INLINE void keep(slot* room, u32 turn) const
    {
        T* const to = tile(room, turn);
#pragma unroll
        for (int k = 0; k < mine; ++k) {
            if (!has(k)) break;
            const u32 line = line_of(k), at = depth_of(k);
            if constexpr (along) {
#pragma unroll
                for (int next = 0; next < width; ++next) to[(at + next) * stride + line] = held[k][next];
            } else {
                asked all;
#pragma unroll
                for (int next = 0; next < width; ++next) all.at[next] = held[k][next];
                *reinterpret_cast<asked*>(to + at * stride + line) = all;
            }
        }
    }

    // A thread's lines at one element of the fold.
    INLINE static void read(slot* room, u32 turn, u32 at, u32 thread, T (&to)[each])
    {
        const T* const from = tile(room, turn) + at * stride;
#pragma unroll
        for (int k = 0; k < each; k += piece) {
            const pieces loaded = *reinterpret_cast<const pieces*>(from + tile_line<lines, each>(thread, k));
#pragma unroll
            for (int next = 0; next < piece; ++next) to[k + next] = loaded.at[next];
        }
    }
};

// Folds a tile of rows and columns, `rows` times `columns` of which are this thread's, over all elements in order: the
// next part of each side is on its way while one is computed with. `turn` says which half of the rooms is next.
template <class Tile, class Index, class State, class Left, class Right, class Ask, class Step>
INLINE void contract(
    State (&parts)[Tile::each_row][Tile::each_column], Left left, Right right, typename Left::slot* left_room,
    typename Right::slot* right_room, u32& turn, u32 thread_row, u32 thread_column, const Index end, Ask ask, Step step)
{
    if (end == 0) return;
    ask(left, right, Index(0));
    for (Index start = 0;; start += Tile::depth) {
        left.keep(left_room, turn);
        right.keep(right_room, turn);
        // Hazard: a tile is read before it is there. (Its half was last read before the barrier of the round between.)
        __syncthreads();
        const bool more = start + Tile::depth < end;
        if (more) ask(left, right, start + Tile::depth);
        const auto at = [&](const u32 k) {
            typename Left::item row[Tile::each_row];
            typename Right::item column[Tile::each_column];
            left.read(left_room, turn, k, thread_row, row);
            right.read(right_room, turn, k, thread_column, column);
#pragma unroll
            for (u32 r = 0; r < Tile::each_row; ++r) {
#pragma unroll
                for (u32 c = 0; c < Tile::each_column; ++c) step(parts[r][c], row[r], column[c], r, c, start + k);
            }
        };
        if (USUALLY(start + Tile::depth <= end)) {
#pragma unroll Tile::unroll
            for (u32 k = 0; k < Tile::depth; ++k) at(k);
        } else {
#pragma unroll 1
            for (u32 k = 0; k < u32(end - start); ++k) at(k);
        }
        turn ^= 1;
        if (!more) break;
    }
}

// Where nothing depends on a line and an element of the fold.
template <int each> struct no_side {
    struct item {};
    struct slot {};
    INLINE void keep(slot*, u32) const {}
    INLINE static void read(slot*, u32, u32, u32, item (&)[each]) {}
};
