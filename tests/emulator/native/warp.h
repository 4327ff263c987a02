// Blocks, warps and threads of the launch that runs, and what they wait for.
#pragma once

#include "device_api.h"
#include "fiber.h"
#include "profile.h"
#include "races.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emulated {

struct Block;

enum class Phase : uint8_t { Ready, Barrier, Warp, Done };

struct Thread {
    emulated_thread_ids ids{};
    uint32_t index = 0;
    Phase phase = Phase::Ready;
    Block* home = nullptr;
    Fiber* fiber = nullptr;
    // What it brings to the barrier or warp operation where it waits, and what it gets back.
    int barrier = 0, predicate = 0;
    emulated_warp_request request{};
    uint64_t answer = 0;
    Knowledge knowledge;
    Visits visits;
};

/// Lanes that wait in warp operations, by mask: sub-warps with different masks may stand in different operations.
struct Warp {
    uint32_t waiting = 0;  ///< one bit per lane that waits
    Meeting meetings[32];  ///< of the lanes of a mask, by the first of them
    std::string describe(const Block& block, const Thread* waiter) const;
};

struct Shared {
    const void* key;
    void* memory;
    size_t bytes;
};

struct Block {
    std::vector<Thread> threads;
    std::vector<uint32_t> ready;
    std::vector<Warp> warps;
    std::vector<Shared> shared;
    size_t dynamic_bytes = 0;
    size_t done = 0, at_barrier = 0;
    Meeting barrier;
    /// Frees shared memory; tells of writes past an array's end.
    std::string release_shared();
};

/// The thread that runs now.
Thread* running_thread();

/// Gives the processor away: to another thread of the block while its turns last, or to the scheduler.
void park(Phase phase);

/// Something happened that spinning threads may have waited for.
void made_progress();

}  // namespace emulated
