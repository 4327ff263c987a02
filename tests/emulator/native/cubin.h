// Cubins: ELF files of machine code, which cannot be run here. A symbol tells which program they were made from.
#pragma once

#include <string>
#include <vector>

namespace emulated {

struct Cubin {
    int architecture = 0;  ///< 90 of sm_90
    std::string program;   ///< the hash of `accelerate_module_<hash>`
    std::vector<std::string> entries;
};

bool is_elf(const char* image);
/// Reads one. False with `error` if its parts do not lie where they say: an image comes without its length, so that they are held
/// against what its headers tell.
bool read_cubin(const char* image, Cubin& cubin, std::string& error);

}  // namespace emulated
