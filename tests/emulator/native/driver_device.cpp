// Driver functions: initialisation, devices, contexts, streams, events, error texts.
#include "driver.h"
#include "memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

using namespace emulated;

namespace {

int attribute_of(int attribute) {
    switch (attribute) {
        case 1: return 1024;             // MAX_THREADS_PER_BLOCK
        case 2: case 3: return 1024;     // MAX_BLOCK_DIM_X, Y
        case 4: return 64;
        case 5: return 0x7fffffff;       // MAX_GRID_DIM_X
        case 6: case 7: return 65535;
        case 8: return 48 * 1024;        // MAX_SHARED_MEMORY_PER_BLOCK
        case 9: return 64 * 1024;
        case 10: return 32;              // WARP_SIZE
        case 12: return 65536;           // MAX_REGISTERS_PER_BLOCK
        case 13: return 1500000;         // CLOCK_RATE
        case 14: return 512;             // TEXTURE_ALIGNMENT
        case 16: return driver().processors;
        case 18: return 0;
        case 19: return 0;
        case 31: return 1;               // CONCURRENT_KERNELS
        case 36: return 2500000;         // MEMORY_CLOCK_RATE
        case 37: return 5120;            // GLOBAL_MEMORY_BUS_WIDTH
        case 38: return 40 * 1024 * 1024;  // L2_CACHE_SIZE
        case 39: return 2048;            // MAX_THREADS_PER_MULTIPROCESSOR
        case 40: return 2;
        case 41: return 1;               // UNIFIED_ADDRESSING
        case 75: return driver().capability / 10;  // COMPUTE_CAPABILITY_MAJOR
        case 76: return driver().capability % 10;
        case 78: return 1;               // STREAM_PRIORITIES_SUPPORTED
        case 81: return 164 * 1024;      // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
        case 82: return 65536;           // MAX_REGISTERS_PER_MULTIPROCESSOR
        case 83: return 0;               // MANAGED_MEMORY
        case 95: return 1;               // COOPERATIVE_LAUNCH
        case 97: return 163 * 1024;      // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
        case 100: return driver().host_pages;  // PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES
        case 106: return 32;             // MAX_BLOCKS_PER_MULTIPROCESSOR
        case 111: return 1024;           // RESERVED_SHARED_MEMORY_PER_BLOCK
        case 115: return driver().pools;  // MEMORY_POOLS_SUPPORTED
        default: return 0;
    }
}

Event* event_of(void* handle) {
    auto event = static_cast<Event*>(handle);
    return driver().events.count(event) ? event : nullptr;
}

int context_token, foreign_context_token;
thread_local void* current_context = nullptr;
int pool_token;

struct Named {
    int code;
    const char* name;
    const char* text;
};

const Named names[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain"},
    {301, "CUDA_ERROR_FILE_NOT_FOUND", "file not found"},
    {304, "CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {715, "CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"},
    {716, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch"},
    {801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

}  // namespace

bool emulated::in_foreign_context() { return current_context == &foreign_context_token; }

extern "C" __attribute__((visibility("default"))) void accelerate_emulator_enter_foreign_context(int on) {
    current_context = on ? &foreign_context_token : nullptr;
}

extern "C" __attribute__((visibility("default"))) int accelerate_emulator_in_foreign_context() { return in_foreign_context(); }

DRIVER cuGetErrorName(CUresult code, const char** name) {
    *name = nullptr;
    for (const auto& one : names)
        if (one.code == code) *name = one.name;
    return *name ? success : invalid_value;
}

DRIVER cuGetErrorString(CUresult code, const char** text) {
    *text = nullptr;
    for (const auto& one : names)
        if (one.code == code) *text = one.text;
    return *text ? success : invalid_value;
}

DRIVER cuInit(unsigned) {
    BEGIN;
    driver().initialized = true;
    return success;
}

DRIVER cuDriverGetVersion(int* version) {
    BEGIN;
    *version = driver().version;
    return success;
}

DRIVER cuDeviceGetCount(int* count) {
    BEGIN;
    if (!driver().initialized) return not_initialized;
    *count = 1;
    return success;
}

DRIVER cuDeviceGet(int* device, int ordinal) {
    BEGIN;
    if (!driver().initialized) return not_initialized;
    if (ordinal != 0) return invalid_device;
    *device = 0;
    return success;
}

DRIVER cuDeviceGetName(char* name, int length, int) {
    BEGIN;
    std::strncpy(name, "Emulated CUDA device", static_cast<size_t>(length));
    if (length > 0) name[length - 1] = 0;
    return success;
}

static CUresult uuid(unsigned char* bytes) {
    std::memcpy(bytes, "emulated-device", 16);
    return success;
}
DRIVER cuDeviceGetUuid(unsigned char* bytes, int) { BEGIN; return uuid(bytes); }
DRIVER cuDeviceGetUuid_v2(unsigned char* bytes, int) { BEGIN; return uuid(bytes); }

DRIVER cuDeviceGetAttribute(int* value, int attribute, int) {
    BEGIN;
    *value = attribute_of(attribute);
    return success;
}

DRIVER cuDeviceTotalMem_v2(size_t* bytes, int) {
    BEGIN;
    *bytes = memory_limit;
    return success;
}

DRIVER cuDeviceGetDefaultMemPool(void** pool, int) { BEGIN; *pool = &pool_token; return success; }
DRIVER cuDeviceGetMemPool(void** pool, int) { BEGIN; *pool = &pool_token; return success; }
DRIVER cuDeviceSetMemPool(int, void*) { BEGIN; return success; }
DRIVER cuMemPoolCreate(void** pool, const void*) { BEGIN; *pool = &pool_token; return success; }
DRIVER cuMemPoolDestroy(void*) { BEGIN; return success; }
DRIVER cuMemPoolSetAttribute(void*, int, void*) { BEGIN; return success; }
DRIVER cuMemPoolTrimTo(void*, size_t) { BEGIN; return success; }
DRIVER cuMemPoolGetAttribute(void*, int attribute, void* value) {
    BEGIN;
    bool is_size = attribute >= 4;
    uint64_t answer = attribute == 4 || attribute == 5 ? memory_limit : memory_counters.live_bytes;
    if (is_size) std::memcpy(value, &answer, 8);
    else std::memset(value, 0, 4);
    return success;
}

DRIVER cuDevicePrimaryCtxRetain(void** context, int device) {
    BEGIN;
    if (device != 0) return invalid_device;
    driver().contexts++;
    *context = &context_token;
    return success;
}

DRIVER cuDevicePrimaryCtxRelease_v2(int) {
    BEGIN;
    if (driver().contexts == 0) return invalid_context;
    driver().contexts--;
    return success;
}
DRIVER cuDevicePrimaryCtxReset_v2(int) { BEGIN; return success; }
DRIVER cuDevicePrimaryCtxGetState(int, unsigned* flags, int* active) {
    BEGIN;
    *flags = 0;
    *active = driver().contexts > 0;
    return success;
}
DRIVER cuDevicePrimaryCtxSetFlags_v2(int, unsigned) { BEGIN; return success; }

DRIVER cuCtxGetCurrent(void** context) { BEGIN; *context = current_context; return success; }
DRIVER cuCtxSetCurrent(void* context) { BEGIN; current_context = context; return success; }
DRIVER cuCtxGetDevice(int* device) { BEGIN; *device = 0; return success; }
DRIVER cuCtxGetApiVersion(void*, unsigned* version) { BEGIN; *version = 3020; return success; }
DRIVER cuCtxGetStreamPriorityRange(int* least, int* greatest) { BEGIN; *least = 0; *greatest = -5; return success; }
DRIVER cuCtxSetLimit(int, size_t) { BEGIN; return success; }
DRIVER cuCtxGetLimit(size_t* value, int) { BEGIN; *value = 1024; return success; }
DRIVER cuCtxSetFlags(unsigned) { BEGIN; return success; }
DRIVER cuCtxSetCacheConfig(int) { BEGIN; return success; }
DRIVER cuCtxGetCacheConfig(int* config) { BEGIN; *config = 0; return success; }
DRIVER cuCtxCreate_v3(void** context, void*, int, unsigned, int) { BEGIN; driver().contexts++; *context = current_context = &context_token; return success; }
DRIVER cuCtxCreate_v4(void** context, void*, unsigned, int) { BEGIN; driver().contexts++; *context = current_context = &context_token; return success; }
DRIVER cuCtxDestroy_v2(void*) { BEGIN; driver().contexts--; current_context = nullptr; return success; }

DRIVER cuCtxSynchronize() {
    BEGIN;
    if (in_foreign_context()) return success;
    drain_all();
    return driver().sticky;
}

static CUresult create_stream(void** stream) {
    auto made = new Stream;
    made->number = ++driver().streams_created;
    driver().streams.insert(made);
    *stream = made;
    return success;
}
DRIVER cuStreamCreate(void** stream, unsigned) { BEGIN_WORK; return create_stream(stream); }
DRIVER cuStreamCreateWithPriority(void** stream, unsigned, int) { BEGIN_WORK; return create_stream(stream); }
DRIVER cuStreamGetPriority(void*, int* priority) { BEGIN; *priority = 0; return success; }
DRIVER cuStreamGetFlags(void*, unsigned* flags) { BEGIN; *flags = 1; return success; }
DRIVER cuStreamGetCtx(void*, void** context) { BEGIN; *context = &context_token; return success; }

DRIVER cuStreamDestroy_v2(void* handle) {
    BEGIN;
    auto stream = static_cast<Stream*>(handle);
    if (driver().streams.count(stream) == 0) return invalid_handle;
    drain(stream);
    driver().streams.erase(stream);
    delete stream;
    return success;
}

DRIVER cuStreamSynchronize(void* handle) {
    BEGIN;
    auto stream = stream_of(handle);
    if (!stream) return complain(invalid_handle, "a wait for a stream that does not exist");
    trace(handle, "synchronize");
    drain(stream);
    return driver().sticky;
}

DRIVER cuStreamQuery(void* handle) {
    BEGIN;
    auto stream = stream_of(handle);
    if (!stream) return invalid_handle;
    if (driver().sticky != success) return driver().sticky;
    return stream->work.empty() ? success : not_ready;
}

DRIVER cuStreamWaitEvent(void* handle, void* event_handle, unsigned) {
    BEGIN_WORK;
    auto event = event_of(event_handle);
    if (!event) return complain(invalid_handle, "a wait for an event that does not exist");
    auto until = event->recorded;
    auto from = event->stream;
    trace(handle, "wait for " + std::to_string(until));
    return submit(handle, [event, until, from] {
        if (event_of(event) && from && driver().streams.count(from)) reach(event, until, from);
    });
}

DRIVER cuStreamIsCapturing(void*, int* status) { BEGIN; *status = 0; return success; }
DRIVER cuStreamBeginCapture_v2(void*, int) { BEGIN; return not_supported; }
DRIVER cuStreamEndCapture(void*, void** graph) { BEGIN; *graph = nullptr; return not_supported; }
DRIVER cuGraphInstantiateWithFlags(void**, void*, unsigned long long) { BEGIN; return not_supported; }
DRIVER cuGraphLaunch(void*, void*) { BEGIN; return not_supported; }
DRIVER cuGraphUpload(void*, void*) { BEGIN; return not_supported; }
DRIVER cuGraphDestroy(void*) { BEGIN; return success; }
DRIVER cuGraphExecDestroy(void*) { BEGIN; return success; }
DRIVER cuProfilerStart() { BEGIN; return success; }
DRIVER cuProfilerStop() { BEGIN; return success; }

DRIVER cuLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
    BEGIN_WORK;
    return submit(stream, [function, data] { function(data); });
}

DRIVER cuEventCreate(void** event, unsigned) {
    BEGIN_WORK;
    auto made = new Event;
    driver().events.insert(made);
    *event = made;
    return success;
}

DRIVER cuEventDestroy_v2(void* handle) {
    BEGIN;
    auto event = event_of(handle);
    if (!event) return invalid_handle;
    driver().events.erase(event);
    delete event;
    return success;
}

DRIVER cuEventRecord(void* handle, void* stream) {
    BEGIN_WORK;
    auto event = event_of(handle);
    if (!event) return complain(invalid_handle, "a record of an event that does not exist");
    auto number = event->recorded = ++driver().records;
    event->stream = stream_of(stream);
    trace(stream, "record " + std::to_string(number));
    return submit(stream, [event, number] {
        if (!event_of(event)) return;
        event->reached = std::max(event->reached, number);
        event->time = now_seconds();
    });
}

DRIVER cuEventQuery(void* handle) {
    BEGIN_WORK;
    auto event = event_of(handle);
    if (!event) return invalid_handle;
    return event->reached < event->recorded ? not_ready : success;
}

DRIVER cuEventSynchronize(void* handle) {
    BEGIN;
    auto event = event_of(handle);
    if (!event) return invalid_handle;
    if (event->reached < event->recorded && event->stream) drain(event->stream);
    return driver().sticky;
}

static CUresult elapsed(float* milliseconds, void* start, void* end) {
    auto from = event_of(start), to = event_of(end);
    if (!from || !to) return invalid_handle;
    if (from->reached < from->recorded || to->reached < to->recorded) return not_ready;
    *milliseconds = static_cast<float>((to->time - from->time) * 1e3);
    return success;
}
DRIVER cuEventElapsedTime(float* milliseconds, void* start, void* end) { BEGIN; return elapsed(milliseconds, start, end); }
DRIVER cuEventElapsedTime_v2(float* milliseconds, void* start, void* end) { BEGIN; return elapsed(milliseconds, start, end); }
