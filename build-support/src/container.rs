//! The images of a function in one file: written here, embedded by the macro, read by the runtime (`runtime/core/src/image.rs`).
//!
//! A line `// accelerate-images 1 HASH` names the version of the format and the program; then each image has a line `// ptx 80 LENGTH`
//! or `// cubin 90a LENGTH`, and so many bytes. PTX ends in one NUL, up to which the driver reads. The lines are comments of PTX, so
//! that a file without cubins is PTX, too.

/// What a device can load.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Image {
    /// `80`, `90a`.
    pub(crate) architecture: String,
    pub(crate) content: Content,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// Without the NUL.
    Ptx(String),
    Cubin(Vec<u8>),
}

/// The file of a program with this hash.
pub(crate) fn write(hash: &str, images: &[Image]) -> Vec<u8> {
    let mut file = format!("// accelerate-images 1 {hash}\n").into_bytes();
    for Image {
        architecture,
        content,
    } in images
    {
        let (kind, bytes, end): (_, _, &[u8]) = match content {
            Content::Ptx(text) => ("ptx", text.as_bytes(), b"\0"),
            Content::Cubin(bytes) => ("cubin", &**bytes, b""),
        };
        let length = bytes.len() + end.len();
        file.extend(format!("// {kind} {architecture} {length}\n").into_bytes());
        file.extend([bytes, end].concat());
    }
    file
}
