// Kernels that the emulator's own tests drive: right ones, and ones with one fault each.
#ifndef ACCELERATE_EMULATED
#define SHARED(type, name, n) __shared__ type name[n]
#define SPIN_WAIT() __nanosleep(64)
#endif

__device__ unsigned position() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void __launch_bounds__(256) saxpy(const float* __restrict__ xs, float* __restrict__ ys, float a, unsigned n)
{
    for (unsigned i = position(); i < n; i += gridDim.x * blockDim.x) ys[i] = __fmaf_rn(a, xs[i], ys[i]);
}

// The sum of a block of 128 threads, in all of them.
template <bool synchronised> __device__ float block_sum(float x)
{
    SHARED(float, parts, 4);
    for (int distance = 16; distance > 0; distance /= 2) x += __shfl_down_sync(0xffffffffu, x, distance);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
    if (synchronised) __syncthreads();
    return parts[0] + parts[1] + parts[2] + parts[3];
}

template <bool synchronised>
__device__ void reduce(const float* xs, float* partials, unsigned* ticket, float* result, unsigned n)
{
    float sum = 0;
    for (unsigned i = position(); i < n; i += gridDim.x * blockDim.x) sum += xs[i];
    sum = block_sum<synchronised>(sum);
    SHARED(bool, last, 1);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        __threadfence();
        last[0] = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last[0]) return;
    if (threadIdx.x == 0) {
        __threadfence();
        float total = 0;
        for (unsigned i = 0; i < gridDim.x; i++) total += __ldcg(&partials[i]);
        *result = total;
        *ticket = 0;
    }
}

extern "C" __global__ void sum(const float* xs, float* partials, unsigned* ticket, float* result, unsigned n)
{
    reduce<true>(xs, partials, ticket, result, n);
}

extern "C" __global__ void sum_without_barrier(const float* xs, float* partials, unsigned* ticket, float* result, unsigned n)
{
    reduce<false>(xs, partials, ticket, result, n);
}

// Chained: each block waits for the one before it.
template <bool by_ticket> __device__ void chain(unsigned* states, unsigned* ticket)
{
    SHARED(unsigned, mine, 1);
    if (threadIdx.x == 0) mine[0] = by_ticket ? atomicAdd(ticket, 1u) : blockIdx.x;
    __syncthreads();
    if (threadIdx.x != 0) return;
    volatile unsigned* seen = states;
    unsigned before = 0;
    if (mine[0] > 0)
        while ((before = seen[mine[0] - 1]) == 0) SPIN_WAIT();
    seen[mine[0]] = before + 1;
}

extern "C" __global__ void chain_by_ticket(unsigned* states, unsigned* ticket) { chain<true>(states, ticket); }
extern "C" __global__ void chain_by_block(unsigned* states, unsigned* ticket) { chain<false>(states, ticket); }

// Everybody takes a lock that everybody wants, many times.
extern "C" __global__ void crowd(unsigned* count, unsigned* lock)
{
    for (unsigned round = 0; round < 100;) {
        if (atomicCAS(lock, 0u, 1u) == 0u) {
            __threadfence();
            *(volatile unsigned*)count = *(volatile unsigned*)count + 1;
            __threadfence();
            atomicExch(lock, 0u);
            round++;
        } else {
            SPIN_WAIT();
        }
    }
}

extern "C" __global__ void past_the_end(float* xs, unsigned n) { xs[n + threadIdx.x] = 1.0f; }
extern "C" __global__ void far_past_the_end(float* xs, unsigned n) { xs[n + 100000 + threadIdx.x] = 1.0f; }
extern "C" __global__ void read_past_the_end(float* xs, unsigned n) { if (xs[n] == 5.0f) xs[0] = 1.0f; }
extern "C" __global__ void diverging_barrier(float* xs) { if (threadIdx.x > 3) __syncthreads(); else xs[0] = 1.0f; }
extern "C" __global__ void missing_lane(unsigned* xs) { if (threadIdx.x != 5) xs[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 0); }
extern "C" __global__ void divide(int* xs, int by) { xs[threadIdx.x] = xs[threadIdx.x] / by; }
extern "C" __global__ void lost_updates(unsigned* count) { *count = *count + 1; }
extern "C" __global__ void counted(unsigned* count) { atomicAdd(count, 1u); }

// What floats are on a GPU and not in C++: xs gets 1e-40 plus 0 in its own memory, in shared memory, and the bits of |-NaN|.
extern "C" __global__ void float_bits(unsigned* xs) {
    SHARED(float, tiny, 1);
    if (blockIdx.x > 0) return;
    float* sum = reinterpret_cast<float*>(xs);
    *sum = *tiny = 1e-40f;
    atomicAdd(sum, 0.0f);
    atomicAdd(tiny, 0.0f);
    xs[1] = __float_as_uint(*tiny);
    xs[2] = __float_as_uint(fabsf(__uint_as_float(0xffc00001u)));
    xs[3] = (unsigned)(__double_as_longlong(fabs(__longlong_as_double(0xfff8000000000001ll))) >> 32);
}
