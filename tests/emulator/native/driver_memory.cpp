// Driver functions: memory and copies. Every range is checked against the live allocations before it is touched.
#include "driver.h"
#include "memory.h"

#include <algorithm>
#include <cstring>
#include <memory>

using namespace emulated;

using DevicePointer = unsigned long long;

namespace {

void* at(DevicePointer pointer) { return reinterpret_cast<void*>(pointer); }

/// Bad ranges are reported as what a kernel would get: a sticky illegal address.
bool checked(DevicePointer pointer, size_t bytes, const char* what) {
    std::string problem;
    if (holds(at(pointer), bytes, problem)) return true;
    report({illegal_address, std::string(what) + problem});
    return false;
}

CUresult allocated(DevicePointer* pointer, size_t bytes) {
    if (bytes == 0) return complain(invalid_value, "an allocation of 0 bytes");
    auto memory = allocate(bytes);
    if (!memory) return out_of_memory;
    *pointer = reinterpret_cast<DevicePointer>(memory);
    return success;
}

void freed(DevicePointer pointer) {
    std::string problem;
    release(at(pointer), problem);
    if (!problem.empty()) report({illegal_address, problem});
}

CUresult to_device(DevicePointer to, const void* from, size_t bytes, void* stream) {
    driver().to_device += bytes;
    trace(stream, "copy to device");
    if ((is_pinned(from) || driver().host_pages) && driver().delay)
        return submit(stream, [to, from, bytes] {
            if (checked(to, bytes, "a copy to ")) std::memcpy(at(to), from, bytes);
        });
    // Pageable memory is read before the call returns.
    if (!driver().delay) {
        if (!stream_of(stream)) return invalid_handle;
        if (checked(to, bytes, "a copy to ")) std::memcpy(at(to), from, bytes);
        return driver().sticky;
    }
    auto staged = std::make_shared<std::string>(static_cast<const char*>(from), bytes);
    return submit(stream, [to, staged] {
        if (checked(to, staged->size(), "a copy to ")) std::memcpy(at(to), staged->data(), staged->size());
    });
}

CUresult to_host(void* to, DevicePointer from, size_t bytes, void* stream) {
    driver().to_host += bytes;
    trace(stream, "copy to host");
    auto copy = [to, from, bytes] {
        if (checked(from, bytes, "a copy from ")) std::memcpy(to, at(from), bytes);
    };
    if (is_pinned(to)) return submit(stream, copy);
    // Pageable memory is written before the call returns.
    auto queue = stream_of(stream);
    if (!queue) return complain(invalid_handle, "a stream that does not exist");
    drain(queue);
    copy();
    return driver().sticky;
}

CUresult on_device(DevicePointer to, DevicePointer from, size_t bytes, void* stream) {
    driver().on_device += bytes;
    return submit(stream, [to, from, bytes] {
        if (checked(to, bytes, "a copy to ") && checked(from, bytes, "a copy from ")) std::memmove(at(to), at(from), bytes);
    });
}

CUresult set(DevicePointer to, const void* pattern, size_t width, size_t count, void* stream) {
    std::string bytes(static_cast<const char*>(pattern), width);
    return submit(stream, [to, bytes, count] {
        if (!checked(to, bytes.size() * count, "a memset of ")) return;
        for (size_t i = 0; i < count; i++) std::memcpy(static_cast<char*>(at(to)) + i * bytes.size(), bytes.data(), bytes.size());
    });
}

}  // namespace

DRIVER cuMemGetInfo_v2(size_t* unused, size_t* total) {
    BEGIN_WORK;
    *total = memory_limit;
    *unused = memory_limit - std::min(memory_limit, memory_counters.live_bytes);
    return success;
}

DRIVER cuMemAlloc_v2(DevicePointer* pointer, size_t bytes) { BEGIN_WORK; return allocated(pointer, bytes); }
DRIVER cuMemAllocAsync(DevicePointer* pointer, size_t bytes, void*) { BEGIN_WORK; return allocated(pointer, bytes); }
DRIVER cuMemAllocFromPoolAsync(DevicePointer* pointer, size_t bytes, void*, void*) { BEGIN_WORK; return allocated(pointer, bytes); }
DRIVER cuMemAllocManaged(DevicePointer*, size_t, unsigned) { BEGIN_WORK; return not_supported; }

// Freeing works in a broken context too: what is freed is gone from the count of live allocations.
DRIVER cuMemFree_v2(DevicePointer pointer) {
    BEGIN;
    drain_all();
    freed(pointer);
    return driver().sticky;
}

DRIVER cuMemFreeAsync(DevicePointer pointer, void* stream) {
    BEGIN;
    return submit(stream, [pointer] { freed(pointer); });
}

DRIVER cuMemGetAddressRange_v2(DevicePointer* start, size_t* bytes, DevicePointer pointer) {
    BEGIN;
    void* begin;
    size_t size;
    if (!range_of(at(pointer), begin, size)) return not_found;
    if (start) *start = reinterpret_cast<DevicePointer>(begin);
    if (bytes) *bytes = size;
    return success;
}

DRIVER cuMemHostAlloc(void** pointer, size_t bytes, unsigned) {
    BEGIN_WORK;
    *pointer = allocate_pinned(bytes);
    if (!*pointer) return out_of_memory;
    driver().pinned++;
    return success;
}
DRIVER cuMemAllocHost_v2(void** pointer, size_t bytes) {
    BEGIN_WORK;
    *pointer = allocate_pinned(bytes);
    if (!*pointer) return out_of_memory;
    driver().pinned++;
    return success;
}
DRIVER cuMemFreeHost(void* pointer) {
    BEGIN;
    drain_all();
    if (!release_pinned(pointer)) return invalid_value;
    driver().pinned--;
    return success;
}
DRIVER cuMemHostRegister_v2(void*, size_t, unsigned) { BEGIN; return not_supported; }
DRIVER cuMemHostUnregister(void*) { BEGIN; return not_supported; }
DRIVER cuPointerGetAttribute(void*, int, DevicePointer) { BEGIN; return not_supported; }

DRIVER cuMemcpyHtoD_v2(DevicePointer to, const void* from, size_t bytes) {
    BEGIN_WORK;
    drain_all();
    driver().to_device += bytes;
    if (checked(to, bytes, "a copy to ")) std::memcpy(at(to), from, bytes);
    return driver().sticky;
}
DRIVER cuMemcpyDtoH_v2(void* to, DevicePointer from, size_t bytes) {
    BEGIN_WORK;
    drain_all();
    return to_host(to, from, bytes, nullptr);
}
DRIVER cuMemcpyDtoD_v2(DevicePointer to, DevicePointer from, size_t bytes) {
    BEGIN_WORK;
    drain_all();
    return on_device(to, from, bytes, nullptr);
}
DRIVER cuMemcpyHtoDAsync_v2(DevicePointer to, const void* from, size_t bytes, void* stream) { BEGIN_WORK; return to_device(to, from, bytes, stream); }
DRIVER cuMemcpyDtoHAsync_v2(void* to, DevicePointer from, size_t bytes, void* stream) { BEGIN_WORK; return to_host(to, from, bytes, stream); }
DRIVER cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t bytes, void* stream) { BEGIN_WORK; return on_device(to, from, bytes, stream); }
DRIVER cuMemcpyPeerAsync(DevicePointer to, void*, DevicePointer from, void*, size_t bytes, void* stream) { BEGIN_WORK; return on_device(to, from, bytes, stream); }

DRIVER cuMemsetD8Async(DevicePointer to, unsigned char value, size_t count, void* stream) { BEGIN_WORK; return set(to, &value, 1, count, stream); }
DRIVER cuMemsetD16Async(DevicePointer to, unsigned short value, size_t count, void* stream) { BEGIN_WORK; return set(to, &value, 2, count, stream); }
DRIVER cuMemsetD32Async(DevicePointer to, unsigned value, size_t count, void* stream) { BEGIN_WORK; return set(to, &value, 4, count, stream); }
DRIVER cuMemsetD8_v2(DevicePointer to, unsigned char value, size_t count) { BEGIN_WORK; drain_all(); return set(to, &value, 1, count, nullptr); }
DRIVER cuMemsetD16_v2(DevicePointer to, unsigned short value, size_t count) { BEGIN_WORK; drain_all(); return set(to, &value, 2, count, nullptr); }
DRIVER cuMemsetD32_v2(DevicePointer to, unsigned value, size_t count) { BEGIN_WORK; drain_all(); return set(to, &value, 4, count, nullptr); }
DRIVER cuMemAdvise_v2(DevicePointer, size_t, int, int, int) { BEGIN; return success; }
DRIVER cuMemPrefetchAsync_v2(DevicePointer, size_t, int, int, unsigned, void*) { BEGIN; return success; }
DRIVER cuStreamAttachMemAsync(void*, DevicePointer, size_t, unsigned) { BEGIN; return not_supported; }
DRIVER cuImportExternalMemory(void**, const void*) { BEGIN; return not_supported; }
DRIVER cuDestroyExternalMemory(void*) { BEGIN; return not_supported; }
DRIVER cuExternalMemoryGetMappedBuffer(DevicePointer*, void*, const void*) { BEGIN; return not_supported; }
