// The driver's state, planned failures, streams' order of work, and the control functions of accelerate_emulator.h.
#include "device_api.h"
#include "driver.h"
#include "memory.h"
#include "profile.h"
#include "races.h"
#include "warp.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <tuple>
#include <utility>

extern "C" CUresult cuGetErrorName(CUresult code, const char** name);

namespace emulated {

Driver& driver() {
    static Driver* forever = new Driver;
    return *forever;
}

double now_seconds() {
    static const auto start = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

static CUresult usual_failure(const std::string& name) {
    if (name.find("Alloc") != std::string::npos) return out_of_memory;
    if (name == "cuLaunchKernel" || name == "cuLaunchCooperativeKernel") return launch_out_of_resources;
    if (name == "cuModuleLoadData" || name == "cuModuleLoadDataEx") return out_of_memory;
    if (name == "cuInit" || name == "cuDeviceGetCount") return no_device;
    if (name == "cuModuleGetFunction" || name == "cuModuleGetGlobal_v2") return not_found;
    if (name.rfind("cuStreamCreate", 0) == 0 || name == "cuEventCreate") return out_of_memory;
    return unknown;
}

static void do_next(Stream* stream) {
    auto work = std::move(stream->work.front());
    stream->work.pop_front();
    work();
}

Call::Call(const char* name) : lock(driver().mutex) {
    auto& now = driver();
    if (now.calls[name]++ == 0) now.called.emplace_back(name);
    now.all_calls++;
    if (now.planned && (now.planned_name.empty() || now.planned_name == name) && --now.planned_in == 0) {
        now.planned = false;
        now.failed = true;
        result = now.planned_code != success ? now.planned_code : usual_failure(name);
        const char* known = nullptr;
        if (cuGetErrorName(result, &known) != success) result = unknown;
        now.failed_name = name;
        // On a GPU these mean that the context is lost.
        if (result == illegal_address || result == launch_failed) now.sticky = result;
        return;
    }
    // A moment at which work that was put off may happen.
    if (now.delay && random_choice.below(8) == 0)
        for (auto stream : now.streams) {
            if (!stream->work.empty() && random_choice.below(2) == 0) do_next(stream);
        }
}

Stream* stream_of(void* handle) {
    auto& now = driver();
    auto number = reinterpret_cast<uintptr_t>(handle);
    if (number <= 2) return &now.default_stream;  // null, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD
    auto stream = static_cast<Stream*>(handle);
    return now.streams.count(stream) ? stream : nullptr;
}

CUresult submit(void* handle, std::function<void()> work) {
    auto stream = stream_of(handle);
    if (!stream) return complain(invalid_handle, "a stream that does not exist");
    if (driver().delay && stream != &driver().default_stream) {
        stream->work.push_back(std::move(work));
        return success;
    }
    work();
    return driver().delay ? success : driver().sticky;
}

void trace(void* handle, const std::string& work) {
    auto stream = stream_of(handle);
    if (driver().tracing && stream) driver().trace += std::to_string(stream->number) + ": " + work + "\n";
}

void reach(Event* event, uint64_t record, Stream* stream) {
    while (event->reached < record && !stream->work.empty()) do_next(stream);
}

void drain(Stream* stream) {
    while (!stream->work.empty()) do_next(stream);
    if (!driver().met_later.empty()) report({illegal_address, std::exchange(driver().met_later, "")});
}

namespace {

struct Loads {
    std::mutex mutex;
    std::condition_variable released;
    bool held = false;
    unsigned waiting = 0;
};

Loads& loads() {
    static Loads* forever = new Loads;
    return *forever;
}

}  // namespace

void wait_for_loads() {
    std::unique_lock<std::mutex> lock(loads().mutex);
    loads().waiting++;
    loads().released.wait(lock, [] { return !loads().held; });
    loads().waiting--;
}

void drain_all() {
    drain(&driver().default_stream);
    for (auto stream : driver().streams) drain(stream);
}

void report(const Failure& failure) {
    auto& now = driver();
    if (now.sticky == success) now.sticky = failure.code;
    complain(failure.code, failure.text);
}

CUresult complain(CUresult code, const std::string& text) {
    driver().report = text;
    if (!driver().quiet) std::fprintf(stderr, "emulated CUDA device: %s\n", text.c_str());
    return code;
}

static uint64_t setting(const char* name, uint64_t otherwise) {
    auto text = std::getenv(name);
    return text && *text ? std::strtoull(text, nullptr, 0) : otherwise;
}

// libloading opens the library for itself only; kernels' libraries must find the scheduler in it.
__attribute__((constructor)) static void loaded() {
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(&accelerate_emulator_seed), &info) && info.dli_fname)
        dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    // The shells and compilers that kernels take are not to be watched; some of them cannot.
    if (watched()) unsetenv("LD_PRELOAD");
    auto& now = driver();
    now_seconds();
    random_choice.state = setting("ACCELERATE_EMULATOR_SEED", 1);
    residency = static_cast<unsigned>(setting("ACCELERATE_EMULATOR_RESIDENCY", residency));
    memory_limit = setting("ACCELERATE_EMULATOR_MEMORY", memory_limit);
    now.pools = setting("ACCELERATE_EMULATOR_POOLS", 1) != 0;
    now.delay = setting("ACCELERATE_EMULATOR_DELAY", 0) != 0;
    placement = static_cast<int>(setting("ACCELERATE_EMULATOR_PLACEMENT", 0));
    now.version = static_cast<int>(setting("ACCELERATE_EMULATOR_DRIVER", 13000));
    now.host_pages = setting("ACCELERATE_EMULATOR_HOST_PAGES", 0) != 0;
    if (auto kernel = std::getenv("ACCELERATE_EMULATOR_FAULT")) now.faulty = kernel;
    if (auto kernel = std::getenv("ACCELERATE_EMULATOR_HANG")) now.endless = kernel;
    now.processors = static_cast<int>(setting("ACCELERATE_EMULATOR_PROCESSORS", 4));
    now.capability = static_cast<int>(setting("ACCELERATE_EMULATOR_CAPABILITY", 80));
    now.instrument = setting("ACCELERATE_EMULATOR_INSTRUMENT", 0) != 0;
    if (setting("ACCELERATE_EMULATOR_PROFILE", 0) != 0) now.instrument = profiling = true;
    now.quiet = std::getenv("ACCELERATE_EMULATOR_QUIET") != nullptr;
    time_limit = static_cast<unsigned>(setting("ACCELERATE_EMULATOR_TIMEOUT", time_limit));
}

}  // namespace emulated

using namespace emulated;

#define CONTROL extern "C" __attribute__((visibility("default")))
#define LOCKED std::unique_lock<std::recursive_mutex> lock(driver().mutex)

CONTROL void accelerate_emulator_seed(uint64_t seed) { LOCKED; random_choice.state = seed; }
CONTROL void accelerate_emulator_residency(unsigned blocks) { LOCKED; residency = blocks ? blocks : 1; }
CONTROL void accelerate_emulator_memory(uint64_t bytes) { LOCKED; memory_limit = bytes; }
CONTROL void accelerate_emulator_pools(int supported) { LOCKED; driver().pools = supported != 0; }
CONTROL void accelerate_emulator_delay(int on) { LOCKED; drain_all(); driver().delay = on != 0; }
CONTROL void accelerate_emulator_placement(int end_of_page) { LOCKED; placement = end_of_page; }
CONTROL void accelerate_emulator_driver_version(int version) { LOCKED; driver().version = version; }
CONTROL void accelerate_emulator_host_pages(int on) { LOCKED; driver().host_pages = on != 0; }
CONTROL void accelerate_emulator_processors(int count) { LOCKED; driver().processors = count; }
CONTROL void accelerate_emulator_capability(int number) { LOCKED; driver().capability = number; }
CONTROL void accelerate_emulator_quiet(int on) { LOCKED; driver().quiet = on != 0; }
CONTROL void accelerate_emulator_instrument(int on) { LOCKED; driver().instrument = on != 0; }
CONTROL int accelerate_emulator_watched() { return watched(); }

CONTROL void accelerate_emulator_profile(int on) {
    LOCKED;
    if (on) driver().instrument = true;
    profile(on != 0);
}

CONTROL const char* accelerate_emulator_profile_table() {
    LOCKED;
    static std::string* table = new std::string;
    *table = profile_table();
    return table->c_str();
}

CONTROL void accelerate_emulator_touched(uint64_t address, uint64_t* read, uint64_t* written) {
    LOCKED;
    std::tie(*read, *written) = take_touched(reinterpret_cast<const void*>(address));
}

CONTROL void accelerate_emulator_fail_after(const char* name, uint64_t n, int code) {
    LOCKED;
    auto& now = driver();
    now.planned = n > 0;
    now.failed = false;
    now.planned_name = name ? name : "";
    now.planned_in = n;
    now.planned_code = code;
}

CONTROL void accelerate_emulator_fail_never() { LOCKED; driver().planned = false; }
CONTROL int accelerate_emulator_failed() { LOCKED; return driver().failed; }
CONTROL const char* accelerate_emulator_failed_name() { LOCKED; return driver().failed_name.c_str(); }

CONTROL void accelerate_emulator_misbehave(const char* kernel, int how) {
    LOCKED;
    driver().faulty = kernel && how == 1 ? kernel : "";
    driver().endless = kernel && how == 2 ? kernel : "";
}

CONTROL void accelerate_emulator_hold_loads(int on) {
    std::unique_lock<std::mutex> lock(loads().mutex);
    loads().held = on != 0;
    loads().released.notify_all();
}

CONTROL unsigned accelerate_emulator_held_loads() {
    std::unique_lock<std::mutex> lock(loads().mutex);
    return loads().held ? loads().waiting : 0;
}

CONTROL const char* accelerate_emulator_called(unsigned index) {
    LOCKED;
    return index < driver().called.size() ? driver().called[index].c_str() : nullptr;
}

CONTROL uint64_t accelerate_emulator_calls(const char* name) {
    LOCKED;
    if (!name) return driver().all_calls;
    auto found = driver().calls.find(name);
    return found == driver().calls.end() ? 0 : found->second;
}

CONTROL void accelerate_emulator_trace(int on) {
    LOCKED;
    driver().tracing = on != 0;
    driver().trace.clear();
}

CONTROL const char* accelerate_emulator_traced() { LOCKED; return driver().trace.c_str(); }

CONTROL void accelerate_emulator_counters(accelerate_emulator_counts* counts, uint64_t size) {
    LOCKED;
    auto& now = driver();
    accelerate_emulator_counts all = {};
    all.live_allocations = memory_counters.live;
    all.live_bytes = memory_counters.live_bytes;
    all.peak_bytes = memory_counters.peak_bytes;
    all.allocations = memory_counters.total;
    all.launches = statistics.launches;
    all.blocks = statistics.blocks;
    all.slices = statistics.slices;
    all.barriers = statistics.barriers;
    all.warp_operations = statistics.warp_operations;
    all.spins = statistics.spins;
    all.bytes_to_device = now.to_device;
    all.bytes_to_host = now.to_host;
    all.bytes_on_device = now.on_device;
    all.live_modules = now.modules.size();
    all.live_streams = now.streams.size();
    all.live_events = now.events.size();
    all.live_contexts = static_cast<uint64_t>(now.contexts);
    all.live_pinned = now.pinned;
    all.calls = now.all_calls;
    all.compiled = now.compiled;
    all.cubins = now.cubins;
    std::memcpy(counts, &all, size < sizeof all ? size : sizeof all);
}

CONTROL void accelerate_emulator_reset_counters() {
    LOCKED;
    auto& now = driver();
    statistics = {};
    memory_counters.total = 0;
    memory_counters.peak_bytes = memory_counters.live_bytes;
    now.to_device = now.to_host = now.on_device = now.all_calls = now.compiled = now.cubins = 0;
    now.called.clear();
    now.calls.clear();
}

CONTROL const char* accelerate_emulator_report() { LOCKED; return driver().report.c_str(); }

CONTROL void accelerate_emulator_recover() {
    LOCKED;
    drain_all();
    driver().sticky = success;
    driver().report.clear();
}

int emulated_is_global(const volatile void* address) {
    void* start;
    size_t bytes;
    return range_of(const_cast<const void*>(address), start, bytes);
}

void emulated_atomic(const volatile void* address, unsigned long bytes, const void* place) {
    auto at = const_cast<const void*>(address);
    if (reinterpret_cast<uintptr_t>(at) % bytes != 0) fail(716, "a misaligned atomic access");
    std::string problem;
    if (!access_allowed(at, bytes, problem)) fail(illegal_address, "an atomic access to " + problem);
    if (profiling && place) count_access(*running_thread(), at, bytes, Access::Atomic, place);
    preempt(4);
}
