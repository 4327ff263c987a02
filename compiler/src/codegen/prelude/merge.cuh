// ---- Sorts by a comparison ----
//
// A merge sort. A tile is what a block holds: `items` neighbours of each thread, in registers and in shared memory. What
// of two sorted runs comes first is found by binary search (Green, McColl and Bader, merge path): how many of the first so
// many merged elements are of the first run. Each thread, and each block, begins where such a cut says and merges as much
// as any other. Of equal elements those of the first run come first.
//
// A comparison that is no order may cut so that parts overlap. Then the two runs stay one behind the other, so that there
// is a permutation whatever it says.

// A leaf of the elements, and its two buffers.
template <class Item, class T> struct merge_leaf {
    typedef T type;
    T Item::*field;
    T* first;
    T* second;
    // Whether the comparison looks at it.
    bool key;
    INLINE T* buffer(u32 which) const { return which == 0 ? first : second; }
};

// Shared memory: the elements of a tile, and where the part of each thread begins.
template <class Item> struct merge_space {
    Item* room;
    u32* cuts;
};

// Runs of elements that lie one behind the other, and the part of what is merged that goes somewhere: elements from `begin`
// to `end`.
template <class Index> struct merge_part {
    Index start;
    Index first;
    Index second;
    Index begin;
    Index end;
    INLINE merge_part(Index start, Index first, Index second, Index begin, Index count)
        : start(start), first(first), second(second), begin(minimum<Index>(begin, first + second)),
          end(minimum<Index>(begin + count, first + second))
    {
    }
    // How many of the first `merged` elements are of the first run; `before` says of an element of the second run and one of
    // the first whether it comes first.
    template <class Before> INLINE Index cut(Index merged, Before before) const
    {
        Index low = merged > second ? merged - second : 0, high = minimum<Index>(merged, first);
        while (low < high) {
            const Index middle = low + (high - low) / 2;
            if (before(start + first + (merged - 1 - middle), start + middle)) high = middle;
            else low = middle + 1;
        }
        return low;
    }
    // The cut that leaves the runs as they are.
    INLINE Index apart(Index merged) const { return minimum<Index>(merged, first); }
    INLINE bool is_last() const { return end == first + second; }
    // Whether there are as many elements between two cuts as there must be, of either run.
    INLINE bool fits(Index from, Index to) const { return from <= to && to - from <= end - begin; }
};

// The elements of one leaf after the other, or of those that the comparison looks at.
template <class Item, class Index, class Leaves> INLINE Item merge_load(Leaves leaves, u32 buffer, Index at, bool keys)
{
    Item item = {};
    leaves([&](const auto leaf) {
        if (!keys || leaf.key) item.*leaf.field = leaf.buffer(buffer)[at];
    });
    return item;
}

// A thread's part of two runs in shared memory. All threads of the block take part; afterwards the room is free.
template <u32 items, class Item, class Less>
INLINE void merge_shared(const merge_space<Item>& space, const merge_part<u32>& part, Item (&own)[items], Less less)
{
    const Item* const room = space.room;
    // Hazard: an element is compared before it is there.
    __syncthreads();
    u32 cut = part.cut(part.begin, [&](u32 b, u32 a) { return less(room[b], room[a]); });
    space.cuts[threadIdx.x] = cut;
    // Hazard: the next thread's cut is read before it is there.
    __syncthreads();
    u32 to = part.is_last() ? part.first : space.cuts[threadIdx.x + 1];
    if (__syncthreads_or(!part.fits(cut, to))) {
        cut = part.apart(part.begin);
        to = part.apart(part.end);
    }
    u32 a = part.start + cut, b = part.start + part.first + (part.begin - cut);
    const u32 a_end = part.start + to, b_end = part.start + part.first + (part.end - to);
#pragma unroll
    for (u32 k = 0; k < items; ++k) {
        if (part.begin + k < part.end) {
            const bool second = a == a_end || (b < b_end && less(room[b], room[a]));
            own[k] = room[second ? b++ : a++];
        }
    }
    // Hazard: an element is replaced before slow threads have merged it.
    __syncthreads();
}

// Tiles of what comes of runs of `run` tiles each, merged in pairs.
template <class Index> struct merge_round {
    Index length;
    Index tiles;
    Index run;
    u32 size;
    // The buffers: from which, and to which.
    u32 from;
    u32 to;
    // Words for each tile of all rows: by the first tile of a pair, the last runs that did not fit; and cuts.
    Index* misfits;
    Index* cuts;
    // By the number of the launch: the first one sorts the tiles, then each round has two.
    INLINE merge_round(Index rows, Index length, u32 size, u32 launch, Index* scratch)
        : length(length), tiles((length + size - 1) / size), size(size), misfits(scratch),
          cuts(scratch + rows * ((length + size - 1) / size))
    {
        const u32 round = launch == 0 ? 0 : (launch - 1) / 2;
        u32 rounds = 0;
        while ((Index(1) << rounds) < tiles) ++rounds;
        run = Index(1) << round;
        // The last round's are the results.
        from = (rounds - round) % 2;
        to = 1 - from;
    }
    // The first tile of the pair of a tile, in all rows.
    INLINE Index pair(Index unit) const { return unit - unit % tiles % (2 * run); }
    INLINE merge_part<Index> part(Index unit) const
    {
        const Index tile = unit % tiles, before = tile % (2 * run) * size, start = tile * size - before;
        const Index a = minimum<Index>(run * size, length - start), b = minimum<Index>(run * size, length - start - a);
        return merge_part<Index>(unit / tiles * length + start, a, b, before, size);
    }
};

// The first launch: tiles, or rows of which several fit a tile, sorted by themselves.
template <u32 items, class Item, class Index, class Element, class Less, class Leaves>
INLINE void merge_tiles(const merge_space<Item>& space, Index rows, const merge_round<Index>& round, Element element, Less less,
    Leaves leaves)
{
    Item* const room = space.room;
    const Index length = round.length, tiles = round.tiles;
    const u32 size = round.size;
    // Slots of a row: a power of two, as are those of a tile.
    u32 shift = 0;
    while ((1u << shift) < items || ((1u << shift) < size && (1u << shift) < length)) ++shift;
    const u32 width = 1u << shift, groups = size >> shift;
    const Index all = (rows + groups - 1) / groups * tiles;
    const u32 slot = threadIdx.x * items, within = slot & (width - 1);
    for (Index unit = blockIdx.x; unit < all; unit += gridDim.x) {
        const Index first = unit / tiles * groups, offset = unit % tiles * size;
        const u32 present = u32(minimum<Index>(width, length - offset));
        const auto place = [&](u32 at) -> Index { return (first + (at >> shift)) * length + offset + (at & (width - 1)); };
        const auto is_there = [&](u32 at) -> bool {
            return first + (at >> shift) < rows && (at & (width - 1)) < present;
        };
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            const u32 at = k * blockDim.x + threadIdx.x;
            if (is_there(at)) room[at] = element(place(at));
        }
        // Hazard: a thread takes its elements before they are there.
        __syncthreads();
        Item own[items];
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            if (is_there(slot + k)) own[k] = room[slot + k];
        }
        // Neighbours change places until they are in order.
#pragma unroll 1
        for (u32 turn = 0; turn < items; turn += 2) {
#pragma unroll
            for (u32 odd = 0; odd < 2; ++odd) {
#pragma unroll
                for (u32 k = odd; k + 1 < items; k += 2) {
                    if (is_there(slot + k + 1) && less(own[k + 1], own[k])) {
                        const Item moved = own[k];
                        own[k] = own[k + 1];
                        own[k + 1] = moved;
                    }
                }
            }
        }
        for (u32 run = items; run < width; run *= 2) {
#pragma unroll
            for (u32 k = 0; k < items; ++k) {
                if (is_there(slot + k)) room[slot + k] = own[k];
            }
            const u32 pair = within & ~(2 * run - 1);
            // What is not there is not compared: that might fail.
            const u32 there = is_there(slot - within) ? present - minimum<u32>(present, pair) : 0;
            const u32 a = minimum<u32>(run, there), b = minimum<u32>(run, there - a);
            merge_shared<items>(space, merge_part<u32>(slot - within + pair, a, b, within - pair, items), own, less);
        }
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            if (is_there(slot + k)) room[slot + k] = own[k];
        }
        // Hazard: an element is stored before it is there.
        __syncthreads();
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            const u32 at = k * blockDim.x + threadIdx.x;
            if (!is_there(at)) continue;
            leaves([&](const auto leaf) { leaf.buffer(round.from)[place(at)] = room[at].*leaf.field; });
        }
        // The next tile's elements take the place of those that the same thread has stored.
    }
}

// The first launch of a round: the cuts of all tiles.
template <class Item, class Index, class Less, class Leaves>
INLINE void merge_cuts(Index rows, const merge_round<Index>& round, Less less, Leaves leaves)
{
    const auto before = [&](Index b, Index a) {
        return less(merge_load<Item>(leaves, round.from, b, true), merge_load<Item>(leaves, round.from, a, true));
    };
    for (Index unit = thread_of_grid<Index>(); unit < rows * round.tiles; unit += threads_of_grid<Index>()) {
        const merge_part<Index> part = round.part(unit);
        const Index cut = part.cut(part.begin, before);
        round.cuts[unit] = cut;
        if (!part.fits(cut, part.cut(part.end, before))) atomicExch(round.misfits + round.pair(unit), round.run);
    }
}

// The second launch of a round: the tiles.
template <u32 items, class Item, class Index, class Less, class Leaves>
INLINE void merge_pairs(const merge_space<Item>& space, Index rows, const merge_round<Index>& round, Less less, Leaves leaves)
{
    Item* const room = space.room;
    for (Index unit = blockIdx.x; unit < rows * round.tiles; unit += gridDim.x) {
        const merge_part<Index> part = round.part(unit);
        const bool fits = round.misfits[round.pair(unit)] != round.run;
        const Index cut = fits ? round.cuts[unit] : part.apart(part.begin);
        const Index to = part.is_last() ? part.first : fits ? round.cuts[unit + 1] : part.apart(part.end);
        const u32 a = u32(to - cut), all = u32(part.end - part.begin);
        const Index second = part.start + part.first + (part.begin - cut);
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            const u32 at = k * blockDim.x + threadIdx.x;
            if (at >= all) continue;
            room[at] = merge_load<Item>(leaves, round.from, at < a ? part.start + cut + at : second + (at - a), false);
        }
        Item own[items];
        const u32 slot = threadIdx.x * items;
        merge_shared<items>(space, merge_part<u32>(0, a, all - a, slot, items), own, less);
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            if (slot + k < all) room[slot + k] = own[k];
        }
        // Hazard: an element is stored before it is there.
        __syncthreads();
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            const u32 at = k * blockDim.x + threadIdx.x;
            if (at >= all) continue;
            const Index place = part.start + part.begin + at;
            leaves([&](const auto leaf) { leaf.buffer(round.to)[place] = room[at].*leaf.field; });
        }
        // The next tile's elements take the place of those that the same thread has stored.
    }
}
