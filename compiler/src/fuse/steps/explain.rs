//! Why two launches are two: a note on every edge between kernels.
//!
//! In: groups of items in the order of their launches, with the edges that reach them from other groups. Out: notes
//! that name both sides and the reason, placed at the producer in the source. Contracts report them.

use crate::fuse::analysis::control::is_call;
use crate::fuse::item::Item;
use crate::fuse::planner::{Group, Launched, Planner, Shape};
use crate::ir::walk::inside;
use crate::ir::{Id, Node, Parameter, Program, Type};
use crate::plan::Note;
use crate::scalar::Binary;
use crate::spans::SpanId;

impl Planner<'_> {
    /// Tells why a group's kernel is another one than those before it.
    pub(in crate::fuse) fn explain(&mut self, group: &Group) {
        let Some(&first) = group.items.first() else {
            return;
        };
        let mut notes: Vec<Note> = Vec::new();
        for &(producer, consumer) in &group.after {
            notes.push(self.edge(producer, consumer));
        }
        if let Some(before) = self.launched.last()
            && notes.is_empty()
            && !self.exclude(before)
        {
            notes.push(self.neighbours(before, first, &group.shape));
        }
        for note in notes {
            if !self.notes.iter().any(|other| other.text == note.text) {
                self.notes.push(note);
            }
        }
        self.launched.push(Launched {
            item: first,
            shape: group.shape.clone(),
            around: self.around.clone(),
        });
    }

    fn is_hoisted(&self, bundle: Id) -> bool {
        let component = self.program.find(&Node::Project(bundle, 0));
        component.is_some_and(|id| self.sources.hoisted.contains(&id))
    }

    /// Whether a launch stands on the other side of a branch.
    fn exclude(&self, before: &Launched) -> bool {
        self.around.iter().any(|(id, part)| {
            let branch = matches!(self.program.node(*id), Node::If { .. });
            let other = |(other, side): &(Id, usize)| other == id && side != part;
            branch && before.around.iter().any(other)
        })
    }

    /// An item that needs what another kernel, or the host, computes.
    fn edge(&self, producer: Item, consumer: Item) -> Note {
        let program = &self.program;
        // A scalar that was lifted stands in a branch of its own.
        let producer = match producer {
            Item::Control(id) => match program.node(id) {
                Node::If { then, .. } if self.is_hoisted(id) => Item::Scalar(then[0]),
                _ => producer,
            },
            other => other,
        };
        let (from, to) = (name(program, producer), name(program, consumer));
        let text = match producer {
            Item::Array(id) => {
                let reason = match program.reasons.get(&id) {
                    Some(reason) => reason.as_str(),
                    None => "it is needed as a whole",
                };
                format!("{to} reads {from}, which is stored: {reason}")
            }
            Item::Fold(_)
            | Item::Scalar(_)
            | Item::Scatter(_)
            | Item::Compact(_)
            | Item::Sort(_)
            | Item::Routine(_) => {
                format!("{to} cannot begin before {from} is complete")
            }
            Item::Read(_) => {
                format!(
                    "the host waits for {from}, on which {to} depends in its size or in whether it runs"
                )
            }
            Item::Control(id) => match program.node(id) {
                Node::If { .. } if is_call(program, id) => {
                    format!("{to} uses {from}, which a foreign function gives")
                }
                Node::If { .. } => {
                    format!("{to} uses {from}, which comes out of a branch that the host takes")
                }
                _ => format!("{to} uses {from}, which comes out of a loop that the host runs"),
            },
            Item::Effect(_) => format!("{to} waits for the checks of {from}"),
        };
        Note {
            text,
            span: span(program, producer).or_else(|| span(program, consumer)),
            barrier: true,
        }
    }

    /// Two launches of which neither needs the other.
    fn neighbours(&self, before: &Launched, item: Item, shape: &Shape) -> Note {
        let program = &self.program;
        let (a, b) = (name(program, before.item), name(program, item));
        let text = if before.around != self.around {
            let inner = self
                .around
                .iter()
                .find(|part| !before.around.contains(part));
            let outer = before
                .around
                .iter()
                .find(|part| !self.around.contains(part));
            let between = inner.or(outer).map(|&(id, _)| id);
            let what = match between.map(|id| program.node(id)) {
                _ if between.is_some_and(|id| is_call(program, id)) => "a foreign function",
                Some(Node::If { .. }) => "a branch that the host takes",
                _ => "a loop that the host runs",
            };
            format!("{what} stands between {a} and {b}")
        } else if before.shape == *shape {
            format!("{a} and {b} are computed one by one")
        } else {
            let domain = |shape| domain(program, shape);
            let (x, y) = (domain(&before.shape), domain(shape));
            format!("{a} and {b} have different domains: {x}, and {y}")
        };
        Note {
            text,
            span: span(program, item).or_else(|| span(program, before.item)),
            barrier: true,
        }
    }
}

/// The nodes that may carry an item's name and place, best first.
fn carriers(program: &Program, item: Item) -> Vec<Id> {
    let id = item.id();
    let mut ids = vec![id];
    if let Some(component) = program.find(&Node::Project(id, 0)) {
        ids.push(component);
    }
    if let Node::Materialize(inner) | Node::Project(inner, _) = program.node(id) {
        ids.push(*inner);
    }
    ids
}

/// An item as the user knows it.
fn name(program: &Program, item: Item) -> String {
    if let Item::Control(id) = item {
        return state_name(program, id);
    }
    let carriers = carriers(program, item);
    let mut names = carriers.iter().filter_map(|id| program.names.get(id));
    match names
        .clone()
        .find(|name| *name != "result")
        .or(names.next())
    {
        Some(name) if name == "result" => "the result".to_owned(),
        Some(name) => format!("`{name}`"),
        None => match program.ty(item.id()) {
            Type::Array(..) => "an array".to_owned(),
            Type::Scalar(_) => "a scalar".to_owned(),
            Type::Bundle(_) if matches!(item, Item::Scatter(_)) => "a scatter".to_owned(),
            Type::Bundle(_) if matches!(item, Item::Compact(_)) => "what is kept".to_owned(),
            Type::Bundle(_) if matches!(item, Item::Sort(_)) => "a sort".to_owned(),
            Type::Bundle(_) => "a reduction".to_owned(),
        },
    }
}

/// What comes out of a branch or a loop.
fn state_name(program: &Program, id: Id) -> String {
    let Type::Bundle(types) = program.ty(id) else {
        return "the state".to_owned();
    };
    let arrays = (0..types.len() as u32)
        .filter(|&k| matches!(types[k as usize], Type::Array(..)) || types.len() == 1);
    let component = |k: u32| program.names.get(&program.find(&Node::Project(id, k))?);
    let state = |k: u32| match program.node(id) {
        Node::Loop { state, .. } => program.var_names.get(&state[k as usize]),
        _ => None,
    };
    let mut names = arrays.filter_map(|k| state(k).or_else(|| component(k)));
    match names.find(|name| *name != "result") {
        Some(name) => format!("`{name}`"),
        None => "what comes out".to_owned(),
    }
}

fn span(program: &Program, item: Item) -> Option<SpanId> {
    let carriers = carriers(program, item);
    let own = carriers.iter().find_map(|id| program.spans.get(id));
    let inner = || {
        let mut ids = inside(program, item.id());
        ids.find_map(|id| program.spans.get(&id))
    };
    own.or_else(inner).copied()
}

/// The domain of a kernel in words.
fn domain(program: &Program, shape: &Shape) -> String {
    let extents = match shape {
        Shape::Points(extents)
        | Shape::Rows(extents)
        | Shape::Products(extents, _)
        | Shape::Whole(extents)
        | Shape::Scans(extents)
        | Shape::Scatter(extents)
        | Shape::Sort(extents) => extents,
        Shape::Alone => return "no domain".to_owned(),
    };
    let parts: Vec<String> = extents.iter().map(|&id| extent(program, id)).collect();
    let parts = parts.join(", ");
    match shape {
        Shape::Rows(_) => format!("rows over ({parts})"),
        Shape::Products(_, folded) => {
            let folded = extent(program, *folded);
            format!("products over ({parts}), each a fold of {folded}")
        }
        Shape::Whole(_) => format!("a reduction of ({parts})"),
        Shape::Scans(_) => format!("a scan of ({parts})"),
        Shape::Scatter(_) => format!("a scatter of ({parts})"),
        Shape::Sort(_) => format!("a sort of ({parts})"),
        _ if extents.is_empty() => "a single scalar".to_owned(),
        _ => format!("({parts})"),
    }
}

/// An extent as the user would write it.
fn extent(program: &Program, id: Id) -> String {
    let infix =
        |op: &str, a: Id, b: Id| format!("{} {op} {}", extent(program, a), extent(program, b));
    match program.node(id) {
        Node::Constant(scalar) => scalar.bits.to_string(),
        Node::Extent { array, axis } => {
            let mut arrays = program
                .parameters
                .iter()
                .filter_map(|parameter| match parameter {
                    Parameter::Array { name, rank, .. } => Some((name, *rank)),
                    Parameter::Scalars { .. } => None,
                });
            match arrays.nth(*array as usize) {
                Some((name, 1)) => format!("{name}.len()"),
                Some((name, _)) => format!("{name}.shape().{axis}"),
                None => "..".to_owned(),
            }
        }
        _ if program.names.contains_key(&id) => program.names[&id].clone(),
        Node::Binary(Binary::Add, a, b) => infix("+", *a, *b),
        Node::Binary(Binary::Sub, a, b) => infix("-", *a, *b),
        Node::Binary(Binary::Mul, a, b) => infix("*", *a, *b),
        _ => "..".to_owned(),
    }
}
