// Fibers: stacks of their own for emulated threads, switched in assembly on x86-64 (20 ns) and by ucontext elsewhere.
#pragma once

#include <cstddef>

namespace emulated {

/// A stack that runs `Fiber::entry` again and again; each round of it is one emulated thread.
struct Fiber {
    void* stack = nullptr;       ///< lowest address
    void* pointer = nullptr;     ///< stack pointer (or ucontext_t*) while it does not run
    void* sanitizer = nullptr;   ///< ASan's fake stack while it does not run
    void* view = nullptr;        ///< of memory, as ThreadSanitizer keeps it
};

constexpr size_t stack_bytes = 192 * 1024;

/// Makes a fiber that calls `entry` at its first switch; `entry` never returns. `index` staggers the stack's top, so
/// that the hot ends of many stacks do not share cache sets.
Fiber* make_fiber(void (*entry)(), size_t index);

/// From the scheduler into a fiber, until that fiber calls `leave`.
void enter(Fiber* fiber);

/// From the running fiber back into the scheduler.
void leave(Fiber* fiber);

/// From the running fiber into another.
void hand_over(Fiber* from, Fiber* to);

/// To be called first in `entry`, and after nothing else.
void entered();

}  // namespace emulated
