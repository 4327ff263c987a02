//! Code of ours that a tool does not take.

/// A bug of ours, or of a foreign function.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    /// The function.
    pub(crate) name: String,
    /// Whether it holds text of the user's.
    pub(crate) foreign: bool,
    /// The tool's first error.
    pub(crate) error: String,
    /// The command and all that it said.
    pub(crate) said: String,
}

/// What is refused.
#[derive(Debug)]
pub(crate) enum Code {
    /// By nvcc.
    Cuda,
    /// By ptxas, for an architecture.
    Ptx(String),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Refusal {
            code,
            name,
            foreign,
            error,
            ..
        } = self;
        let look = match code {
            Code::Cuda => {
                write!(
                    f,
                    "nvcc refuses the CUDA code of `{name}`, which will run on the CPU: {error}"
                )?;
                "declare them as `__device__`, with the names and types that they have in Rust"
            }
            Code::Ptx(arch) => {
                write!(
                    f,
                    "ptxas refuses the PTX of `{name}` for sm_{arch}, for which no SASS is embedded: {error}"
                )?;
                "ask for what this architecture has: shared memory, instructions of their `asm`"
            }
        };
        match foreign {
            true => write!(
                f,
                "\nit holds foreign functions: look whether their files {look}"
            ),
            false => write!(
                f,
                "\nthis is a bug of accelerate, not of your program: please report it with the function `{name}` at {}",
                env!("CARGO_PKG_REPOSITORY")
            ),
        }
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// With everything that the tool said.
    pub(crate) fn report(&self) -> String {
        format!("{self}\n{}", self.said)
    }
}
