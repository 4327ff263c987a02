//! Places in the source by number. Spans belong to the thread that has read them; programs and plans do not.

use proc_macro2::Span;

/// The number of a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpanId(pub(crate) u32);

impl SpanId {
    /// Of programs that are built without source text.
    pub const NONE: SpanId = SpanId(u32::MAX);
}

/// The spans of a function, by their numbers.
#[derive(Clone, Debug, Default)]
pub struct Spans(Vec<Span>);

impl Spans {
    /// The number of a span from now on.
    pub(crate) fn add(&mut self, span: Span) -> SpanId {
        self.0.push(span);
        SpanId(self.0.len() as u32 - 1)
    }

    /// The span of a number that these spans have given.
    pub fn get(&self, id: SpanId) -> Span {
        self.0[id.0 as usize]
    }
}
