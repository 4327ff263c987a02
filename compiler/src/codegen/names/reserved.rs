//! Words that mean something wherever they stand.

/// Words of C++, GNU's among them.
pub(super) const CPP: &[&str] = &[
    "alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool break case catch char",
    "char8_t char16_t char32_t class compl concept const consteval constexpr constinit const_cast continue contract_assert",
    "co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float for",
    "friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public",
    "reflexpr register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct",
    "switch synchronized template this thread_local throw true try typedef typeid typename typeof union unsigned using virtual",
    "void volatile wchar_t while xor xor_eq main std",
];

/// What CUDA declares in every kernel.
pub(super) const CUDA: &[&str] = &["threadIdx blockIdx blockDim gridDim warpSize dim3 cudaError_t"];

/// Macros of C's headers and of compilers that are not in capitals.
pub(super) const MACROS: &[&str] = &[
    "alloca assert assert_perror be16toh be32toh be64toh errno htobe16 htobe32 htobe64 htole16 htole32 htole64 i386 isalnum_l",
    "isalpha_l isascii isascii_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l issubnormal",
    "isupper_l isxdigit_l le16toh le32toh le64toh linux major makedev math_errhandling minor offsetof stderr stdin stdout strdupa",
    "strndupa toascii toascii_l unix",
];
