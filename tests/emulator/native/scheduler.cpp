// See scheduler.h. Each emulated thread is a fiber; it runs until it parks (barrier, warp operation), yields (atomics,
// spins, instrumented accesses) or ends. Which one runs next is a random choice among the resident blocks and their
// threads: a block has some turns, in which its threads hand over to one another without the scheduler. A state from which nothing can go on is reported with the reason, never waited for.
#include "scheduler.h"

#include "device_api.h"
#include "fiber.h"
#include "memory.h"
#include "profile.h"
#include "races.h"
#include "warp.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ctime>
#include <memory>
#include <ucontext.h>

emulated_thread_ids* emulated_current = nullptr;
emulated_dim emulated_block_dim, emulated_grid_dim;

namespace emulated {

Random random_choice;
unsigned residency = 8;
unsigned time_limit = 60;
Statistics statistics;

namespace {

constexpr int launch_failed = 719, launch_timeout = 702, illegal_address = 700, misaligned = 716, illegal_instruction = 715;
constexpr size_t most_fibers = 16384;

/// The launch that runs, and its blocks. Kept for ever, so that stacks and vectors are reused.
struct State {
    const Launch* launch = nullptr;
    std::vector<std::unique_ptr<Block>> pool;
    std::vector<Block*> resident;
    std::vector<Block*> spare;
    std::vector<Fiber*> idle;
    std::vector<Block*> ended;      // where somebody watches, until the launch ends
    std::vector<uint64_t> window;   // block numbers that may be started next, in random order
    uint64_t started = 0, total = 0;
    size_t fibers = 0;
    Thread* running = nullptr;
    uint32_t turns = 0;             // slices that the running block still has before another one is chosen
    uint64_t spins_in_a_row = 0;
    Failure failure;
    double begin;
};

State& state() {
    static State* forever = new State;
    return *forever;
}

std::string place(const Thread& thread) {
    const auto& ids = thread.ids;
    return "thread (" + std::to_string(ids.thread.x) + ", " + std::to_string(ids.thread.y) + ", " + std::to_string(ids.thread.z) +
           ") of block (" + std::to_string(ids.block.x) + ", " + std::to_string(ids.block.y) + ", " + std::to_string(ids.block.z) + ")";
}

void fiber_main() {
    entered();
    for (;;) {
        auto& now = state();
        thread_begins();
        now.launch->thunk(now.launch->parameters);
        thread_ends();
        park(Phase::Done);
    }
}

void give_fiber(Thread& thread) {
    auto& now = state();
    if (now.idle.empty()) now.idle.push_back(make_fiber(fiber_main, now.fibers++));
    thread.fiber = now.idle.back();
    now.idle.pop_back();
}

Block* start_block() {
    auto& now = state();
    constexpr size_t window = 64;
    while (now.window.size() < window && now.started < now.total) now.window.push_back(now.started++);
    if (now.window.empty()) return nullptr;
    auto choice = random_choice.below(static_cast<uint32_t>(now.window.size()));
    auto number = now.window[choice];
    now.window[choice] = now.window.back();
    now.window.pop_back();
    if (now.spare.empty()) {
        now.pool.push_back(std::make_unique<Block>());
        now.spare.push_back(now.pool.back().get());
    }
    auto block = now.spare.back();
    now.spare.pop_back();
    const auto& grid = now.launch->grid;
    const auto& size = now.launch->block;
    emulated_dim at{static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
                    static_cast<unsigned>(number / (uint64_t{grid.x} * grid.y))};
    auto count = static_cast<uint32_t>(size.count());
    block->threads.resize(count);
    block->ready.clear();
    block->done = block->at_barrier = 0;
    block->warps.assign((count + 31) / 32, Warp{});
    block->barrier = {};
    for (uint32_t i = 0; i < count; i++) {
        auto& thread = block->threads[i];
        thread = Thread{};
        thread.ids = {{i % size.x, i / size.x % size.y, i / (size.x * size.y)}, at, i % 32, i / 32};
        thread.index = i;
        thread.home = block;
        // A fiber that another thread makes would be ordered behind what that one did.
        if (watched()) give_fiber(thread);
        block->ready.push_back(i);
    }
    block->dynamic_bytes = now.launch->dynamic_shared;
    statistics.blocks++;
    return block;
}

void finish_block(Block* block) {
    auto& now = state();
    if (profiling) count_block(*block);
    std::string overrun = block->release_shared();
    if (!overrun.empty() && now.failure.code == 0) now.failure = {illegal_address, overrun};
    for (auto& thread : block->threads)
        if (thread.fiber) {
            now.idle.push_back(thread.fiber);
            thread.fiber = nullptr;
        }
    now.spare.push_back(block);
}

/// Everyone waits at the barrier: results, and on.
void release_barrier(Block* block) {
    int all = 1, any = 0, count = 0;
    for (auto& thread : block->threads) {
        all &= thread.predicate != 0;
        any |= thread.predicate != 0;
        count += thread.predicate != 0;
    }
    for (auto& thread : block->threads) {
        thread.phase = Phase::Ready;
        thread.answer = thread.barrier == EMULATED_BARRIER_AND ? all : thread.barrier == EMULATED_BARRIER_OR ? any : count;
        block->ready.push_back(thread.index);
    }
    block->at_barrier = 0;
    block->barrier.complete(block->threads.data(), block->threads.size(), ~0u);
    statistics.barriers++;
    state().spins_in_a_row = 0;
}

/// Nothing in this block can run: why.
Failure stuck(Block* block) {
    const Thread* warp_waiter = nullptr;
    const Thread* barrier_waiter = nullptr;
    for (auto& thread : block->threads) {
        if (thread.phase == Phase::Warp && !warp_waiter) warp_waiter = &thread;
        if (thread.phase == Phase::Barrier && !barrier_waiter) barrier_waiter = &thread;
    }
    if (warp_waiter) {
        const auto& warp = block->warps[warp_waiter->ids.warp];
        return {launch_failed, "deadlock: " + place(*warp_waiter) + " waits in " + warp.describe(*block, warp_waiter)};
    }
    return {launch_failed, "barrier divergence: " + place(*barrier_waiter) + " waits in __syncthreads, but " +
                               std::to_string(block->done) + " of " + std::to_string(block->threads.size()) +
                               " threads of its block have ended"};
}

/// A thread of the block that can run, as the running one; null where its turns are over or all its threads wait.
Thread* next_of(Block* block) {
    auto& now = state();
    if (now.turns == 0 || block->ready.empty()) return nullptr;
    now.turns--;
    auto choice = random_choice.below(static_cast<uint32_t>(block->ready.size()));
    auto& thread = block->threads[block->ready[choice]];
    block->ready[choice] = block->ready.back();
    block->ready.pop_back();
    if (!thread.fiber) give_fiber(thread);
    now.running = &thread;
    emulated_current = &thread.ids;
    statistics.slices++;
    return &thread;
}

/// Where the thread that gives way stands from now on.
void settle(Thread& thread) {
    auto& now = state();
    auto block = thread.home;
    switch (thread.phase) {
        case Phase::Ready: block->ready.push_back(thread.index); break;
        case Phase::Barrier: block->at_barrier++; break;
        case Phase::Warp: break;
        case Phase::Done:
            if (!watched()) {
                now.idle.push_back(thread.fiber);
                thread.fiber = nullptr;
            }
            block->done++;
            now.spins_in_a_row = 0;
            break;
    }
    if (block->at_barrier == block->threads.size()) release_barrier(block);
}

// Seconds of this thread alone: a machine that has other work is no reason to give up.
double seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

bool timed_out() {
    return seconds() - state().begin > time_limit;
}

void run_blocks() {
    auto& now = state();
    auto threads = now.launch->block.count();
    auto room = std::max<uint64_t>(1, most_fibers / threads);
    auto resident = now.launch->cooperative ? now.total : std::min<uint64_t>(residency, room);
    uint64_t rounds = 0;
    for (;;) {
        while (now.resident.size() < resident) {
            auto block = start_block();
            if (!block) break;
            now.resident.push_back(block);
        }
        if (now.resident.empty()) return;
        auto choice = random_choice.below(static_cast<uint32_t>(now.resident.size()));
        auto block = now.resident[choice];
        now.turns = 1 + random_choice.below(static_cast<uint32_t>(std::min<size_t>(block->ready.size(), 256)));
        if (auto thread = next_of(block)) enter(thread->fiber);
        emulated_current = nullptr;
        now.running = nullptr;
        if (now.failure.code != 0) return;
        if (block->done == block->threads.size()) {
            now.resident[choice] = now.resident.back();
            now.resident.pop_back();
            // Where somebody watches, nothing is used twice in a launch: that would order who uses it.
            if (watched()) now.ended.push_back(block);
            else finish_block(block);
            if (now.failure.code != 0) return;
        } else if (block->ready.empty()) {
            now.failure = stuck(block);
            return;
        }
        if ((++rounds & 1023) == 0 && timed_out()) {
            now.failure = {launch_timeout, "the launch still runs after " + std::to_string(time_limit) + " s"};
            return;
        }
    }
}

// Signals raised by a kernel become failures of its launch: the handler resumes the fiber in `fault_main`.
int fault_signal = 0;
const void* fault_address = nullptr;

[[noreturn]] void fault_main() {
    auto where = describe_address(fault_address);
    switch (fault_signal) {
        case SIGFPE: fail(illegal_instruction, "an integer division that the CPU cannot do (by zero, or MIN / -1)");
        case SIGILL: case SIGTRAP: fail(illegal_instruction, "trap");
        case SIGBUS: fail(misaligned, "access to " + where);
        default:
            if (fault_address == nullptr) fail(misaligned, "a misaligned vector access, or one at a non-canonical address");
            fail(illegal_address, "access to " + where);
    }
}

const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
struct sigaction before[std::size(faults)];

void on_fault(int signal, siginfo_t* info, void* context) {
    if (!inside_kernel()) {
        for (size_t i = 0; i < std::size(faults); i++)
            if (faults[i] == signal) sigaction(signal, &before[i], nullptr);
        return;  // happens again, for the handler that was there before
    }
    fault_signal = signal;
    fault_address = info->si_addr;
#if defined(__x86_64__)
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    registers[REG_RSP] = ((registers[REG_RSP] - 512) & ~greg_t{15}) - 8;
    registers[REG_RIP] = reinterpret_cast<greg_t>(&fault_main);
#else
    (void)context;
    fault_main();
#endif
}

}  // namespace

bool inside_kernel() { return state().running != nullptr; }

Thread* running_thread() { return state().running; }

bool on_current_stack(const void* address) {
    auto thread = state().running;
    if (!thread) return true;
    auto low = static_cast<const char*>(thread->fiber->stack);
    auto at = static_cast<const char*>(address);
    return at >= low && at < low + stack_bytes;
}

void fail(int code, const std::string& text) {
    auto& now = state();
    now.failure = {code, place(*now.running) + ": " + text};
    leave(now.running->fiber);
    std::abort();  // a failed thread is never entered again
}

void park(Phase phase) {
    auto& thread = *state().running;
    auto fiber = thread.fiber;
    thread.phase = phase;
    settle(thread);
    auto next = next_of(thread.home);
    if (!next) leave(fiber);
    else if (next->fiber != fiber) hand_over(fiber, next->fiber);
}

void preempt(uint32_t one_in) {
    if (random_choice.below(one_in) == 0) park(Phase::Ready);
}

void made_progress() { state().spins_in_a_row = 0; }

Failure run(const Launch& launch) {
    auto& now = state();
    now.launch = &launch;
    now.failure = {};
    now.started = 0;
    now.total = launch.grid.count();
    now.window.clear();
    now.spins_in_a_row = 0;
    now.begin = seconds();
    emulated_block_dim = {launch.block.x, launch.block.y, launch.block.z};
    emulated_grid_dim = {launch.grid.x, launch.grid.y, launch.grid.z};
    statistics.launches++;
#if !defined(__SANITIZE_ADDRESS__)
    for (size_t i = 0; i < std::size(faults); i++) {
        struct sigaction action = {};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigaction(faults[i], &action, &before[i]);
    }
#endif
    launch_begins();
    run_blocks();
    launch_ends();
    for (auto block : now.ended) finish_block(block);
    now.ended.clear();
    if (profiling) count_launch(launch.kernel);
#if !defined(__SANITIZE_ADDRESS__)
    for (size_t i = 0; i < std::size(faults); i++) sigaction(faults[i], &before[i], nullptr);
#endif
    if (now.failure.code != 0) {
        // Fibers that stand in the middle of a kernel cannot be used again.
        for (auto block : now.resident) {
            block->release_shared();
            for (auto& thread : block->threads) thread.fiber = nullptr;
            now.spare.push_back(block);
        }
        now.resident.clear();
        now.failure.text = launch.kernel + ": " + now.failure.text;
    }
    now.launch = nullptr;
    return now.failure;
}

}  // namespace emulated

using namespace emulated;

int emulated_barrier(int kind, int predicate) {
    auto thread = state().running;
    thread->barrier = kind;
    if (profiling) thread->visits.meet_block();
    thread->predicate = predicate;
    auto met = thread->home->barrier.arrive();
    park(Phase::Barrier);
    Meeting::depart(met);
    return static_cast<int>(thread->answer);
}

void emulated_spin() {
    auto& now = state();
    statistics.spins++;
    uint64_t most = 200000 + 200 * now.resident.size() * now.launch->block.count();
    if (++now.spins_in_a_row > most)
        fail(launch_timeout, "livelock: every thread that can run waits for one that cannot (blocks are not started in the order "
                             "of blockIdx, and only " + std::to_string(now.resident.size()) + " are resident)");
    park(Phase::Ready);
}

void emulated_progress() { made_progress(); }

void emulated_yield() { preempt(4); }
