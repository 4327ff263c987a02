// CUDA C for g++: force-included before generated kernels, which then run as fibers of the emulator's scheduler.
// Light on purpose (no standard headers): it is compiled once per kernel file.
#pragma once


#include "device_api.h"

typedef __SIZE_TYPE__ size_t;
extern "C" void* memcpy(void*, const void*, size_t) noexcept;
extern "C" void* memset(void*, int, size_t) noexcept;

// What is not called is not compiled: see the thunks.
#define __global__ inline
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __managed__
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_assume(condition) ((void)0)
#define __CUDA_ARCH__ 800
#define warpSize 32

#define EMULATED_INLINE static inline __attribute__((always_inline))
// In instrumented kernels nothing may come between the read and the write of an atomic; a function that is inlined would
// be instrumented with its caller.
#define EMULATED_ATOMICALLY static __attribute__((noinline, no_sanitize("thread")))

#define SHARED(type, name, n)                 \
    static char name##_key;                   \
    type(&name)[n] = *static_cast<type(*)[n]>(emulated_shared(&name##_key, sizeof(type) * (n)))
#define DYNAMIC_SHARED(type, name) type* const name = static_cast<type*>(emulated_dynamic_shared())
#define SPIN_WAIT() emulated_spin()

struct uint3 { unsigned x, y, z; };
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
#define threadIdx (emulated_current->thread)
#define blockIdx (emulated_current->block)
#define blockDim (emulated_block_dim)
#define gridDim (emulated_grid_dim)

// Vector types, with the alignment that makes them one access on a GPU: a misaligned one faults here too.
#define EMULATED_VECTORS(type, name, bytes)                                                                               \
    struct name##1 { type x; };                                                                                           \
    struct __align__(2 * bytes) name##2 { type x, y; };                                                                   \
    struct name##3 { type x, y, z; };                                                                                     \
    struct __align__(4 * bytes > 16 ? 16 : 4 * bytes) name##4 { type x, y, z, w; };                                       \
    EMULATED_INLINE name##1 make_##name##1(type x) { return {x}; }                                                        \
    EMULATED_INLINE name##2 make_##name##2(type x, type y) { return {x, y}; }                                             \
    EMULATED_INLINE name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                                  \
    EMULATED_INLINE name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
EMULATED_VECTORS(signed char, char, 1)
EMULATED_VECTORS(unsigned char, uchar, 1)
EMULATED_VECTORS(short, short, 2)
EMULATED_VECTORS(unsigned short, ushort, 2)
EMULATED_VECTORS(int, int, 4)
EMULATED_VECTORS(long, long, 8)
EMULATED_VECTORS(unsigned long, ulong, 8)
EMULATED_VECTORS(long long, longlong, 8)
EMULATED_VECTORS(unsigned long long, ulonglong, 8)
EMULATED_VECTORS(float, float, 4)
EMULATED_VECTORS(double, double, 8)
struct uint1 { unsigned x; };
struct __align__(8) uint2 { unsigned x, y; };
struct __align__(16) uint4 { unsigned x, y, z, w; };
EMULATED_INLINE uint1 make_uint1(unsigned x) { return {x}; }
EMULATED_INLINE uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
EMULATED_INLINE uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
EMULATED_INLINE uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

// Barriers and fences.
EMULATED_INLINE void __syncthreads() { emulated_barrier(EMULATED_BARRIER_COUNT, 0); }
EMULATED_INLINE int __syncthreads_count(int predicate) { return emulated_barrier(EMULATED_BARRIER_COUNT, predicate); }
EMULATED_INLINE int __syncthreads_and(int predicate) { return emulated_barrier(EMULATED_BARRIER_AND, predicate); }
EMULATED_INLINE int __syncthreads_or(int predicate) { return emulated_barrier(EMULATED_BARRIER_OR, predicate); }
EMULATED_INLINE void __threadfence() { emulated_fence(); }
EMULATED_INLINE void __threadfence_block() { emulated_fence(); }
EMULATED_INLINE void __threadfence_system() { emulated_fence(); }
EMULATED_INLINE void __nanosleep(unsigned) { emulated_yield(); }
EMULATED_INLINE void __trap() { emulated_trap(); }

EMULATED_INLINE unsigned long long emulated_ask(int operation, unsigned mask, unsigned long long value, int argument, int width) {
    emulated_warp_request request = {operation, mask, value, argument, width};
    return emulated_warp(&request);
}
EMULATED_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { emulated_ask(EMULATED_WARP_SYNC, mask, 0, 0, 32); }
EMULATED_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
    return (unsigned)emulated_ask(EMULATED_BALLOT, mask, predicate != 0, 0, 32);
}
EMULATED_INLINE int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
EMULATED_INLINE int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) == mask; }
EMULATED_INLINE unsigned __activemask() { return emulated_active_mask(); }

template <class T> EMULATED_INLINE unsigned long long emulated_bits(T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles take 4 or 8 bytes");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}
template <class T> EMULATED_INLINE T emulated_value(unsigned long long bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
template <class T> EMULATED_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
    return emulated_value<T>(emulated_ask(EMULATED_SHFL_INDEX, mask, emulated_bits(value), lane, width));
}
template <class T> EMULATED_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    return emulated_value<T>(emulated_ask(EMULATED_SHFL_UP, mask, emulated_bits(value), (int)delta, width));
}
template <class T> EMULATED_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    return emulated_value<T>(emulated_ask(EMULATED_SHFL_DOWN, mask, emulated_bits(value), (int)delta, width));
}
template <class T> EMULATED_INLINE T __shfl_xor_sync(unsigned mask, T value, int with, int width = 32) {
    return emulated_value<T>(emulated_ask(EMULATED_SHFL_XOR, mask, emulated_bits(value), with, width));
}
template <class T> EMULATED_INLINE unsigned __match_any_sync(unsigned mask, T value) {
    return (unsigned)emulated_ask(EMULATED_MATCH_ANY, mask, emulated_bits(value), 0, 32);
}
#define EMULATED_REDUCE(name, type, operation)                                                                             \
    EMULATED_INLINE type name(unsigned mask, type value) {                                                                \
        return (type)emulated_ask(operation, mask, emulated_bits(value), 0, 32);                                          \
    }
EMULATED_REDUCE(__reduce_add_sync, int, EMULATED_REDUCE_ADD)
EMULATED_REDUCE(__reduce_add_sync, unsigned, EMULATED_REDUCE_ADD)
EMULATED_REDUCE(__reduce_min_sync, int, EMULATED_REDUCE_MIN_SIGNED)
EMULATED_REDUCE(__reduce_min_sync, unsigned, EMULATED_REDUCE_MIN)
EMULATED_REDUCE(__reduce_max_sync, int, EMULATED_REDUCE_MAX_SIGNED)
EMULATED_REDUCE(__reduce_max_sync, unsigned, EMULATED_REDUCE_MAX)
EMULATED_REDUCE(__reduce_and_sync, unsigned, EMULATED_REDUCE_AND)
EMULATED_REDUCE(__reduce_or_sync, unsigned, EMULATED_REDUCE_OR)
EMULATED_REDUCE(__reduce_xor_sync, unsigned, EMULATED_REDUCE_XOR)

// Atomics: one thread runs at a time, so a plain read and write with a chance for others before.
#define EMULATED_CALLER __builtin_return_address(0)
template <class T> struct emulated_same { typedef T type; };
#define EMULATED_ATOMIC(name, expression)                                                                                  \
    template <class T> EMULATED_ATOMICALLY T name(T* address, typename emulated_same<T>::type value) {                    \
        emulated_atomic(address, sizeof(T), EMULATED_CALLER);                                                             \
        T old = *(volatile T*)address;                                                                                    \
        *(volatile T*)address = (expression);                                                                             \
        emulated_strong(address, sizeof(T), EMULATED_READ_AND_WRITE);                                                     \
        return old;                                                                                                       \
    }                                                                                                                     \
    template <class T> EMULATED_INLINE T name##_block(T* address, typename emulated_same<T>::type value) {                \
        return name(address, value);                                                                                      \
    }
EMULATED_ATOMIC(atomicAdd, (T)(old + value))
// In the device's memory, not in a block's, sums of floats take subnormal numbers for zero.
EMULATED_ATOMICALLY float emulated_flushed(float x) { return __builtin_fabsf(x) < __FLT_MIN__ ? __builtin_copysignf(0.0f, x) : x; }
EMULATED_ATOMICALLY float atomicAdd(float* address, float value) {
    emulated_atomic(address, sizeof(float), EMULATED_CALLER);
    float old = *(volatile float*)address;
    bool flushes = emulated_is_global(address);
    float sum = flushes ? emulated_flushed(emulated_flushed(old) + emulated_flushed(value)) : old + value;
    *(volatile float*)address = sum;
    emulated_strong(address, sizeof(float), EMULATED_READ_AND_WRITE);
    return old;
}
EMULATED_ATOMIC(atomicSub, (T)(old - value))
EMULATED_ATOMIC(atomicExch, value)
EMULATED_ATOMIC(atomicMin, value < old ? value : old)
EMULATED_ATOMIC(atomicMax, value > old ? value : old)
EMULATED_ATOMIC(atomicAnd, (T)(old & value))
EMULATED_ATOMIC(atomicOr, (T)(old | value))
EMULATED_ATOMIC(atomicXor, (T)(old ^ value))
EMULATED_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
EMULATED_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
template <class T>
EMULATED_ATOMICALLY T atomicCAS(T* address, typename emulated_same<T>::type compare, typename emulated_same<T>::type value) {
    emulated_atomic(address, sizeof(T), nullptr);
    T old = *(volatile T*)address;
    if (old == compare) {
        *(volatile T*)address = value;
        emulated_progress();
    }
    emulated_strong(address, sizeof(T), old == compare ? EMULATED_READ_AND_WRITE : EMULATED_READ);
    return old;
}

// Loads and stores with cache hints.
#define EMULATED_LOAD(name) template <class T> EMULATED_INLINE T name(const T* address) { return *address; }
#define EMULATED_STORE(name) template <class T> EMULATED_INLINE void name(T* address, T value) { *address = value; }
EMULATED_LOAD(__ldg)
EMULATED_LOAD(__ldcg)
EMULATED_LOAD(__ldca)
EMULATED_LOAD(__ldcs)
EMULATED_LOAD(__ldlu)
EMULATED_LOAD(__ldcv)
EMULATED_STORE(__stwb)
EMULATED_STORE(__stcg)
EMULATED_STORE(__stcs)
EMULATED_STORE(__stwt)

#include "device_math.h"

// One thunk per kernel: its parameters from the driver's array of pointers, and their sizes.
template <unsigned... I> struct emulated_indices {};
template <class F> struct emulated_kernel;
template <class... A> struct emulated_kernel<void(A...)> {
    static constexpr unsigned count = sizeof...(A);
    static constexpr unsigned sizes[sizeof...(A) + 1] = {sizeof(A)..., 0};
    template <unsigned... I>
    __attribute__((no_sanitize("thread"))) static void call(void (*kernel)(A...), void** parameters, emulated_indices<I...>) {
        kernel(*static_cast<A*>(parameters[I])...);
    }
    __attribute__((no_sanitize("thread"))) static void run(void (*kernel)(A...), void** parameters) {
        call(kernel, parameters, emulated_indices<__integer_pack(sizeof...(A))...>());
    }
};
#define EMULATED_THUNK(name)                                                                                               \
    extern "C" __attribute__((no_sanitize("thread"))) void emulated_thunk_##name(void** parameters) {                     \
        emulated_kernel<decltype(name)>::run(name, parameters);                                                           \
    }                                                                                                                     \
    extern "C" { extern const unsigned emulated_count_##name; extern const unsigned* const emulated_sizes_##name;          \
        const unsigned emulated_count_##name = emulated_kernel<decltype(name)>::count;                                    \
        const unsigned* const emulated_sizes_##name = emulated_kernel<decltype(name)>::sizes; }
