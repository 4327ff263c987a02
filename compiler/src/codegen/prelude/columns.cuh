// ---- Teams of rows whose elements are apart ----

// Neighbouring rows in groups, so that what a warp reads lies together: 32 rows, or a power of two that is enough for all. Each
// thread has one of them, and the threads that have the same share it. (Where a thread has several rows, these are one here.)
struct columns_team {
    static constexpr u32 of_warp = 1;
    u64* slots;
    u32 shift;
    u32 turn = 0;
    bool stores = false;
    template <class Index> INLINE columns_team(u64* shared, const Index rows, u32 most = 5) : slots(shared), shift(most)
    {
        while (shift > 0 && rows <= 1u << (shift - 1)) --shift;
    }
    template <class Index> INLINE Index groups(const Index rows) const { return (rows + (1u << shift) - 1) >> shift; }
    // The thread's row of a group. Those beyond the last row repeat it and store nothing.
    template <class Index> INLINE Index row(const Index group, const Index rows)
    {
        const Index own = (group << shift) + column();
        stores = own < rows;
        return minimum<Index>(own, rows - 1);
    }
    INLINE u32 column() const { return threadIdx.x & ((1u << shift) - 1); }
    INLINE u32 rank() const { return threadIdx.x >> shift; }
    INLINE u32 size() const { return blockDim.x >> shift; }
    INLINE u32 lanes() const { return 1; }
    INLINE u32 lane() const { return 0; }
    INLINE u32 chunks() const { return size(); }
    INLINE u32 chunk() const { return rank(); }
    INLINE bool first() const { return leads(1); }
    INLINE bool leader() const { return leads(1); }
    INLINE bool finishes() const { return true; }
    // Which of the block's threads with its row it is, and whether it is one of so many that store.
    INLINE u32 place() const { return threadIdx.x >> shift; }
    INLINE bool leads(u32 several) const { return stores && place() < several; }
    template <class State, class Combine> INLINE State fold_lanes(const State& state, u32, Combine) { return state; }
    template <class State, class Combine> INLINE State fold_chunks(State state, u32 present, Combine combine)
    {
        // The chunks of a warp.
        const u32 of_warp = 32 >> shift;
        for (u32 distance = 1; distance < of_warp; distance *= 2) {
            const State later = shuffle_down(0xffffffffu, state, distance << shift, 32);
            if (chunk() % (2 * distance) == 0 && chunk() + distance < present) state = combine(state, later);
        }
        constexpr u32 words = (sizeof(State) + 7) / 8;
        u64* const half = slots + (warps_of_block() << shift) * words * turn;
        turn = 1 - turn;
        if (chunk() % of_warp == 0) memcpy(half + words * ((warp_of_block() << shift) + column()), &state, sizeof(State));
        // Hazard: as in block_team.
        __syncthreads();
        const u32 warps = (present + of_warp - 1) / of_warp;
        for (u32 warp = 0; warp < warps; ++warp) {
            State later;
            memcpy(&later, half + words * ((warp << shift) + column()), sizeof(State));
            state = warp == 0 ? later : combine(state, later);
        }
        return state;
    }
};

// columns_team in several blocks; as grid_team, with one ticket for a group. Of what the blocks leave for the last one, words of
// neighbouring rows lie together.
struct columns_grid_team {
    static constexpr u32 of_warp = 1;
    columns_team block;
    u32* is_last;
    u32* partials = nullptr;
    u32* ticket = nullptr;
    bool last = false;
    template <class Index>
    INLINE columns_grid_team(u64* shared, u32* flag, const Index rows, u32 most = 5)
        : block(shared, rows, most), is_last(flag)
    {
    }
    INLINE void start(void* scratch, u32* tickets, u64 group, u64 words)
    {
        partials = static_cast<u32*>(scratch) + (group * gridDim.x << block.shift) * words + block.column();
        ticket = tickets + group;
    }
    template <class Index> INLINE Index groups(const Index rows) const { return block.groups(rows); }
    template <class Index> INLINE Index row(const Index group, const Index rows) { return block.row(group, rows); }
    INLINE u32 rank() const { return blockIdx.x * block.size() + block.rank(); }
    INLINE u32 size() const { return gridDim.x * block.size(); }
    INLINE u32 lanes() const { return 1; }
    INLINE u32 lane() const { return 0; }
    INLINE u32 chunks() const { return size(); }
    INLINE u32 chunk() const { return rank(); }
    INLINE bool first() const { return blockIdx.x == 0 && block.first(); }
    INLINE bool leader() const { return block.leader(); }
    INLINE bool finishes() const { return last; }
    INLINE u32 place() const { return block.place(); }
    INLINE bool leads(u32 several) const { return block.leads(several); }
    template <class State, class Combine> INLINE State fold_lanes(const State& state, u32, Combine) { return state; }
    template <class State, class Combine> INLINE State fold_chunks(State state, u32 present, Combine combine)
    {
        const u32 chunks = block.chunks(), before = blockIdx.x * chunks;
        state = block.fold_chunks(state, present <= before ? 0 : minimum(present - before, chunks), combine);
        constexpr u32 words = (sizeof(State) + 3) / 4;
        if (warp_of_block() == 0) {
            u32 word[words] = {};
            memcpy(word, &state, sizeof(State));
#pragma unroll
            for (u32 w = 0; w < words; ++w) {
                if (block.chunk() == 0) partials[(u64(blockIdx.x) * words + w) << block.shift] = word[w];
            }
            __threadfence();  // each lane's part is visible before the ticket that announces them
            __syncwarp(0xffffffffu);
            if (threadIdx.x == 0) *is_last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        }
        // Hazard: as in grid_team.
        __syncthreads();
        last = *is_last != 0;
        if (!last) return state;
        __threadfence();  // the other blocks' parts are read after their tickets
        // The other blocks drew before this one did. A plain store would be in no order with that.
        if (threadIdx.x == 0) *(volatile u32*)ticket = 0;
        // Each chunk takes a contiguous run of parts.
        const u32 blocks = (present + chunks - 1) / chunks;
        const u32 run = (blocks + chunks - 1) / chunks;
        const u32 begin = block.chunk() * run, end = minimum(begin + run, blocks);
        const auto part = [&](const u32 at) -> State {
            u32 word[words];
#pragma unroll
            for (u32 w = 0; w < words; ++w) word[w] = partials[(u64(at) * words + w) << block.shift];
            State found;
            memcpy(&found, word, sizeof(State));
            return found;
        };
        if (begin < end) state = part(begin);
        const auto use = [&](u32, const State& later) { state = combine(state, later); };
        read_in_batches<(sizeof(State) > 4 ? 2 : 4), u32>(begin + 1, end, 1, part, use);
        return block.fold_chunks(state, run == 0 ? 0 : (blocks + run - 1) / run, combine);
    }
};
