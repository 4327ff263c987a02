// Instrumented kernels: compiled with `-fsanitize=thread` but linked without its runtime, they call these functions
// before every access to memory. Each is a point where another thread may be chosen, and a bounds check. Where that runtime
// has been preloaded it is called instead, but for volatile accesses, which it does not know.
#include "device_api.h"
#include "memory.h"
#include "profile.h"
#include "races.h"
#include "scheduler.h"
#include "warp.h"

using namespace emulated;

static void check(const void* address, size_t bytes, const char* kind) {
    std::string problem;
    if (!access_allowed(address, bytes, problem)) fail(700, std::string(kind) + problem);
    preempt(profiling ? 64 : 8);
}

static void access(const void* address, size_t bytes, Access kind, const void* caller) {
    if (!inside_kernel() || on_current_stack(address)) return;
    check(address, bytes, kind == Access::Read ? "a read of " : "a write of ");
    if (profiling) count_access(*running_thread(), address, bytes, kind, caller);
}

#define HOOK extern "C" __attribute__((visibility("default"))) void
// Nothing comes between this and the access.
static void strong(const void* address, size_t bytes, int kind, void* caller) {
    if (!inside_kernel()) return;
    if (!on_current_stack(address)) check(address, bytes, kind == EMULATED_READ ? "a read of " : "a write of ");
    strong_access(*running_thread(), address, bytes, kind, caller);
}

#define CALLER __builtin_return_address(0)
#define SIZED(size)                                                                                \
    HOOK __tsan_read##size(void* address) { access(address, size, Access::Read, CALLER); }                \
    HOOK __tsan_write##size(void* address) { access(address, size, Access::Write, CALLER); }              \
    HOOK __tsan_unaligned_read##size(void* address) { access(address, size, Access::Read, CALLER); }      \
    HOOK __tsan_unaligned_write##size(void* address) { access(address, size, Access::Write, CALLER); }    \
    HOOK __tsan_volatile_read##size(void* address) { strong(address, size, EMULATED_READ, CALLER); } \
    HOOK __tsan_volatile_write##size(void* address) { strong(address, size, EMULATED_WRITE, CALLER); }

#if !defined(__SANITIZE_THREAD__)
SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)
SIZED(16)
HOOK __tsan_read_range(void* address, unsigned long bytes) { access(address, bytes, Access::Read, CALLER); }
HOOK __tsan_write_range(void* address, unsigned long bytes) { access(address, bytes, Access::Write, CALLER); }
HOOK __tsan_vptr_update(void**, void*) {}
HOOK __tsan_func_entry(void*) {}
HOOK __tsan_func_exit() {}
HOOK __tsan_init() {}
#endif
