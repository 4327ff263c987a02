// What tests load as cuBLAS: products of matrices as it defines them, by columns, computed by the host in the order of the stream.
//
// The driver in the process moves the matrices, so that an address that is none of the device's is its error. Arguments are
// checked as cuBLAS checks them.
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <vector>

extern "C" {
int cuStreamSynchronize(void* stream);
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* stream);
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* stream);
}

namespace {
enum Status { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13 };
enum Operation { AS_IT_IS = 0, TRANSPOSED = 1, CONJUGATED = 2 };

struct Handle {
    void* stream = nullptr;
};

std::mutex lock;
std::set<const void*> handles;
unsigned long products = 0;

bool known(const void* handle) {
    std::lock_guard guard(lock);
    return handles.count(handle) != 0;
}

// A matrix by columns, the columns as far apart as its leading dimension.
template <class T>
struct Matrix {
    int rows, columns, leading;
    std::vector<T> elements;

    Matrix(int rows, int columns, int leading) : rows(rows), columns(columns), leading(leading) {
        elements.resize(count());
    }
    std::size_t count() const {
        return rows && columns ? std::size_t(leading) * (columns - 1) + rows : 0;
    }
    T& at(int row, int column) { return elements[std::size_t(leading) * column + row]; }
    int get(const T* from, void* stream) {
        auto address = reinterpret_cast<std::uint64_t>(from);
        auto bytes = count() * sizeof(T);
        return bytes ? cuMemcpyDtoHAsync_v2(elements.data(), address, bytes, stream) : 0;
    }
    int put(T* to, void* stream) {
        auto address = reinterpret_cast<std::uint64_t>(to);
        auto bytes = count() * sizeof(T);
        return bytes ? cuMemcpyHtoDAsync_v2(address, elements.data(), bytes, stream) : 0;
    }
};

// c = alpha * a' * b' + beta * c, where c has m rows and n columns, and k is summed over; c is not read if beta is zero.
template <class T>
int gemm(void* handle, int of_a, int of_b, int m, int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,
         const T* beta, T* c, int ldc) {
    if (!handle || !known(handle)) return NOT_INITIALIZED;
    auto is_operation = [](int operation) { return operation >= AS_IT_IS && operation <= CONJUGATED; };
    if (m < 0 || n < 0 || k < 0 || !is_operation(of_a) || !is_operation(of_b) || !alpha || !beta) return INVALID_VALUE;
    auto at_least_one = [](int extent) { return extent > 1 ? extent : 1; };
    int rows_of_a = of_a == AS_IT_IS ? m : k, rows_of_b = of_b == AS_IT_IS ? k : n;
    if (lda < at_least_one(rows_of_a) || ldb < at_least_one(rows_of_b) || ldc < at_least_one(m)) return INVALID_VALUE;
    if (m == 0 || n == 0) return SUCCESS;
    auto stream = static_cast<Handle*>(handle)->stream;
    Matrix<T> left(rows_of_a, of_a == AS_IT_IS ? k : m, lda), right(rows_of_b, of_b == AS_IT_IS ? n : k, ldb);
    Matrix<T> result(m, n, ldc);
    int wrong = left.get(a, stream) | right.get(b, stream);
    // What lies between the columns stays as it is.
    wrong |= result.get(c, stream);
    if (wrong | cuStreamSynchronize(stream)) return EXECUTION_FAILED;
    for (int row = 0; row < m; row++) {
        for (int column = 0; column < n; column++) {
            T sum = 0;
            for (int l = 0; l < k; l++) {
                T x = of_a == AS_IT_IS ? left.at(row, l) : left.at(l, row);
                T y = of_b == AS_IT_IS ? right.at(l, column) : right.at(column, l);
                sum += x * y;
            }
            T before = *beta == 0 ? 0 : *beta * result.at(row, column);
            result.at(row, column) = *alpha * sum + before;
        }
    }
    wrong = result.put(c, stream) | cuStreamSynchronize(stream);
    std::lock_guard guard(lock);
    products++;
    return wrong ? EXECUTION_FAILED : SUCCESS;
}
}  // namespace

extern "C" {
int cublasCreate_v2(void** handle) {
    if (!handle) return INVALID_VALUE;
    *handle = new Handle;
    std::lock_guard guard(lock);
    handles.insert(*handle);
    return SUCCESS;
}

int cublasSetStream_v2(void* handle, void* stream) {
    if (!known(handle)) return NOT_INITIALIZED;
    static_cast<Handle*>(handle)->stream = stream;
    return SUCCESS;
}

int cublasSgemm_v2(void* handle, int of_a, int of_b, int m, int n, int k, const float* alpha, const float* a, int lda,
                   const float* b, int ldb, const float* beta, float* c, int ldc) {
    return gemm(handle, of_a, of_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

int cublasDgemm_v2(void* handle, int of_a, int of_b, int m, int n, int k, const double* alpha, const double* a, int lda,
                   const double* b, int ldb, const double* beta, double* c, int ldc) {
    return gemm(handle, of_a, of_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

// For tests: how many handles and products there have been.
unsigned long accelerate_emulator_cublas_handles() {
    std::lock_guard guard(lock);
    return handles.size();
}

unsigned long accelerate_emulator_cublas_products() {
    std::lock_guard guard(lock);
    return products;
}
}
