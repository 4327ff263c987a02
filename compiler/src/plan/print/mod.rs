//! The text of a plan, for people and snapshots: steps, then kernels with their bodies in compact pseudo-Rust.
//!
//! Values that are used once and have no name stand where they are used; all others have a line. Numbers of unnamed
//! values are given in order of appearance, per kernel, so the text does not depend on how the plan was made.

mod code;
mod stages;

use super::tiles::Schedule;
use super::{Argument, BufferId, Kernel, Meeting, Output, Phase, Plan, Skeleton, Step};
use crate::ir::Parameter;
use code::Code;
use std::fmt::{self, Display, Write};

impl Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer {
            plan: self,
            host: Code::new(&self.names, &[]),
            text: String::new(),
        };
        printer.plan();
        f.write_str(&printer.text)
    }
}

struct Printer<'a> {
    plan: &'a Plan,
    host: Code<'a>,
    text: String,
}

/// Two spaces per level, but for levels so deep that the text would be mostly that.
pub(super) fn indent(depth: usize) -> String {
    "  ".repeat(depth.min(DEEPEST))
}

/// Levels that are told apart.
const DEEPEST: usize = 32;

impl Printer<'_> {
    fn line(&mut self, depth: usize, line: impl Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{}{line}", indent(depth));
    }

    fn plan(&mut self) {
        let plan = self.plan;
        for step in &plan.steps {
            self.host.count_step(step);
        }
        for output in &plan.outputs {
            if let Output::Host(values)
            | Output::Array {
                extents: values, ..
            } = output
            {
                self.host.count(values);
            }
        }
        for buffer in &plan.buffers {
            self.host.count(&buffer.extents);
            self.host.count(&buffer.extents);
        }
        let head = self.head();
        self.line(0, head);
        self.steps(&plan.steps, 1);
        let outputs: Vec<String> = plan.outputs.iter().map(|out| self.output(out)).collect();
        let outputs = match &outputs[..] {
            [one] => one.clone(),
            more => format!("({})", more.join(", ")),
        };
        self.line(1, format!("return {outputs}"));
        for kernel in &plan.kernels {
            self.text.push('\n');
            self.kernel(kernel);
        }
        if !plan.notes.is_empty() {
            self.text.push('\n');
            for note in &plan.notes {
                self.line(0, format!("note: {}", note.text));
            }
        }
    }

    fn head(&mut self) -> String {
        let plan = self.plan;
        let mut extents = plan.extents.iter();
        let mut parts = Vec::new();
        for parameter in &plan.parameters {
            match parameter {
                Parameter::Scalars { name, leaves } => {
                    for (leaf, ty) in leaves {
                        parts.push(format!("{}: {}", join(name, leaf), ty.name()));
                    }
                }
                Parameter::Array {
                    name,
                    leaves,
                    consumed,
                    ..
                } => {
                    let extents = extents.next().map_or(&[][..], |values| values);
                    let shape = self.list(extents);
                    let consumed = if *consumed { "mut " } else { "" };
                    for (leaf, ty) in leaves {
                        let name = join(name, leaf);
                        parts.push(format!("{consumed}{name}: [{shape}]{}", ty.name()));
                    }
                }
            }
        }
        let cost = &plan.cost;
        format!(
            "plan {}({}): {} kernels, reads {} bytes, writes {}",
            plan.name,
            parts.join(", "),
            cost.kernels,
            cost.read,
            cost.written
        )
    }

    fn list(&mut self, values: &[super::Value]) -> String {
        let values: Vec<String> = values
            .iter()
            .map(|&value| self.host.use_of(value, 0))
            .collect();
        values.join(", ")
    }

    fn buffer(&self, id: BufferId) -> &str {
        &self.plan.buffers[id.0 as usize].name
    }

    fn output(&mut self, output: &Output) -> String {
        match output {
            Output::Host(values) => self.list(values),
            Output::Device(buffers)
            | Output::Array {
                leaves: buffers, ..
            } => {
                let names: Vec<&str> = buffers.iter().map(|&id| self.buffer(id)).collect();
                names.join(", ")
            }
        }
    }

    fn steps(&mut self, steps: &[Step], depth: usize) {
        for step in steps {
            self.step(step, depth);
        }
    }

    fn step(&mut self, step: &Step, depth: usize) {
        match step {
            Step::Compute(statement) => {
                let mut text = String::new();
                self.host.statement(statement, depth, &mut text);
                self.text.push_str(&text);
            }
            Step::Check {
                condition,
                site,
                values,
            } => {
                let condition = self.host.use_of(*condition, 0);
                let values = self.list(values);
                let message = self.plan.sites.get(site.0 as usize);
                let message = message.map_or("", |place| &place.message);
                self.line(
                    depth,
                    format!("check {condition} else \"{message}\" ({values})"),
                );
            }
            Step::Allocate(id) => {
                let buffer = &self.plan.buffers[id.0 as usize];
                let shape = self.list(&buffer.extents);
                let leaf = buffer.leaf.name();
                let name = &buffer.name;
                self.line(depth, format!("{name} = allocate [{shape}]{leaf}"));
            }
            Step::Fill { buffer, value } => {
                let line = format!("fill {} with {value}", self.buffer(*buffer));
                self.line(depth, line);
            }
            Step::Copy { buffer, of, last } => {
                let word = if *last { "own" } else { "copy" };
                let line = format!("{} = {word} {}", self.buffer(*buffer), self.buffer(*of));
                self.line(depth, line);
            }
            Step::Launch {
                kernel,
                buffers,
                scalars,
            } => {
                let name = &self.plan.kernels[kernel.0 as usize].name;
                let mut parts: Vec<String> = buffers
                    .iter()
                    .map(|&id| self.buffer(id).to_owned())
                    .collect();
                parts.extend(scalars.iter().map(|&value| self.host.use_of(value, 0)));
                self.line(depth, format!("launch {name}({})", parts.join(", ")));
            }
            Step::Routine {
                routine,
                arguments,
                results,
            } => {
                let mut parts = Vec::new();
                for argument in arguments {
                    parts.push(match *argument {
                        Argument::Array(id) => self.buffer(id).to_owned(),
                        Argument::Scalar(value) => self.host.use_of(value, 0),
                    });
                }
                parts.extend(results.iter().map(|&id| format!("out {}", self.buffer(id))));
                self.line(
                    depth,
                    format!("call {}({})", routine.path, parts.join(", ")),
                );
            }
            Step::Read { value, buffer } => {
                let value = self.host.name(*value);
                let line = format!("{value} = read {}", self.buffer(*buffer));
                self.line(depth, line);
            }
            Step::Release(id) => {
                let line = format!("release {}", self.buffer(*id));
                self.line(depth, line);
            }
            Step::Shrink { buffer, of } => {
                let mut extents = Vec::new();
                for &extent in &self.plan.buffers[buffer.0 as usize].extents {
                    extents.push(self.host.use_of(extent, 0));
                }
                let (name, of) = (self.buffer(*buffer), self.buffer(*of));
                let line = format!("{name} = shrink {of} to {}", extents.join(", "));
                self.line(depth, line);
            }
            Step::Share { buffer, of } => {
                let line = format!("{} = {}", self.buffer(*buffer), self.buffer(*of));
                self.line(depth, line);
            }
            Step::If {
                condition,
                then,
                otherwise,
                values,
                buffers,
            } => {
                let condition = self.host.use_of(*condition, 0);
                self.line(depth, format!("if {condition} {{"));
                self.steps(then, depth + 1);
                for join in values {
                    let line = self.host.assign(join.result, join.then);
                    self.line(depth + 1, line);
                }
                for join in buffers {
                    let line = format!("{} = {}", self.buffer(join.result), self.buffer(join.then));
                    self.line(depth + 1, line);
                }
                self.line(depth, "} else {");
                self.steps(otherwise, depth + 1);
                for join in values {
                    let line = self.host.assign(join.result, join.otherwise);
                    self.line(depth + 1, line);
                }
                for join in buffers {
                    let (to, from) = (self.buffer(join.result), self.buffer(join.otherwise));
                    let line = format!("{to} = {from}");
                    self.line(depth + 1, line);
                }
                self.line(depth, "}");
            }
            Step::Loop {
                values,
                buffers,
                test,
                condition,
                body,
            } => {
                for carry in values {
                    let line = self.host.assign(carry.state, carry.initial);
                    self.line(depth, line);
                }
                for carry in buffers {
                    let (to, from) = (self.buffer(carry.state), self.buffer(carry.initial));
                    let line = format!("{to} = {from}");
                    self.line(depth, line);
                }
                self.line(depth, "loop {");
                self.steps(test, depth + 1);
                let condition = self.host.use_of(*condition, 0);
                self.line(depth + 1, format!("while {condition}"));
                self.steps(body, depth + 1);
                for carry in values {
                    let line = self.host.assign(carry.state, carry.next);
                    self.line(depth + 1, line);
                }
                for carry in buffers {
                    let (to, from) = (self.buffer(carry.state), self.buffer(carry.next));
                    let line = format!("{to} = {from}");
                    self.line(depth + 1, line);
                }
                self.line(depth, "}");
            }
        }
    }

    fn kernel(&mut self, kernel: &Kernel) {
        let memories = kernel.memories();
        let mut code = Code::new(&kernel.names, &memories);
        code.count_kernel(kernel);
        let mut parts = Vec::new();
        for access in &kernel.buffers {
            let writes = if access.writes { "out " } else { "" };
            parts.push(format!("{writes}{}: []{}", access.name, access.leaf.name()));
        }
        for &value in &kernel.scalars {
            let leaf = kernel.types[value.0 as usize];
            parts.push(format!("{}: {}", code.name(value), leaf.name()));
        }
        let mut text = String::new();
        let _ = writeln!(text, "kernel {}({})", kernel.name, parts.join(", "));
        let _ = writeln!(text, "  {}", kernel.summary);
        match &kernel.skeleton {
            Skeleton::Elementwise(parts) => {
                for part in parts {
                    let over = code.domain(&part.vars, &part.extents);
                    let _ = writeln!(text, "  for each {over} {{");
                    if let Some(windows) = &part.windows {
                        let vars = part.vars.iter().map(|&var| code.name(var));
                        text.push_str(&windows.summary(&vars.collect::<Vec<String>>()));
                    }
                    code.statements(&part.body, 2, &mut text);
                    text.push_str("  }\n");
                }
            }
            Skeleton::Scatter {
                extents,
                vars,
                body,
                condition,
                index,
                fold,
                size,
                targets,
                meeting,
            } => {
                let over = code.domain(vars, extents);
                let _ = writeln!(text, "  for each {over} {{");
                code.statements(body, 2, &mut text);
                let names: Vec<&str> = (targets.iter())
                    .map(|&at| kernel.buffers[at].name.as_str())
                    .collect();
                let operator = code.operator(fold, 2, &mut text);
                let _ = writeln!(
                    text,
                    "    where {}: {}[{} < {}] = {operator}: {}{}",
                    code.use_of(*condition, 0),
                    names.join(", "),
                    code.use_of(*index, 0),
                    code.name(*size),
                    code.list(&fold.elements),
                    match meeting {
                        Meeting::Apart => String::new(),
                        Meeting::Never => ", each once".to_owned(),
                        Meeting::Locked { locks, .. } =>
                            format!(", with {}", kernel.buffers[*locks].name),
                        Meeting::Once { met, site } => {
                            format!(
                                ", each once by {} else #{}",
                                kernel.buffers[*met].name, site.0
                            )
                        }
                    },
                );
                text.push_str("  }\n");
            }
            Skeleton::Sort {
                extents,
                vars,
                body,
                length,
                read,
                parts,
                keys,
                by,
                items,
            } => {
                let over = code.domain(vars, extents);
                let length = code.use_of(*length, 0);
                let length = match read {
                    Some(places) => {
                        let [from, to] = places.map(|place| code.use_of(place, 0));
                        format!("{length} ({from}..{to} of them are read)")
                    }
                    None => length,
                };
                let _ = writeln!(
                    text,
                    "  for each {over} in rows of {length}, tiles of {items} {{"
                );
                code.statements(body, 2, &mut text);
                for (k, part) in parts.iter().enumerate() {
                    let names = part.buffers.map(|at| match at {
                        Some(at) => kernel.buffers[at].name.as_str(),
                        None => "nothing",
                    });
                    let [first, second] = names;
                    let second = match part.buffers[1] {
                        Some(_) => format!(", by way of {second}"),
                        None => String::new(),
                    };
                    let by = if k < *keys { "by" } else { "with" };
                    let element = code.use_of(part.element, 0);
                    let _ = writeln!(text, "    {by} {element}: {first}{second}");
                }
                text.push_str("  }\n");
                if let Some(by) = by {
                    let [left, right] = [&by.left, &by.right].map(|vars| code.list(vars));
                    let _ = writeln!(text, "  where {left} comes before {right} {{");
                    code.statements(&by.body, 2, &mut text);
                    let _ = writeln!(text, "    {}\n  }}", code.use_of(by.less, 0));
                }
            }
            Skeleton::Staged {
                extents,
                vars,
                rooms,
                stages,
                points: _,
            } => {
                let over = code.domain(vars, extents);
                let over = if over.is_empty() { "the whole" } else { &over };
                let _ = writeln!(text, "  for each row {over} {{");
                for room in rooms {
                    let (name, length, leaf) = (&room.name, room.length, room.leaf.name());
                    let _ = writeln!(text, "    own {name}: [{length}]{leaf}");
                }
                code.stages(stages, &memories, 2, &mut text);
                text.push_str("  }\n");
            }
            Skeleton::Rowwise {
                extents,
                vars,
                phases,
                tiles,
                products,
            } => {
                let over = code.domain(vars, extents);
                let over = if over.is_empty() { "the whole" } else { &over };
                let _ = writeln!(text, "  for each row {over} {{");
                if let Some(tiles) = tiles {
                    let column = code.name(vars[tiles.column]);
                    let row = tiles.row.map(|axis| code.name(vars[axis]));
                    let tile = |schedule: &Schedule| {
                        let [rows, columns, depth] = schedule.tile;
                        match &row {
                            Some(row) => format!("{rows} {row}, {columns} {column}, {depth} deep"),
                            None => format!("{columns} {column}, {depth} deep"),
                        }
                    };
                    let tiles: Vec<String> = tiles.schedules.iter().map(tile).collect();
                    let _ = writeln!(text, "    in tiles of {}", tiles.join("; or of "));
                }
                if products.is_some() {
                    text.push_str("    on a CPU products may be made first, for a block of rows\n");
                }
                for phase in phases {
                    match phase {
                        Phase::Uniform(statements) => code.statements(statements, 2, &mut text),
                        Phase::Fold {
                            extents,
                            vars,
                            body,
                            folds,
                        } => code.fold("together fold", extents, vars, body, folds, 2, &mut text),
                        Phase::Each {
                            extents,
                            vars,
                            body,
                        } => {
                            let over = code.domain(vars, extents);
                            let _ = writeln!(text, "    together for each {over} {{");
                            code.statements(body, 3, &mut text);
                            text.push_str("    }\n");
                        }
                        Phase::Scan {
                            extents,
                            vars,
                            body,
                            folds,
                            prefixes,
                            each,
                            after,
                        } => {
                            code.fold("together scan", extents, vars, body, folds, 2, &mut text);
                            code.each(prefixes, each, after, 2, &mut text);
                        }
                    }
                }
                text.push_str("  }\n");
            }
        }
        self.text.push_str(&text);
    }
}

fn join(name: &str, leaf: &str) -> String {
    match leaf {
        "" => name.to_owned(),
        leaf => format!("{name}.{leaf}"),
    }
}
