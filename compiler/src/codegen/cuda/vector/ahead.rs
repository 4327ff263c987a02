//! Loads of a fold's points that lie apart: each is an access of its own, so several points' are issued before the first is
//! used.
//!
//! Where a load is has to be known before anything else of its point is computed: its index is made of the point's
//! coordinates and what is known before the domain.

use super::candidates::is_long;
use crate::codegen::cuda::body::Code;
use crate::codegen::cuda::domain::Flat;
use crate::plan::affine::Polynomial;
use crate::plan::{Statement, Value};
use crate::scalar::Leaf;

/// Bytes of loads that a thread should have issued before it uses the first, by elements and by packs of them: 32 KiB per
/// multiprocessor if half of the threads that it may have are resident, or a quarter.
const IN_FLIGHT: [usize; 2] = [32, 64];

/// One of a point's loads.
struct Load {
    /// The buffer in C.
    buffer: String,
    leaf: Leaf,
    index: Polynomial,
    /// The parameter of the point's code, and what it is an element of, if that has a name.
    name: String,
    pack: String,
}

/// The loads of a body that are issued ahead of it.
pub(in crate::codegen::cuda) struct Ahead {
    loads: Vec<Load>,
    /// Neighbouring rows that a load takes an element of each, from the first on; 1 where it is of one row.
    width: usize,
}

impl Ahead {
    /// Those of `body`, if there are any, and makes `code` write the body in terms of them: for a row that has been written, or
    /// for so many of this number and those that follow.
    pub(in crate::codegen::cuda) fn find(
        code: &mut Code<'_>,
        body: &[Statement],
        vars: &[Value],
        rows: Option<(usize, &Polynomial)>,
    ) -> Option<Ahead> {
        if body.iter().any(is_long) {
            return None;
        }
        let mut loads: Vec<Load> = Vec::new();
        for statement in body {
            let Statement::Load {
                value,
                buffer,
                index: at,
                guard: None,
            } = statement
            else {
                continue;
            };
            let mut index = Polynomial::of(code.facts, *at);
            if let Some((_, number)) = rows {
                index = index.minus(number);
            }
            let known = |value: Value| code.is_bound(value) || vars.contains(&value);
            let moves = index.values().any(|value| vars.contains(&value));
            if code.facts.unused(*value) || !moves || !index.values().all(known) {
                continue;
            }
            let c_buffer = code.buffers[*buffer].clone();
            let same = |load: &&Load| load.buffer == c_buffer && load.index == index;
            let name = match loads.iter().find(same) {
                Some(load) => load.name.clone(),
                None => {
                    let wanted = code.wanted(*value);
                    let name = code.names.fresh(&wanted);
                    let pack = match rows {
                        Some(_) => code.names.fresh(&format!("{wanted}_pack")),
                        None => String::new(),
                    };
                    loads.push(Load {
                        buffer: c_buffer,
                        leaf: code.kernel.buffers[*buffer].leaf,
                        index,
                        name: name.clone(),
                        pack,
                    });
                    name
                }
            };
            *code.streamed.entry(*at).or_default() += 1;
            code.loaded.insert(*value, name);
        }
        let width = rows.map_or(1, |(width, _)| width);
        (!loads.is_empty()).then_some(Ahead { loads, width })
    }

    /// Points whose loads are in flight.
    pub(in crate::codegen::cuda) fn points(&self) -> usize {
        let bytes: usize = self.loads.iter().map(|load| load.leaf.bytes()).sum();
        let wanted = IN_FLIGHT[usize::from(self.width > 1)];
        (wanted / (bytes * self.width)).clamp(2, 8)
    }

    /// Parameters of the point's code.
    pub(in crate::codegen::cuda) fn parameters(&self) -> String {
        let parameter = |load: &Load| format!(", const {} {}", load.leaf.name(), load.name);
        self.loads.iter().map(parameter).collect()
    }

    /// Goes along the domain in strides of the team, making the code of each point: `call` writes its call from the index and
    /// the arguments, of the row `at` of several.
    pub(in crate::codegen::cuda) fn run(
        &self,
        code: &mut Code<'_>,
        flat: &Flat,
        size: &str,
        domain: (&[Value], &[Value]),
        call: &dyn Fn(&str, &str) -> String,
    ) {
        let (repr, i) = (flat.repr, &flat.name);
        let fields = self.loads.iter();
        let fields = fields.map(|load| format!("{} {};", self.loaded(load), load.name));
        let fields = Vec::from_iter(fields).join(" ");
        code.line(format!("struct inputs {{ {fields} }};"));
        code.open(format!(
            "const auto load = [&](const {repr} {i}) -> inputs {{"
        ));
        let loads = self.values(code, flat, domain).join(", ");
        code.line(format!("return {{{loads}}};"));
        code.close("};");
        code.open(format!(
            "const auto use = [&](const {repr} {i}, const inputs& in) {{"
        ));
        self.each(code, |load| format!("in.{}", load.name), &|arguments| {
            call(i, arguments)
        });
        code.close("};");
        code.line(format!(
            "read_in_batches<{}, {repr}>(team.rank(), {size}, team.size(), load, use);",
            self.points()
        ));
    }

    /// Reads what a point needs and makes its code.
    pub(in crate::codegen::cuda) fn read(
        &self,
        code: &mut Code<'_>,
        flat: &Flat,
        domain: (&[Value], &[Value]),
        call: &dyn Fn(&str) -> String,
    ) {
        let values = self.values(code, flat, domain);
        for (load, value) in self.loads.iter().zip(values) {
            code.line(format!("const auto {} = {value};", load.pack));
        }
        self.each(code, |load| load.pack.clone(), call);
    }

    /// What a load is of.
    fn loaded(&self, load: &Load) -> String {
        match (load.leaf.name(), self.width) {
            (leaf, 1) => leaf.to_owned(),
            (leaf, width) => format!("pack<{leaf}, {width}>"),
        }
    }

    /// The loads of a point.
    fn values(
        &self,
        code: &mut Code<'_>,
        flat: &Flat,
        (extents, vars): (&[Value], &[Value]),
    ) -> Vec<String> {
        code.point(flat, extents, vars);
        let value = |load: &Load| {
            let (buffer, index) = (&load.buffer, code.polynomial(&load.index));
            match self.width {
                1 => format!("{buffer}[{index}]"),
                width => format!("load_pack<{width}>({buffer} + ({index} + first))"),
            }
        };
        self.loads.iter().map(value).collect()
    }

    /// The code of a point for each row.
    fn each(
        &self,
        code: &mut Code<'_>,
        found: impl Fn(&Load) -> String,
        call: &dyn Fn(&str) -> String,
    ) {
        let argument = |load: &Load| match self.width {
            1 => format!(", {}", found(load)),
            _ => format!(", {}[at]", found(load)),
        };
        let arguments: String = self.loads.iter().map(argument).collect();
        if self.width > 1 {
            code.pragma("#pragma unroll");
            code.line(format!(
                "for (u32 at = 0; at < {}; ++at) {}",
                self.width,
                call(&arguments)
            ));
        } else {
            code.line(call(&arguments));
        }
    }
}
