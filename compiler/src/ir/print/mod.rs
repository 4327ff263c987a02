//! The text of a program, for people and snapshots.
//!
//! Only what is reachable from checks and outputs is printed. A shared node stands on a line of its own in the
//! innermost region that contains all its uses. With `names`, names from the source are used where there are any;
//! without, everything is numbered in order of appearance, so the text depends on the meaning alone.

mod names;
mod place;

use super::{Id, Node, Output, Parameter, Program, Type, Var};
use crate::ir::QuickMap;
use crate::scalar::{Leaf, Unary};
use crate::sorted::{SortedMap, SortedSet};
use place::{Scope, is_plain};
use std::fmt::{self, Display, Write};

impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Printer::new(self, true).print())
    }
}

impl Program {
    /// The text without names from the source.
    pub fn canonical_text(&self) -> String {
        Printer::new(self, false).print()
    }
}

struct Printer<'a> {
    program: &'a Program,
    names: bool,
    /// Parent and depth of each scope; scope 0 is the program.
    scopes: Vec<(Scope, usize)>,
    /// The nodes with a line, by scope.
    lines: SortedMap<Scope, SortedSet<Id>>,
    /// The regions of a node.
    regions: QuickMap<Id, Vec<Scope>>,
    /// Names in the text.
    parameters: Vec<String>,
    ids: QuickMap<Id, String>,
    vars: QuickMap<Var, String>,
    taken: SortedSet<String>,
    next: usize,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, names: bool) -> Self {
        let mut printer = Printer {
            program,
            names,
            scopes: vec![(Scope(0), 0)],
            lines: SortedMap::new(),
            regions: QuickMap::default(),
            parameters: Vec::new(),
            ids: QuickMap::default(),
            vars: QuickMap::default(),
            taken: SortedSet::new(),
            next: 0,
        };
        printer.name_parameters();
        printer.place();
        printer
    }

    fn print(&mut self) -> String {
        let program = self.program;
        let fast = if program.fast_math { "fast_math " } else { "" };
        let mut text = format!("{fast}program {}(", program.name);
        let mut arrays = 0;
        let mut parameters = Vec::new();
        for (k, parameter) in program.parameters.iter().enumerate() {
            let (Parameter::Scalars { leaves, .. } | Parameter::Array { leaves, .. }) = parameter;
            let name = &self.parameters[k];
            let element = match &leaves[..] {
                [(_, leaf)] => leaf.name().to_owned(),
                _ => {
                    let field = |(name, leaf): &(String, Leaf)| match name.parse::<u32>() {
                        Err(_) if self.names && !name.is_empty() => {
                            format!("{name}: {}", leaf.name())
                        }
                        _ => leaf.name().to_owned(),
                    };
                    format!("({})", comma(leaves.iter().map(field)))
                }
            };
            parameters.push(match parameter {
                Parameter::Scalars { .. } => format!("{name}: {element}"),
                Parameter::Array { rank, consumed, .. } => {
                    let extent = |axis| {
                        let node = Node::Extent {
                            array: arrays,
                            axis,
                        };
                        match program.find(&node) {
                            Some(id) => self.ids[&id].clone(),
                            None => "_".to_owned(),
                        }
                    };
                    let extents = comma((0..*rank).map(extent));
                    arrays += 1;
                    let by_value = if *consumed { "mut " } else { "" };
                    format!("{name}: {by_value}[{extents}]{element}")
                }
            });
        }
        let results: Vec<String> = program
            .outputs
            .iter()
            .map(|output| self.output_type(output))
            .collect();
        writeln!(text, "{}) -> {}", comma(parameters), tuple(results)).expect("a string");
        // What the checks need, the checks, the rest.
        let mut before: SortedSet<Id> = SortedSet::new();
        let mut open: Vec<Id> = (program.checks.iter())
            .flat_map(|check| std::iter::once(check.condition).chain(check.values.clone()))
            .collect();
        while let Some(id) = open.pop() {
            if before.insert(id) {
                program.node(id).operands(|operand| open.push(operand));
            }
        }
        let lines = self.lines.remove(&Scope(0)).unwrap_or_default();
        let (first, rest) = lines.into_iter().partition(|id| before.contains(id));
        self.lines.insert(Scope(0), first);
        text += &self.block(Scope(0), 1, |printer| {
            let mut lines = Vec::new();
            for check in &program.checks {
                let condition = printer.expr(check.condition, 0);
                let place = &program.sites[check.site.0 as usize];
                let values = printer.list(&check.values);
                // The message may quote the source as one reader of it sees it.
                let message = if printer.names {
                    format!(" \"{}\"", place.message.replace('"', "'"))
                } else {
                    String::new()
                };
                let site = check.site.0;
                lines.push(format!("check {condition} #{site} [{values}]{message}"));
            }
            lines
        });
        self.lines.insert(Scope(0), rest);
        text += &self.block(Scope(0), 1, |printer| {
            let outputs = program.outputs.iter();
            outputs.map(|output| printer.output(output)).collect()
        });
        text
    }

    fn output_type(&mut self, output: &Output) -> String {
        let (extents, leaves) = match output {
            Output::Scalar(leaves) => (None, leaves),
            Output::Array { extents, leaves } => (Some(extents), leaves),
        };
        let element = tuple(
            leaves
                .iter()
                .map(|&leaf| self.program.leaf(leaf).name().to_owned())
                .collect(),
        );
        match extents {
            None => element,
            Some(extents) => {
                let extents = extents.iter().map(|&extent| {
                    if is_plain(self.program.node(extent)) {
                        self.expr(extent, 0)
                    } else {
                        "_".to_owned()
                    }
                });
                format!("[{}]{element}", comma(extents.collect::<Vec<_>>()))
            }
        }
    }

    fn output(&mut self, output: &Output) -> String {
        match output {
            Output::Scalar(leaves) => tuple(leaves.iter().map(|&id| self.expr(id, 0)).collect()),
            Output::Array { extents, leaves } => {
                let text = tuple(leaves.iter().map(|&id| self.expr(id, 0)).collect());
                if extents.iter().all(|&e| is_plain(self.program.node(e))) {
                    text
                } else {
                    let extents = comma(extents.iter().map(|&e| self.expr(e, 0)));
                    format!("{text}: [{extents}]")
                }
            }
        }
    }

    /// The lines of a scope, then those of `last`, each indented.
    fn block(
        &mut self,
        scope: Scope,
        depth: usize,
        last: impl FnOnce(&mut Self) -> Vec<String>,
    ) -> String {
        let indent = "  ".repeat(depth);
        let mut text = String::new();
        for id in self.lines.get(&scope).cloned().unwrap_or_default() {
            let value = self.node(id, depth, 0);
            let name = match self.source_name(id) {
                Some(name) => self.fresh(&name),
                None => self.numbered(),
            };
            writeln!(text, "{indent}{name} = {value}").expect("a string");
            self.ids.insert(id, name);
        }
        for line in last(self) {
            writeln!(text, "{indent}{line}").expect("a string");
        }
        text
    }

    /// A region in braces; on one line if it is a single short one.
    fn region(&mut self, scope: Scope, depth: usize, results: &[Id]) -> String {
        let text = self.block(scope, depth + 1, |printer| {
            vec![tuple(
                results.iter().map(|&id| printer.expr(id, 0)).collect(),
            )]
        });
        let trimmed = text.trim();
        if trimmed.contains('\n') || trimmed.len() > 80 {
            format!("{{\n{text}{}}}", "  ".repeat(depth))
        } else {
            format!("{{ {trimmed} }}")
        }
    }

    fn bind(&mut self, vars: &[Var]) -> String {
        let mut names = Vec::new();
        for &var in vars {
            let source = self.program.var_names.get(&var).filter(|_| self.names);
            let name = match source.cloned() {
                Some(name) => self.fresh(&name),
                None => {
                    let name = format!("i{}", self.next);
                    self.next += 1;
                    self.fresh(&name)
                }
            };
            self.vars.insert(var, name.clone());
            names.push(name);
        }
        comma(names)
    }

    /// An operand: its name, or its text in parentheses where it binds less tightly than `level`.
    fn expr(&mut self, id: Id, level: u32) -> String {
        match self.ids.get(&id) {
            Some(name) => name.clone(),
            None => self.node(id, 0, level),
        }
    }

    fn node(&mut self, id: Id, depth: usize, level: u32) -> String {
        let program = self.program;
        let node = program.node(id);
        match node {
            Node::Constant(constant) => constant.to_string(),
            Node::Parameter(k) => format!("parameter {k}"),
            Node::Input { array, leaf } => format!("input {array}.{leaf}"),
            Node::Extent { array, axis } => format!("extent {array}.{axis}"),
            Node::Variable(var) => self
                .vars
                .get(var)
                .cloned()
                .unwrap_or_else(|| format!("unbound {}", var.0)),
            Node::Unary(Unary::Neg, a) => format!("-{}", self.expr(*a, 9)),
            Node::Unary(Unary::Not, a) => format!("!{}", self.expr(*a, 9)),
            Node::Unary(op, a) => format!("{}({})", op.name(), self.expr(*a, 0)),
            Node::Binary(op, a, b) => match op.symbol() {
                Some((symbol, own)) => {
                    let text =
                        format!("{} {symbol} {}", self.expr(*a, own), self.expr(*b, own + 1));
                    if own < level {
                        format!("({text})")
                    } else {
                        text
                    }
                }
                None => format!("{}({}, {})", op.name(), self.expr(*a, 0), self.expr(*b, 0)),
            },
            Node::Select(c, a, b) => format!("select({})", self.list(&[*c, *a, *b])),
            Node::Cast(leaf, a) => {
                let text = format!("{} as {}", self.expr(*a, 8), leaf.name());
                if level > 8 { format!("({text})") } else { text }
            }
            Node::Bitcast(leaf, a) => format!("bits::<{}>({})", leaf.name(), self.expr(*a, 0)),
            Node::Math(f, arguments) => format!("{}({})", f.name(), self.list(arguments)),
            Node::Foreign(f, values) => {
                let (body, arguments) = values.split_last().expect("what the body says");
                let (arguments, body) = (self.list(arguments), self.expr(*body, 0));
                format!("foreign {}({arguments}; {body})", f.name)
            }
            Node::OnCuda => "on_cuda()".to_owned(),
            Node::Routine {
                routine,
                extents,
                arguments,
            } => {
                let results: Vec<String> = (routine.results.iter().enumerate())
                    .map(|(k, (leaf, _))| {
                        format!("[{}]{}", self.list(&extents[routine.axes(k)]), leaf.name())
                    })
                    .collect();
                let arguments = self.list(arguments);
                format!("{}({arguments}) -> {}", routine.path, results.join(", "))
            }
            Node::Index { array, indices } => {
                format!("{}[{}]", self.expr(*array, 9), self.list(indices))
            }
            Node::Guard {
                condition,
                site,
                values,
                value,
            } => format!(
                "guard({}, #{} [{}], {})",
                self.expr(*condition, 0),
                site.0,
                self.list(values),
                self.expr(*value, 0)
            ),
            Node::Demand {
                effect,
                value,
                required,
            } => {
                let name = if *required { "demand" } else { "anticipate" };
                format!("{name}({})", self.list(&[*effect, *value]))
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.expr(*condition, 0);
                let scopes = self.regions[&id].clone();
                let then = self.region(scopes[0], depth, then);
                let otherwise = self.region(scopes[1], depth, otherwise);
                format!("if {condition} {then} else {otherwise}")
            }
            Node::Loop {
                state,
                initial,
                condition,
                next,
            } => {
                let initial = self.list(initial);
                let scope = self.regions[&id][0];
                let state = self.bind(state);
                let indent = "  ".repeat(depth);
                let text = self.block(scope, depth + 1, |printer| {
                    vec![
                        format!("while {}", printer.expr(*condition, 0)),
                        format!("next {}", printer.list(next)),
                    ]
                });
                format!("loop({initial}, |{state}| {{\n{text}{indent}}})")
            }
            Node::Generate {
                extents,
                vars,
                element,
            } => {
                let extents = self.shape(extents);
                let scope = self.regions[&id][0];
                let vars = self.bind(vars);
                let body = self.region(scope, depth, &[*element]);
                format!("generate({extents}, |{vars}| {body})")
            }
            Node::Reduce {
                extents,
                vars,
                elements,
                left,
                right,
                combined,
                initial,
                commutes,
            } => {
                let (extents, vars, body) = self.domain(id, extents, vars, elements, depth);
                let operator = self.operator(id, left, right, combined, depth);
                let initial = match initial {
                    Some(initial) => format!(", {}", self.list(initial)),
                    None => String::new(),
                };
                let order = if *commutes { "" } else { ", in order" };
                format!("reduce({extents}, |{vars}| {body}, {operator}{initial}{order})")
            }
            Node::Scan {
                extents,
                vars,
                elements,
                left,
                right,
                combined,
            } => {
                let (extents, vars, body) = self.domain(id, extents, vars, elements, depth);
                let operator = self.operator(id, left, right, combined, depth);
                format!("scan({extents}, |{vars}| {body}, {operator})")
            }
            Node::Scatter {
                defaults,
                extents,
                vars,
                condition,
                at,
                elements,
                left,
                right,
                combined,
                once,
            } => {
                let defaults = self.shape(defaults);
                let points = [&[*condition][..], at, elements].concat();
                let (extents, vars, body) = self.domain(id, extents, vars, &points, depth);
                let operator = match once {
                    Some(site) => format!("once #{}", site.0),
                    None => self.operator(id, left, right, combined, depth),
                };
                format!("scatter({defaults}, {extents}, |{vars}| {body}, {operator})")
            }
            Node::Compact {
                count,
                extents,
                vars,
                condition,
                elements,
            } => {
                let points = [&[*condition][..], elements].concat();
                let (extents, vars, body) = self.domain(id, extents, vars, &points, depth);
                format!(
                    "compact({}, {extents}, |{vars}| {body})",
                    self.expr(*count, 0)
                )
            }
            Node::Sort {
                extents,
                vars,
                elements,
                keys,
                left,
                right,
                less,
            } => {
                let (extents, vars, body) = self.domain(id, extents, vars, elements, depth);
                let less = less.iter().copied().collect::<Vec<_>>();
                let by = match &less[..] {
                    [] => keys.to_string(),
                    less => self.operator(id, left, right, less, depth),
                };
                format!("sort({extents}, |{vars}| {body}, by {by})")
            }
            Node::Project(bundle, k) => {
                let single = match program.ty(*bundle) {
                    Type::Bundle(parts) => parts.len() == 1,
                    Type::Scalar(_) | Type::Array(..) => false,
                };
                let bundle = self.expr(*bundle, 9);
                if single {
                    bundle
                } else {
                    format!("{bundle}.{k}")
                }
            }
            Node::Materialize(array) => format!("materialize({})", self.expr(*array, 0)),
        }
    }

    /// The name of a combining operation that is a single binary one of its operands.
    fn known_operator(&self, left: &[Var], right: &[Var], combined: &[Id]) -> Option<&'static str> {
        let ([left], [right], [combined]) = (left, right, combined) else {
            return None;
        };
        let is = |id: &Id, var: &Var| *self.program.node(*id) == Node::Variable(*var);
        match self.program.node(*combined) {
            Node::Binary(op, a, b) if is(a, left) && is(b, right) => Some(op.name()),
            _ => None,
        }
    }

    fn list(&mut self, ids: &[Id]) -> String {
        comma(ids.iter().map(|&id| self.expr(id, 0)))
    }

    /// The extents, variables and elements of a reduction or scan.
    fn domain(
        &mut self,
        id: Id,
        extents: &[Id],
        vars: &[Var],
        elements: &[Id],
        depth: usize,
    ) -> (String, String, String) {
        let extents = self.shape(extents);
        let scope = self.regions[&id][0];
        let vars = self.bind(vars);
        (extents, vars, self.region(scope, depth, elements))
    }

    /// The operator of a reduction or scan.
    fn operator(
        &mut self,
        id: Id,
        left: &[Var],
        right: &[Var],
        combined: &[Id],
        depth: usize,
    ) -> String {
        if let Some(name) = self.known_operator(left, right, combined) {
            return name.to_owned();
        }
        let operands = format!("{}; {}", self.bind(left), self.bind(right));
        let scope = self.regions[&id][1];
        let combined = self.region(scope, depth, combined);
        format!("|{operands}| {combined}")
    }

    fn shape(&mut self, extents: &[Id]) -> String {
        match extents {
            [extent] => self.expr(*extent, 0),
            _ => format!("({})", self.list(extents)),
        }
    }
}

fn comma(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join(", ")
}

fn tuple(mut parts: Vec<String>) -> String {
    match parts.len() {
        1 => parts.remove(0),
        _ => format!("({})", comma(parts)),
    }
}
