// ---- Scans ----
//
// `scan_row` gives `finish` at each point of a row, in any order, what `element` gives up to that point, combined in
// order, and what it gives before that point (zero bits at the first one). The result, known to the whole team, is what
// all elements combine to; undefined if there are none.

template <class State> INLINE State shuffle_up(u32 mask, const State& state, u32 distance, u32 width)
{
    constexpr int words = (sizeof(State) + 3) / 4;
    u32 word[words] = {};
    memcpy(word, &state, sizeof(State));
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] = __shfl_up_sync(mask, word[w], distance, width);
    State result;
    memcpy(&result, word, sizeof(State));
    return result;
}
template <class State> INLINE State shuffle_from(u32 mask, const State& state, u32 lane, u32 width)
{
    constexpr int words = (sizeof(State) + 3) / 4;
    u32 word[words] = {};
    memcpy(word, &state, sizeof(State));
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] = __shfl_sync(mask, word[w], lane, width);
    State result;
    memcpy(&result, word, sizeof(State));
    return result;
}

// In each of the first `present` lanes of a group of `width`: the states up to it, combined in order.
template <int width, class State, class Combine>
INLINE State scan_lanes(u32 mask, u32 lane, State state, u32 present, Combine combine)
{
#pragma unroll
    for (u32 distance = 1; distance < width; distance *= 2) {
        const State earlier = shuffle_up(mask, state, distance, width);
        if (lane >= distance && lane < present) state = combine(earlier, state);
    }
    return state;
}

template <class Index, class Element, class Combine, class Finish>
INLINE auto scan_row(thread_team&, Index extent, Element element, Combine combine, Finish finish)
    -> decltype(element(extent))
{
    typedef decltype(element(extent)) State;
    State through = {};
    for (Index k = 0; k < extent; ++k) {
        const State before = through;
        const State next = element(k);
        through = k == 0 ? next : combine(before, next);
        finish(k, through, before);
    }
    return through;
}

template <class Index, int width, class Element, class Combine, class Finish>
INLINE auto scan_row(warp_team<width>& team, Index extent, Element element, Combine combine, Finish finish)
    -> decltype(element(extent))
{
    typedef decltype(element(extent)) State;
    const u32 lane = team.lane();
    State carry = {};
    for (Index base = 0; base < extent; base += width) {
        const u32 present = u32(minimum<Index>(width, extent - base));
        State through = {};
        if (lane < present) through = element(base + lane);
        through = scan_lanes<width>(team.mask(), lane, through, present, combine);
        if (base != 0 && lane < present) through = combine(carry, through);
        State before = shuffle_up(team.mask(), through, 1, width);
        if (lane == 0) before = carry;
        if (lane < present) finish(base + lane, through, before);
        carry = shuffle_from(team.mask(), through, present - 1, width);
    }
    return carry;
}

// How many neighbours a thread takes of a tile: an odd number, so that lanes meet no bank of shared memory twice.
template <class State> INLINE constexpr u32 scan_items()
{
    return sizeof(State) <= 4 ? 15 : sizeof(State) <= 8 ? 7 : sizeof(State) <= 16 ? 3 : 1;
}

// A block that goes through its row in tiles; `tile` has room for `scan_items` states of each thread.
struct tile_team : block_team {
    u64* tile;
    INLINE tile_team(u64* slots, u32 words, u64* room) : block_team(slots, words), tile(room) {}
};

// What the parts of the warps before this one combine to (undefined in the first), and those of all.
template <class State> struct warp_parts {
    State before, whole;
};
// Of so many warps, each with a part that one of its lanes `holds`.
template <class State, class Combine>
INLINE warp_parts<State> scan_warps(block_team& team, bool holds, const State& part, u32 warps, Combine combine)
{
    constexpr u32 words = (sizeof(State) + 7) / 8;
    u64* const parts = team.next_half();
    if (holds) memcpy(parts + words * warp_of_block(), &part, sizeof(State));
    // Hazard: a warp's part is read before it is there.
    __syncthreads();
    State through = {};
    if (lane_of_warp() < warps) memcpy(&through, parts + words * lane_of_warp(), sizeof(State));
    // A block has eight warps at most.
    through = scan_lanes<8>(0xffffffffu, lane_of_warp(), through, warps, combine);
    return {
        shuffle_from(0xffffffffu, through, warp_of_block() - 1, 32),
        shuffle_from(0xffffffffu, through, warps - 1, 32),
    };
}

// `present` neighbours from `base` on. Each warp has a part of them, which it turns in shared memory: elements are read and
// points finished by neighbouring lanes, but each lane combines a run of neighbours, in registers if the tile is full.
// `earlier`, asked by all threads with what the tile combines to, gives what stands before it (anything if `base` is 0). The
// result, if it is `wanted`, is what all elements up to the tile's end combine to.
template <class Index, class State, class Element, class Combine, class Earlier, class Finish>
INLINE State scan_tile(tile_team& team, Index base, u32 present, bool wanted, Element element, Combine combine, Earlier earlier,
    Finish finish)
{
    constexpr u32 items = scan_items<State>(), most = 32 * items;
    const u32 lane = lane_of_warp(), warp = warp_of_block(), before_warp = most * warp, from = items * lane;
    // Of large states a thread has one, which is no run, and no registers for more.
    const bool full = items > 1 && USUALLY(present == items * blockDim.x);
    // Of this warp's part, and of this lane's run.
    const u32 held = full ? most : before_warp < present ? minimum(most, present - before_warp) : 0;
    const u32 run = full ? items : from < held ? minimum(items, held - from) : 0;
    State* const room = reinterpret_cast<State*>(team.tile) + before_warp;
    // Known to have no highest bit, so that what is added to it can be added to an address.
    const Index first = (base + before_warp + lane) & Index(~Index(0) >> 1);
    State own[items];
    State part = {};
    if (full) {
#pragma unroll
        for (u32 k = 0; k < items; ++k) own[k] = element(first + 32 * k);
#pragma unroll
        for (u32 k = 0; k < items; ++k) room[32 * k + lane] = own[k];
    } else {
        for (u32 k = lane; k < held; k += 32) room[k] = element(base + before_warp + k);
    }
    // Hazard: a run is combined before its elements are there.
    __syncwarp(0xffffffffu);
    if (full) {
#pragma unroll
        for (u32 k = 0; k < items; ++k) own[k] = room[from + k];
        part = own[0];
#pragma unroll
        for (u32 k = 1; k < items; ++k) part = combine(part, own[k]);
    } else {
        for (u32 k = 0; k < run; ++k) part = k == 0 ? room[from] : combine(part, room[from + k]);
    }
    const u32 runs = full ? 32 : (held + items - 1) / items;
    part = scan_lanes<32>(0xffffffffu, lane, part, runs, combine);
    const State before = shuffle_up(0xffffffffu, part, 1, 32);
    // Of the last lane that has a run.
    const u32 warps = full ? warps_of_block() : (present + most - 1) / most;
    const warp_parts<State> of_warps = scan_warps(team, lane + 1 == runs, part, warps, combine);
    const State carry = earlier(of_warps.whole);
    bool some = base != 0;
    State through = carry;
    if (run > 0 && warp > 0) through = some ? combine(through, of_warps.before) : of_warps.before;
    some = some || warp > 0;
    const State start = through;
    if (run > 0 && lane > 0) through = some ? combine(through, before) : before;
    some = some || lane > 0;
    if (full) {
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            through = k > 0 || some ? combine(through, own[k]) : own[k];
            room[from + k] = through;
        }
    } else {
        for (u32 k = 0; k < run; ++k) {
            through = k > 0 || some ? combine(through, room[from + k]) : room[from];
            room[from + k] = through;
        }
    }
    u64* const end = wanted ? team.next_half() : nullptr;
    if (wanted && run > 0 && before_warp + from + run == present) memcpy(end, &through, sizeof(State));
    // Hazard: a point is finished before its run is.
    __syncwarp(0xffffffffu);
    if (full) {
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            const u32 at = 32 * k + lane;
            finish(first + 32 * k, room[at], at == 0 ? start : room[at - 1]);
        }
    } else {
        for (u32 k = lane; k < held; k += 32) finish(base + before_warp + k, room[k], k == 0 ? start : room[k - 1]);
    }
    State last = {};
    if (wanted) {
        // Hazard: the last state is read before it is stored, and a warp's next elements overwrite states that its slow
        // lanes still read.
        __syncthreads();
        if (present > 0) memcpy(&last, end, sizeof(State));
    }
    return last;
}

template <class Index, class Element, class Combine, class Finish>
INLINE auto scan_row(tile_team& team, Index extent, Element element, Combine combine, Finish finish)
    -> decltype(element(extent))
{
    typedef decltype(element(extent)) State;
    const Index size = scan_items<State>() * blockDim.x;
    State carry = {};
    for (Index base = 0; base < extent; base += size) {
        const u32 present = u32(minimum<Index>(size, extent - base));
        const auto earlier = [&](const State&) { return carry; };
        carry = scan_tile<Index, State>(team, base, present, true, element, combine, earlier, finish);
    }
    return carry;
}

// Several blocks on a row, in one pass: a chained scan with look-back (Merrill and Garland). A block takes its next tile by
// a ticket, so that whoever stands before a tile is at work already. What stands before a tile is put together in one
// bracketing, whatever has been published when: everything before its group of 1024 tiles, the groups of 32 tiles in that
// one, the tiles in its group of 32. A state is published in words that hold 4 bytes of it and a flag: a word is there
// or not, so no fence is needed. The last block to leave clears all words for the next launch.
struct chained_team {
    tile_team block;
    // Shared: a ticket, then a state.
    u64* handed;
    u32* tickets = nullptr;
    u64 row = 0;
    // Whether this block scanned the last tile; whether it was the last to leave, and what has been told by then.
    bool last = false;
    bool leaves_last = false;
    bool told = false;
    INLINE chained_team(u64* slots, u32 words, u64* room, u64* hand) : block(slots, words, room), handed(hand) {}
    INLINE void start(u32* scratch, u64 of_row) { tickets = scratch, row = of_row; }
    INLINE bool first() const { return blockIdx.x == 0 && threadIdx.x == 0; }
    INLINE bool leader() const { return threadIdx.x == 0; }
    INLINE bool finishes() const { return last; }

    template <class State> INLINE static void publish(u64* slot, const State& state)
    {
        constexpr int words = (sizeof(State) + 3) / 4;
        u32 word[words] = {};
        memcpy(word, &state, sizeof(State));
#pragma unroll
        for (int w = 0; w < words; ++w) *(volatile u64*)(slot + w) = 1ull << 32 | word[w];
    }
    template <class State> INLINE static State await(const u64* slot)
    {
        constexpr int words = (sizeof(State) + 3) / 4;
        u32 word[words];
#pragma unroll
        for (int w = 0; w < words; ++w) {
            u64 seen = *(const volatile u64*)(slot + w);
            while (seen >> 32 == 0) {
                SPIN_WAIT();
                seen = *(const volatile u64*)(slot + w);
            }
            word[w] = u32(seen);
        }
        State state;
        memcpy(&state, word, sizeof(State));
        return state;
    }

    // What stands before tile `at`, to the first warp of the block, which has `own`.
    template <class State, class Combine>
    INLINE State look_back(u64* tiles, u64* groups, u64* wholes, u32 at, const State& own, Combine combine)
    {
        constexpr u32 words = (sizeof(State) + 3) / 4;
        const u32 lane = lane_of_warp(), tile = at % 32, group = at / 32 % 32, whole = at / 1024;
        if (lane == 0 && tile != 31) publish(tiles + words * u64(at), own);
        State of_tiles = {}, of_groups = {}, carry = {};
        if (lane < tile) of_tiles = await<State>(tiles + words * u64(at - tile + lane));
        of_tiles = fold_lanes<32>(0xffffffffu, lane, of_tiles, tile, combine);
        if (lane == 0 && tile == 31 && group != 31) publish(groups + words * u64(at / 32), combine(of_tiles, own));
        if (lane < group) of_groups = await<State>(groups + words * u64(at / 32 - group + lane));
        of_groups = fold_lanes<32>(0xffffffffu, lane, of_groups, group, combine);
        if (lane == 0) {
            if (whole > 0) carry = await<State>(wholes + words * u64(whole - 1));
            if (group > 0) carry = whole > 0 ? combine(carry, of_groups) : of_groups;
            if (tile > 0) carry = whole > 0 || group > 0 ? combine(carry, of_tiles) : of_tiles;
            if (at % 1024 == 1023) publish(wholes + words * u64(whole), combine(carry, own));
        }
        return carry;
    }
};

// All threads call `tile` for each tile of `size` elements: with its first index, the number of elements present, whether the
// total is needed, the counters by which `tell` signals the block that leaves last, and a function that returns the carry.
INLINE void tell(u32* counters) { atomicOr(counters + 1, 1u << 31); }
template <class Index, class State, class Combine, class Tile>
INLINE State scan_tiles(chained_team& team, Index extent, const Index size, Combine combine, Tile tile)
{
    constexpr u64 words = (sizeof(State) + 3) / 4;
    const u32 count = u32(maximum<Index>(1, (extent + size - 1) / size));
    const u64 slots = words * (u64(count) + (count + 31) / 32 + (count + 1023) / 1024);
    u64* const scratch = reinterpret_cast<u64*>(team.tickets) + team.row * (1 + slots);
    u32* const counters = reinterpret_cast<u32*>(scratch);
    u64* const tiles = scratch + 1;
    u64* const groups = tiles + words * count;
    u64* const wholes = groups + words * ((count + 31) / 32);
    State total = {};
    team.last = false;
    for (;;) {
        if (threadIdx.x == 0) *team.handed = atomicAdd(counters, 1u);
        // Hazard: the ticket is read before it is there.
        __syncthreads();
        const u32 at = u32(*team.handed);
        if (at >= count) break;
        const Index base = at * size;
        const u32 present = u32(minimum<Index>(size, extent - base));
        const auto earlier = [&](const State& own) -> State {
            State carry = {};
            if (warp_of_block() == 0) {
                ONE_WARP();
                carry = team.look_back(tiles, groups, wholes, at, own, combine);
                if (threadIdx.x == 0) memcpy(team.handed + 1, &carry, sizeof(State));
                ALL_WARPS();
            }
            // Hazard: what stands before the tile is read before it is there.
            __syncthreads();
            memcpy(&carry, team.handed + 1, sizeof(State));
            return carry;
        };
        // The total is the last state of the last tile.
        team.last = at + 1 == count;
        const State last = tile(base, present, team.last, counters, earlier);
        if (team.last) total = last;
    }
    // Where a carry stood, which all have read before the last ticket; the next one comes after the next row's ticket.
    u64* const left = team.handed + 1;
    if (threadIdx.x == 0) {
        __threadfence();  // what the block has published is visible before it leaves
        *left = atomicAdd(counters + 1, 1u);
    }
    // Hazard: who clears is asked before it is known.
    __syncthreads();
    team.leaves_last = u32(*left) << 1 == (gridDim.x - 1) << 1;
    if (team.leaves_last) {
        team.told = u32(*left) >> 31 != 0;
        __threadfence();  // what the others have published is cleared after they have left
        if (threadIdx.x == 0) {
            // The others have left before this block did. A plain store would be in no order with that.
            *(volatile u32*)(counters + 1) = 0;
            counters[0] = 0;
        }
        for (u64 slot = 1 + threadIdx.x; slot < 1 + slots; slot += blockDim.x) scratch[slot] = 0;
    }
    return total;
}

template <class Index, class Element, class Combine, class Finish>
INLINE auto scan_row(chained_team& team, Index extent, Element element, Combine combine, Finish finish)
    -> decltype(element(extent))
{
    typedef decltype(element(extent)) State;
    const auto tile = [&](const Index base, const u32 present, const bool wanted, u32*, const auto earlier) -> State {
        return scan_tile<Index, State>(team.block, base, present, wanted, element, combine, earlier, finish);
    };
    return scan_tiles<Index, State>(team, extent, Index(scan_items<State>() * blockDim.x), combine, tile);
}
