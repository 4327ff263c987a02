// Reading cubins: the program, the architecture and the entries. What an ELF file tells is held against its bounds.
#include "cubin.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>

namespace emulated {

namespace {

constexpr uint16_t machine_cuda = 190;
constexpr unsigned char entry_of_cuda = 0x10;  ///< in `st_other`: a kernel
constexpr uint64_t largest = uint64_t(1) << 32;

struct File {
    const char* start;
    uint64_t bytes;

    bool holds(uint64_t at, uint64_t count) const { return at <= bytes && count <= bytes - at; }

    template <class T> T get(uint64_t at) const {
        T value;
        std::memcpy(&value, start + at, sizeof value);
        return value;
    }

    /// The text that ends within a section; empty if there is none.
    std::string text(const Elf64_Shdr& section, uint64_t at) const {
        if (at >= section.sh_size) return "";
        auto begin = start + section.sh_offset + at;
        auto end = static_cast<const char*>(std::memchr(begin, 0, section.sh_size - at));
        return end ? std::string(begin, end) : "";
    }
};

}  // namespace

bool is_elf(const char* image) { return std::strncmp(image, ELFMAG, SELFMAG) == 0; }

bool read_cubin(const char* image, Cubin& cubin, std::string& error) {
    error = "the ELF file is not a cubin, or not whole";
    Elf64_Ehdr head;
    std::memcpy(&head, image, sizeof head);
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_machine != machine_cuda) return false;
    if (head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shoff > largest || head.e_phoff > largest) return false;
    auto sections_end = head.e_shoff + uint64_t(head.e_shnum) * sizeof(Elf64_Shdr);
    auto programs_end = head.e_phoff + uint64_t(head.e_phnum) * head.e_phentsize;
    File file{image, std::max(sections_end, programs_end)};
    cubin.architecture = static_cast<int>(head.e_flags >> 8 & 0xff);
    auto section = [&](uint64_t index) { return file.get<Elf64_Shdr>(head.e_shoff + index * sizeof(Elf64_Shdr)); };
    for (unsigned i = 0; i < head.e_shnum; i++) {
        auto one = section(i);
        if (one.sh_type != SHT_NOBITS && !file.holds(one.sh_offset, one.sh_size)) return false;
    }
    const std::string key = "accelerate_module_";
    for (unsigned i = 0; i < head.e_shnum; i++) {
        auto table = section(i);
        if (table.sh_type != SHT_SYMTAB) continue;
        if (table.sh_link >= head.e_shnum || section(table.sh_link).sh_type != SHT_STRTAB) return false;
        auto names = section(table.sh_link);
        for (uint64_t k = 0; k < table.sh_size / sizeof(Elf64_Sym); k++) {
            auto symbol = file.get<Elf64_Sym>(table.sh_offset + k * sizeof(Elf64_Sym));
            auto name = file.text(names, symbol.st_name);
            if (name.compare(0, key.size(), key) == 0) cubin.program = name.substr(key.size());
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_other & entry_of_cuda) cubin.entries.push_back(name);
        }
    }
    error = cubin.program.empty() ? "the cubin has no symbol `accelerate_module_<hash>`" : "";
    return !cubin.program.empty();
}

}  // namespace emulated
