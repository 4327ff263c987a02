// The jobs of kernels of the corpus, as a user of CUB writes them: one at a time, named by a macro.

#include <cub/cub.cuh>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

using u8 = unsigned char;
using i8 = signed char;
using u32 = unsigned int;

struct Positive {
    __device__ bool operator()(int x) const { return x > 0; }
};

struct Less {
    __device__ bool operator()(u32 a, u32 b) const { return a < b; }
};

#if defined(SAXPY)
struct Saxpy {
    float a;
    __device__ float operator()(float x, float y) const { return a * x + y; }
};
cudaError_t job(float a, const float* xs, const float* ys, float* out, int n) {
    return cub::DeviceTransform::Transform(cuda::std::make_tuple(xs, ys), out, n, Saxpy{a});
}
#elif defined(SUM)
cudaError_t job(void* space, size_t& bytes, const float* xs, float* out, int n) {
    return cub::DeviceReduce::Sum(space, bytes, xs, out, n);
}
#elif defined(DOT)
struct Product {
    __device__ float operator()(const thrust::tuple<float, float>& both) const {
        return thrust::get<0>(both) * thrust::get<1>(both);
    }
};
cudaError_t job(void* space, size_t& bytes, const float* xs, const float* ys, float* out, int n) {
    auto both = thrust::make_zip_iterator(xs, ys);
    return cub::DeviceReduce::TransformReduce(space, bytes, both, out, n, cuda::std::plus<float>{}, Product{}, 0.0f);
}
#elif defined(SEGMENTS)
cudaError_t job(void* space, size_t& bytes, const float* xs, float* out, const int* offsets, int rows) {
    return cub::DeviceSegmentedReduce::Sum(space, bytes, xs, out, rows, offsets, offsets + 1);
}
#elif defined(SCAN)
cudaError_t job(void* space, size_t& bytes, const float* xs, float* out, int n) {
    return cub::DeviceScan::InclusiveSum(space, bytes, xs, out, n);
}
#elif defined(SCAN_EXCLUSIVE)
cudaError_t job(void* space, size_t& bytes, const u32* xs, u32* out, int n) {
    return cub::DeviceScan::ExclusiveSum(space, bytes, xs, out, n);
}
#elif defined(FILTER)
cudaError_t job(void* space, size_t& bytes, const int* xs, int* out, int* kept, int n) {
    return cub::DeviceSelect::If(space, bytes, xs, out, kept, n, Positive{});
}
#elif defined(PARTITION)
struct Left {
    __device__ bool operator()(const thrust::tuple<int, i8>& both) const {
        return thrust::get<0>(both) < 0 || thrust::get<1>(both) == 0;
    }
};
cudaError_t job(void* space, size_t& bytes, const int* xs, const i8* ys, int* left, i8* right, int* kept, int n) {
    auto from = thrust::make_zip_iterator(xs, ys);
    auto to = thrust::make_zip_iterator(left, right);
    return cub::DevicePartition::If(space, bytes, from, to, kept, n, Left{});
}
#elif defined(SORT)
cudaError_t job(void* space, size_t& bytes, const u32* xs, u32* out, int n) {
    return cub::DeviceRadixSort::SortKeys(space, bytes, xs, out, n);
}
#elif defined(MERGE_SORT)
cudaError_t job(void* space, size_t& bytes, const u32* xs, u32* out, int n) {
    return cub::DeviceMergeSort::SortKeysCopy(space, bytes, xs, out, n, Less{});
}
#elif defined(HISTOGRAM)
cudaError_t job(void* space, size_t& bytes, const u8* xs, int* counts, int n) {
    return cub::DeviceHistogram::HistogramEven(space, bytes, xs, counts, 257, 0, 256, n);
}
#endif
