// See memory.h.
#include "memory.h"

#include "races.h"
#include "scheduler.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace emulated {

MemoryCounters memory_counters;
uint64_t memory_limit = uint64_t{16} << 30;
int placement = 0;

namespace {

// ThreadSanitizer leaves the process less room.
const size_t reserved_bytes = size_t{1} << (watched() ? 36 : 42);
constexpr int seal_byte = 0xd7;

struct Allocation {
    size_t bytes;
    char* pages;
    size_t page_bytes;
    bool operator==(const Allocation&) const = default;
};

struct Memory {
    char* base = nullptr;
    size_t used = 0;
    std::map<char*, Allocation> live;
    std::map<char*, size_t> freed;   // for messages
    std::map<char*, size_t> shared;
    std::map<char*, size_t> pinned;
    uint64_t serial = 0;
};

Memory& memory() {
    static Memory* forever = new Memory;
    return *forever;
}

size_t page() {
    static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

template <class Map>
typename Map::iterator at_or_before(Map& map, const void* address) {
    auto after = map.upper_bound(const_cast<char*>(static_cast<const char*>(address)));
    return after == map.begin() ? map.end() : std::prev(after);
}

bool in_arena(const void* address) {
    auto& now = memory();
    auto at = static_cast<const char*>(address);
    return now.base && at >= now.base && at < now.base + reserved_bytes;
}

std::string tail_problem(char* start, const Allocation& allocation) {
    auto end = start + allocation.bytes;
    if (allocation.pages == nullptr || intact(end, static_cast<size_t>(allocation.pages + allocation.page_bytes - end))) return "";
    return "a write past the end of an allocation of " + std::to_string(allocation.bytes) + " bytes";
}

}  // namespace

int poison_byte() {
    // Two patterns, large positive and large negative as floats, so that neither a minimum nor a maximum hides them.
    return memory().serial++ & 1 ? 0x7b : 0xfb;
}

void seal(void* tail, size_t bytes) { std::memset(tail, seal_byte, bytes); }

bool intact(const void* tail, size_t bytes) {
    auto at = static_cast<const unsigned char*>(tail);
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != seal_byte) return false;
    return true;
}

void* allocate(size_t bytes) {
    auto& now = memory();
    if (memory_counters.live_bytes + bytes > memory_limit) return nullptr;
    char* start;
    Allocation allocation{bytes, nullptr, 0};
#if defined(__SANITIZE_ADDRESS__)
    void* memory_of_asan = nullptr;
    if (posix_memalign(&memory_of_asan, 256, bytes) != 0) return nullptr;
    start = static_cast<char*>(memory_of_asan);
#else
    if (!now.base) {
        auto base = mmap(nullptr, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED) {
            std::perror("emulated CUDA device: cannot reserve addresses");
            std::abort();
        }
        now.base = static_cast<char*>(base);
    }
    allocation.page_bytes = (bytes + page() - 1) / page() * page();
    if (now.used + allocation.page_bytes + 2 * page() > reserved_bytes) return nullptr;
    allocation.pages = now.base + now.used + page();
    now.used += allocation.page_bytes + page();
    if (mprotect(allocation.pages, allocation.page_bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
    start = allocation.pages;
    if (placement == 1) start += (allocation.page_bytes - bytes) / 16 * 16;
    seal(start + bytes, static_cast<size_t>(allocation.pages + allocation.page_bytes - start) - bytes);
#endif
    std::memset(start, poison_byte(), bytes);
    now.live[start] = allocation;
    memory_counters.live++;
    memory_counters.total++;
    memory_counters.live_bytes += bytes;
    if (memory_counters.live_bytes > memory_counters.peak_bytes) memory_counters.peak_bytes = memory_counters.live_bytes;
    return start;
}

bool release(void* pointer, std::string& problem) {
    auto& now = memory();
    auto found = now.live.find(static_cast<char*>(pointer));
    if (found == now.live.end()) {
        problem = "a free of " + describe_address(pointer);
        return false;
    }
    auto allocation = found->second;
    problem = tail_problem(found->first, allocation);
    now.live.erase(found);
    memory_counters.live--;
    memory_counters.live_bytes -= allocation.bytes;
#if defined(__SANITIZE_ADDRESS__)
    std::free(pointer);
#else
    madvise(allocation.pages, allocation.page_bytes, MADV_DONTNEED);
    mprotect(allocation.pages, allocation.page_bytes, PROT_NONE);
    if (now.freed.size() > 100000) now.freed.clear();
    now.freed[static_cast<char*>(pointer)] = allocation.bytes;
#endif
    return true;
}

bool range_of(const void* address, void*& start, size_t& bytes) {
    auto& now = memory();
    auto found = at_or_before(now.live, address);
    if (found == now.live.end() || static_cast<const char*>(address) >= found->first + found->second.bytes) return false;
    start = found->first;
    bytes = found->second.bytes;
    return true;
}

bool holds(const void* address, size_t bytes, std::string& problem) {
    void* start;
    size_t size;
    auto at = static_cast<const char*>(address);
    if (range_of(address, start, size) && at + bytes <= static_cast<char*>(start) + size) return true;
    problem = std::to_string(bytes) + " bytes at " + describe_address(address);
    return false;
}

bool tails_intact(std::string& problem) {
    for (auto& [start, allocation] : memory().live) {
        problem = tail_problem(start, allocation);
        if (!problem.empty()) {
            // Told once.
            seal(start + allocation.bytes, static_cast<size_t>(allocation.pages + allocation.page_bytes - start) - allocation.bytes);
            return false;
        }
    }
    return true;
}

void release_all() {
    std::string ignored;
    while (!memory().live.empty()) release(memory().live.begin()->first, ignored);
}

std::string describe_address(const void* address) {
    auto& now = memory();
    auto at = static_cast<const char*>(address);
    char number[32];
    std::snprintf(number, sizeof number, "%p", address);
    std::string text = number;
    auto found = at_or_before(now.live, address);
    auto gone = at_or_before(now.freed, address);
    bool live_is_nearer = found != now.live.end() && (gone == now.freed.end() || gone->first < found->first);
    if (!in_arena(address)) return text + ", which is no device memory";
    if (live_is_nearer)
        return text + ", " + std::to_string(at - found->first) + " bytes into an allocation of " + std::to_string(found->second.bytes);
    if (gone != now.freed.end())
        return text + ", " + std::to_string(at - gone->first) + " bytes into a freed allocation of " + std::to_string(gone->second);
    return text + ", outside of all allocations";
}

void* allocate_pinned(size_t bytes) {
    auto pointer = std::malloc(bytes ? bytes : 1);
    if (pointer) {
        std::memset(pointer, poison_byte(), bytes);
        memory().pinned[static_cast<char*>(pointer)] = bytes;
    }
    return pointer;
}

bool release_pinned(void* pointer) {
    if (memory().pinned.erase(static_cast<char*>(pointer)) == 0) return false;
    std::free(pointer);
    return true;
}

bool is_pinned(const void* pointer) {
    auto& pinned = memory().pinned;
    auto found = at_or_before(pinned, pointer);
    return found != pinned.end() && static_cast<const char*>(pointer) < found->first + found->second;
}

void register_shared(void* start, size_t bytes) { memory().shared[static_cast<char*>(start)] = bytes; }

void unregister_shared(void* start) { memory().shared.erase(static_cast<char*>(start)); }

bool is_shared(const void* address) {
    auto found = at_or_before(memory().shared, address);
    return found != memory().shared.end() && static_cast<const char*>(address) < found->first + found->second;
}

bool access_allowed(const void* address, size_t bytes, std::string& problem) {
    auto at = static_cast<const char*>(address);
    if (in_arena(address)) return holds(address, bytes, problem);
    auto& shared = memory().shared;
    auto found = at_or_before(shared, address);
    // Near the end of a shared array, but not in it; farther away it may be the process's own memory.
    if (found != shared.end() && at + bytes > found->first + found->second && at < found->first + found->second + 64) {
        problem = std::to_string(bytes) + " bytes at " + std::to_string(at - found->first) + " of a shared array of " +
                  std::to_string(found->second) + " bytes";
        return false;
    }
    return true;
}

}  // namespace emulated
