//! What the build script leaves of a function's kernels, and what the macro makes its static data of.

use crate::codegen::cuda;
use crate::plan::Plan;
use crate::spans::Spans;

/// What the build script has left of a function's kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Built {
    /// There are none, or there was no nvcc.
    Nothing,
    /// The artifact.
    Images,
    /// A file of this artifact's [`refusal`].
    Refused,
}

/// The name of the file that says why an artifact is missing: what nvcc finds wrong with the CUDA C.
pub fn refusal(artifact: &str) -> String {
    format!("{}.refused", artifact.trim_end_matches(".images"))
}

/// What there is of a function's kernels.
#[derive(Clone, Copy)]
pub(crate) struct Artifact<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) spans: &'a Spans,
    /// As CUDA C.
    pub(crate) cuda: &'a cuda::Module,
    /// Of what the artifact is made of.
    pub(crate) hash: &'a str,
    /// The file name of its images, PTX and cubins; none if there are no kernels.
    pub(crate) file: Option<&'a str>,
    pub(crate) built: Built,
}
