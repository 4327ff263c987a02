// See profile.h.
#include "profile.h"

#include "driver.h"
#include "memory.h"
#include "warp.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <unordered_map>

namespace emulated {

bool profiling = false;

namespace {

constexpr uintptr_t sector_bytes = 32;
constexpr unsigned banks = 32, word_bytes = 4;
/// The widest access of a lane.
constexpr size_t widest = 16;

/// Of one lane.
struct Piece {
    uintptr_t address;
    uint32_t bytes;
    uint32_t lane;
};

/// By place, and where the lanes of a block stand.
struct RequestKey {
    const void* place;
    uint64_t met;
    uint32_t again, warp;
    bool operator==(const RequestKey&) const = default;
};
struct RequestHash {
    size_t operator()(const RequestKey& key) const {
        uint64_t state = reinterpret_cast<uintptr_t>(key.place);
        for (uint64_t part : {key.met, uint64_t{key.again} << 32 | key.warp})
            state = (state ^ part) * 0x9e3779b97f4a7c15u;
        return state ^ state >> 32;
    }
};
struct Request {
    Access access;
    bool shared;
    std::vector<Piece> pieces;
};
using Requests = std::unordered_map<RequestKey, Request, RequestHash>;

/// What was counted of a place.
struct Row {
    uint64_t requests = 0, lanes = 0;
    uint64_t units = 0, ideal = 0;  ///< sectors of device memory, wavefronts of shared memory
    uint64_t most = 0;              ///< atomic operations on one address
    void add(const Row& other) {
        requests += other.requests, lanes += other.lanes, units += other.units, ideal += other.ideal;
        most = std::max(most, other.most);
    }
};

/// `shared` and how it is accessed.
using Kind = std::pair<bool, Access>;
/// A library and an offset in it.
using Place = std::pair<std::string, uintptr_t>;

struct Touched {
    std::vector<bool> read, written;
};

struct Profile {
    std::unordered_map<const Block*, Requests> requests;
    std::map<std::pair<const void*, Kind>, Row> launch;
    std::map<const void*, std::unordered_map<uintptr_t, uint64_t>> atomics;  ///< of device memory, in this launch
    std::map<std::tuple<std::string, Place, Kind>, Row> rows;
    std::map<const void*, Touched> touched;
};

Profile& now() {
    static Profile* forever = new Profile;
    return *forever;
}

/// Sectors that a request of device memory touches, and that its bytes would fill.
void count_sectors(const Request& request, Row& row) {
    std::vector<std::pair<uintptr_t, uintptr_t>> ranges;
    std::set<uintptr_t> sectors;
    for (const auto& piece : request.pieces) {
        auto end = piece.address + piece.bytes;
        ranges.push_back({piece.address, end});
        for (auto sector = piece.address / sector_bytes; sector <= (end - 1) / sector_bytes; sector++) sectors.insert(sector);
    }
    std::sort(ranges.begin(), ranges.end());
    uintptr_t distinct = 0, reached = 0;
    for (auto [begin, end] : ranges) {
        begin = std::max(begin, reached);
        if (end > begin) distinct += end - begin, reached = end;
    }
    row.units += sectors.size();
    row.ideal += (distinct + sector_bytes - 1) / sector_bytes;
}

/// Wavefronts of a request of shared memory: the most words in one bank. Lanes with 8 bytes go by halves of a warp, with 16
/// bytes by quarters, of which each is one wavefront at best.
void count_wavefronts(const Request& request, Row& row) {
    uint32_t bytes = 0;
    for (const auto& piece : request.pieces) bytes = std::max(bytes, piece.bytes);
    uint32_t lanes = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
    std::map<uint32_t, std::vector<std::set<uintptr_t>>> parts;
    for (const auto& piece : request.pieces) {
        auto& words = parts[piece.lane / lanes];
        words.resize(banks);
        for (auto word = piece.address / word_bytes; word <= (piece.address + piece.bytes - 1) / word_bytes; word++)
            words[word % banks].insert(word);
    }
    for (const auto& [part, words] : parts) {
        size_t most = 0;
        for (const auto& bank : words) most = std::max(most, bank.size());
        row.units += most;
        row.ideal++;
    }
}

const char* name_of(Kind kind) {
    static const char* const names[2][3] = {{"read", "write", "atomic"}, {"shared read", "shared write", "shared atomic"}};
    return names[kind.first][static_cast<int>(kind.second)];
}

/// Functions and lines of a place, the innermost first.
std::string resolved(const Place& place) {
    static std::map<Place, std::string>* known = new std::map<Place, std::string>;
    auto [found, fresh] = known->try_emplace(place);
    auto& text = found->second;
    if (!fresh) return text;
    char offset[32];
    // The call, not what follows it.
    std::snprintf(offset, sizeof offset, "0x%zx", static_cast<size_t>(place.second - 1));
    auto command = "env -u LD_PRELOAD addr2line -i -f -C -e '" + place.first + "' " + offset + " 2>/dev/null";
    if (auto pipe = popen(command.c_str(), "r")) {
        std::string said;
        char part[4096];
        while (std::fgets(part, sizeof part, pipe)) said += part;
        pclose(pipe);
        std::istringstream lines(said);
        for (std::string function, where; std::getline(lines, function) && std::getline(lines, where);) {
            if (function == "??") break;
            // Without parameters: where these are not told, the name ends by itself.
            function = function.substr(0, function.find_first_of("<("));
            function = function.substr(function.rfind(' ') + 1);
            auto colon = where.rfind(':');
            text += (text.empty() ? "" : " < ") + function + (colon == std::string::npos ? "" : where.substr(colon, where.find(' ', colon) - colon));
        }
    }
    if (text.empty()) text = offset;
    return text;
}

void touch(const Piece& piece, Access access) {
    void* start;
    size_t bytes;
    auto address = reinterpret_cast<const void*>(piece.address);
    if (!range_of(address, start, bytes)) return;
    auto& touched = now().touched[start];
    touched.read.resize(bytes), touched.written.resize(bytes);
    auto from = piece.address - reinterpret_cast<uintptr_t>(start);
    for (auto at = from; at < from + piece.bytes; at++) {
        if (access != Access::Write) touched.read[at] = true;
        if (access != Access::Read) touched.written[at] = true;
    }
}

}  // namespace

void Visits::meet_block() {
    barriers++, warps = groups = 0;
    since.clear();
}

void Visits::meet_lanes(uint32_t mask) {
    if (~mask == 0) warps++, groups = 0;
    else groups++;
    since.clear();
}

uint32_t Visits::again(const void* place) {
    for (auto& [known, count] : since)
        if (known == place) return count++;
    since.push_back({place, 1});
    return 0;
}

void count_access(Thread& thread, const void* address, size_t bytes, Access access, const void* place) {
    void* start;
    size_t size;
    bool shared = !range_of(address, start, size);
    if (shared && !is_shared(address)) return;
    // As the device would: by the largest power of two that fits.
    auto at = reinterpret_cast<uintptr_t>(address);
    auto step = std::min<size_t>({widest, bytes & (~bytes + 1), size_t{1} << std::min(4, std::countr_zero(at))});
    for (auto end = at + bytes; at < end; at += step) {
        RequestKey key{place, thread.visits.met(), thread.visits.again(place), thread.ids.warp};
        auto& request = now().requests[thread.home][key];
        request.access = access, request.shared = shared;
        request.pieces.push_back({at, static_cast<uint32_t>(step), thread.ids.lane});
        if (!shared) touch(request.pieces.back(), access);
    }
}

void count_block(const Block& block) {
    std::map<std::pair<const void*, uintptr_t>, uint64_t> on_one;
    for (const auto& [key, request] : now().requests[&block]) {
        auto& row = now().launch[{key.place, {request.shared, request.access}}];
        row.requests++;
        row.lanes += request.pieces.size();
        if (request.shared) count_wavefronts(request, row);
        else count_sectors(request, row);
        if (request.access == Access::Atomic)
            for (const auto& piece : request.pieces) {
                auto& count = request.shared ? on_one[{key.place, piece.address}] : now().atomics[key.place][piece.address];
                row.most = std::max(row.most, ++count);
            }
    }
    now().requests.erase(&block);
}

void count_launch(const std::string& kernel) {
    for (const auto& [key, row] : now().launch) {
        const auto& [place, kind] = key;
        Dl_info info{};
        dladdr(place, &info);
        auto base = reinterpret_cast<uintptr_t>(info.dli_fbase);
        Place where{info.dli_fname ? info.dli_fname : "", reinterpret_cast<uintptr_t>(place) - base};
        now().rows[{kernel, where, kind}].add(row);
    }
    now().launch.clear();
    now().atomics.clear();
    // Of a launch that failed.
    now().requests.clear();
}

void profile(bool on) {
    profiling = on;
    now().rows.clear();
    now().touched.clear();
}

std::string profile_table() {
    // One place in the source may be several in the code.
    std::map<std::tuple<std::string, std::string, std::string>, Row> merged;
    for (const auto& [key, row] : now().rows) {
        const auto& [kernel, place, kind] = key;
        merged[{kernel, name_of(kind), resolved(place)}].add(row);
    }
    std::string text = "kernel\taccess\tplace\trequests\tlanes\tunits\tideal\tmost on one\n";
    for (const auto& [key, row] : merged) {
        const auto& [kernel, kind, place] = key;
        text += kernel + "\t" + kind + "\t" + place;
        for (auto number : {row.requests, row.lanes, row.units, row.ideal, row.most}) text += "\t" + std::to_string(number);
        text += "\n";
    }
    return text;
}

std::pair<uint64_t, uint64_t> take_touched(const void* allocation) {
    auto touched = now().touched.extract(allocation);
    if (touched.empty()) return {0, 0};
    auto count = [](const std::vector<bool>& bytes) {
        return static_cast<uint64_t>(std::count(bytes.begin(), bytes.end(), true));
    };
    return {count(touched.mapped().read), count(touched.mapped().written)};
}

/// For whoever asks by ACCELERATE_EMULATOR_PROFILE=1: at the end of the process, a line for each place.
__attribute__((destructor)) static void print_profile() {
    if (!profiling || !std::getenv("ACCELERATE_EMULATOR_PROFILE")) return;
    std::istringstream lines(profile_table());
    std::string line;
    std::getline(lines, line);
    std::fprintf(stderr, "%-36s %-13s %8s %6s %6s %8s  %s\n", "kernel", "access", "requests", "lanes", "cost", "on one", "place");
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::string kernel, kind, place;
        std::getline(fields, kernel, '\t'), std::getline(fields, kind, '\t'), std::getline(fields, place, '\t');
        uint64_t requests, lanes, units, ideal, most;
        fields >> requests >> lanes >> units >> ideal >> most;
        std::fprintf(stderr, "%-36s %-13s %8llu %6.2f %6.2f %8llu  %s\n", kernel.c_str(), kind.c_str(), (unsigned long long)requests,
                     static_cast<double>(lanes) / static_cast<double>(requests), static_cast<double>(units) / static_cast<double>(ideal),
                     (unsigned long long)most, place.c_str());
    }
}

}  // namespace emulated
