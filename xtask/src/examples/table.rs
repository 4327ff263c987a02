//! The programs of `examples/`, and the sizes that they are checked at.

/// A program of `examples/`.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    /// Arguments on the CPU.
    pub(crate) on_cpu: &'static [&'static str],
    /// Others on the emulated device, which is hundreds of times slower.
    pub(crate) on_emulated: Option<&'static [&'static str]>,
}

const fn program(
    name: &'static str,
    on_cpu: &'static [&'static str],
    on_emulated: Option<&'static [&'static str]>,
) -> Program {
    Program {
        name,
        on_cpu,
        on_emulated,
    }
}

/// A function that takes more kernels than it could.
pub(crate) struct Above {
    pub(crate) program: &'static str,
    pub(crate) function: &'static str,
    /// Kernels that it could be, the body of a loop counted once.
    pub(crate) ideal: u32,
    /// What that waits for.
    pub(crate) waits: &'static str,
}

const fn above(
    program: &'static str,
    function: &'static str,
    ideal: u32,
    waits: &'static str,
) -> Above {
    Above {
        program,
        function,
        ideal,
        waits,
    }
}

/// All of them. A line goes when the compiler does better.
pub(crate) const ABOVE: &[Above] = &[
    above(
        "radix_sort",
        "by_scans",
        1,
        "scatters by the results of a scan, in the kernel of the scan",
    ),
    above(
        "canny",
        "candidates",
        2,
        "stencils of stencils in tiles with wider halos; both directions of the blur in one kernel",
    ),
    above("canny", "canny", 4, "as `candidates`"),
    above(
        "k_means",
        "settle",
        2,
        "sums by the key that a fold finds, in the kernel of the fold",
    ),
    above(
        "blas",
        "atax",
        1,
        "a row that is kept for the product with what its own product gives",
    ),
    above(
        "attention",
        "attention",
        1,
        "products in slices: the scores are stored as a matrix, and so are the weights",
    ),
    above(
        "quickhull",
        "hull",
        5,
        "a compaction by what its own scan gives; the first edges in the kernel that finds their ends",
    ),
];

/// In the order of the index.
pub(crate) const PROGRAMS: &[Program] = &[
    program("dotp", &["--size", "100000"], Some(&["--size", "3000"])),
    program(
        "black_scholes",
        &["--size", "20000"],
        Some(&["--size", "500"]),
    ),
    program("mandelbrot", &[], Some(&["--size", "60"])),
    program("complex", &["--size", "300"], Some(&["--size", "40"])),
    program(
        "n_body",
        &["--size", "300", "--pictures", "5"],
        Some(&["--size", "64", "--steps", "2", "--pictures", "2"]),
    ),
    program("smvm", &["--size", "100"], Some(&["--size", "16"])),
    program(
        "floyd_warshall",
        &["--size", "200"],
        Some(&["--size", "40"]),
    ),
    program("radix_sort", &["--size", "20000"], Some(&["--size", "500"])),
    program("canny", &["--size", "320"], Some(&["--size", "48"])),
    program(
        "fluid",
        &["--size", "40", "--pictures", "2"],
        Some(&["--size", "24", "--pictures", "1", "--sweeps", "4"]),
    ),
    program("ray_tracer", &["--size", "320"], Some(&["--size", "48"])),
    program("shapes", &["--size", "240"], Some(&["--size", "48"])),
    program("k_means", &["--size", "10000"], Some(&["--size", "500"])),
    program("md5", &["--size", "10000"], Some(&["--size", "200"])),
    program("lulesh", &["--size", "10"], Some(&["--size", "5"])),
    program("matmul", &["--size", "150"], Some(&["--size", "40"])),
    program("blas", &["--size", "200"], Some(&["--size", "48"])),
    program("stencils", &["--size", "160"], Some(&["--size", "40"])),
    program("convolution", &["--size", "160"], Some(&["--size", "24"])),
    program(
        "attention",
        &["--size", "300"],
        Some(&["--size", "48", "--width", "16"]),
    ),
    program(
        "multigrid",
        &["--size", "32"],
        Some(&["--size", "4", "--cycles", "6"]),
    ),
    program("networks", &["--size", "16384"], Some(&["--size", "1024"])),
    program(
        "mri_q",
        &["--size", "24", "--samples", "300"],
        Some(&["--size", "8", "--samples", "40"]),
    ),
    program(
        "molecular_dynamics",
        &["--size", "2000"],
        Some(&["--size", "100", "--neighbours", "20"]),
    ),
    program("nearest", &["--size", "50000"], Some(&["--size", "2000"])),
    program(
        "quickhull",
        &["--size", "1000000", "--within", "rectangle"],
        Some(&["--size", "300"]),
    ),
    program("stats", &[], None),
    program(
        "parameters",
        &["--size", "256", "--steps", "60"],
        Some(&["--size", "64", "--steps", "5"]),
    ),
    program(
        "half_precision",
        &["--size", "3000"],
        Some(&["--size", "100"]),
    ),
    program("photo", &["--size", "320"], Some(&["--size", "48"])),
];
