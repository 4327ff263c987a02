// ---- Rows of lengths of their own ----
//
// A row that is long for its team is left to the whole block, which goes through its rows once more and takes the long ones.
// So the bits of a row depend on its length and the launch alone, and one long row among short ones keeps no warp waiting.

// `width` lanes to a row at first; `longs`: the rows that they leave. `met`: there was one.
template <class Team, u32 width, bool longs> struct part_team : Team {
    using Team::Team;
    bool met = false;
};
template <class Team> INLINE bool skips(Team&, u64) { return false; }
template <class Team, u32 width, bool longs> INLINE bool skips(part_team<Team, width, longs>& team, u64 length)
{
    const bool is_long = length > 64 * width;
    team.met = team.met || is_long;
    return is_long != longs;
}
