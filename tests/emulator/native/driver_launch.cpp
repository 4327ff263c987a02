// Driver functions: modules, functions, occupancy and launches.
#include "driver.h"
#include "memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <unistd.h>

using namespace emulated;

namespace {

constexpr int most_shared = 163 * 1024;

CUresult load(void** handle, const char* image, std::string& error) {
    if (!image) return invalid_value;
    CUresult code = success;
    auto module = load_module(image, code, error);
    if (!module) return complain(code, error);
    driver().modules.insert(module);
    *handle = module;
    return success;
}

Function* function_of(void* handle) {
    auto function = static_cast<Function*>(handle);
    for (auto module : driver().modules)
        for (auto& [name, other] : module->functions)
            if (&other == function) return function;
    return nullptr;
}

/// How many blocks of this size fit on a multiprocessor.
int blocks_that_fit(int threads, size_t shared) {
    if (threads <= 0) return 0;
    int by_threads = 2048 / ((threads + 31) / 32 * 32);
    int by_shared = static_cast<int>(static_cast<size_t>(164 * 1024) / (shared + 1024));
    return std::min({32, by_threads, by_shared});
}

/// A launch with its own copy of the parameters: it may run later.
CUresult launch(void* handle, Dim grid, Dim block, unsigned shared, void* stream, void** parameters, bool cooperative) {
    auto function = function_of(handle);
    if (!function) return complain(invalid_handle, "a launch of a function that does not exist");
    auto threads = block.count();
    auto text = function->name + ": ";
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0) return complain(invalid_value, text + "an empty grid or block");
    if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535) return complain(invalid_value, text + "the grid is too large");
    if (block.x > 1024 || block.y > 1024 || block.z > 64 || threads > 1024) return complain(invalid_value, text + "the block is too large");
    if (threads > static_cast<uint64_t>(function->most_threads)) return complain(invalid_value, text + "more threads than __launch_bounds__ allows");
    if (shared > static_cast<unsigned>(function->most_dynamic)) return complain(invalid_value, text + "more dynamic shared memory than was asked for");
    if (!parameters && !function->sizes.empty()) return complain(invalid_value, text + "no parameters");
    if (cooperative && grid.count() > static_cast<uint64_t>(blocks_that_fit(static_cast<int>(threads), shared)) * static_cast<uint64_t>(driver().processors))
        return cooperative_too_large;
    auto bytes = std::make_shared<std::vector<std::string>>();
    for (size_t i = 0; i < function->sizes.size(); i++) {
        // Where a caller passes too few, the array of pointers ends in whatever follows it.
        if (!parameters[i]) return complain(invalid_value, text + "a null parameter");
        bytes->emplace_back(static_cast<const char*>(parameters[i]), function->sizes[i]);
    }
    trace(stream, "launch " + function->name);
    auto thunk = function->thunk;
    auto name = function->name;
    auto planned = [&name](const std::string& kernel) { return !kernel.empty() && name == kernel; };
    if (planned(driver().endless))
        return submit(stream, [] {
            for (;;) pause();
        });
    if (planned(driver().faulty)) {
        auto blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
        if (!blocking || std::strcmp(blocking, "1") != 0) {
            driver().met_later = text + "a planned fault";
            return success;
        }
        report({illegal_address, text + "a planned fault"});
        return driver().sticky;
    }
    return submit(stream, [=] {
        if (driver().sticky != success) return;
        std::vector<void*> pointers;
        // Copies with the alignment of any scalar; `std::string` gives at least that.
        for (auto& one : *bytes) pointers.push_back(one.data());
        pointers.push_back(nullptr);
        auto failure = run({name, thunk, pointers.data(), grid, block, shared, cooperative});
        if (failure.code == 0) {
            std::string problem;
            if (!tails_intact(problem)) failure = {illegal_address, name + ": " + problem};
        }
        if (failure.code != 0) report(failure);
    });
}

}  // namespace

DRIVER cuModuleLoadData(void** module, const char* image) {
    BEGIN_WORK;
    std::string error;
    return load(module, image, error);
}

DRIVER cuModuleLoadDataEx(void** module, const char* image, unsigned count, int* options, void** values) {
    wait_for_loads();
    BEGIN_WORK;
    std::string error;
    auto code = load(module, image, error);
    char* log = nullptr;
    size_t room = 0;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == 5) log = static_cast<char*>(values[i]);          // ERROR_LOG_BUFFER
        if (options[i] == 6) room = reinterpret_cast<size_t>(values[i]);   // its size
    }
    if (log && room > 0) {
        std::strncpy(log, error.c_str(), room);
        log[room - 1] = 0;
    }
    return code;
}

DRIVER cuModuleLoadFatBinary(void** module, const char* image) {
    BEGIN_WORK;
    std::string error;
    return load(module, image, error);
}

DRIVER cuModuleLoad(void** module, const char* path) {
    BEGIN_WORK;
    std::ifstream file(path, std::ios::binary);
    if (!file) return file_not_found;
    std::ostringstream text;
    text << file.rdbuf();
    std::string error;
    return load(module, text.str().c_str(), error);
}

DRIVER cuModuleUnload(void* handle) {
    BEGIN;
    auto module = static_cast<Module*>(handle);
    if (driver().modules.count(module) == 0) return invalid_handle;
    drain_all();
    driver().modules.erase(module);
    unload_module(module);
    return success;
}

DRIVER cuModuleGetFunction(void** function, void* handle, const char* name) {
    BEGIN_WORK;
    auto module = static_cast<Module*>(handle);
    if (driver().modules.count(module) == 0) return invalid_handle;
    std::string error;
    *function = find_function(*module, name, error);
    return *function ? success : complain(not_found, error);
}

DRIVER cuModuleGetGlobal_v2(unsigned long long*, size_t*, void*, const char*) { BEGIN_WORK; return not_found; }
DRIVER cuModuleGetLoadingMode(int* mode) { BEGIN; *mode = 2; return success; }

DRIVER cuFuncGetAttribute(int* value, int attribute, void* handle) {
    BEGIN_WORK;
    auto function = function_of(handle);
    if (!function) return invalid_handle;
    switch (attribute) {
        case 0: *value = function->most_threads; break;
        case 4: *value = 32; break;            // NUM_REGS
        case 5: *value = 90; break;            // PTX_VERSION
        case 6: *value = 80; break;            // BINARY_VERSION
        case 8: *value = function->most_dynamic; break;
        default: *value = 0; break;
    }
    return success;
}

DRIVER cuFuncSetAttribute(void* handle, int attribute, int value) {
    BEGIN_WORK;
    auto function = function_of(handle);
    if (!function) return invalid_handle;
    if (attribute == 8) {
        if (value < 0 || value > most_shared) return invalid_value;
        function->most_dynamic = value;
    }
    return success;
}

DRIVER cuFuncSetCacheConfig(void*, int) { BEGIN; return success; }
DRIVER cuFuncGetModule(void** module, void* handle) {
    BEGIN;
    auto function = function_of(handle);
    if (!function) return invalid_handle;
    *module = function->module;
    return success;
}
DRIVER cuFuncLoad(void*) { BEGIN; return success; }

DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads, size_t shared) {
    BEGIN_WORK;
    *blocks = blocks_that_fit(threads, shared);
    return success;
}
DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void*, int threads, size_t shared, unsigned) {
    BEGIN_WORK;
    *blocks = blocks_that_fit(threads, shared);
    return success;
}

static CUresult potential(int* grid, int* block, void* handle, int limit) {
    auto function = function_of(handle);
    if (!function) return invalid_handle;
    *block = std::min(limit > 0 ? limit : 1024, function->most_threads);
    *grid = blocks_that_fit(*block, 0) * driver().processors;
    return success;
}
DRIVER cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void* function, void*, size_t, int limit) {
    BEGIN_WORK;
    return potential(grid, block, function, limit);
}
DRIVER cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, void* function, void*, size_t, int limit, unsigned) {
    BEGIN_WORK;
    return potential(grid, block, function, limit);
}
DRIVER cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void*, int blocks, int) {
    BEGIN_WORK;
    *bytes = static_cast<size_t>(164 * 1024 / std::max(1, blocks) - 1024);
    return success;
}
DRIVER cuOccupancyMaxPotentialClusterSize(int*, void*, const void*) { BEGIN; return not_supported; }
DRIVER cuOccupancyMaxActiveClusters(int*, void*, const void*) { BEGIN; return not_supported; }

DRIVER cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                      void* stream, void** parameters, void**) {
    BEGIN_WORK;
    return launch(function, {gx, gy, gz}, {bx, by, bz}, shared, stream, parameters, false);
}

DRIVER cuLaunchCooperativeKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                 unsigned shared, void* stream, void** parameters) {
    BEGIN_WORK;
    return launch(function, {gx, gy, gz}, {bx, by, bz}, shared, stream, parameters, true);
}

// Newer bindings resolve some names through this; here every function is an ordinary symbol.
DRIVER cuGetProcAddress_v2(const char*, void** function, int, uint64_t, void*) { BEGIN; *function = nullptr; return not_found; }
