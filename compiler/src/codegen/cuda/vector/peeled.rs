//! Alignment peels: rows of any start are read by aligned packs, and the elements of the first and of the last pack are
//! predicated.
//!
//! Without peels where all rows are aligned. Else every row is peeled, so that lanes of a warp that have different rows do not
//! diverge.

use super::{IN_FLIGHT, Part, Stream, Streams, Walk};
use crate::codegen::cuda::body::Code;
use crate::plan::affine::Polynomial;

impl Streams {
    /// The start that all streams have, if they are read only, all of them at once.
    pub(super) fn peels(&self) -> Option<(&Polynomial, &str)> {
        let whole = self.part == Part::All && self.aligned.is_none();
        let started = |stream: &Stream| !stream.writes && stream.start.is_some();
        match &self.starts[..] {
            [(start, name)] if whole && self.streams.iter().all(started) => Some((start, name)),
            _ => None,
        }
    }

    /// Walks along all points by packs.
    pub(super) fn ends_peeled(
        &self,
        code: &mut Code<'_>,
        walk: &Walk<'_>,
        call: &dyn Fn(&str, &str, &str) -> String,
        (start, name): (&Polynomial, &str),
        singly: &dyn Fn(&mut Code<'_>, &str),
    ) {
        match self.all_aligned(code, start) {
            Some(tests) if tests.is_empty() => {
                self.by_whole_packs(code, walk, call, singly);
            }
            Some(tests) => {
                code.open(format!("if ({}) {{", tests.join(" && ")));
                self.by_whole_packs(code, walk, call, singly);
                code.close("} else {");
                code.deeper();
                self.by_aligned_packs(code, walk, call, name);
                code.close("}");
            }
            None => {
                code.open("{");
                self.by_aligned_packs(code, walk, call, name);
                code.close("}");
            }
        }
    }

    /// What makes each row's start a multiple of the width, as far as that is the same for all rows.
    fn all_aligned(&self, code: &Code<'_>, start: &Polynomial) -> Option<Vec<String>> {
        let width = self.width as u64;
        let mut tests = Vec::new();
        for (product, factor) in start.terms() {
            if factor % width == 0 {
                continue;
            }
            let scalars = product
                .iter()
                .filter(|value| code.kernel.scalars.contains(value));
            let mut factors: Vec<String> = scalars.map(|value| code.text(*value)).collect();
            if factors.is_empty() {
                return None;
            }
            if factor != 1 {
                factors.insert(0, factor.to_string());
            }
            tests.push(format!("{} % {width} == 0", factors.join(" * ")));
        }
        Some(tests)
    }

    fn by_aligned_packs(
        &self,
        code: &mut Code<'_>,
        walk: &Walk<'_>,
        call: &dyn Fn(&str, &str, &str) -> String,
        start: &str,
    ) {
        let width = self.width;
        let Walk {
            repr,
            size,
            first,
            step,
            ..
        } = *walk;
        let bytes: usize = self.streams.iter().map(|stream| stream.leaf.bytes()).sum();
        // What is added for the ends takes registers.
        let ahead = (IN_FLIGHT / 2).div_ceil(width * bytes).min(2);
        let fields: Vec<String> = (self.streams.iter())
            .map(|stream| format!("pack<{}, {width}> {};", stream.leaf.name(), stream.name))
            .collect();
        let loads: Vec<String> = (self.streams.iter())
            .map(|stream| format!("load_pack<{width}>({})", stream.from("place")))
            .collect();
        // Counted from the start, behind which what lies before it is.
        let place = format!("const Index place = {width} * group - before;");
        let inside = "place + at < count";
        code.line(format!(
            "const Index before = {start} % {width}, count = Index({size});"
        ));
        code.line(format!("struct inputs {{ {} }};", fields.join(" ")));
        code.open("const auto load = [&](const Index group) -> inputs {");
        code.line(&place);
        code.line(format!(
            "if (place < count && count - place >= {width}) return {{{}}};",
            loads.join(", ")
        ));
        code.line("inputs some = {};");
        code.pragma("#pragma unroll");
        code.open(format!("for (u32 at = 0; at < {width}; ++at) {{"));
        code.line(format!("if (!({inside})) continue;"));
        for stream in &self.streams {
            let element = stream.element("(place + at)");
            code.line(format!("some.{}[at] = {element};", stream.name));
        }
        code.close("}");
        code.line("return some;");
        code.close("};");
        code.open("const auto use = [&](const Index group, const inputs& in) {");
        code.line(&place);
        let arguments: String = (self.streams.iter())
            .map(|stream| format!(", in.{}[at]", stream.name))
            .collect();
        code.pragma("#pragma unroll");
        code.open(format!("for (u32 at = 0; at < {width}; ++at) {{"));
        let point = format!("{repr}(place + at)");
        code.line(format!("if ({inside}) {}", call(&point, "at", &arguments)));
        code.close("}");
        code.close("};");
        code.line(format!(
            "read_ahead<{ahead}, Index>(Index({first}), (count + before + {}) / {width}, Index({step}), load, use);",
            width - 1
        ));
    }
}
