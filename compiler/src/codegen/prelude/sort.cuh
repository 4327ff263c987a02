// ---- Sorts ----
//
// A radix sort from the least significant digit to the most significant, eight bits at a time, in which equal elements keep
// their order. A tile is what a block holds in registers: `items` of each thread, of which those of a warp's lanes are
// neighbours. A block has `sort_warps`, or fewer for rows that need no more.

constexpr u32 sort_warps = 12;

// The warps of a block that passes over all rows. That they are as many as may be is for the compiler to know; in tests there are
// fewer, so that little data has several tiles.
#ifdef ACCELERATE_EMULATED
INLINE u32 sort_warps_of_pass() { return warps_of_block(); }
#else
INLINE u32 sort_warps_of_pass() { return sort_warps; }
#endif

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
#ifdef ACCELERATE_EMULATED
INLINE u32 byte_of(u32 bits, u32 byte) { return bits >> 8 * byte & 255; }
#else
INLINE u32 byte_of(u32 bits, u32 byte) { return __byte_perm(bits, 0, 0x4440 + byte); }
#endif
template <class T> INLINE u32 sort_digit(T x, u32 byte)
{
    if constexpr (sizeof(T) <= 4) return byte_of(u32(order_bits(x)), byte);
    else return u32(order_bits(x) >> 8 * byte) & 255;
}

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

// What a warp knows of a digit: how many of its elements have it, and the lanes that have it now, a bit each.
struct sort_tally {
    alignas(8) u32 count;
    u32 lanes;
};

// Shared memory: room for a leaf of the tile, or, before there is one, for each warp's tallies; digits counted by the tile, and
// before each digit; where the elements of each digit go, less where they start in the tile; the digit at each place of the
// tile; what one thread tells all. `shifts` has room for indices of either width.
struct sort_space {
    u64* room;
    u32* totals;
    u32* starts;
    u64* shifts;
    u8* digits;
    u64* handed;
    INLINE sort_tally* tallies(u32 warp) const { return reinterpret_cast<sort_tally*>(room) + 256 * warp; }
};

template <u32 items> INLINE u32 sort_place(u32 k) { return 32 * (items * warp_of_block() + k) + lane_of_warp(); }

// What stands before each of 256 counts, by the first warp.
template <class To, class From> INLINE void sort_starts(const From* counts, To* starts)
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
        starts[8 * lane + k] = before;
        before += own[k];
    }
}

// A thread's elements of a tile of which `present` are there, one of each place.
template <u32 items, class Item, class Load>
INLINE void sort_load(u32 warps, u32 present, Item (&own)[items], Load load)
{
    if (USUALLY(present == 32 * items * warps)) {
#pragma unroll
        for (u32 k = 0; k < items; ++k) load(own[k], sort_place<items>(k));
    } else {
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            if (sort_place<items>(k) < present) load(own[k], sort_place<items>(k));
        }
    }
}

// `use` for each place of a thread's elements that are there.
template <u32 items, class Use> INLINE void sort_store(u32 warps, u32 present, Use use)
{
    if (USUALLY(present == 32 * items * warps)) {
#pragma unroll
        for (u32 k = 0; k < items; ++k) use(sort_place<items>(k));
    } else {
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            if (sort_place<items>(k) < present) use(sort_place<items>(k));
        }
    }
}

// `use` for each digit, by one of the block's threads.
template <class Use> INLINE void sort_bins(u32 warps, Use use)
{
    if (warps >= 8) {
        if (threadIdx.x < 256) use(threadIdx.x);
    } else {
        for (u32 bin = threadIdx.x; bin < 256; bin += 32 * warps) use(bin);
    }
}

// The digits of a thread's elements, and where each goes in its tile: by digit, equal ones in order. Those that are not
// there have the last digit, and come last. `publish` gets the tile's aggregate of each digit before the ranks are complete, so
// that the look-back of later tiles waits less.
//
// Lanes that have the same digit find each other in a word of shared memory, a bit each, and the last of them counts them all. On
// an H200 a pass took 215 us so (with the counts in words apart), 280 by ballots and 385 by `__match_any_sync`.
template <u32 items, class Digit, class Publish>
INLINE void sort_ranks(const sort_space& space, u32 warps, u32 present, Digit digit, u32 (&bins)[items], u32 (&rank)[items],
    Publish publish)
{
    sort_tally* const tallies = space.tallies(warp_of_block());
    const u32 lane = lane_of_warp(), upto = 0xffffffffu >> (31 - lane), size = 32 * items * warps;
#pragma unroll
    for (u32 first = 0; first < 256; first += 32) tallies[first + lane] = {0, 0};
#pragma unroll
    for (u32 k = 0; k < items; ++k) bins[k] = digit(k);
    if (!USUALLY(present == size)) {
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            if (sort_place<items>(k) >= present) bins[k] = 255;
        }
    }
    // Hazard: a digit is counted before its tally is clear.
    __syncwarp();
#pragma unroll
    for (u32 k = 0; k < items; ++k) {
        sort_tally& tally = tallies[bins[k]];
        atomicOr(&tally.lanes, 1u << lane);
        // Hazard: lanes that have the same digit are read before all have told.
        __syncwarp(0xffffffffu);
        const sort_tally seen = tally;
        rank[k] = seen.count + u32(__popc(seen.lanes & upto));
        // Hazard: the last of these lanes counts them before all have read.
        __syncwarp();
        if ((seen.lanes & ~upto) == 0) tally = {rank[k], 0};
        // Hazard: the next elements' lanes tell before these are forgotten.
        __syncwarp(0xffffffffu);
    }
    // Hazard: counts are added up before all warps have counted.
    __syncthreads();
    sort_bins(warps, [&](u32 bin) {
        u32 sum = 0;
#pragma unroll
        for (u32 warp = 0; warp < sort_warps; ++warp) {
            if (warp < warps) sum += space.tallies(warp)[bin].count;
        }
        const u32 total = bin < 255 ? sum : sum - (size - present);
        space.totals[bin] = total;
        publish(bin, total);
    });
    // Hazard: the tile's counts are read before they are there.
    __syncthreads();
    sort_starts<u32>(space.totals, space.starts);
    // Hazard: the starts are read before they are there.
    __syncthreads();
    sort_bins(warps, [&](u32 bin) {
        // Ranks count from one.
        u32 before = space.starts[bin] - 1;
#pragma unroll
        for (u32 warp = 0; warp < sort_warps; ++warp) {
            if (warp >= warps) break;
            u32& count = space.tallies(warp)[bin].count;
            const u32 own = count;
            count = before;
            before += own;
        }
    });
    // Hazard: where a warp's digits start is read before it is there.
    __syncthreads();
#pragma unroll
    for (u32 k = 0; k < items; ++k) rank[k] += tallies[bins[k]].count;
    // Hazard: a leaf takes the place of counts that slow threads still read.
    __syncthreads();
}

// One leaf of the tile in its new order, as `take` finds it in shared memory; what is not there is last.
template <u32 items, class T, class Get, class Take>
INLINE void sort_exchange(const sort_space& space, const u32 (&rank)[items], Get get, Take take)
{
    T* const room = reinterpret_cast<T*>(space.room);
#pragma unroll
    for (u32 k = 0; k < items; ++k) room[rank[k]] = get(k);
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
    const u32 present = u32(length), warps = warps_of_block();
    for (Index row = blockIdx.x; row < rows; row += gridDim.x) {
        const Index base = row * length;
        Item own[items] = {};
        sort_load<items>(warps, present, own, [&](Item& one, u32 at) { one = element(base + at); });
        for (u32 pass = 0; pass < passes; ++pass) {
            u32 bins[items], rank[items];
            sort_ranks<items>(space, warps, present, [&](u32 k) { return digit(own[k], pass); }, bins, rank, [](u32, u32) {});
            leaves([&](const auto leaf) {
                using T = typename decltype(leaf)::type;
                const auto get = [&](u32 k) { return own[k].*leaf.field; };
                sort_exchange<items, T>(space, rank, get, [&](const T* room) {
#pragma unroll
                    for (u32 k = 0; k < items; ++k) own[k].*leaf.field = room[sort_place<items>(k)];
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
// `scratch` is a ticket for each pass, the counts by row, pass and digit, all zero at first, and two rounds of a state for
// each tile and digit; the first launch clears the first round.
template <u32 items, class Item, class Index, class Element, class Digit>
INLINE void sort_count(const sort_space& space, Index rows, Index length, u32 passes, Index* scratch, Element element, Digit digit)
{
    // As many as are 64 bytes, so that enough are on their way.
    constexpr int ahead = sizeof(Item) < 64 ? 64 / sizeof(Item) : 1;
    u32* const bins = reinterpret_cast<u32*>(space.room);
    const Index size = items * blockDim.x, threads = Index(gridDim.x) * blockDim.x;
    const u64 states = 256 * u64(rows * ((length + size - 1) / size));
    Index* const first_round = scratch + passes + 256 * u64(rows) * passes;
    const u64 block = u64(blockIdx.y) * gridDim.x + blockIdx.x, every = u64(threads) * gridDim.y;
    for (u64 state = block * blockDim.x + threadIdx.x; state < states; state += every) first_round[state] = 0;
    for (Index row = blockIdx.y; row < rows; row += gridDim.y) {
        for (u32 first = 0; first < passes; first += 8) {
            const u32 some = minimum<u32>(8, passes - first);
            for (u32 bin = threadIdx.x; bin < 256 * some; bin += blockDim.x) bins[bin] = 0;
            // Hazard: a digit is counted before its count is clear.
            __syncthreads();
            const auto load = [&](const Index k) -> Item { return element(row * length + k); };
            const auto count = [&](const Index, const Item& item) {
#pragma unroll
                for (u32 pass = 0; pass < 8; ++pass) {
                    if (pass < some) atomicAdd(bins + 256 * pass + digit(item, first + pass), 1u);
                }
            };
            read_ahead<ahead>(Index(blockIdx.x) * blockDim.x + threadIdx.x, length, threads, load, count);
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

// What stands before a tile that is not its row's first: of the states before its own, some are asked for at once.
template <class Index> INLINE Index sort_look_back(const volatile Index* state, Index tile, const Index top)
{
    constexpr u32 ahead = 4;
    Index before = 0;
    for (;;) {
        Index seen[ahead];
#pragma unroll
        for (u32 k = 0; k < ahead; ++k) seen[k] = k < tile ? state[-256 * i64(k + 1)] : top;
#pragma unroll
        for (u32 k = 0; k < ahead; ++k) {
            while (seen[k] == 0) {
                SPIN_WAIT();
                seen[k] = state[-256 * i64(k + 1)];
            }
            before += seen[k] >= top ? seen[k] - top : seen[k] - 1;
            if (seen[k] >= top) return before;
        }
        state -= 256 * ahead;
        tile -= ahead;
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
    const u32 warps = sort_warps_of_pass(), size = 32 * items * warps;
    const Index tiles = (length + size - 1) / size, all = rows * tiles;
    const Index top = Index(1) << (8 * sizeof(Index) - 1);
    Index* const rounds = scratch + passes + 256 * u64(rows) * passes;
    Index* const states = rounds + (pass % 2 == 0 ? 0 : 256 * u64(all));
    Index* const next = rounds + (pass % 2 == 0 ? 256 * u64(all) : 0);
    const u32 from = (passes - pass) % 2, to = 1 - from;
    Index* const shifts = reinterpret_cast<Index*>(space.shifts);
    for (;;) {
        if (threadIdx.x == 0) space.handed[0] = u64(atomicAdd(scratch + pass, Index(1)));
        // Hazard: the ticket is read before it is there.
        __syncthreads();
        const Index ticket = Index(space.handed[0]);
        if (ticket >= all) return;
        // Of a vector there is one row, which is known.
        const Index row = rows == 1 ? Index(0) : ticket / tiles, tile = ticket - row * tiles;
        const Index base = row * length + tile * size;
        const u32 present = u32(minimum<Index>(size, length - tile * size));
        Item own[items] = {};
        if (!USUALLY(pass > 0)) {
            sort_load<items>(warps, present, own, [&](Item& one, u32 at) { one = element(base + at); });
        } else {
            leaves([&](const auto leaf) {
                using T = typename decltype(leaf)::type;
                if (pass > leaf.passes) return;
                const T* const buffer = leaf.buffer(from) + base;
                sort_load<items>(warps, present, own, [&](Item& one, u32 at) { one.*leaf.field = buffer[at]; });
            });
        }
        sort_bins(warps, [&](u32 bin) { next[256 * u64(ticket) + bin] = 0; });
        const Index* const counts = scratch + passes + 256 * (u64(row) * passes + pass);
        if (threadIdx.x == 0) space.handed[1] = counts[digit(own[0], pass)] == length;
        // Hazard: whether all digits are alike is read before it is there.
        __syncthreads();
        if (!USUALLY(space.handed[1] == 0)) {
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
            u32 bins[items], rank[items];
            sort_ranks<items>(space, warps, present, [&](u32 k) { return digit(own[k], pass); }, bins, rank, [&](u32 bin, u32 total) {
                volatile Index* const state = states + 256 * u64(ticket) + bin;
                if (tile > 0) *state = Index(total) + 1;
            });
            if (!USUALLY(tile > 0)) {
                sort_starts<Index>(counts, shifts);
                // Hazard: the row's starts are read before they are there.
                __syncthreads();
            }
            sort_bins(warps, [&](u32 bin) {
                volatile Index* const state = states + 256 * u64(ticket) + bin;
                const Index total = space.totals[bin];
                Index before = 0;
                if (!USUALLY(tile > 0)) {
                    before = shifts[bin];
                } else {
                    before = sort_look_back(state, tile, top);
                }
                *state = top + before + total;
                shifts[bin] = Index(row * length + before - space.starts[bin]);
            });
            bool told = false;
            leaves([&](const auto leaf) {
                using T = typename decltype(leaf)::type;
                if (pass >= leaf.passes) return;
                // An element that is one leaf has its digit with it.
                constexpr bool alone = sizeof(T) == sizeof(Item);
                if (!alone && !told) {
#pragma unroll
                    for (u32 k = 0; k < items; ++k) space.digits[rank[k]] = u8(bins[k]);
                    told = true;
                }
                const auto get = [&](u32 k) { return own[k].*leaf.field; };
                T* const buffer = leaf.buffer(to);
                sort_exchange<items, T>(space, rank, get, [&](const T* room) {
                    sort_store<items>(warps, present, [&](u32 at) {
                        Item moved;
                        moved.*leaf.field = room[at];
                        u32 bin;
                        if constexpr (alone) bin = digit(moved, pass);
                        else bin = space.digits[at];
                        buffer[Index(shifts[bin] + at)] = moved.*leaf.field;
                    });
                });
            });
        }
        // All have read the ticket, and wait for the next one before what they share is written again.
    }
}
