// ---- Rows of lengths of their own ----
//
// A row that is long for its team is left to the whole block, which goes through its rows once more and takes the long ones.
// So the bits of a row depend on its length and the launch alone, and one long row among short ones keeps no warp waiting.
// One that is longer than a block should be kept is left to a launch that comes after: see below.

// `width` lanes to a row at first; `longs`: the rows that they leave. `met`: there was one. More than `most` elements are
// left by the block too, which sets `left`.
template <class Team, u32 width, bool longs> struct part_team : Team {
    using Team::Team;
    bool met = false;
    u64 most = ~0ull;
    u32* left = nullptr;
};
template <class Team> INLINE bool skips(Team&, u64) { return false; }
template <class Team, u32 width, bool longs> INLINE bool skips(part_team<Team, width, longs>& team, u64 length)
{
    const bool is_long = length > 64 * width;
    team.met = team.met || is_long;
    if (longs && length > team.most) {
        *(volatile u32*)team.left = 1;
        return true;
    }
    return is_long != longs;
}

// One that takes every row but those of more than `most` elements.
template <class Team> struct whole_team : Team {
    using Team::Team;
    u64 most = ~0ull;
    u32* left = nullptr;
};
template <class Team> INLINE bool skips(whole_team<Team>& team, u64 length)
{
    if (length <= team.most) return false;
    *(volatile u32*)team.left = 1;
    return true;
}

// ---- Equal shares, whatever the lengths ----
//
// A step is an element, or the end of a row. The steps of all rows in order are a path (the merge path of the elements and
// the rows' ends: Green, Odeh and Birk; Merrill and Garland), and blocks take tiles of it, of as many steps each. Folds of
// rows are a scan along the path that starts anew where a row has ended.

// A part of the path. `kind`: 1 if there are elements after the last end, which come to `state`; 2 if a row has ended; 4 if
// after the last end there was a step that is no element of a row to be folded. So it is 2 alone at the end of a row.
template <class State> struct stretch {
    State state;
    u32 kind;
};

// The elements of a row among those of all rows, if they are some of the axis.
struct row_span {
    u64 from, to;
    bool within;
};

// How many rows end before a step, `low` to `high`; `ends` gives the step at which a row does.
template <class Row, class Ends> INLINE Row rows_before(u64 step, Row low, Row high, Ends ends)
{
    while (low < high) {
        const Row middle = low + (high - low) / 2;
        if (ends(middle) < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
// The same of all rows by a warp, in a fifth of the rounds: reads that wait for each other are what a tile's start costs.
template <class Ends> INLINE u64 rows_before_by_warp(u64 step, u64 rows, Ends ends)
{
    u64 low = 0, high = rows;
    while (low < high) {
        const u64 part = (high - low + 31) / 32;
        const u64 row = low + lane_of_warp() * part;
        const u32 before = u32(__popc(__ballot_sync(0xffffffffu, row < high && ends(row) < step)));
        if (before == 0) return low;
        high = minimum<u64>(high, low + before * part);
        low += (before - 1) * part + 1;
    }
    return low;
}

// `found`: shared, the rows that a tile's steps begin and end in. Rows of fewer than `least` elements are not its own; with
// `left` no row is, unless that is set.
struct path_team : chained_team {
    u64* found;
    u64 least;
    INLINE path_team(u64* slots, u32 words, u64* room, u64* hand, u64* rows, u64 fewest)
        : chained_team(slots, words, room, hand), found(rows), least(fewest) {}
};

// `finish` is asked with each row, whether it has elements, and what they come to. The result, in the block that leaves
// last: whether some row does not lie on its axis or behind the one before, so that there is no such path. No element is
// taken then that is not its row's, and the block is to go through all rows, so that each has its own, and whatever is
// wrong with any of them is found. An operator that is `cheap` costs less than a branch around it, and finds nothing wrong.
template <class State, bool cheap, class Span, class Element, class Combine, class Finish>
INLINE bool fold_path(path_team& team, u64 rows, u64 items, Span span, Element element, Combine combine, Finish finish)
{
    typedef stretch<State> Stretch;
    const auto ends = [&](u64 row) -> u64 { return span(row).to + row; };
    // Of a tile: its first step and the first row that ends in it or behind it, and how many do in it.
    u64 start = 0, low = 0;
    u32 ended = 0;
    // Where a thread is, which takes a tile's steps in order and looks for a row only when it has left one: the row, counted from
    // the tile's first, and how far its elements are behind the steps that they are, from `from` on; `next` is the step after its
    // end.
    u64 behind = 0;
    u32 row = 0, from = 0, next = 0;
    const auto row_of = [&](u32 at, u32 least) -> u32 {
        return rows_before<u32>(start + at, least, ended, [&](u32 row) -> u64 { return ends(low + row); });
    };
    const auto find = [&](u32 at) {
        row = row_of(at, row);
        from = next = ~0u;
        if (low + row >= rows) return;
        const row_span of = span(low + row);
        const u64 first = of.from + low + row, end = of.to + low + row;
        if (end < start + at) return;
        next = u32(minimum<u64>(end - start, ~0u - 1)) + 1;
        behind = start - first;
        if (of.within && of.to - of.from >= team.least) from = first <= start ? 0 : u32(minimum<u64>(first - start, ~0u));
    };
    const auto begin = [&](u64 base, u32 present, u32* counters) {
        for (u32 end = warp_of_block(); end < 2; end += warps_of_block()) {
            const u64 row = rows_before_by_warp(base + end * present, rows, ends);
            if (lane_of_warp() == 0) team.found[end] = row;
        }
        // Hazard: where a tile lies is read before it is found.
        __syncthreads();
        const u64 high = team.found[1];
        start = base, low = team.found[0], row = 0;
        ended = high < low ? 0 : u32(minimum<u64>(high - low, present));
        find(32 * scan_items<Stretch>() * warp_of_block() + lane_of_warp());
        // Where each row lies on its axis, and begins where the one before ends or behind that, all are on the path. Each tile
        // looks at its own, the last one at all that are left.
        const u64 end = base + present < rows + items ? high : rows;
        bool proper = true;
        for (u64 own = low + threadIdx.x; own < end; own += blockDim.x) {
            const row_span of = span(own);
            proper = proper && of.within && (own == 0 || span(own - 1).to <= of.from);
        }
        if (!proper) tell(counters);
    };
    const auto step = [&](u64 of_path) -> Stretch {
        Stretch own = {};
        const u32 at = u32(of_path - start);
        if (!USUALLY(at < next)) find(at);
        if (at + 1 == next) {
            own.kind = 2;
        } else if (at >= from) {
            own.state = element(low + row, behind + at);
            own.kind = 1;
        } else {
            own.kind = 4;
        }
        return own;
    };
    const auto joined = [&](const Stretch& left, const Stretch& right) -> Stretch {
        if constexpr (cheap) {
            const bool anew = (right.kind & 2) != 0, alone = anew || (left.kind & 1) == 0;
            const State both = combine(left.state, right.state);
            const State joint = (right.kind & 1) != 0 ? both : left.state;
            return {alone ? right.state : joint, anew ? right.kind : left.kind | right.kind};
        }
        if ((right.kind & 2) != 0 || left.kind == 0) return right;
        if ((right.kind & 1) == 0) return {left.state, left.kind | right.kind};
        Stretch both = {right.state, left.kind | right.kind};
        if ((left.kind & 1) != 0) both.state = combine(left.state, right.state);
        return both;
    };
    const auto passed = [&](u64 at, const Stretch& through, const Stretch& before) {
        if (USUALLY(through.kind != 2)) return;
        const u64 ending = low + row_of(u32(at - start), 0);
        if (ending >= rows) return;
        const row_span of = span(ending);
        if (of.to - of.from >= team.least) finish(ending, (before.kind & 1) != 0, before.state);
    };
    const auto tile = [&](const u64 base, const u32 present, const bool wanted, u32* counters, const auto earlier) -> Stretch {
        begin(base, present, counters);
        return scan_tile<u64, Stretch>(team.block, base, present, wanted, step, joined, earlier, passed);
    };
    scan_tiles<u64, Stretch>(team, rows + items, u64(scan_items<Stretch>() * blockDim.x), joined, tile);
    return team.told;
}
