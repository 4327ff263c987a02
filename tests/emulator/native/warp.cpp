// Warp operations and shared memory. A lane that reaches a warp operation parks until every lane named in its mask stands
// in the same operation with the same mask; the last one computes all answers.
#include "warp.h"

#include "memory.h"
#include "races.h"
#include "scheduler.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace emulated {

namespace {

constexpr int launch_failed = 719;
/// What a lane gets from a lane that does not take part: undefined on a GPU, easily seen here.
constexpr uint64_t undefined = 0xfbfbfbfbfbfbfbfbu;

const char* name_of(int operation) {
    static const char* const names[] = {"__syncwarp", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
                                        "a ballot", "__match_any_sync", "__reduce_add_sync", "__reduce_min_sync",
                                        "__reduce_max_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync",
                                        "__reduce_or_sync", "__reduce_xor_sync"};
    return names[operation];
}

/// Calls `f` with each lane that a mask names, from the lowest.
template <class F> void for_lanes(uint32_t mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

uint64_t shuffled(const Thread* lanes, const Thread& thread) {
    const auto& request = thread.request;
    int width = request.width, lane = static_cast<int>(thread.ids.lane);
    int first = lane & ~(width - 1), inside = lane & (width - 1), source = lane;
    switch (request.operation) {
        case EMULATED_SHFL_INDEX: source = first + (request.argument & (width - 1)); break;
        case EMULATED_SHFL_UP: source = inside - request.argument < 0 ? lane : lane - request.argument; break;
        case EMULATED_SHFL_DOWN: source = inside + request.argument >= width ? lane : lane + request.argument; break;
        default: source = (inside ^ request.argument) >= width ? lane : first + (inside ^ request.argument); break;
    }
    if (source == lane) return request.value;
    return request.mask >> source & 1 ? lanes[source].request.value : undefined;
}

uint64_t reduced(const Thread* lanes, const emulated_warp_request& request) {
    bool first = true;
    uint32_t result = 0;
    for_lanes(request.mask, [&](unsigned lane) {
        auto value = static_cast<uint32_t>(lanes[lane].request.value);
        auto lesser = static_cast<int32_t>(value) < static_cast<int32_t>(result);
        if (first) result = value;
        else switch (request.operation) {
            case EMULATED_REDUCE_ADD: result += value; break;
            case EMULATED_REDUCE_MIN: result = value < result ? value : result; break;
            case EMULATED_REDUCE_MAX: result = value > result ? value : result; break;
            case EMULATED_REDUCE_MIN_SIGNED: result = lesser ? value : result; break;
            case EMULATED_REDUCE_MAX_SIGNED: result = lesser ? result : value; break;
            case EMULATED_REDUCE_AND: result &= value; break;
            case EMULATED_REDUCE_OR: result |= value; break;
            default: result ^= value; break;
        }
        first = false;
    });
    return result;
}

/// What a lane gets. `lanes` are those of its warp, and all that its mask names are there.
uint64_t answer_of(const Thread* lanes, const Thread& thread, uint64_t reduction) {
    const auto& request = thread.request;
    uint64_t mask = 0;
    switch (request.operation) {
        case EMULATED_WARP_SYNC: return 0;
        case EMULATED_SHFL_INDEX: case EMULATED_SHFL_UP: case EMULATED_SHFL_DOWN: case EMULATED_SHFL_XOR:
            return shuffled(lanes, thread);
        case EMULATED_BALLOT: case EMULATED_MATCH_ANY:
            for_lanes(request.mask, [&](unsigned lane) {
                auto value = lanes[lane].request.value;
                bool in = request.operation == EMULATED_BALLOT ? value != 0 : value == request.value;
                mask |= uint64_t{in} << lane;
            });
            return mask;
        default: return reduction;
    }
}

#if defined(__SANITIZE_ADDRESS__)
constexpr size_t canary_bytes = 0;  // ASan puts red zones around exact sizes
#else
constexpr size_t canary_bytes = 64;
#endif

}  // namespace

std::string Warp::describe(const Block& block, const Thread* waiter) const {
    std::string text = std::string(name_of(waiter->request.operation)) + " for lanes that never come (mask " +
                       std::to_string(waiter->request.mask) + "):";
    for (unsigned lane = 0; lane < 32; lane++) {
        size_t index = waiter->ids.warp * 32 + lane;
        if (!(waiter->request.mask >> lane & 1)) continue;
        if (index >= block.threads.size()) {
            text += " lane " + std::to_string(lane) + " does not exist";
            break;
        }
        const auto& other = block.threads[index];
        if (other.phase == Phase::Warp && other.request.operation == waiter->request.operation && other.request.mask == waiter->request.mask) continue;
        text += " lane " + std::to_string(lane);
        if (other.phase == Phase::Done) text += " has ended";
        else if (other.phase == Phase::Barrier) text += " waits in __syncthreads";
        else if (other.phase == Phase::Warp) text += std::string(" waits in ") + name_of(other.request.operation) + " with mask " + std::to_string(other.request.mask);
        break;
    }
    return text;
}

std::string Block::release_shared() {
    std::string overrun;
    for (auto& array : shared) {
        if (!intact(static_cast<char*>(array.memory) + array.bytes, canary_bytes))
            overrun = "a write past the end of a shared array of " + std::to_string(array.bytes) + " bytes";
        unregister_shared(array.memory);
        std::free(array.memory);
    }
    shared.clear();
    return overrun;
}

static void* make_shared(Block& block, const void* key, size_t bytes) {
    for (const auto& array : block.shared)
        if (array.key == key) {
            if (array.bytes != bytes) fail(launch_failed, "one shared array with two sizes");
            return array.memory;
        }
    // What is dynamic has no key, and the driver has checked it. A kernel with more of the other kind is none: `ptxas` refuses it.
    size_t total = bytes;
    for (const auto& array : block.shared)
        if (array.key) total += array.bytes;
    if (key && total > 48 * 1024)
        fail(launch_failed, "more than 48 KB of static shared memory");
    void* memory = nullptr;
    if (posix_memalign(&memory, 128, bytes + canary_bytes + (bytes + canary_bytes == 0)) != 0) fail(launch_failed, "no memory for a shared array");
    std::memset(memory, poison_byte(), bytes);
    seal(static_cast<char*>(memory) + bytes, canary_bytes);
    register_shared(memory, bytes);
    block.shared.push_back({key, memory, bytes});
    return memory;
}

}  // namespace emulated

using namespace emulated;

unsigned long long emulated_warp(const emulated_warp_request* request) {
    auto thread = running_thread();
    auto& block = *thread->home;
    auto& warp = block.warps[thread->ids.warp];
    thread->request = *request;
    if (profiling) thread->visits.meet_lanes(request->mask);
    auto lane = thread->ids.lane;
    if (!(request->mask >> lane & 1)) fail(launch_failed, std::string(name_of(request->operation)) + " by a lane that its own mask does not name");
    int width = request->width;
    if (width < 1 || width > 32 || (width & (width - 1))) fail(launch_failed, "a shuffle with a width that is no power of two");
    warp.waiting |= 1u << lane;
    bool orders = request->operation == EMULATED_WARP_SYNC;
    auto& meeting = warp.meetings[std::countr_zero(request->mask)];
    auto met = orders ? meeting.arrive() : nullptr;
    auto lanes = &block.threads[thread->ids.warp * 32];
    bool complete = (request->mask & ~warp.waiting) == 0;
    if (complete) for_lanes(request->mask, [&](unsigned other) {
        const auto& with = lanes[other].request;
        complete &= with.mask == request->mask && with.operation == request->operation;
    });
    if (!complete) {
        park(Phase::Warp);
        if (orders) Meeting::depart(met);
        return thread->answer;
    }
    statistics.warp_operations++;
    made_progress();
    uint64_t reduction = request->operation >= EMULATED_REDUCE_ADD ? reduced(lanes, *request) : 0;
    for_lanes(request->mask, [&](unsigned other) {
        auto& with = lanes[other];
        with.answer = answer_of(lanes, with, reduction);
        if (&with == thread) return;
        with.phase = Phase::Ready;
        block.ready.push_back(with.index);
    });
    warp.waiting &= ~request->mask;
    if (orders) {
        meeting.complete(lanes, std::min<size_t>(32, block.threads.size() - thread->ids.warp * 32), request->mask);
        Meeting::depart(met);
    }
    preempt(2);
    return thread->answer;
}

unsigned emulated_active_mask() { return 1u << running_thread()->ids.lane; }

void* emulated_shared(const void* key, unsigned long bytes) { return make_shared(*running_thread()->home, key, bytes); }

void* emulated_dynamic_shared() {
    auto& block = *running_thread()->home;
    return make_shared(block, nullptr, block.dynamic_bytes);
}

void emulated_trap() { fail(715, "trap"); }
