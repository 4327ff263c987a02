/* Control of the emulated CUDA device: functions that `libcuda.so.1` exports beside the driver's. State belongs to the
   process: tests that use these functions run one at a time. Every value also has an environment variable, read once when
   the library is loaded. */
#pragma once

#include <stdint.h>

extern "C" {

/* Restarts the random choices. ACCELERATE_EMULATOR_SEED */
void accelerate_emulator_seed(uint64_t seed);
/* How many blocks are interleaved (8). ACCELERATE_EMULATOR_RESIDENCY */
void accelerate_emulator_residency(unsigned blocks);
/* Bytes of device memory (16 GiB). ACCELERATE_EMULATOR_MEMORY */
void accelerate_emulator_memory(uint64_t bytes);
/* Whether streams have memory pools, attribute 115 (1). ACCELERATE_EMULATOR_POOLS */
void accelerate_emulator_pools(int supported);
/* Whether work on streams is put off until something waits for it, or a random moment (0). ACCELERATE_EMULATOR_DELAY */
void accelerate_emulator_delay(int on);
/* 1: allocations end at the end of a page, so that reads past them fault (0). ACCELERATE_EMULATOR_PLACEMENT */
void accelerate_emulator_placement(int end_of_page);
/* What cuDriverGetVersion answers (13000). ACCELERATE_EMULATOR_DRIVER */
void accelerate_emulator_driver_version(int version);
/* Whether the device reads pageable memory of the host itself, attribute 100: copies from it that are put off read what is
   there then (0). ACCELERATE_EMULATOR_HOST_PAGES */
void accelerate_emulator_host_pages(int on);
/* How many multiprocessors the device says it has (4). ACCELERATE_EMULATOR_PROCESSORS */
void accelerate_emulator_processors(int count);
/* The compute capability that the device says it has: 86 for 8.6 (80). ACCELERATE_EMULATOR_CAPABILITY */
void accelerate_emulator_capability(int number);
/* Whether failures are not printed to stderr (0). ACCELERATE_EMULATOR_QUIET */
void accelerate_emulator_quiet(int on);
/* Instruments kernels compiled from now on: a preemption point and a bounds check at every access (0).
   ACCELERATE_EMULATOR_INSTRUMENT */
void accelerate_emulator_instrument(int on);
/* Whether ThreadSanitizer's runtime was preloaded and finds races of instrumented kernels (races.h). */
int accelerate_emulator_watched(void);

/* Counts what accesses of instrumented kernels would cost, from now on and from nothing, or does not (0): see profile.h.
   ACCELERATE_EMULATOR_PROFILE=1 does, and prints it at the end. */
void accelerate_emulator_profile(int on);
/* What was counted: a line for each kernel, kind of access and place, after one of titles. Valid until the next call. */
const char* accelerate_emulator_profile_table(void);
/* How many bytes of the allocation that begins there kernels have read and written since this was asked before. */
void accelerate_emulator_touched(uint64_t address, uint64_t* read, uint64_t* written);

/* The n-th call from now on (1 is the next) of the driver function `name` (null: of any) fails once, with `code` (0: a
   code that this function is known to return; 700 and 719 stay, as a lost context does). */
void accelerate_emulator_fail_after(const char* name, uint64_t n, int code);
/* No planned failure any more. */
void accelerate_emulator_fail_never(void);
/* Whether the planned failure has happened. */
int accelerate_emulator_failed(void);
/* The driver function that the last planned failure met. Valid until the next one. */
const char* accelerate_emulator_failed_name(void);

/* Launches of a kernel of this name fault (1), or never end (2); null or 0: none does. The fault is met as on a GPU: by the
   next call that waits, or by the launch where CUDA_LAUNCH_BLOCKING=1. ACCELERATE_EMULATOR_FAULT=kernel,
   ACCELERATE_EMULATOR_HANG=kernel */
void accelerate_emulator_misbehave(const char* kernel, int how);
/* Whether calls of cuModuleLoadDataEx wait until this is off again, as for a compiler (0). */
void accelerate_emulator_hold_loads(int on);
/* How many wait. */
unsigned accelerate_emulator_held_loads(void);
/* Makes a context other than the device's current on this thread, as its caller may have one; 0 makes none current. */
void accelerate_emulator_enter_foreign_context(int on);
/* Whether that context is current on this thread. */
int accelerate_emulator_in_foreign_context(void);

/* Names of the driver functions called since the last reset of counters, in order of first call; null past the end. */
const char* accelerate_emulator_called(unsigned index);
/* How often `name` (null: any) was called since then. */
uint64_t accelerate_emulator_calls(const char* name);

/* Notes what is queued from now on, and forgets what was noted (0). */
void accelerate_emulator_trace(int on);
/* What was noted, in order: lines `STREAM: WORK`, by the number of a stream in the order of creation, of the kinds `copy to
   device`, `copy to host`, `launch KERNEL`, `record RECORD` (of an event; they are counted), `wait for RECORD` and `synchronize`.
   Valid until the next call. */
const char* accelerate_emulator_traced(void);

struct accelerate_emulator_counts {
    uint64_t live_allocations, live_bytes, peak_bytes, allocations;
    uint64_t launches, blocks, slices, barriers, warp_operations, spins;
    uint64_t bytes_to_device, bytes_to_host, bytes_on_device;
    uint64_t live_modules, live_streams, live_events, live_contexts, live_pinned;
    uint64_t calls, compiled, cubins;
};
/* Fills `counts`; `size` is the caller's sizeof. */
void accelerate_emulator_counters(struct accelerate_emulator_counts* counts, uint64_t size);
/* Sets the running totals to zero; what is live stays counted. */
void accelerate_emulator_reset_counters(void);

/* Text of the last failure that a kernel or a memory check reported; empty if none. Valid until the next call. */
const char* accelerate_emulator_report(void);
/* Ends a sticky error, as only a new process can on a GPU, and forgets the report. */
void accelerate_emulator_recover(void);
}
