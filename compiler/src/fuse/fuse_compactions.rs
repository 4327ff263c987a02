//! What follows a compaction is computed over its source: the compacted array need not be there.
//!
//! In: a program in which compactions are read anywhere. Out: the same function, where
//! `generate(count, |i| f(kept[i]))` has become a compaction of `f(x)`, a compaction of what is kept one by both
//! conditions, and `reduce(count, |i| f(kept[i]), op)` a reduction of the source that passes over what is not kept: by
//! the operator's identity, or with a flag that says whether there is anything yet. So operands keep their order, and
//! an initial value still enters once.

use crate::fuse::analysis::estimate::{self, Binder};
use crate::fuse::rewrite::Rewrite;
use crate::ir::walk::{self, fallible, inside};
use crate::ir::{Id, Node, Output, Program, QuickMap, Type, Var};
use crate::scalar::{Binary, Leaf, Scalar};
use crate::sorted::SortedSet;

/// See the module.
pub(in crate::fuse) fn run(program: Program) -> Program {
    let any = |id: &Id| matches!(program.node(*id), Node::Compact { .. });
    if !program.ids().any(|id| any(&id)) {
        return program;
    }
    let binders = estimate::binders(&program);
    let whole = whole(&program);
    let mut fuser = Fuser {
        program,
        binders,
        whole,
        stored: SortedSet::new(),
        states: QuickMap::default(),
        done: QuickMap::default(),
    };
    let mut outputs = std::mem::take(&mut fuser.program.outputs);
    let mut checks = std::mem::take(&mut fuser.program.checks);
    for check in &mut checks {
        check.condition = fuser.rewrite(check.condition);
        for value in &mut check.values {
            *value = fuser.rewrite(*value);
        }
    }
    for output in &mut outputs {
        match output {
            Output::Scalar(leaves) => {
                for leaf in leaves {
                    *leaf = fuser.rewrite(*leaf);
                }
            }
            Output::Array { extents, leaves } => {
                for id in extents.iter_mut().chain(leaves) {
                    *id = fuser.rewrite(*id);
                }
            }
        }
    }
    let mut program = fuser.program;
    (program.outputs, program.checks) = (outputs, checks);
    if cfg!(debug_assertions)
        && let Err(message) = program.verify()
    {
        panic!(
            "after fusing compactions: {message}\n{program}\nthis is a bug in accelerate: please report it"
        );
    }
    program
}

/// The condition of a compaction as its count has it: the checks that have gone from one, because the other makes them, are made
/// by the one kernel that gives both.
fn counted(program: &mut Program, bundle: Id) -> Option<Id> {
    let Node::Compact {
        count,
        extents,
        vars,
        ..
    } = program.node(bundle)
    else {
        return None;
    };
    let Node::Project(reduction, _) = *program.node(*count) else {
        return None;
    };
    let Node::Reduce {
        extents: domain,
        vars: counters,
        elements,
        ..
    } = program.node(reduction)
    else {
        return None;
    };
    let ([element], [var], [counter]) = (&elements[..], &vars[..], &counters[..]) else {
        return None;
    };
    let (Node::Cast(_, condition), true) = (program.node(*element), domain == extents) else {
        return None;
    };
    let (condition, var, counter) = (*condition, *var, *counter);
    let at = program.add(Node::Variable(var));
    let here = QuickMap::from_iter([(counter, at)]);
    Some(program.substitute(condition, &here))
}

/// Arrays, and bundles of them, that anybody needs but element by element.
fn whole(program: &Program) -> SortedSet<Id> {
    let mut whole = SortedSet::new();
    let mut need = |id: Id| {
        whole.insert(id);
        if let Node::Project(bundle, _) = *program.node(id) {
            whole.insert(bundle);
        }
    };
    for output in &program.outputs {
        if let Output::Array { leaves, .. } = output {
            leaves.iter().for_each(|&leaf| need(leaf));
        }
    }
    for id in walk::reachable(program, program.roots()) {
        match program.node(id) {
            Node::Index { array, indices } => {
                let own = |&index: &Id| matches!(program.node(index), Node::Variable(_));
                if !indices.iter().all(own) {
                    need(*array);
                }
            }
            Node::Project(..) => {}
            node => node.operands(|operand| {
                if matches!(program.ty(operand), Type::Array(..)) {
                    need(operand);
                }
            }),
        }
    }
    whole
}

struct Fuser {
    program: Program,
    binders: QuickMap<Var, Binder>,
    whole: SortedSet<Id>,
    /// Of the new compactions those that are stored in any case.
    stored: SortedSet<Id>,
    states: QuickMap<Var, Var>,
    done: QuickMap<Id, Id>,
}

/// A domain that reads compactions of one condition where it stands, over their source.
struct Source {
    extents: Vec<Id>,
    condition: Id,
    /// What was computed at each point.
    elements: Vec<Id>,
    /// One of the compactions.
    bundle: Id,
}

impl Rewrite for Fuser {
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
        self.rewrite(id)
    }
}

impl Fuser {
    fn rewrite(&mut self, id: Id) -> Id {
        if let Some(&to) = self.done.get(&id) {
            return to;
        }
        let mut node = self.node(id);
        let counted = counted(&mut self.program, id);
        if let (Node::Compact { condition, .. }, Some(counted)) = (&mut node, counted) {
            *condition = counted;
        }
        node.map_operands(|operand| self.rewrite(operand));
        let fused = match &node {
            Node::Generate {
                extents,
                vars,
                element,
            } => {
                let source = self.source(extents, vars, &[*element]);
                let here = self
                    .program
                    .free(*element)
                    .iter()
                    .any(|var| !vars.contains(var));
                // Within a row, what all rows have in common is compacted once.
                let source =
                    source.filter(|source| self.is_nested(source) || !(here || self.works(source)));
                source.map(|source| {
                    let bundle = self.program.add(Node::Compact {
                        count: extents[0],
                        extents: source.extents,
                        vars: vars.clone(),
                        condition: source.condition,
                        elements: source.elements,
                    });
                    self.program.keep_labels(id, bundle);
                    (bundle, self.program.add(Node::Project(bundle, 0)))
                })
            }
            Node::Compact {
                count,
                extents,
                vars,
                condition,
                elements,
            } => {
                let points = [&[*condition][..], elements].concat();
                self.source(extents, vars, &points).map(|mut source| {
                    let elements = source.elements.split_off(1);
                    let no = self.program.bool(false);
                    let both = self.chosen(source.condition, &source.elements, &[no]);
                    let bundle = self.program.add(Node::Compact {
                        count: *count,
                        extents: source.extents,
                        vars: vars.clone(),
                        condition: both[0],
                        elements,
                    });
                    (bundle, bundle)
                })
            }
            Node::Reduce {
                extents,
                vars,
                elements,
                ..
            } => {
                let source = self.source(extents, vars, elements);
                let source = source.filter(|source| self.pays(&node, source));
                source.map(|source| {
                    let bundle = self.passing_over(&node, source);
                    (bundle, bundle)
                })
            }
            _ => None,
        };
        let to = match fused {
            Some((bundle, to)) => {
                if self.whole.contains(&id) {
                    self.stored.insert(bundle);
                }
                to
            }
            None => self.program.add(node),
        };
        if self.whole.contains(&id) {
            self.stored.insert(to);
        }
        self.program.keep_labels(id, to);
        self.done.insert(id, to);
        to
    }

    /// The source of a domain, if `elements` use its variable to read what was compacted there, and for nothing else.
    fn source(&mut self, extents: &[Id], vars: &[Var], elements: &[Id]) -> Option<Source> {
        let ([count], [var]) = (extents, vars) else {
            return None;
        };
        let at = self.program.find(&Node::Variable(*var))?;
        let depends = |program: &Program, id: Id| program.free(id).contains(var);
        let (mut reads, mut seen) = (Vec::new(), SortedSet::new());
        let mut open = elements.to_vec();
        while let Some(id) = open.pop() {
            if !depends(&self.program, id) || !seen.insert(id) {
                continue;
            }
            if let Node::Index { array, indices } = self.program.node(id)
                && *indices == [at]
                && let Node::Project(bundle, k) = *self.program.node(*array)
                && let Node::Compact { count: own, .. } = self.program.node(bundle)
                && own == count
                && !depends(&self.program, bundle)
            {
                reads.push((id, bundle, k));
                continue;
            }
            if id == at {
                return None;
            }
            self.program.node(id).operands(|operand| open.push(operand));
        }
        let mut found: Option<Source> = None;
        let mut map = QuickMap::default();
        for (read, bundle, k) in reads {
            let Node::Compact {
                extents,
                vars,
                condition,
                elements,
                ..
            } = self.program.node(bundle).clone()
            else {
                return None;
            };
            let here = QuickMap::from_iter([(vars[0], at)]);
            let points = [condition, elements[k as usize]];
            let points = self.program.substitute_all(&points, &here);
            let source = found.get_or_insert(Source {
                extents: extents.clone(),
                condition: points[0],
                elements: Vec::new(),
                bundle,
            });
            if source.extents != extents || source.condition != points[0] {
                return None;
            }
            map.insert(read, points[1]);
        }
        let mut source = found?;
        let elements = elements.iter();
        source.elements = elements.map(|&id| self.swap(id, *var, &mut map)).collect();
        Some(source)
    }

    /// An expression with some nodes, which depend on `var`, replaced.
    fn swap(&mut self, id: Id, var: Var, map: &mut QuickMap<Id, Id>) -> Id {
        if let Some(&to) = map.get(&id) {
            return to;
        }
        if !self.program.free(id).contains(&var) {
            return id;
        }
        let mut node = self.program.node(id).clone();
        node.map_operands(|operand| self.swap(operand, var, map));
        let to = self.program.add(node);
        self.program.keep_labels(id, to);
        map.insert(id, to);
        to
    }

    /// Whether what is kept cannot be stored: it stands inside a body.
    fn is_nested(&self, source: &Source) -> bool {
        let domain = |var: &Var| (self.binders.get(var)).is_some_and(|by| by.extent.is_some());
        self.program.free(source.bundle).iter().any(domain)
    }

    /// Whether an element is work for several threads, which had better begin when it is known for which elements.
    fn works(&self, source: &Source) -> bool {
        let program = &self.program;
        let long = |id: Id| match program.node(id) {
            Node::Reduce { extents, .. } => extents
                .iter()
                .any(|&extent| !matches!(program.node(extent), Node::Constant(_))),
            _ => false,
        };
        let own = |element: Id| {
            walk::reachable(program, [element]).into_iter().any(|id| {
                let array = matches!(
                    program.node(id),
                    Node::Scan { .. } | Node::Scatter { .. } | Node::Sort { .. }
                );
                array && !program.free(id).is_disjoint(program.free(element))
            })
        };
        let mut elements = source.elements.iter();
        elements.any(|&element| inside(program, element).any(long) || own(element))
    }

    /// Whether a reduction had better read the source than what is kept of it: not where it runs more often than the
    /// compaction, or where that is dear and stored in any case.
    fn pays(&self, reduce: &Node, source: &Source) -> bool {
        let (program, bundle) = (&self.program, source.bundle);
        if self.is_nested(source) {
            return true;
        }
        if self.works(source) {
            return false;
        }
        let mut free = SortedSet::new();
        reduce.operands(|operand| free.extend(program.free(operand)));
        for var in reduce.bound() {
            free.remove(&var);
        }
        let Node::Compact {
            condition,
            elements,
            ..
        } = program.node(bundle)
        else {
            return false;
        };
        let dear = |&id: &Id| {
            inside(program, id)
                .any(|id| matches!(program.node(id), Node::Reduce { .. } | Node::Loop { .. }))
        };
        let dear = [condition].into_iter().chain(elements).any(dear);
        free.is_subset(program.free(bundle)) && !(dear && self.stored.contains(&bundle))
    }

    /// A reduction over the source that leaves out what is not kept.
    fn passing_over(&mut self, reduce: &Node, source: Source) -> Id {
        let Node::Reduce {
            vars,
            left,
            right,
            combined,
            initial,
            commutes,
            ..
        } = reduce.clone()
        else {
            unreachable!("no reduction: {reduce:?}");
        };
        let Source {
            extents,
            condition,
            elements,
            ..
        } = source;
        let identities: Option<Vec<Id>> = (0..elements.len())
            .map(|k| self.identity(left[k], right[k], combined[k]))
            .collect();
        if let Some(identities) = identities {
            let elements = self.chosen(condition, &elements, &identities);
            return self.program.add(Node::Reduce {
                extents,
                vars,
                elements,
                left,
                right,
                combined,
                initial,
                commutes,
            });
        }
        let mut zeros = Vec::new();
        for &element in &elements {
            let zero = Scalar::zero(self.program.leaf(element));
            zeros.push(self.program.constant(zero));
        }
        let mut elements = self.chosen(condition, &elements, &zeros);
        elements.push(condition);
        let [some_left, some_right] = [(); 2].map(|()| self.program.var(Type::Scalar(Leaf::Bool)));
        let [l, r] = [some_left, some_right].map(|var| self.program.add(Node::Variable(var)));
        let mut one = Vec::new();
        for (&left, &right) in left.iter().zip(&right) {
            let [a, b] = [left, right].map(|var| self.program.add(Node::Variable(var)));
            one.push(self.program.add(Node::Select(l, a, b)));
        }
        let both = self.program.binary(Binary::And, l, r);
        let mut combined = self.chosen(both, &combined, &one);
        combined.push(self.program.binary(Binary::Or, l, r));
        let yes = self.program.bool(true);
        self.program.add(Node::Reduce {
            extents,
            vars,
            elements,
            left: [&left[..], &[some_left]].concat(),
            right: [&right[..], &[some_right]].concat(),
            combined,
            initial: initial.map(|initial| [&initial[..], &[yes]].concat()),
            commutes,
        })
    }

    /// What changes nothing on either side of a known operator.
    fn identity(&mut self, left: Var, right: Var, combined: Id) -> Option<Id> {
        let Node::Binary(op, a, b) = *self.program.node(combined) else {
            return None;
        };
        let is = |id: Id, var: Var| *self.program.node(id) == Node::Variable(var);
        let both = (is(a, left) && is(b, right)) || (is(a, right) && is(b, left));
        let leaf = self.program.leaf(combined);
        let identity = Scalar::identity(op, leaf).filter(|_| both)?;
        Some(self.program.constant(identity))
    }

    /// Whether an element of a parameter is read where the domain around it has the array's extents.
    fn in_domain(&self, array: Id, indices: &[Id]) -> bool {
        let extents = self.program.extents(array);
        let own = |(&index, extent): (&Id, &Id)| match self.program.node(index) {
            Node::Variable(var) => {
                (self.binders.get(var)).is_some_and(|by| by.extent == Some(*extent))
            }
            _ => false,
        };
        matches!(self.program.node(array), Node::Input { .. })
            && indices.iter().zip(extents).all(own)
    }

    /// Some values or others, of which the latter are constants or variables; the former are evaluated only where they
    /// are demanded, unless that costs little and cannot hurt.
    fn chosen(&mut self, condition: Id, then: &[Id], otherwise: &[Id]) -> Vec<Id> {
        let there = evaluated(&self.program, condition);
        let harmless = |&id: &Id| {
            !fallible(&self.program, id)
                && inside(&self.program, id).all(|id| {
                    let leaf = |id: Id| self.program.leaf(id);
                    match self.program.node(id) {
                        _ if there.contains(&id) => true,
                        Node::Binary(Binary::Div | Binary::Rem, a, _) => leaf(*a).is_float(),
                        Node::Index { array, indices } => self.in_domain(*array, indices),
                        Node::Math(..)
                        | Node::Foreign(..)
                        | Node::If { .. }
                        | Node::Reduce { .. } => false,
                        _ => true,
                    }
                })
        };
        if then.iter().all(harmless) {
            let pairs = then.iter().zip(otherwise);
            return pairs
                .map(|(&a, &b)| match self.program.leaf(a) {
                    Leaf::Bool if *self.program.node(b) == no() => {
                        self.program.binary(Binary::And, condition, a)
                    }
                    _ => self.program.add(Node::Select(condition, a, b)),
                })
                .collect();
        }
        let bundle = self.program.add(Node::If {
            condition,
            then: then.to_vec(),
            otherwise: otherwise.to_vec(),
        });
        self.program.components(bundle)
    }
}

/// What is evaluated wherever a scalar is, as far as that is plain.
fn evaluated(program: &Program, id: Id) -> SortedSet<Id> {
    let (mut found, mut open) = (SortedSet::new(), vec![id]);
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        match program.node(id) {
            Node::If { condition, .. } | Node::Guard { condition, .. } => open.push(*condition),
            Node::Index { indices, .. } => open.extend(indices),
            Node::Loop { .. } | Node::Reduce { .. } => {}
            node => node.operands(|operand| open.push(operand)),
        }
    }
    found
}

/// The node of `false`.
fn no() -> Node {
    Node::Constant(Scalar::zero(Leaf::Bool))
}
