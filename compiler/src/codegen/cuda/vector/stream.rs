//! An array that is walked along: its elements and their addresses in C.

use crate::scalar::Leaf;

/// One array that is walked along.
pub(in crate::codegen::cuda) struct Stream {
    /// The buffer in C.
    pub(super) buffer: String,
    pub(super) leaf: Leaf,
    /// Where it starts; nothing for 0.
    pub(super) start: Option<String>,
    /// The parameter of the point's code.
    pub(super) name: String,
    pub(super) writes: bool,
    /// Which of how many neighbours a point stores.
    pub(super) place: (usize, usize),
}

impl Stream {
    /// The element at an index of the domain.
    pub(super) fn element(&self, at: &str) -> String {
        format!("{}[{}]", self.buffer, self.index(at))
    }

    /// Its address.
    pub(super) fn from(&self, at: &str) -> String {
        match (&self.start, self.place) {
            (None, (_, 1)) => format!("{} + {at}", self.buffer),
            _ => format!("{} + ({})", self.buffer, self.index(at)),
        }
    }

    fn index(&self, at: &str) -> String {
        let at = match self.place {
            (_, 1) => at.to_owned(),
            (0, count) => format!("{count} * {at}"),
            (k, count) => format!("{count} * {at} + {k}"),
        };
        match &self.start {
            None => at,
            Some(start) => format!("{start} + {at}"),
        }
    }
}

/// Where a stream is for a thread's first access, and what is added to that for the access of a round.
pub(super) struct Base {
    pub(super) name: String,
    pub(super) further: String,
}

impl Base {
    /// The address.
    pub(super) fn from(&self) -> String {
        format!("{} + {}", self.name, self.further)
    }
}

/// A product in C.
pub(super) fn times(factor: usize, product: &str) -> String {
    match factor {
        1 => product.to_owned(),
        _ => format!("{factor} * {product}"),
    }
}
