// See fiber.h.
#include "fiber.h"

#include "races.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace emulated {

namespace {

void* scheduler_pointer = nullptr;
void* scheduler_view = nullptr;
#if defined(__SANITIZE_ADDRESS__)
void* scheduler_fake_stack = nullptr;
const void* scheduler_bottom = nullptr;
size_t scheduler_size = 0;
bool from_scheduler = false;
#endif

}  // namespace

#if defined(__x86_64__)

// Saves what the System V ABI says a call preserves, swaps stacks, restores.
extern "C" void emulated_switch(void** from, void* to);
asm(R"(
    .text
    .type emulated_switch, @function
    .hidden emulated_switch
emulated_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size emulated_switch, . - emulated_switch
)");

static void prepare(Fiber* fiber, void (*entry)(), char* top) {
    // A function starts with its stack pointer 8 above a multiple of 16: as if `entry` had just been called.
    auto aligned = reinterpret_cast<uintptr_t>(top) & ~uintptr_t{15};
    auto slots = reinterpret_cast<void**>(aligned - 16);
    slots[0] = reinterpret_cast<void*>(entry);
    slots[1] = nullptr;
    fiber->pointer = slots - 6;
}

static void swap(void** from, void* to) { emulated_switch(from, to); }

#else

static void prepare(Fiber* fiber, void (*entry)(), char* top) {
    auto context = new ucontext_t;
    getcontext(context);
    context->uc_stack.ss_sp = fiber->stack;
    context->uc_stack.ss_size = static_cast<size_t>(top - static_cast<char*>(fiber->stack));
    context->uc_link = nullptr;
    makecontext(context, entry, 0);
    fiber->pointer = context;
}

static void swap(void** from, void* to) {
    if (*from == nullptr) *from = new ucontext_t;
    swapcontext(static_cast<ucontext_t*>(*from), static_cast<ucontext_t*>(to));
}

#endif

Fiber* make_fiber(void (*entry)(), size_t index) {
    auto fiber = new Fiber;
    fiber->stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fiber->stack == MAP_FAILED) {
        std::perror("emulated CUDA device: no memory for a thread's stack");
        std::abort();
    }
    char* top = static_cast<char*>(fiber->stack) + stack_bytes - (index % 512) * 128;
    prepare(fiber, entry, top);
    fiber->view = new_view();
    return fiber;
}

#if defined(__SANITIZE_ADDRESS__)
/// Where a fiber goes on. Who it was entered by need not be who it left to.
static void arrived(Fiber* fiber) {
    const void* bottom = nullptr;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(fiber ? fiber->sanitizer : nullptr, &bottom, &size);
    if (!from_scheduler) return;
    scheduler_bottom = bottom;
    scheduler_size = size;
}
#endif

void enter(Fiber* fiber) {
#if defined(__SANITIZE_ADDRESS__)
    from_scheduler = true;
    __sanitizer_start_switch_fiber(&scheduler_fake_stack, fiber->stack, stack_bytes);
#endif
    scheduler_view = current_view();
    switch_view(fiber->view);
    swap(&scheduler_pointer, fiber->pointer);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(scheduler_fake_stack, nullptr, nullptr);
#endif
}

void leave(Fiber* fiber) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fiber->sanitizer, scheduler_bottom, scheduler_size);
#endif
    switch_view(scheduler_view);
    swap(&fiber->pointer, scheduler_pointer);
#if defined(__SANITIZE_ADDRESS__)
    arrived(fiber);
#endif
}

void hand_over(Fiber* from, Fiber* to) {
#if defined(__SANITIZE_ADDRESS__)
    from_scheduler = false;
    __sanitizer_start_switch_fiber(&from->sanitizer, to->stack, stack_bytes);
#endif
    switch_view(to->view);
    swap(&from->pointer, to->pointer);
#if defined(__SANITIZE_ADDRESS__)
    arrived(from);
#endif
}

void entered() {
#if defined(__SANITIZE_ADDRESS__)
    arrived(nullptr);
#endif
}

}  // namespace emulated
