// The emulated driver's own state, shared by the files that implement its functions.
#pragma once

#include "accelerate_emulator.h"
#include "scheduler.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

using CUresult = int;

// Codes that the bindings of all supported versions know; any other would be an invalid enum value in Rust.
enum : CUresult {
    success = 0, invalid_value = 1, out_of_memory = 2, not_initialized = 3, no_device = 100, invalid_device = 101,
    invalid_image = 200, invalid_context = 201, no_binary = 209, invalid_ptx = 218, unsupported_ptx = 222,
    file_not_found = 301, operating_system = 304, invalid_handle = 400, not_found = 500, not_ready = 600,
    illegal_address = 700, launch_out_of_resources = 701, launch_timeout = 702, launch_failed = 719,
    cooperative_too_large = 720, not_supported = 801, unknown = 999,
};

namespace emulated {

struct Event {
    uint64_t recorded = 0;   ///< the last record that was asked for: all of them are counted, whatever the event
    uint64_t reached = 0;    ///< the last record that has been executed
    struct Stream* stream = nullptr;
    double time = 0;
};

struct Stream {
    std::deque<std::function<void()>> work;  ///< put off, in order
    unsigned number = 0;                     ///< in the order of creation
};

struct Function {
    std::string name;
    Thunk thunk = nullptr;
    std::vector<unsigned> sizes;     ///< of its parameters
    int most_threads = 1024;         ///< from `.maxntid`
    int most_dynamic = 48 * 1024;
    struct Module* module = nullptr;
};

struct Module {
    std::map<std::string, Function> functions;
    std::function<bool(bool wide, std::string& error)> compile;  ///< gives functions of narrow or of wide indices their thunks
    std::vector<void*> libraries;
};

struct Driver {
    std::recursive_mutex mutex;
    bool initialized = false;
    int contexts = 0;
    std::set<Stream*> streams;
    std::set<Event*> events;
    std::set<Module*> modules;
    uint64_t pinned = 0;
    Stream default_stream;
    CUresult sticky = success;
    std::string report;
    // Settings.
    bool pools = true, delay = false, instrument = false, quiet = false, host_pages = false, tracing = false;
    int version = 13000, processors = 4, capability = 80;
    // Counters.
    std::vector<std::string> called;
    std::map<std::string, uint64_t> calls;
    uint64_t all_calls = 0, to_device = 0, to_host = 0, on_device = 0, compiled = 0, cubins = 0, records = 0;
    unsigned streams_created = 0;
    std::string trace;
    // The kernel that faults, or never ends, and a fault that nothing has met yet.
    std::string faulty, endless, met_later;
    // The planned failure.
    bool planned = false, failed = false;
    std::string planned_name, failed_name;
    uint64_t planned_in = 0;
    CUresult planned_code = success;
};

Driver& driver();

/// Whether the context that is current on this thread, if any, is another than the device's.
bool in_foreign_context();
/// While loads are held: waits, without the driver's lock.
void wait_for_loads();

/// Locks the driver for one call, counts it, and says whether it is to fail.
struct Call {
    std::unique_lock<std::recursive_mutex> lock;
    CUresult result = success;
    explicit Call(const char* name);
};

/// Does `work` in the order of `stream`: at once, or later if work is put off. The handle null is the default stream.
CUresult submit(void* stream, std::function<void()> work);
/// Notes what is queued on a stream, if somebody asks for that.
void trace(void* stream, const std::string& work);
/// Does what was put off.
void drain(Stream* stream);
/// Does what was put off before an event was recorded on its stream.
void reach(Event* event, uint64_t record, Stream* stream);
void drain_all();
Stream* stream_of(void* handle);

/// Makes a failure of a kernel sticky and keeps its text.
void report(const Failure& failure);
/// Keeps a text that goes with an error code, and prints it.
CUresult complain(CUresult code, const std::string& text);

/// Compiles and loads the kernels that a module image names. Null with `error` if it cannot.
Module* load_module(const char* image, CUresult& code, std::string& error);
/// A function with its thunk, or null.
Function* find_function(Module& module, const std::string& name, std::string& error);
void unload_module(Module* module);

/// Seconds since the library was loaded.
double now_seconds();

}  // namespace emulated

#define DRIVER extern "C" __attribute__((visibility("default"))) CUresult
#define BEGIN_AS(name)                                    \
    emulated::Call call(name);                            \
    if (call.result != success) return call.result
#define BEGIN BEGIN_AS(__func__)
/// The same for calls that a broken context refuses, and a foreign one.
#define BEGIN_WORK                                                              \
    BEGIN;                                                                      \
    if (emulated::in_foreign_context()) return invalid_context;                 \
    if (emulated::driver().sticky != success) return emulated::driver().sticky
