//! What can go wrong at run time, as one plain enum.

use std::fmt;

/// The result of everything that touches a device.
pub type Result<T> = std::result::Result<T, Error>;

/// A line of a program: where an error comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The source file, as the compiler was told.
    pub file: &'static str,
    /// Starts at 1.
    pub line: u32,
    /// Starts at 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// An error at run time.
///
/// Errors that come from a line of a program carry its [`Place`], and their text begins with it:
/// ``src/main.rs:12:9: index 12 of an axis of 10 in `xs[i]` ``. What is known before a launch (shapes, devices) fails the
/// call itself; what a kernel finds fails the first wait on a result that depends on it, and every later one.
/// The device and all other arrays remain usable.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// Arrays whose shapes do not fit together, or values that do not fill a shape.
    ShapeMismatch {
        /// The line, if a program's.
        place: Option<Place>,
        /// The operation and the shapes.
        message: String,
    },
    /// An index outside its axis.
    OutOfBounds {
        /// The line, if a program's.
        place: Option<Place>,
        /// The operation and the values.
        message: String,
    },
    /// Division or remainder of an integer by zero.
    DivisionByZero {
        /// The line.
        place: Option<Place>,
        /// The operation.
        message: String,
    },
    /// `min`, `max`, `fold1` and the like of an empty axis.
    EmptyReduction {
        /// The line.
        place: Option<Place>,
        /// The operation.
        message: String,
    },
    /// Segments whose lengths do not add up to the axis.
    SegmentMismatch {
        /// The line.
        place: Option<Place>,
        /// The operation and the values.
        message: String,
    },
    /// An axis that the size of its parts does not divide.
    Indivisible {
        /// The line.
        place: Option<Place>,
        /// The operation and the values.
        message: String,
    },
    /// A failed `assert!`.
    AssertionFailed {
        /// The line.
        place: Option<Place>,
        /// The message of the assertion.
        message: String,
    },
    /// The device's memory does not suffice.
    OutOfMemory {
        /// What was asked for.
        bytes: usize,
        /// The device's name.
        device: String,
    },
    /// There is no such device; the message names what was looked for.
    NoDevice {
        /// What was looked for, and what was found.
        message: String,
    },
    /// An array that is not on the device named in the call.
    WrongDevice {
        /// Which array is where.
        message: String,
    },
    /// The CUDA driver reported an error.
    Cuda {
        /// The driver's call and its answer.
        message: String,
    },
    /// CUDA code was required, but not built.
    NotBuilt {
        /// What is missing.
        message: String,
    },
}

impl Error {
    /// The line of the program that the error comes from, if it comes from one.
    pub fn place(&self) -> Option<Place> {
        match self {
            Error::ShapeMismatch { place, .. }
            | Error::OutOfBounds { place, .. }
            | Error::DivisionByZero { place, .. }
            | Error::EmptyReduction { place, .. }
            | Error::SegmentMismatch { place, .. }
            | Error::Indivisible { place, .. }
            | Error::AssertionFailed { place, .. } => *place,
            Error::OutOfMemory { .. }
            | Error::NoDevice { .. }
            | Error::WrongDevice { .. }
            | Error::Cuda { .. }
            | Error::NotBuilt { .. } => None,
        }
    }

    pub(crate) fn shape(message: String) -> Self {
        Error::ShapeMismatch {
            place: None,
            message,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(place) = self.place() {
            write!(f, "{place}: ")?;
        }
        match self {
            Error::ShapeMismatch { message, .. }
            | Error::OutOfBounds { message, .. }
            | Error::DivisionByZero { message, .. }
            | Error::EmptyReduction { message, .. }
            | Error::SegmentMismatch { message, .. }
            | Error::Indivisible { message, .. }
            | Error::AssertionFailed { message, .. }
            | Error::NoDevice { message }
            | Error::WrongDevice { message }
            | Error::Cuda { message }
            | Error::NotBuilt { message } => f.write_str(message),
            Error::OutOfMemory { bytes, device } => {
                write!(f, "out of memory: {bytes} more bytes on {device}")
            }
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_programs_error_begins_with_its_place() {
        let place = Place {
            file: "src/main.rs",
            line: 12,
            column: 9,
        };
        let error = Error::OutOfBounds {
            place: Some(place),
            message: "index 12 of an axis of 10 in `xs[i]`".into(),
        };
        assert_eq!(
            error.to_string(),
            "src/main.rs:12:9: index 12 of an axis of 10 in `xs[i]`"
        );
        assert_eq!(
            Error::shape("6 values".into()).to_string(),
            "6 values",
            "no place, no colon"
        );
    }
}
