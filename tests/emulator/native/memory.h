// Device memory: allocations with exact bounds in a reserved range of addresses, so that a stray access hits a page that
// is not there, a sealed tail, or (instrumented kernels) a bounds check. Freed addresses are not used again for long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace emulated {

struct MemoryCounters {
    uint64_t live = 0, live_bytes = 0, peak_bytes = 0, total = 0;
};
extern MemoryCounters memory_counters;

/// Bytes the device pretends to have.
extern uint64_t memory_limit;

/// Where allocations lie: 0, at the start of a page (aligned as by the driver); 1, their ends at the end of a page, so that
/// reads past the end fault too (aligned to 16 bytes only).
extern int placement;

/// Null if the limit is reached. The contents are poison.
void* allocate(size_t bytes);

/// False if `pointer` is no live allocation. `problem` tells of writes past its end.
bool release(void* pointer, std::string& problem);

/// The live allocation that holds `bytes` at `address`, or an explanation.
bool holds(const void* address, size_t bytes, std::string& problem);

/// The allocation that starts at or before `address` and ends after it.
bool range_of(const void* address, void*& start, size_t& bytes);

/// Looks at the sealed tails of all live allocations.
bool tails_intact(std::string& problem);

/// Frees everything.
void release_all();

/// What lies at an address, for messages.
std::string describe_address(const void* address);

/// Pinned host memory.
void* allocate_pinned(size_t bytes);
bool release_pinned(void* pointer);
bool is_pinned(const void* pointer);

void register_shared(void* memory, size_t bytes);
void unregister_shared(void* memory);
/// Whether an address lies in a shared array.
bool is_shared(const void* address);

/// Checks an access of an instrumented kernel or an atomic: false, with the reason, if it is known to be wrong.
bool access_allowed(const void* address, size_t bytes, std::string& problem);

int poison_byte();
void seal(void* tail, size_t bytes);
bool intact(const void* tail, size_t bytes);

}  // namespace emulated
