/* What kernels, compiled by g++, call in the emulator. Plain C types: kernels include nothing else. */
#pragma once

#pragma GCC visibility push(default)
extern "C" {

struct emulated_dim {
    unsigned x, y, z;
};

struct emulated_thread_ids {
    emulated_dim thread, block;
    unsigned lane, warp;
};

/* The running thread. Reloaded after each call, since any call may switch threads. */
extern emulated_thread_ids* emulated_current;
extern emulated_dim emulated_block_dim, emulated_grid_dim;

enum { EMULATED_BARRIER_COUNT, EMULATED_BARRIER_AND, EMULATED_BARRIER_OR };
int emulated_barrier(int kind, int predicate);

enum {
    EMULATED_WARP_SYNC,
    EMULATED_SHFL_INDEX,
    EMULATED_SHFL_UP,
    EMULATED_SHFL_DOWN,
    EMULATED_SHFL_XOR,
    EMULATED_BALLOT,
    EMULATED_MATCH_ANY,
    EMULATED_REDUCE_ADD,
    EMULATED_REDUCE_MIN,
    EMULATED_REDUCE_MAX,
    EMULATED_REDUCE_MIN_SIGNED,
    EMULATED_REDUCE_MAX_SIGNED,
    EMULATED_REDUCE_AND,
    EMULATED_REDUCE_OR,
    EMULATED_REDUCE_XOR
};

struct emulated_warp_request {
    int operation;
    unsigned mask;
    unsigned long long value;
    int argument, width;
};
unsigned long long emulated_warp(const emulated_warp_request* request);
unsigned emulated_active_mask(void);

/* Shared memory of the running block: one array for each `key`. */
void* emulated_shared(const void* key, unsigned long bytes);
void* emulated_dynamic_shared(void);

/* A point where another thread may be chosen, at random; and the same in a loop that waits for others. */
void emulated_yield(void);
void emulated_spin(void);
/* Something that others wait for may have happened: they do not wait in vain. */
void emulated_progress(void);

/* Before an atomic access: preemption and, for global and shared memory, a bounds check. It is counted as made at `place`,
   unless that is null. */
void emulated_atomic(const volatile void* address, unsigned long bytes, const void* place);
/* Whether an address is in the device's memory, not in a block's. */
int emulated_is_global(const volatile void* address);
/* At an access that other threads may make at the same time: nothing but a note for who looks for races. */
enum { EMULATED_READ, EMULATED_WRITE, EMULATED_READ_AND_WRITE };
void emulated_strong(const volatile void* address, unsigned long bytes, int kind);
/* Orders memory, for who looks for races: execution is sequentially consistent. Then as emulated_yield. */
void emulated_fence(void);
void emulated_trap(void);
}
#pragma GCC visibility pop
