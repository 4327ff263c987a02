// ---- Counts ----
//
// `count_row` is `scan_row` of a sum of ones, of the points where `holds` is true: what a filter keeps. A warp votes on 32
// neighbours at a time, so that a point's number is that of the bits below it.

template <class Index, class Team, class Holds, class Finish>
INLINE u64 count_row(Team& team, Index extent, Holds holds, Finish finish)
{
    const auto element = [&](const Index at) -> u64 { return u64(holds(at)); };
    const auto add = [](const u64 left, const u64 right) -> u64 { return left + right; };
    return scan_row<Index>(team, extent, element, add, finish);
}

// Points of a thread in a tile.
INLINE constexpr u32 count_items() { return 15; }

// As `scan_tile`, which says more.
template <class Index, class Holds, class Earlier, class Finish>
INLINE Index count_tile(tile_team& team, Index base, u32 present, Holds holds, Earlier earlier, Finish finish)
{
    constexpr u32 items = count_items(), most = 32 * items;
    const u32 lane = lane_of_warp(), before_warp = most * warp_of_block();
    // The bits of the lanes below this one, and with its own.
    const u32 below = (1u << lane) - 1, upto = below | 1u << lane;
    const bool full = USUALLY(present == items * blockDim.x);
    const u32 held = full ? most : before_warp < present ? minimum(most, present - before_warp) : 0;
    const Index first = (base + before_warp + lane) & Index(~Index(0) >> 1);
    // Of the others lane k keeps the vote of round k.
    u32 votes[items], own_vote = 0, sum = 0;
    if (full) {
#pragma unroll
        for (u32 k = 0; k < items; ++k) votes[k] = u32(holds(first + 32 * k));
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            votes[k] = __ballot_sync(0xffffffffu, votes[k] != 0);
            sum += u32(__popc(votes[k]));
        }
    } else {
        for (u32 k = 0; 32 * k < held; ++k) {
            const u32 vote = __ballot_sync(0xffffffffu, 32 * k + lane < held && holds(first + 32 * k));
            if (k == lane) own_vote = vote;
            sum += u32(__popc(vote));
        }
    }
    const auto add = [](const Index left, const Index right) -> Index { return left + right; };
    const u32 warps = full ? warps_of_block() : (present + most - 1) / most;
    const warp_parts<Index> of_warps = scan_warps(team, lane == 0, Index(sum), warps, add);
    const Index carry = earlier(of_warps.whole);
    Index before = carry + (warp_of_block() > 0 ? of_warps.before : Index(0));
    if (full) {
#pragma unroll
        for (u32 k = 0; k < items; ++k) {
            const u32 vote = votes[k];
            finish(first + 32 * k, u64(before + u32(__popc(vote & upto))), u64(before + u32(__popc(vote & below))));
            before += u32(__popc(vote));
        }
    } else {
        for (u32 k = 0; 32 * k < held; ++k) {
            const u32 vote = __shfl_sync(0xffffffffu, own_vote, k, 32);
            const u64 through = u64(before + u32(__popc(vote & upto)));
            if (32 * k + lane < held) finish(first + 32 * k, through, u64(before + u32(__popc(vote & below))));
            before += u32(__popc(vote));
        }
    }
    return carry + of_warps.whole;
}

template <class Index, class Holds, class Finish>
INLINE u64 count_row(tile_team& team, Index extent, Holds holds, Finish finish)
{
    const Index size = count_items() * blockDim.x;
    Index carry = 0;
    for (Index base = 0; base < extent; base += size) {
        const u32 present = u32(minimum<Index>(size, extent - base));
        carry = count_tile(team, base, present, holds, [&](const Index&) { return carry; }, finish);
    }
    return carry;
}

template <class Index, class Holds, class Finish>
INLINE u64 count_row(chained_team& team, Index extent, Holds holds, Finish finish)
{
    const auto add = [](const Index left, const Index right) -> Index { return left + right; };
    const auto tile = [&](const Index base, const u32 present, bool, u32*, const auto earlier) -> Index {
        return count_tile(team.block, base, present, holds, earlier, finish);
    };
    return scan_tiles<Index, Index>(team, extent, Index(count_items() * blockDim.x), add, tile);
}
