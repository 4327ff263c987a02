// ---- Tiles that are read along one axis and stored along another ----

// The logarithm of the least power of two that is no less than an extent, or the most.
INLINE u32 log_of(const u64 extent, const u32 most)
{
    u32 log = 0;
    while (log < most && (u64(1) << log) < extent) ++log;
    return log;
}

// At most 2^most places: logarithms of how many lie along the axis of the stores, along that of the reads, and beyond, along
// one more, which is `between` the two in memory, or outside of both. A tile that is `whole` is about square, with points at
// all of its places.
template <u32 most, bool between, bool whole> struct transposed_tile {
    u32 along, across, beyond;

    INLINE u32 places() const { return 1u << (along + across + beyond); }
    INLINE bool is_square() const { return along == most / 2 && across == most - most / 2; }
    INLINE static bool has(const bool within) { return whole || within; }
    INLINE static u32 part(const u32 at, const u32 from, const u32 bits) { return at >> from & ((1u << bits) - 1); }

    // Where a place lies, of those numbered as they are stored ..
    INLINE u32 stored_along(const u32 at) const { return part(at, 0, along); }
    INLINE u32 stored_across(const u32 at) const { return part(at, between ? along + beyond : along, across); }
    INLINE u32 stored_beyond(const u32 at) const { return part(at, between ? along : along + across, beyond); }
    // .. and of those numbered as they are read; its number among the others.
    INLINE u32 read_along(const u32 at) const { return part(at, between ? across + beyond : across, along); }
    INLINE u32 read_across(const u32 at) const { return part(at, 0, across); }
    INLINE u32 read_beyond(const u32 at) const { return part(at, between ? across : across + along, beyond); }
    INLINE u32 turned(const u32 at) const
    {
        const u32 outer = between ? read_across(at) << beyond | read_beyond(at) : read_beyond(at) << across | read_across(at);
        return outer << along | read_along(at);
    }
};

template <u32 most, bool between> INLINE transposed_tile<most, between, true> whole_tile()
{
    return {most / 2, most - most / 2, 0};
}

// The tile for a domain: where an axis is short the others have the rest, the neighbours in memory first.
template <u32 most, bool between>
INLINE transposed_tile<most, between, false> tile_for(const u64 stores, const u64 reads, const u64 others)
{
    transposed_tile<most, between, false> tile = {log_of(stores, most / 2), log_of(reads, most - most / 2), 0};
    if (between) tile.beyond = log_of(others, most - tile.along - tile.across);
    tile.along = log_of(stores, most - tile.across - tile.beyond);
    tile.across = log_of(reads, most - tile.along - tile.beyond);
    tile.beyond = log_of(others, most - tile.along - tile.across);
    return tile;
}

// Reads all elements of a tile, several before the first is kept. Of a whole one each thread has as many, and the number of a
// place is in two parts with no bit in common, the thread's and one that is known: what follows from it follows from each
// part, so that little is left to compute.
template <int items, u32 most, bool between, bool whole, class Read, class Keep>
INLINE void for_places(const transposed_tile<most, between, whole>& tile, Read read, Keep keep)
{
    if (whole) {
        constexpr u32 threads = (1u << most) / items;
        decltype(read(0, 0)) inputs[items];
#pragma unroll
        for (u32 k = 0; k < items; ++k) inputs[k] = read(threadIdx.x, threads * k);
#pragma unroll
        for (u32 k = 0; k < items; ++k) keep(threadIdx.x, threads * k, inputs[k]);
    } else {
        const auto read_at = [&](const u32 at) { return read(at, 0); };
        const auto keep_at = [&](const u32 at, const decltype(read(0, 0))& in) { keep(at, 0, in); };
        read_ahead<items, u32>(threadIdx.x, tile.places(), blockDim.x, read_at, keep_at);
    }
}

// Where an element is kept: a word after 32 words lets both ways through a tile go through all banks.
template <class T> INLINE u32 apart(const u32 at)
{
    constexpr u32 more = sizeof(T) == 1 ? 2 : sizeof(T) == 2 ? 1 : 0;
    return at + (at >> (5 + more) << more);
}
