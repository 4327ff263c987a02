//! What a program may give where something in it fails: an interval.
//!
//! At one end is strict evaluation, which meets all failures; at the other one lazy evaluation, which counts only what results
//! depend on, and assertions. What runs fails where lazy evaluation does, and fails nowhere but where strict evaluation does:
//! with one of its failures, of which it knows at least those of lazy evaluation when it tells the least. What the host can
//! tell by itself it tells first, and when it waits for a device, what is known by then.
//!
//! Operators of reductions, scans and scatters meet operands of some bracketing: what fails in them is told or not. Comparisons
//! of sorts meet some pairs, and some failure of theirs is told.

use crate::compare::columns;
use accelerate_compiler::ir::eval::{self, Failed};
use accelerate_compiler::ir::{Id, Node, Program, Site, Type, Var};
use accelerate_compiler::scalar::Scalar;
use accelerate_compiler::sorted::SortedSet;
use harness::value::Column;

/// The failures of a program on some arguments.
pub(crate) struct Interval {
    /// All that strict evaluation meets.
    failures: SortedSet<Failed>,
    /// What results depend on.
    pub(crate) lazy: Result<Vec<Column>, Failed>,
    places: Places,
}

/// Sites of a program that are special.
struct Places {
    /// In operators.
    operators: SortedSet<Site>,
    /// In comparisons.
    comparisons: SortedSet<Site>,
    /// Told by the host.
    host: SortedSet<Site>,
    /// Whether the host waits for a device somewhere.
    waits: bool,
}

impl Interval {
    /// Of arguments on which strict evaluation meets these failures, if any, else gives this.
    pub(crate) fn new(
        program: &Program,
        scalars: &[Scalar],
        arrays: &[eval::Array],
        failures: SortedSet<Failed>,
        answer: Option<&[Column]>,
    ) -> Interval {
        let lazy = match answer {
            Some(answer) => Ok(answer.to_vec()),
            None => eval::eval_lazily(program, scalars, arrays).map(|outputs| columns(&outputs)),
        };
        Interval {
            failures,
            lazy,
            places: Places::of(program),
        }
    }

    /// Whether anything may be told, or nothing.
    pub(crate) fn is_open(&self) -> bool {
        let operators = &self.places.operators;
        (self.failures.iter()).any(|failed| operators.contains(&failed.site))
    }

    /// The failures that may be told.
    pub(crate) fn failures(&self) -> impl Iterator<Item = &Failed> {
        self.failures.iter().filter(|failed| match &self.lazy {
            Ok(_) => true,
            Err(least) => {
                let Places { host, waits, .. } = &self.places;
                *failed <= least || *waits || host.contains(&failed.site)
            }
        })
    }

    /// Places at which any failure may be told.
    pub(crate) fn anywhere(&self) -> impl Iterator<Item = Site> {
        let Places {
            operators,
            comparisons,
            ..
        } = &self.places;
        operators.iter().chain(comparisons).copied()
    }
}

impl Places {
    fn of(program: &Program) -> Places {
        let mut places = Places {
            operators: SortedSet::new(),
            comparisons: SortedSet::new(),
            host: SortedSet::new(),
            waits: false,
        };
        for id in program.ids() {
            let node = program.node(id);
            match node {
                Node::Reduce {
                    left,
                    right,
                    combined,
                    ..
                }
                | Node::Scan {
                    left,
                    right,
                    combined,
                    ..
                }
                | Node::Scatter {
                    left,
                    right,
                    combined,
                    ..
                } => {
                    let vars = [&left[..], right].concat();
                    places.operators.extend(checks(program, &vars, combined));
                }
                Node::Sort {
                    left, right, less, ..
                } => {
                    let vars = [&left[..], right].concat();
                    let less: Vec<Id> = less.iter().copied().collect();
                    places.comparisons.extend(checks(program, &vars, &less));
                }
                Node::Guard {
                    condition, site, ..
                } if is_known(program, *condition) => {
                    places.host.insert(*site);
                }
                _ => {}
            }
            let arrays = |id: &Id| matches!(program.ty(*id), Type::Array(..));
            places.waits |= match node {
                Node::Loop { initial, .. } => initial.iter().any(arrays),
                Node::If { then, .. } => then.iter().any(arrays),
                Node::Compact { .. } => true,
                _ => match program.ty(id) {
                    Type::Array(_, extents) => {
                        let closed = extents.iter().filter(|id| program.free(**id).is_empty());
                        closed.into_iter().any(|&extent| !is_known(program, extent))
                    }
                    _ => false,
                },
            };
        }
        places
    }
}

/// What may fail in these and depends on these variables.
fn checks(program: &Program, vars: &[Var], roots: &[Id]) -> SortedSet<Site> {
    let mut sites = SortedSet::new();
    let (mut seen, mut open) = (SortedSet::new(), roots.to_vec());
    while let Some(id) = open.pop() {
        let free = program.free(id);
        if !vars.iter().any(|var| free.contains(var)) || !seen.insert(id) {
            continue;
        }
        if let Node::Guard { site, .. } = program.node(id) {
            sites.insert(*site);
        }
        program.node(id).operands(|operand| open.push(operand));
    }
    sites
}

/// Whether the host knows a scalar before anything runs.
fn is_known(program: &Program, id: Id) -> bool {
    match program.node(id) {
        Node::Constant(_) | Node::Parameter(_) | Node::Extent { .. } => true,
        node @ (Node::Unary(..)
        | Node::Binary(..)
        | Node::Select(..)
        | Node::Cast(..)
        | Node::Bitcast(..)
        | Node::Guard { .. }
        | Node::Demand { .. }) => {
            let mut known = true;
            node.operands(|operand| known &= is_known(program, operand));
            known
        }
        _ => false,
    }
}
