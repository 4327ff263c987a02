// ---- Sorts ----
//
// A radix sort from the least significant digit to the most significant, eight bits at a time, in which equal elements keep
// their order. A tile is what a block holds in registers: `items` of each thread, of which those of a warp's lanes are
// neighbours.

// An unsigned number that compares as the value does: floats in Rust's total order.
template <class T> INLINE exact_of<T> order_bits(T x)
{
    return exact_of<T>(exact_of<T>(x) ^ (is_signed<T>() ? exact_of<T>(exact_of<T>(1) << (8 * sizeof(T) - 1)) : 0));
}
template <> INLINE u32 order_bits<f32>(f32 x)
{
    const u32 bits = bits_as<u32>(x);
    return bits ^ (bits >> 31 != 0 ? ~0u : 1u << 31);
}
template <> INLINE u64 order_bits<f64>(f64 x)
{
    const u64 bits = bits_as<u64>(x);
    return bits ^ (bits >> 63 != 0 ? ~0ull : 1ull << 63);
}
template <class T> INLINE u32 sort_digit(T x, u32 byte) { return u32(order_bits(x) >> 8 * byte) & 255; }

// A leaf of the elements, and its two buffers: the last pass writes the first. So many passes, counted from the first
// one, leave it behind.
template <class Item, class T> struct sort_leaf {
    typedef T type;
    T Item::*field;
    T* first;
    T* second;
    u32 passes;
    bool wanted;
    INLINE T* buffer(u32 which) const { return which == 0 ? first : second; }
};

// Shared memory: digits counted by each warp, by the tile, and before each digit; where the elements of each digit go, less
// where they start in the tile; the digit at each place of the tile; room for a leaf of the tile; what one thread tells
// all.
struct sort_space {
    u32* counts;
    u32* totals;
    u32* starts;
    u64* shifts;
    u8* digits;
    u64* room;
    u64* handed;
};

template <u32 items> INLINE u32 sort_place(u32 k) { return 32 * (items * warp_of_block() + k) + lane_of_warp(); }

// What stands before each of 256 counts, by the first warp.
template <class To, class From> INLINE void sort_starts(const From* counts, u64* wide, u32* starts)
{
    if (warp_of_block() != 0) return;
    const u32 lane = lane_of_warp();
    To own[8], sum = 0;
#pragma unroll
    for (u32 k = 0; k < 8; ++k) {
        own[k] = To(counts[8 * lane + k]);
        sum += own[k];
    }
    const auto add = [](const To& a, const To& b) -> To { return a + b; };
    To before = scan_lanes<32>(0xffffffffu, lane, sum, 32, add) - sum;
#pragma unroll
    for (u32 k = 0; k < 8; ++k) {
        if (wide != nullptr) wide[8 * lane + k] = u64(before);
        else starts[8 * lane + k] = u32(before);
        before += own[k];
    }
}

// Where each of a thread's elements goes in its tile, of which `present` are there: by digit, equal ones in order.
template <u32 items, class Digit>
INLINE void sort_ranks(const sort_space& space, u32 present, Digit digit, u32 (&rank)[items])
{
    u32* const counts = space.counts + 256 * warp_of_block();
    const u32 lane = lane_of_warp();
    for (u32 bin = lane; bin < 256; bin += 32) counts[bin] = 0;
    // Hazard: a digit is counted before its count is clear. Only memory is ordered here: `match` keeps the lanes together.
    __syncwarp();
#pragma unroll
    for (u32 k = 0; k < items; ++k) {
        // The same for all lanes.
        if (sort_place<items>(k) - lane >= present) continue;
        const bool some = sort_place<items>(k) < present;
        const u32 bin = some ? digit(k) : 256;
        const u32 alike = __match_any_sync(0xffffffffu, bin);
        const u32 before = ones(alike & ((1u << lane) - 1));
        const u32 earlier = some ? counts[bin] : 0;
        // Hazard: a count goes up before all lanes have read it.
        __syncwarp(0xffffffffu);
        if (some && before == 0) counts[bin] = earlier + ones(alike);
        // Hazard: the next elements' lanes read a count before it has gone up. As above.
        __syncwarp();
        rank[k] = earlier + before;
    }
    // Hazard: counts are added up before all warps have counted.
    __syncthreads();
    for (u32 bin = threadIdx.x; bin < 256; bin += blockDim.x) {
        u32 sum = 0;
        for (u32 warp = 0; warp < warps_of_block(); ++warp) {
            const u32 own = space.counts[256 * warp + bin];
            space.counts[256 * warp + bin] = sum;
            sum += own;
        }
        space.totals[bin] = sum;
    }
    // Hazard: the tile's counts are read before they are there.
    __syncthreads();
    sort_starts<u32>(space.totals, nullptr, space.starts);
    // Hazard: the starts are read before they are there.
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < items; ++k) {
        if (sort_place<items>(k) < present) {
            const u32 bin = digit(k);
            rank[k] += space.starts[bin] + counts[bin];
        }
    }
}

// One leaf of the tile in its new order, as `take` finds it in shared memory.
template <u32 items, class T, class Get, class Take>
INLINE void sort_exchange(const sort_space& space, u32 present, const u32 (&rank)[items], Get get, Take take)
{
    T* const room = reinterpret_cast<T*>(space.room);
#pragma unroll
    for (u32 k = 0; k < items; ++k) {
        if (sort_place<items>(k) < present) room[rank[k]] = get(k);
    }
    // Hazard: an element is taken before it is there.
    __syncthreads();
    take(room);
    // Hazard: the next leaf takes the place of one that slow threads still read.
    __syncthreads();
}

// Rows of at most 32 elements, a warp for each: a lane's goes behind those that come before it.
template <class Item, class Index, class Element, class Less, class Leaves>
INLINE void sort_lanes(Index rows, u32 length, Element element, Less less, Leaves leaves)
{
    const u32 lane = lane_of_warp();
    for (Index row = thread_of_grid<Index>() / 32; row < rows; row += threads_of_grid<Index>() / 32) {
        const Index base = row * length;
        Item own = {};
        if (lane < length) own = element(base + lane);
        u32 place = 0;
        for (u32 k = 0; k < length; ++k) {
            const Item other = shuffle_from(0xffffffffu, own, k, 32);
            if (less(other, own) || (k < lane && !less(own, other))) ++place;
        }
        leaves([&](const auto leaf) {
            if (leaf.wanted && lane < length) leaf.first[base + place] = own.*leaf.field;
        });
    }
}

// Rows that fit a tile, a block for each.
template <u32 items, class Item, class Index, class Element, class Less, class Digit, class Leaves>
INLINE void sort_rows(const sort_space& space, Index rows, Index length, u32 passes, Element element, Less less, Digit digit,
    Leaves leaves)
{
    if (length <= 32) {
        sort_lanes<Item>(rows, u32(length), element, less, leaves);
        return;
    }
    const u32 present = u32(length);
    for (Index row = blockIdx.x; row < rows; row += gridDim.x) {
        const Index base = row * length;
        Item own[items];
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            if (sort_place<items>(k) < present) own[k] = element(base + sort_place<items>(k));
        }
        for (u32 pass = 0; pass < passes; ++pass) {
            u32 rank[items];
            sort_ranks<items>(space, present, [&](u32 k) { return digit(own[k], pass); }, rank);
            leaves([&](const auto leaf) {
                using T = typename decltype(leaf)::type;
                const auto get = [&](u32 k) { return own[k].*leaf.field; };
                sort_exchange<items, T>(space, present, rank, get, [&](const T* room) {
#pragma unroll
                    for (u32 k = 0; k < items; ++k) {
                        if (sort_place<items>(k) < present) own[k].*leaf.field = room[sort_place<items>(k)];
                    }
                });
            });
        }
        leaves([&](const auto leaf) {
            if (!leaf.wanted) return;
#pragma unroll
            for (u32 k = 0; k < items; ++k) {
                if (sort_place<items>(k) < present) leaf.first[base + sort_place<items>(k)] = own[k].*leaf.field;
            }
        });
    }
}

// Rows of any length, by several launches: the first one counts the digits of each row, the others are passes over them.
// `scratch` is a ticket for each pass, the counts by row, pass and digit, and two rounds of a state for each tile and
// digit; all zero at first but for the second round.
template <class Item, class Index, class Element, class Digit>
INLINE void sort_count(const sort_space& space, Index rows, Index length, u32 passes, Index* scratch, Element element, Digit digit)
{
    u32* const bins = space.counts;
    const Index threads = Index(gridDim.x) * blockDim.x;
    for (Index row = blockIdx.y; row < rows; row += gridDim.y) {
        for (u32 first = 0; first < passes; first += 8) {
            const u32 some = minimum<u32>(8, passes - first);
            for (u32 bin = threadIdx.x; bin < 256 * some; bin += blockDim.x) bins[bin] = 0;
            // Hazard: a digit is counted before its count is clear.
            __syncthreads();
            for (Index k = Index(blockIdx.x) * blockDim.x + threadIdx.x; k < length; k += threads) {
                const Item item = element(row * length + k);
                for (u32 pass = 0; pass < some; ++pass) atomicAdd(bins + 256 * pass + digit(item, first + pass), 1u);
            }
            // Hazard: a count is handed on before all threads have counted.
            __syncthreads();
            Index* const counts = scratch + passes + 256 * (u64(row) * passes + first);
            for (u32 bin = threadIdx.x; bin < 256 * some; bin += blockDim.x) {
                if (bins[bin] != 0) atomicAdd(counts + bin, Index(bins[bin]));
            }
            // Who has handed on a count clears it, and all wait before they count again.
        }
    }
}

// One pass. What stands before a tile is found by look-back, for each digit by itself (Adinets and Merrill, Onesweep): a
// block takes its next tile by a ticket, so that whoever stands before it is at work already. A state is zero, or one more
// than the tile has of the digit, or the top bit and how many elements of the row come before the tile's end. It is one word,
// so no fence is needed.
template <u32 items, class Item, class Index, class Element, class Digit, class Leaves>
INLINE void sort_pass(const sort_space& space, Index rows, Index length, u32 passes, u32 pass, Index* scratch, Element element,
    Digit digit, Leaves leaves)
{
    const Index size = items * blockDim.x, tiles = (length + size - 1) / size, all = rows * tiles;
    const Index top = Index(1) << (8 * sizeof(Index) - 1);
    Index* const rounds = scratch + passes + 256 * u64(rows) * passes;
    Index* const states = rounds + (pass % 2 == 0 ? 0 : 256 * u64(all));
    Index* const next = rounds + (pass % 2 == 0 ? 256 * u64(all) : 0);
    const u32 from = (passes - pass) % 2, to = 1 - from;
    for (;;) {
        if (threadIdx.x == 0) space.handed[0] = u64(atomicAdd(scratch + pass, Index(1)));
        // Hazard: the ticket is read before it is there.
        __syncthreads();
        const Index ticket = Index(space.handed[0]);
        if (ticket >= all) return;
        const Index row = ticket / tiles, tile = ticket % tiles, base = row * length + tile * size;
        const u32 present = u32(minimum<Index>(size, length - tile * size));
        Item own[items];
        if (pass == 0) {
#pragma unroll
            for (u32 k = 0; k < items; ++k) {
                if (sort_place<items>(k) < present) own[k] = element(base + sort_place<items>(k));
            }
        } else {
            leaves([&](const auto leaf) {
                using T = typename decltype(leaf)::type;
                if (pass > leaf.passes) return;
                const T* const buffer = leaf.buffer(from);
#pragma unroll
                for (u32 k = 0; k < items; ++k) {
                    if (sort_place<items>(k) < present) own[k].*leaf.field = buffer[base + sort_place<items>(k)];
                }
            });
        }
        for (u32 bin = threadIdx.x; bin < 256; bin += blockDim.x) next[256 * u64(ticket) + bin] = 0;
        const Index* const counts = scratch + passes + 256 * (u64(row) * passes + pass);
        if (threadIdx.x == 0) space.handed[1] = counts[digit(own[0], pass)] == length;
        // Hazard: whether all digits are alike is read before it is there.
        __syncthreads();
        if (space.handed[1] != 0) {
            leaves([&](const auto leaf) {
                using T = typename decltype(leaf)::type;
                if (pass >= leaf.passes) return;
                T* const buffer = leaf.buffer(to);
#pragma unroll
                for (u32 k = 0; k < items; ++k) {
                    if (sort_place<items>(k) < present) buffer[base + sort_place<items>(k)] = own[k].*leaf.field;
                }
            });
        } else {
            u32 rank[items];
            sort_ranks<items>(space, present, [&](u32 k) { return digit(own[k], pass); }, rank);
            if (tile == 0) {
                sort_starts<Index>(counts, space.shifts, nullptr);
                // Hazard: the row's starts are read before they are there.
                __syncthreads();
            }
            for (u32 bin = threadIdx.x; bin < 256; bin += blockDim.x) {
                volatile Index* const state = states + 256 * u64(ticket) + bin;
                const Index total = space.totals[bin];
                Index before = 0;
                if (tile == 0) {
                    before = Index(space.shifts[bin]);
                } else {
                    *state = total + 1;
                    for (const volatile Index* earlier = state - 256;; earlier -= 256) {
                        Index seen = *earlier;
                        while (seen == 0) {
                            SPIN_WAIT();
                            seen = *earlier;
                        }
                        before += seen >= top ? seen - top : seen - 1;
                        if (seen >= top) break;
                    }
                }
                *state = top + before + total;
                space.shifts[bin] = u64(Index(row * length + before - space.starts[bin]));
            }
#pragma unroll
            for (u32 k = 0; k < items; ++k) {
                if (sort_place<items>(k) < present) space.digits[rank[k]] = u8(digit(own[k], pass));
            }
            leaves([&](const auto leaf) {
                using T = typename decltype(leaf)::type;
                if (pass >= leaf.passes) return;
                const auto get = [&](u32 k) { return own[k].*leaf.field; };
                T* const buffer = leaf.buffer(to);
                sort_exchange<items, T>(space, present, rank, get, [&](const T* room) {
#pragma unroll
                    for (u32 k = 0; k < items; ++k) {
                        const u32 at = k * blockDim.x + threadIdx.x;
                        if (at < present) buffer[Index(space.shifts[space.digits[at]]) + at] = room[at];
                    }
                });
            });
        }
        // All have read the ticket, and wait for the next one before what they share is written again.
    }
}
