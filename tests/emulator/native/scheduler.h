// The scheduler: runs one launch at a time, its blocks and threads interleaved at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace emulated {

/// A kernel's parameters as the driver gets them: one pointer per parameter.
using Thunk = void (*)(void** parameters);

struct Dim {
    unsigned x, y, z;
    uint64_t count() const { return uint64_t{x} * y * z; }
};

struct Launch {
    std::string kernel;
    Thunk thunk;
    void** parameters;
    Dim grid, block;
    size_t dynamic_shared;
    bool cooperative;
};

/// What went wrong, as the driver's error code and a text for people.
struct Failure {
    int code = 0;
    std::string text;
};

/// Random choices; restarted by `accelerate_emulator_seed`.
struct Random {
    uint64_t state = 1;
    uint64_t next() {
        uint64_t z = (state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// In `0..n`, n > 0.
    uint32_t below(uint32_t n) { return static_cast<uint32_t>((uint64_t{static_cast<uint32_t>(next())} * n) >> 32); }
};

extern Random random_choice;

/// How many blocks are interleaved.
extern unsigned residency;

/// Seconds after which a launch is reported as hanging.
extern unsigned time_limit;

/// Runs to the end or to the first failure.
Failure run(const Launch& launch);

/// Whether `address` lies on the stack of the running thread.
bool on_current_stack(const void* address);

/// Ends the launch from inside a kernel.
[[noreturn]] void fail(int code, const std::string& text);

/// A point where another thread may be chosen; `one_in` is how often.
void preempt(uint32_t one_in);

/// Whether a kernel's thread runs now (as against host code).
bool inside_kernel();

struct Statistics {
    uint64_t launches = 0, blocks = 0, slices = 0, barriers = 0, warp_operations = 0, spins = 0;
};
extern Statistics statistics;

}  // namespace emulated
