// Module images. The first line of a PTX text, `// accelerate-module: <hash>`, or a symbol of a cubin names the CUDA C it was
// made from; g++ compiles that to a library of kernels and thunks, which is cached by a hash of everything that goes in.
//
// ACCELERATE_EMULATOR_SOURCES   folders with `<function>-<hash>.cu`, ':'-separated
// ACCELERATE_EMULATOR_CACHE     folder for compiled kernels (default: `kernels` beside the library)
// ACCELERATE_EMULATOR_CXX       compiler (g++)
// ACCELERATE_EMULATOR_FLAGS     more flags, such as `-fsanitize=address,undefined`
// A line `// accelerate-source: <path>` in the image names the file directly; `// accelerate-flags: -O0` adds to its flags.
#include "cubin.h"
#include "driver.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace emulated {

namespace {

std::string environment(const char* name, const char* otherwise) {
    auto text = std::getenv(name);
    return text && *text ? text : otherwise;
}

/// The folder of this library, where `device.h` and its companions lie too.
fs::path home() {
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(&accelerate_emulator_seed), &info) && info.dli_fname)
        return fs::absolute(info.dli_fname).parent_path();
    return ".";
}

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

uint64_t hash(const std::string& text) {
    uint64_t state = 0xcbf29ce484222325u;
    for (unsigned char c : text) state = (state ^ c) * 0x100000001b3u;
    return state;
}

std::string after(const std::string& text, const char* key) {
    auto at = text.find(key);
    if (at == std::string::npos) return "";
    auto begin = text.find_first_not_of(" \t", at + std::strlen(key));
    auto end = text.find_first_of("\r\n", at);
    return begin == std::string::npos || begin >= end ? "" : text.substr(begin, end - begin);
}

/// The CUDA C of the program with this hash.
fs::path find_program(const std::string& key, std::string& error) {
    auto suffix = "-" + key + ".cu";
    std::istringstream folders(environment("ACCELERATE_EMULATOR_SOURCES", home().c_str()));
    std::error_code ignored;
    for (std::string folder; std::getline(folders, folder, ':');) {
        for (const auto& entry : fs::directory_iterator(folder, ignored)) {
            auto name = entry.path().filename().string();
            if (name.size() >= suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) return entry.path();
        }
    }
    error = "no file *" + suffix + " in ACCELERATE_EMULATOR_SOURCES=" + environment("ACCELERATE_EMULATOR_SOURCES", "");
    return {};
}

fs::path find_source(const std::string& ptx, std::string& error) {
    auto named = after(ptx, "// accelerate-source:");
    if (!named.empty() && fs::exists(named)) return named;
    auto key = after(ptx, "// accelerate-module:");
    if (!key.empty()) return find_program(key, error);
    error = "the image has no line `// accelerate-module: <hash>`";
    return {};
}

std::string word_at(const std::string& text, size_t at) {
    auto end = at;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '$')) end++;
    return text.substr(at, end - at);
}

struct Entry {
    std::string name;
    std::vector<unsigned> sizes;  ///< of its parameters, if the PTX tells
    int most_threads = 1024;
    bool typed = false;
};

unsigned bytes_of(const std::string& parameter) {
    auto array = parameter.find('[');
    auto dot = parameter.rfind('.', array == std::string::npos ? std::string::npos : array);
    auto type = word_at(parameter, dot + 1);
    auto digits = type.find_first_of("0123456789");
    unsigned bytes = type == "pred" || digits == std::string::npos ? 1 : static_cast<unsigned>(std::atoi(type.c_str() + digits)) / 8;
    return array == std::string::npos ? bytes : bytes * static_cast<unsigned>(std::atoi(parameter.c_str() + array + 1));
}

/// The `.entry` declarations of a PTX text.
std::vector<Entry> entries_of_ptx(const std::string& image) {
    std::vector<Entry> entries;
    for (size_t at = image.find(".entry"); at != std::string::npos; at = image.find(".entry", at + 1)) {
        auto begin = image.find_first_not_of(" \t\r\n", at + 6);
        if (begin == std::string::npos) break;
        Entry entry;
        entry.name = word_at(image, begin);
        auto open = begin + entry.name.size();
        auto body = image.find('{', open);
        if (image.compare(open, 1, "(") == 0 || image.compare(open, 1, "\n") == 0 || image.compare(open, 1, " ") == 0) {
            entry.typed = true;
            auto close = image.find(')', open);
            std::istringstream list(image.substr(open, close - open));
            for (std::string parameter; std::getline(list, parameter, ',');) {
                auto param = parameter.find(".param");
                if (param == std::string::npos) continue;
                parameter = parameter.substr(param + 6);
                // `.ptr .align 4`, or `.ptr .global .align 4`, follows the type.
                auto pointer = parameter.find(".ptr");
                if (pointer != std::string::npos) parameter = parameter.substr(0, pointer);
                auto align = parameter.find(".align");
                if (align != std::string::npos) {
                    auto number = parameter.find_first_of("0123456789", align);
                    parameter = parameter.substr(parameter.find_first_not_of("0123456789", number));
                }
                entry.sizes.push_back(bytes_of(parameter));
            }
            auto limit = image.find(".maxntid", close);
            if (limit < body) {
                int product = 1;
                std::istringstream numbers(image.substr(limit + 8, image.find_first_of("\n.{", limit + 8) - limit - 8));
                for (std::string number; std::getline(numbers, number, ',');) product *= std::max(1, std::atoi(number.c_str()));
                entry.most_threads = product;
            }
        }
        entries.push_back(entry);
    }
    return entries;
}

/// The `extern "C" __global__` functions of a CUDA C text.
std::vector<Entry> entries_of_source(const std::string& source) {
    std::vector<Entry> entries;
    const std::string key = "extern \"C\" __global__";
    for (size_t at = source.find(key); at != std::string::npos; at = source.find(key, at + 1)) {
        size_t place = at + key.size();
        while (place < source.size()) {
            place = source.find_first_not_of(" \t\r\n", place);
            auto word = word_at(source, place);
            if (word.empty()) break;
            auto next = source.find_first_not_of(" \t\r\n", place + word.size());
            bool attribute = word.rfind("__", 0) == 0;
            if (next != std::string::npos && source[next] == '(') {
                if (!attribute) {
                    entries.push_back({word, {}, 1024, false});
                    break;
                }
                int depth = 0;
                for (place = next; place < source.size(); place++) {
                    depth += source[place] == '(' ? 1 : source[place] == ')' ? -1 : 0;
                    if (depth == 0) break;
                }
                place++;
            } else {
                place += word.size();
            }
        }
    }
    return entries;
}

std::string shell_word(const std::string& text) {
    std::string result = "'";
    for (char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// Entries of wide indices are the others once more, and seldom called: they are compiled when one is.
bool is_wide(const std::string& name) {
    const std::string suffix = "_wide";
    return name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

/// Path of the library of a source's kernels, compiled now unless it is in the cache. It has all of them: pieces of its PTX share it.
fs::path compile(const fs::path& source, bool wide, const std::string& own_flags, std::string& error) {
    auto text = read(source);
    std::string thunks;
    auto entries = entries_of_source(text);
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
    for (const auto& entry : entries)
        if (is_wide(entry.name) == wide) thunks += "EMULATED_THUNK(" + entry.name + ")\n";
    auto headers = home();
    std::string key;
    for (auto name : {"device.h", "device_math.h", "device_api.h"}) key += read(headers / name);
    auto compiler = environment("ACCELERATE_EMULATOR_CXX", "g++");
    auto more = environment("ACCELERATE_EMULATOR_FLAGS", "");
    bool instrumented = driver().instrument;
    // Little is run of each: a kernel of rows takes half as long to compile as with -O1, and a quarter less without what
    // exceptions would need.
    std::string flags = "-x c++ -std=c++20 -Og -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables -ffp-contract=off -fno-strict-aliasing -fno-gnu-unique -fPIC -w -DACCELERATE_EMULATED " + more + " " + own_flags;
    if (instrumented) flags += " -g1 -fsanitize=thread --param=tsan-instrument-func-entry-exit=0 --param=tsan-distinguish-volatile=1";
    char number[32];
    std::snprintf(number, sizeof number, "%016llx", static_cast<unsigned long long>(hash(key + text + thunks + compiler + flags)));
    fs::path folder = environment("ACCELERATE_EMULATOR_CACHE", (headers / "kernels").c_str());
    std::error_code ignored;
    fs::create_directories(folder, ignored);
    auto stem = source.stem().string() + "-" + number;
    auto library = folder / (stem + ".so");
    if (fs::exists(library)) return library;
    auto own = stem + "-" + std::to_string(getpid());
    auto unit = folder / (own + ".cpp"), fresh = folder / (own + ".so"), log = folder / (own + ".log");
    {
        std::ofstream file(unit, std::ios::binary);
        file << "#line 1 \"" << source.string() << "\"\n" << text << "\n#line 1 \"thunks\"\n" << thunks;
    }
    // Sanitizers' preloads are for the tests, not for the compiler.
    // Without ThreadSanitizer's runtime, which is either preloaded or `instrument.cpp`.
    auto libraries = instrumented ? " -nodefaultlibs -x none -lm -lgcc > " : " -x none -lm > ";
    auto command = "exec env -u LD_PRELOAD " + shell_word(compiler) + " " + flags + " -I" + shell_word(headers.string()) +
                   " -include device.h -shared " + shell_word(unit.string()) + " -o " + shell_word(fresh.string()) + libraries +
                   shell_word(log.string()) + " 2>&1";
    int status = std::system(command.c_str());
    driver().compiled++;
    if (status != 0) error = "cannot compile " + source.string() + " for the emulator:\n" + read(log) + "\n" + command;
    else fs::rename(fresh, library, ignored);
    for (const auto& path : {unit, log}) fs::remove(path, ignored);
    return status == 0 ? library : fs::path();
}

/// Gives some entries their thunks.
bool load_library(Module& module, const fs::path& source, const std::vector<Entry>& entries, const fs::path& library, std::string& error) {
    if (library.empty()) return false;
    auto handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        error = dlerror();
        return false;
    }
    module.libraries.push_back(handle);
    for (const auto& entry : entries) {
        auto& function = module.functions[entry.name];
        auto thunk = reinterpret_cast<Thunk>(dlsym(handle, ("emulated_thunk_" + entry.name).c_str()));
        auto count = static_cast<const unsigned*>(dlsym(handle, ("emulated_count_" + entry.name).c_str()));
        auto sizes = static_cast<const unsigned* const*>(dlsym(handle, ("emulated_sizes_" + entry.name).c_str()));
        if (!thunk || !count || !sizes) {
            error = "no thunk for `" + entry.name + "` in " + library.string();
            return false;
        }
        function.sizes.assign(*sizes, *sizes + *count);
        if (entry.typed && entry.sizes != function.sizes) {
            error = "the parameters of `" + entry.name + "` differ between its PTX and " + source.string();
            return false;
        }
        function.thunk = thunk;
    }
    return true;
}

/// A module with these entries, whose narrow ones have thunks.
Module* make_module(const fs::path& source, const std::vector<Entry>& entries, const std::string& flags, CUresult& code, std::string& error) {
    auto module = new Module;
    for (const auto& entry : entries) {
        auto& function = module->functions[entry.name];
        function.name = entry.name;
        function.most_threads = entry.most_threads;
        function.module = module;
    }
    module->compile = [=](bool wide, std::string& error) {
        std::vector<Entry> some;
        for (const auto& entry : entries)
            if (is_wide(entry.name) == wide) some.push_back(entry);
        return some.empty() || load_library(*module, source, some, compile(source, wide, flags, error), error);
    };
    if (!module->compile(false, error)) {
        code = error.find("differ between") == std::string::npos ? invalid_ptx : invalid_image;
        unload_module(module);
        return nullptr;
    }
    code = success;
    return module;
}

/// Machine code runs within a major version, from its own minor one on.
Module* load_cubin(const char* image, CUresult& code, std::string& error) {
    Cubin cubin;
    code = invalid_image;
    if (!read_cubin(image, cubin, error)) return nullptr;
    code = no_binary;
    int capability = driver().capability;
    if (cubin.architecture / 10 != capability / 10 || cubin.architecture > capability) {
        error = "the cubin is for sm_" + std::to_string(cubin.architecture) + ", the device is sm_" + std::to_string(capability);
        return nullptr;
    }
    auto source = find_program(cubin.program, error);
    if (source.empty()) return nullptr;
    std::vector<Entry> entries;
    for (const auto& name : cubin.entries) entries.push_back({name, {}, 1024, false});
    auto module = make_module(source, entries, "", code, error);
    driver().cubins += module != nullptr;
    return module;
}

}  // namespace

Module* load_module(const char* image, CUresult& code, std::string& error) {
    if (is_elf(image)) return load_cubin(image, code, error);
    std::string text(image);
    code = invalid_ptx;
    auto version = after(text, ".version");
    if (!version.empty()) {
        // CUDA 13.m reads PTX 9.m, 12.m reads 8.m up to 8.5, which 12.6 reads, too; so with 11.m, and 10.2 reads 6.5.
        int major = 0, minor = 0;
        std::sscanf(version.c_str(), "%d.%d", &major, &minor);
        int toolkit = driver().version / 10;
        int reads = (toolkit / 100 - 4) * 10 + toolkit % 100;
        if (toolkit / 100 == 12 && toolkit % 100 > 5) reads--;
        if (toolkit < 1100) reads = 65;
        if (major * 10 + minor > reads) {
            code = unsupported_ptx;
            error = "PTX " + version + " is newer than this driver";
            return nullptr;
        }
    }
    auto source = find_source(text, error);
    if (source.empty()) {
        code = no_binary;
        return nullptr;
    }
    auto entries = entries_of_ptx(text);
    if (entries.empty()) entries = entries_of_source(read(source));
    return make_module(source, entries, after(text, "// accelerate-flags:"), code, error);
}

Function* find_function(Module& module, const std::string& name, std::string& error) {
    auto found = module.functions.find(name);
    if (found == module.functions.end()) {
        error = "no kernel `" + name + "` in its module";
        return nullptr;
    }
    auto& function = found->second;
    return function.thunk || module.compile(is_wide(name), error) ? &function : nullptr;
}

void unload_module(Module* module) {
    for (auto library : module->libraries) dlclose(library);
    delete module;
}

}  // namespace emulated
