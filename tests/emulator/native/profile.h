// What accesses of kernels would cost on a GPU, counted in instrumented kernels: sectors of device memory, wavefronts of
// shared memory, atomic operations on one address. Each access is a hook (instrument.cpp, device.h); its place in the code
// is the return address.
//
// Lanes run in any order, and meet in barriers and warp operations only. So the accesses of a warp's lanes are one request
// if they have the same place, the same number of meetings before them, and the same number at that place since then: no
// schedule changes that. In loops whose rounds depend on the lane this takes more together than a warp would. Accesses by
// `volatile` and compare-and-swap are left out: how often they are made, the schedule decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace emulated {

struct Block;
struct Thread;

/// What a thread has met, and how often it has been at places since. Meetings of all lanes, or of the whole block, bring
/// those together again that have met in smaller groups.
class Visits {
    uint64_t barriers = 0, warps = 0, groups = 0;
    std::vector<std::pair<const void*, uint32_t>> since;

public:
    void meet_block();
    void meet_lanes(uint32_t mask);
    uint64_t met() const { return barriers << 40 | warps << 20 | groups; }
    /// How often this thread has been there since it met somebody.
    uint32_t again(const void* place);
};

enum class Access : uint8_t { Read, Write, Atomic };

/// Whether accesses are counted.
extern bool profiling;

/// One access by the running thread.
void count_access(Thread& thread, const void* address, size_t bytes, Access access, const void* place);
/// A block, or a launch, is done: its requests are added up.
void count_block(const Block& block);
void count_launch(const std::string& kernel);

/// Forgets what was counted, and counts from now on, or not.
void profile(bool on);
/// A line for each kernel, kind of access and place, after one of titles; fields are apart by tabs.
std::string profile_table();
/// How many bytes of an allocation have been read and written since this was asked before.
std::pair<uint64_t, uint64_t> take_touched(const void* allocation);

}  // namespace emulated
