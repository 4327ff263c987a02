// See races.h.
#include "races.h"

#include "device_api.h"
#include "warp.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#define WEAK extern "C" __attribute__((weak))
WEAK void* __tsan_get_current_fiber();
WEAK void* __tsan_create_fiber(unsigned flags);
WEAK void __tsan_switch_to_fiber(void* fiber, unsigned flags);
WEAK void __tsan_acquire(void* object);
WEAK void __tsan_release(void* object);
extern "C" void __tsan_func_entry(void* caller);
extern "C" void __tsan_func_exit();
#define WEAK_ATOMICS(bits, type)                                           \
    WEAK type __tsan_atomic##bits##_load(const volatile type*, int order); \
    WEAK type __tsan_atomic##bits##_fetch_add(volatile type*, type, int order);
WEAK_ATOMICS(8, uint8_t)
WEAK_ATOMICS(16, uint16_t)
WEAK_ATOMICS(32, uint32_t)
WEAK_ATOMICS(64, uint64_t)

namespace emulated {

namespace {

constexpr unsigned no_order = 1;  // __tsan_switch_to_fiber_no_sync

/// What is known of the launch that runs.
struct Watch {
    uint64_t begun = 0, ended = 0;
    /// An object for each fence: what was before it.
    std::deque<uint64_t> fences;
    uint32_t fenced = 0;
    /// Behind which fences words were written.
    std::unordered_map<const void*, Fences> written;
};

Watch& watch() {
    static Watch* forever = new Watch;
    return *forever;
}

void join(Fences& into, const Fences& from) {
    for (const auto& fence : from) {
        auto before = [](const auto& one, auto thread) { return one.first < thread; };
        auto at = std::lower_bound(into.begin(), into.end(), fence.first, before);
        if (at == into.end() || at->first != fence.first) into.insert(at, fence);
        else at->second = std::max(at->second, fence.second);
    }
}

/// To ThreadSanitizer a relaxed atomic access; to memory nothing.
template <class T, class Load, class Add> void tell(const void* address, int kind, Load load, Add add) {
    auto at = static_cast<T*>(const_cast<void*>(address));
    if (kind == EMULATED_READ) load(at, __ATOMIC_RELAXED);
    else add(at, T{0}, __ATOMIC_RELAXED);
}

}  // namespace

bool watched() { return __tsan_create_fiber != nullptr; }

void Knowledge::join(const Knowledge& other) {
    emulated::join(behind, other.behind);
    emulated::join(seen, other.seen);
}

void* Meeting::arrive() {
    auto object = &objects[turn];
    if (watched()) __tsan_release(object);
    return object;
}

void Meeting::depart(void* object) {
    if (watched()) __tsan_acquire(object);
}

void Meeting::complete(Thread* threads, size_t count, uint32_t mask) {
    turn = 1 - turn;
    if (!watched()) return;
    auto for_all = [&](auto use) {
        for (size_t i = 0; i < count; i++)
            if (mask >> threads[i].ids.lane & 1) use(threads[i].knowledge);
    };
    Knowledge common;
    for_all([&](Knowledge& one) { common.join(one); });
    for_all([&](Knowledge& one) { one = common; });
}

void* current_view() { return watched() ? __tsan_get_current_fiber() : nullptr; }

void* new_view() { return watched() ? __tsan_create_fiber(0) : nullptr; }

void switch_view(void* view) {
    if (watched()) __tsan_switch_to_fiber(view, no_order);
}

void launch_begins() {
    if (!watched()) return;
    auto& now = watch();
    now.fenced = 0;
    now.written.clear();
    __tsan_release(&now.begun);
}

void launch_ends() {
    if (watched()) __tsan_acquire(&watch().ended);
}

void thread_begins() {
    if (watched()) __tsan_acquire(&watch().begun);
}

void thread_ends() {
    if (watched()) __tsan_release(&watch().ended);
}

void fence(Thread& thread) {
    if (!watched()) return;
    auto& now = watch();
    auto& [behind, seen] = thread.knowledge;
    for (auto [other, number] : seen) __tsan_acquire(&now.fences[number]);
    seen.clear();
    if (now.fenced == now.fences.size()) now.fences.push_back(0);
    __tsan_release(&now.fences[now.fenced]);
    // Who makes up for this one does so for all that are behind it.
    behind = {{&thread, now.fenced++}};
}

void strong_access(Thread& thread, const void* address, size_t bytes, int kind, void* caller) {
    if (!watched()) return;
    __tsan_func_entry(caller);
    switch (bytes) {
        case 1: tell<uint8_t>(address, kind, __tsan_atomic8_load, __tsan_atomic8_fetch_add); break;
        case 2: tell<uint16_t>(address, kind, __tsan_atomic16_load, __tsan_atomic16_fetch_add); break;
        case 4: tell<uint32_t>(address, kind, __tsan_atomic32_load, __tsan_atomic32_fetch_add); break;
        default: tell<uint64_t>(address, kind, __tsan_atomic64_load, __tsan_atomic64_fetch_add); break;
    }
    __tsan_func_exit();
    auto& written = watch().written;
    auto found = written.find(address);
    if (kind != EMULATED_WRITE && found != written.end()) join(thread.knowledge.seen, found->second);
    if (kind == EMULATED_READ) return;
    const auto& behind = thread.knowledge.behind;
    if (found == written.end()) {
        if (!behind.empty()) written[address] = behind;
    } else if (kind == EMULATED_WRITE) {
        found->second = behind;
    } else {
        // What was seen with a word is seen with what an atomic operation makes of it.
        join(found->second, behind);
    }
}

}  // namespace emulated

using namespace emulated;

void emulated_strong(const volatile void* address, unsigned long bytes, int kind) {
    auto thread = running_thread();
    if (thread) strong_access(*thread, const_cast<const void*>(address), bytes, kind, __builtin_return_address(0));
}

void emulated_fence() {
    fence(*running_thread());
    emulated_yield();
}
