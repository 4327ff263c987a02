//! Speculative reads are predicated: out of bounds they are zero.
//!
//! In: a program after `speculate`, and conditions that are evaluated speculatively. Out: the same program, in which the reads of
//! arrays and scalars that may be evaluated without demand test their bounds, unless these follow from the domains around the
//! reads. A closed scalar leaves the bodies that need it, and so the domains that may be empty and the branches whose conditions
//! kept its reads in bounds: `m.rows()[0].sum()` in a closure over the elements of another array, which may have none when `m` has
//! no rows. So does an array that is stored for all values of a variable, and the check around it. Failures are the matter of
//! `speculate` and `hoist`.

use crate::fuse::analysis::control::{closed, is_apart};
use crate::fuse::analysis::estimate::{self, Binder};
use crate::fuse::analysis::reads::unproven;
use crate::fuse::analysis::rounds;
use crate::fuse::demand::regions::{Around, reached};
use crate::fuse::rewrite::Rewrite;
use crate::ir::scopes::regions;
use crate::ir::walk::{self, fallible, inside};
use crate::ir::{Id, Node, Program, QuickMap, Type, Var};
use crate::pass::index::Index;
use crate::scalar::{Binary, Scalar};
use crate::sorted::{SortedMap, SortedSet};

/// See the module.
pub(in crate::fuse) fn run((program, speculative): (Program, SortedSet<Id>)) -> Program {
    let mut ranges = Index::with_checks(&program);
    let live = walk::reachable(&program, program.roots());
    let asks = live.into_iter().filter_map(|id| {
        let axes = unproven(&program, &mut ranges, id);
        (!axes.is_empty()).then_some((id, axes))
    });
    let unproven: SortedMap<Id, Vec<(Id, Id)>> = asks.collect();
    if unproven.is_empty() {
        return program;
    }
    let mut rewriter = Rewriter {
        binders: estimate::binders(&program),
        reached: reached(&program),
        program: program.clone(),
        ranges,
        unproven,
        shared: speculative,
        hoisted: rounds::hoisted(&program),
        states: QuickMap::default(),
        done: QuickMap::default(),
    };
    // What is speculative anywhere is so everywhere: an extent, say, has one value.
    loop {
        let known = rewriter.shared.len();
        rewriter.outputs();
        if rewriter.shared.len() == known {
            return rewriter.program;
        }
        rewriter.program = program.clone();
        rewriter.ranges = Index::with_checks(&program);
        rewriter.states.clear();
        rewriter.done.clear();
    }
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// In no body.
    Outside,
    /// In the body of something that is computed only if it is demanded.
    Demanded,
    /// In what may be computed whether or not it is demanded; the condition of the innermost branch around it there, and
    /// whether it holds.
    Speculative(Option<(Id, bool)>),
}

struct Rewriter {
    program: Program,
    ranges: Index,
    binders: QuickMap<Var, Binder>,
    reached: QuickMap<Id, Around>,
    /// Reads that may be out of bounds by themselves: the indices that may be too large, and for what extents.
    unproven: SortedMap<Id, Vec<(Id, Id)>>,
    /// What depends on no variable and is speculative somewhere.
    shared: SortedSet<Id>,
    /// Checks of the host.
    hoisted: SortedSet<Id>,
    states: QuickMap<Var, Var>,
    done: QuickMap<(Id, Place), Id>,
}

impl Rewrite for Rewriter {
    fn program(&mut self) -> &mut Program {
        &mut self.program
    }

    fn states(&mut self) -> &mut QuickMap<Var, Var> {
        &mut self.states
    }

    fn binders(&mut self) -> Option<&mut QuickMap<Var, Binder>> {
        Some(&mut self.binders)
    }

    fn extent(&mut self, id: Id) -> Id {
        self.rewrite(id, Place::Outside)
    }
}

impl Rewriter {
    fn outputs(&mut self) {
        let mut outputs = std::mem::take(&mut self.program.outputs);
        for output in &mut outputs {
            output.map_roots(|id| self.rewrite(id, Place::Outside));
        }
        self.program.outputs = outputs;
    }

    fn rewrite(&mut self, id: Id, place: Place) -> Id {
        let place = self.place(id, place);
        if let Some(&to) = self.done.get(&(id, place)) {
            return to;
        }
        let mut node = self.node(id);
        match (&mut node, place) {
            (
                Node::If {
                    condition,
                    then,
                    otherwise,
                },
                Place::Speculative(_),
            ) => {
                for (side, holds) in [(then, true), (otherwise, false)] {
                    let inner = Place::Speculative(Some((*condition, holds)));
                    side.iter_mut()
                        .for_each(|id| *id = self.rewrite(*id, inner));
                }
                *condition = self.rewrite(*condition, place);
                return self.done(id, place, node);
            }
            (
                Node::Guard {
                    condition,
                    values,
                    value,
                    ..
                },
                Place::Speculative(_),
            ) => {
                *value = self.rewrite(*value, Place::Speculative(Some((*condition, true))));
                values
                    .iter_mut()
                    .for_each(|id| *id = self.rewrite(*id, place));
                *condition = self.rewrite(*condition, place);
                return self.done(id, place, node);
            }
            // The reductions are computed before the guard, those that may fail by `hoist` only if it holds.
            (
                Node::Guard {
                    condition, value, ..
                },
                Place::Outside,
            ) if !self.hoisted.contains(&id) => {
                let program = &self.program;
                let before: SortedSet<Id> = inside(program, *condition).collect();
                let reduce = |id: &Id| matches!(program.node(*id), Node::Reduce { .. });
                let own = inside(program, *value).filter(|id| !before.contains(id));
                let own: Vec<Id> = own.filter(reduce).collect();
                let own = own.into_iter();
                let own = own.filter(|&id| self.closed(id) && !fallible(&self.program, id));
                let own: Vec<Id> = own.collect();
                self.shared.extend(own);
            }
            _ => {}
        }
        let bodies = match &node {
            Node::Materialize(_) => Some(self.bodies(id)),
            Node::Scan { .. } | Node::Sort { .. } | Node::Scatter { .. } | Node::Compact { .. } => {
                Some(self.bodies(id))
            }
            Node::Reduce { .. } if place == Place::Outside => Some(Place::Demanded),
            Node::Generate { .. } => Some(place),
            _ => None,
        };
        let (outside, _) = regions(&node);
        node.map_operands(|operand| {
            let array = matches!(self.program.ty(operand), Type::Array(..));
            let inner = match bodies {
                // The generate that is stored is one body with it.
                Some(bodies) if matches!(self.program.node(operand), Node::Generate { .. }) => {
                    bodies
                }
                // An extent is one with all arrays that have it.
                Some(Place::Demanded) if outside.contains(&operand) => Place::Outside,
                _ if array => Place::Outside,
                Some(bodies) => bodies,
                None => place,
            };
            self.rewrite(operand, inner)
        });
        self.done(id, place, node)
    }

    fn done(&mut self, id: Id, place: Place, node: Node) -> Id {
        let mut to = self.program.add(node);
        self.program.keep_labels(id, to);
        if let Place::Speculative(under) = place
            && self.unproven.contains_key(&id)
        {
            to = self.within(id, to, under);
        }
        self.done.insert((id, place), to);
        to
    }

    /// A closed scalar that leaves the body that needs it is not demanded.
    fn place(&mut self, id: Id, place: Place) -> Place {
        let closed = self.closed(id);
        let program = &self.program;
        let leaves = closed
            && match place {
                Place::Speculative(_) => true,
                // The host takes one side, or goes round, before the body.
                _ if over_arrays(program, id) => self.bodies(id) != Place::Demanded,
                Place::Demanded => {
                    matches!(program.ty(id), Type::Scalar(_))
                        && is_apart(program, id)
                        && !fallible(program, id)
                }
                Place::Outside => false,
            };
        // What the host evaluates in any case has all that kept its reads in bounds around it.
        let always = self.reached.get(&id).is_some_and(|around| {
            let extents = around.extents(&self.program, id);
            around.is_unconditional() && extents.is_some_and(|extents| extents.is_empty())
        });
        if leaves && always {
            return Place::Outside;
        }
        if leaves {
            self.shared.insert(id);
        }
        match closed && self.shared.contains(&id) {
            true => Place::Speculative(None),
            false => place,
        }
    }

    /// Where the bodies of a stored array or bundle stand.
    fn bodies(&mut self, id: Id) -> Place {
        if !self.closed(id) {
            return Place::Demanded;
        }
        // It keeps as many elements as were counted.
        if let Node::Compact { count, .. } = self.program.node(id)
            && self.shared.contains(count)
        {
            return Place::Speculative(None);
        }
        let own = match self.program.node(id) {
            Node::Materialize(array) => self.program.extents(*array).to_vec(),
            Node::Scan { extents, .. } => extents.clone(),
            _ => Vec::new(),
        };
        let around = self.reached.get(&id);
        if around.is_some_and(|around| self.is_checked(around, id)) {
            return Place::Speculative(None);
        }
        let around = around.and_then(|around| around.extents(&self.program, id));
        let zero = self.program.usize(0);
        let demanded = around.is_some_and(|around| {
            around.iter().all(|extent| {
                own.contains(extent) || self.ranges.in_bounds(&self.program, zero, &[*extent])
            })
        });
        match demanded {
            true => Place::Demanded,
            false => Place::Speculative(None),
        }
    }

    /// Whether a check around a stored array or bundle may be what keeps its reads in bounds.
    fn is_checked(&self, around: &Around, id: Id) -> bool {
        if around.is_unconditional() {
            return false;
        }
        let node = match self.program.node(id) {
            Node::Materialize(array) => self.program.node(*array),
            node => node,
        };
        let (_, points) = regions(node);
        let mut points = points.into_iter().flatten();
        points.any(|point| inside(&self.program, point).any(|id| self.unproven.contains_key(&id)))
    }

    fn closed(&self, id: Id) -> bool {
        closed(&self.program, &self.binders, id)
    }

    /// A read if it is in bounds, else zero.
    fn within(&mut self, id: Id, read: Id, under: Option<(Id, bool)>) -> Id {
        let mut axes = self.unproven[&id].clone();
        self.ranges.push();
        if let Some((condition, holds)) = under {
            self.ranges.assume(&self.program, condition, holds);
        }
        for var in self.program.free(id).clone() {
            for fact in self.facts(var) {
                self.ranges.assume(&self.program, fact, true);
            }
        }
        let ranges = &mut self.ranges;
        axes.retain(|&(index, extent)| !ranges.in_bounds(&self.program, index, &[extent]));
        self.ranges.pop();
        let mut condition = None;
        for (index, extent) in axes {
            let index = self.rewrite(index, Place::Speculative(under));
            let extent = self.rewrite(extent, Place::Outside);
            let holds = self.program.binary(Binary::Lt, index, extent);
            condition = Some(match condition {
                Some(all) => self.program.binary(Binary::And, all, holds),
                None => holds,
            });
        }
        let Some(condition) = condition else {
            return read;
        };
        let nothing = Scalar::zero(self.program.leaf(read));
        let nothing = self.program.constant(nothing);
        let bundle = self.program.add(Node::If {
            condition,
            then: vec![read],
            otherwise: vec![nothing],
        });
        self.program.add(Node::Project(bundle, 0))
    }

    /// What holds for a variable of a domain besides that it is less than its extent.
    fn facts(&mut self, var: Var) -> Vec<Id> {
        let Some(mut extent) = self.binders.get(&var).and_then(|binder| binder.extent) else {
            return Vec::new();
        };
        while let Node::Demand { value, .. } = self.program.node(extent) {
            extent = *value;
        }
        let program = &mut self.program;
        let (at, zero) = (program.add(Node::Variable(var)), program.usize(0));
        match *program.node(extent) {
            // Of a segment that is none there are no elements.
            Node::Select(condition, some, none) if none == zero => {
                vec![condition, program.binary(Binary::Lt, at, some)]
            }
            // Of chunks there are whole ones.
            Node::Binary(Binary::Div, all, each) => {
                let one = program.usize(1);
                let next = program.binary(Binary::Add, at, one);
                let end = program.binary(Binary::Mul, next, each);
                vec![program.binary(Binary::Le, end, all)]
            }
            _ => Vec::new(),
        }
    }
}

/// A branch or a loop of which arrays come.
fn over_arrays(program: &Program, id: Id) -> bool {
    let is_array = |ty: &Type| matches!(ty, Type::Array(..));
    match (program.node(id), program.ty(id)) {
        (Node::If { .. } | Node::Loop { .. }, Type::Bundle(types)) => types.iter().any(is_array),
        _ => false,
    }
}
