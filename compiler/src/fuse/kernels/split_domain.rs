//! Index-set splitting: an array that is put together (`concat`, `stack`, `interleave`, `pad`, or by hand) chooses for each element,
//! by its index, the producer that it comes from. Where memory is all that wants the array, each producer stores its own
//! elements to their places instead, as Obsidian's push arrays do, and nothing is chosen.
//!
//! In: a domain and what is stored at its points. Out: domains that together store the same, each without the choice.
//! A consumer that reads such an array at an index of its own, in a gather, a stencil or a fold, chooses as before.
//!
//! On a GPU a choice costs twice: both producers are demanded by the threads that stand around a border (by all threads
//! of an alternating array), and their reads, being in branches, cannot be made 16 bytes at a time. On the CPU lanes it
//! costs always: both sides are evaluated under masks, and an alternating array's reads are gathers. A part has plain reads
//! and stores, at an offset or a stride. Parts over domains of one size become one, whose points store an element of each.

use crate::fuse::analysis::indices::{self, Poly};
use crate::fuse::body::collapse::Domain;
use crate::fuse::body::sources::Sources;
use crate::fuse::body::stores::{Each, Store};
use crate::fuse::kernels::split_arrays::Rewriter;
use crate::ir::walk;
use crate::ir::{Id, Node, Program, QuickMap, Var};
use crate::scalar::{Binary, Leaf, Unary};
use crate::sorted::SortedSet;

/// The most parts: beyond it the code would grow more than it gains.
const PARTS: usize = 8;
/// The most cuts on the way there.
const CUTS: usize = 32;

/// How an axis is divided.
enum Cut {
    /// Before and from this index on, where a comparison is known on both sides.
    At {
        var: Var,
        at: Id,
        known: Option<(Id, bool)>,
    },
    /// Into an index of groups of this many, and one within the group.
    Digits { var: Var, count: Id, size: Id },
}

/// A domain with what it stores, in parts.
pub(in crate::fuse) fn divide(
    program: &mut Program,
    sources: &mut Sources,
    whole: Each,
) -> Vec<Each> {
    let mut divider = Divider { program, sources };
    let (settled, some) = divider.settled(&whole, None);
    let undivided = if some { settled.clone() } else { whole };
    let (mut open, mut parts, mut cuts) = (vec![settled], Vec::new(), 0);
    while let Some(part) = open.pop() {
        match divider.cut(&part) {
            None => divider.join(&mut parts, part),
            Some(cut) => {
                open.extend(divider.parts(&part, cut).into_iter().rev());
                cuts += 1;
            }
        }
        if parts.len() + open.len() > PARTS || cuts > CUTS {
            return vec![undivided];
        }
    }
    match cuts {
        0 => vec![undivided],
        _ => parts,
    }
}

struct Divider<'a> {
    program: &'a mut Program,
    sources: &'a mut Sources,
}

/// What the elements that are stored are made of.
#[derive(Default)]
struct Found {
    /// Conditions on indices that elements are chosen by, and what they are chosen from.
    choices: SortedSet<Id>,
    sides: Vec<Id>,
    /// Arrays that are read whatever is chosen.
    arrays: SortedSet<Id>,
    seen: SortedSet<Id>,
}

impl Divider<'_> {
    fn depends(&self, id: Id, domain: &Domain) -> bool {
        let free = self.program.free(id);
        domain.vars.iter().any(|var| free.contains(var))
    }

    /// The cut that takes the choice from what is stored, if all of it depends on one only.
    fn cut(&mut self, part: &Each) -> Option<Cut> {
        let (mut choice, mut copies) = (None, true);
        for store in &part.stores {
            let mut found = Found::default();
            self.find(store.element, &part.domain, &mut found);
            let &condition = found.choices.first().filter(|_| found.choices.len() == 1)?;
            if choice.is_some_and(|other| other != condition) {
                return None;
            }
            choice = Some(condition);
            // Neighbours of what is chosen are read too: a stencil and its border.
            let sides = found.sides.iter();
            let mut read = sides.flat_map(|&side| walk::inside(self.program, side));
            let beside = read.any(|id| match self.program.node(id) {
                Node::Index { array, .. } => found.arrays.contains(array),
                _ => false,
            });
            if beside {
                return None;
            }
            copies &= self.copies(&found.sides);
        }
        let cut = self.cut_of(choice?, &part.domain)?;
        (copies || !self.is_thin(&cut)).then_some(cut)
    }

    /// Whether a cut leaves a few elements before it: what is stored behind them is never aligned, so that more is lost than
    /// a choice that one warp alone disagrees about, unless what is chosen is read from memory, which branches keep from being wide too.
    fn is_thin(&self, cut: &Cut) -> bool {
        let Cut::At { at, .. } = cut else {
            return false;
        };
        let few = |id: Id| matches!(self.program.node(id), Node::Constant(few) if few.bits < 64);
        match *self.program.node(*at) {
            Node::Binary(Binary::Min, a, b) => few(a) || few(b),
            _ => few(*at),
        }
    }

    /// Whether sides read, and no array at neighbouring places, as stencils do.
    fn copies(&self, sides: &[Id]) -> bool {
        let inside = sides.iter();
        let inside = inside.flat_map(|&side| walk::inside(self.program, side));
        let reads: SortedSet<Id> = inside
            .filter(|&id| matches!(self.program.node(id), Node::Index { .. }))
            .collect();
        let mut places: Vec<(Id, Vec<Poly>)> = Vec::new();
        for read in reads {
            let Node::Index { array, indices } = self.program.node(read) else {
                continue;
            };
            let at = indices
                .iter()
                .map(|&index| indices::poly(self.program, index));
            let at: Vec<Poly> = at.collect();
            let near = |a: &Poly, b: &Poly| a.plus(b, -1).0.keys().all(Vec::is_empty);
            let neighbour = |(other, there): &(Id, Vec<Poly>)| {
                other == array && there.iter().zip(&at).all(|(a, b)| near(a, b))
            };
            if places.iter().any(neighbour) {
                return false;
            }
            places.push((*array, at));
        }
        !places.is_empty()
    }

    /// The outermost choices by index, not in what arrays are read at, nor in loops and folds.
    fn find(&mut self, id: Id, domain: &Domain, found: &mut Found) {
        if !self.depends(id, domain) || !found.seen.insert(id) {
            return;
        }
        let choice = match self.program.node(id) {
            Node::Project(bundle, k) => match self.program.node(*bundle) {
                Node::If {
                    condition,
                    then,
                    otherwise,
                } => (*condition, then[*k as usize], otherwise[*k as usize]),
                _ => {
                    let inside = walk::inside(self.program, id);
                    found
                        .arrays
                        .extend(inside.filter_map(|id| match self.program.node(id) {
                            Node::Index { array, .. } => Some(*array),
                            _ => None,
                        }));
                    return;
                }
            },
            Node::Select(condition, a, b) => (*condition, *a, *b),
            Node::Index { array, .. } => {
                found.arrays.insert(*array);
                return;
            }
            node => {
                let mut operands = Vec::new();
                node.operands(|operand| operands.push(operand));
                for operand in operands {
                    self.find(operand, domain, found);
                }
                return;
            }
        };
        let (condition, a, b) = choice;
        if self.cut_of(condition, domain).is_some() {
            found.choices.insert(condition);
            found.sides.extend([a, b]);
        } else {
            for part in [condition, a, b] {
                self.find(part, domain, found);
            }
        }
    }

    /// How to divide a domain so that a condition, or a part of it, is known in each part.
    fn cut_of(&mut self, condition: Id, domain: &Domain) -> Option<Cut> {
        match *self.program.node(condition) {
            Node::Unary(Unary::Not, a) => self.cut_of(a, domain),
            Node::Binary(Binary::And | Binary::Or, a, b)
                if self.program.leaf(condition) == Leaf::Bool =>
            {
                self.cut_of(a, domain).or_else(|| self.cut_of(b, domain))
            }
            Node::Binary(op @ (Binary::Lt | Binary::Le | Binary::Eq | Binary::Ne), a, b)
                if self.program.leaf(a) == Leaf::U64 =>
            {
                let digits = self.digits(a, domain).or_else(|| self.digits(b, domain));
                digits.or_else(|| self.border(condition, op, a, b, domain))
            }
            _ => None,
        }
    }

    /// Digits of an index in what is compared, of an axis that has whole groups only.
    fn digits(&mut self, id: Id, domain: &Domain) -> Option<Cut> {
        let Node::Binary(op, a, size) = *self.program.node(id) else {
            return None;
        };
        let vars = domain.vars.iter().enumerate();
        let mut vars = vars.map(|(axis, &var)| (axis, self.program.add(Node::Variable(var))));
        let axis = vars.find_map(|(axis, read)| (read == a).then_some(axis));
        let digit = matches!(op, Binary::Div | Binary::Rem) && !self.depends(size, domain);
        let Some(axis) = axis.filter(|_| digit) else {
            let deeper = self.digits(a, domain);
            return deeper.or_else(|| self.digits(size, domain));
        };
        let var = domain.vars[axis];
        // Where there is no point, there may be no groups either.
        self.sources.index.push();
        self.sources.index.enter(self.program, [var]);
        let [count, rest] = [Binary::Div, Binary::Rem].map(|op| {
            let part = self.program.binary(op, domain.extents[axis], size);
            self.canonical(part)
        });
        self.sources.index.pop();
        let divides = matches!(self.program.node(rest), Node::Constant(rest) if rest.bits == 0);
        let divided = |id| match self.program.node(id) {
            Node::Binary(Binary::Div | Binary::Rem, _, by) => *by == size,
            _ => false,
        };
        let constant = matches!(self.program.node(size), Node::Constant(size) if size.bits > 0);
        let safe = constant || !walk::inside(self.program, count).any(divided);
        let known = self.sources.passable(self.program, size);
        (divides && safe && known).then_some(Cut::Digits { var, count, size })
    }

    /// The border of a comparison of an index, from a known distance on, with what is the same at all points.
    fn border(&mut self, condition: Id, op: Binary, a: Id, b: Id, domain: &Domain) -> Option<Cut> {
        let (x, bound) = match (self.depends(a, domain), self.depends(b, domain)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return None,
        };
        let poly = indices::poly(self.program, x);
        let (axis, distance) = domain.vars.iter().enumerate().find_map(|(axis, &var)| {
            let read = self.program.add(Node::Variable(var));
            let (slope, rest) = poly.linear(read)?;
            let mut atoms = rest.0.keys().flatten();
            let fits = slope == Poly::constant(1) && !atoms.any(|&atom| self.depends(atom, domain));
            fits.then_some((axis, rest))
        })?;
        let extent = domain.extents[axis];
        let (program, index) = (&mut *self.program, &mut self.sources.index);
        let from = indices::build(program, &distance);
        // The index does not wrap on its way.
        if distance != Poly::default() && index.less_equal(program, from, x) != Some(true) {
            return None;
        }
        let equal = matches!(op, Binary::Eq | Binary::Ne);
        let end = indices::poly(program, extent).plus(&distance, 1);
        let end = indices::build(program, &end);
        // `x <= bound` and `bound < x` change behind the bound.
        let behind = (op, x) == (Binary::Le, a) || (op, x) == (Binary::Lt, b);
        let inside = match behind {
            true => index.less(program, bound, end),
            false => index.less_equal(program, bound, end),
        };
        let one = program.usize(1);
        let after = match behind {
            true => program.binary(Binary::Add, bound, one),
            false => bound,
        };
        let after = match inside {
            Some(true) => after,
            _ if behind => {
                let inside = program.binary(Binary::Lt, bound, end);
                program.add(Node::Select(inside, after, end))
            }
            _ => program.binary(Binary::Min, after, end),
        };
        let reached = index.less_equal(program, from, after) == Some(true);
        let after = match reached {
            true => after,
            false => program.binary(Binary::Max, after, from),
        };
        // An equality must be met: it is known on neither side of a border that was moved.
        if equal && !(inside == Some(true) && reached) {
            return None;
        }
        let at = indices::poly(program, after).plus(&distance, -1);
        // At the first index, if there is one: the rest of the axis is the other part.
        let first = equal && at == Poly::default();
        let at = match first {
            true if index.less_equal(program, one, extent) == Some(true) => one,
            true => program.binary(Binary::Min, one, extent),
            false => indices::build(program, &at),
        };
        let before = match equal {
            true => op == Binary::Eq,
            false => x == a,
        };
        let known = (first || !equal).then_some((condition, before));
        let constant = matches!(program.node(at), Node::Constant(at) if at.bits == 0);
        (!constant && at != extent && self.sources.passable(self.program, at)).then_some(Cut::At {
            var: domain.vars[axis],
            at,
            known,
        })
    }

    /// A new variable of an axis, or the only index that there is.
    fn axis(&mut self, like: Var, extent: Id) -> (Option<Var>, Id) {
        if matches!(self.program.node(extent), Node::Constant(extent) if extent.bits == 1) {
            return (None, self.program.usize(0));
        }
        let (var, read) = self.program.index_var();
        if let Some(name) = self.program.var_names.get(&like).cloned() {
            self.program.name_var(var, &name);
        }
        self.sources.index.domain(var, extent);
        (Some(var), read)
    }

    fn parts(&mut self, part: &Each, cut: Cut) -> Vec<Each> {
        let (Cut::At { var, .. } | Cut::Digits { var, .. }) = cut;
        let axis = part.domain.vars.iter().position(|&other| other == var);
        let axis = axis.expect("a variable of the domain");
        let extent = part.domain.extents[axis];
        match cut {
            Cut::Digits { count, size, .. } => {
                let (outer, high) = self.axis(var, count);
                let (inner, low) = self.axis(var, size);
                let scaled = self.program.binary(Binary::Mul, high, size);
                let read = self.program.binary(Binary::Add, scaled, low);
                let axes = [(outer, count), (inner, size)];
                vec![self.part(part, axis, &axes, read, None)]
            }
            Cut::At { at, known, .. } => {
                let rest = self.program.binary(Binary::Sub, extent, at);
                let rest = self.canonical(rest);
                let (before, first) = self.axis(var, at);
                let (after, second) = self.axis(var, rest);
                let second = self.program.binary(Binary::Add, second, at);
                let second = self.canonical(second);
                let known = |holds: bool| known.map(|(id, before)| (id, before == holds));
                let (here, there) = (known(true), known(false));
                vec![
                    self.part(part, axis, &[(before, at)], first, here),
                    self.part(part, axis, &[(after, rest)], second, there),
                ]
            }
        }
    }

    /// A part: new axes instead of one, whose index is `read` there.
    fn part(
        &mut self,
        part: &Each,
        axis: usize,
        axes: &[(Option<Var>, Id)],
        read: Id,
        known: Option<(Id, bool)>,
    ) -> Each {
        let part = match known {
            Some(known) => &self.settled(part, Some(known)).0,
            None => part,
        };
        let var = part.domain.vars[axis];
        let map = QuickMap::from_iter([(var, read)]);
        let mut domain = part.domain.clone();
        let kept = axes
            .iter()
            .filter_map(|&(var, extent)| Some((var?, extent)));
        let (vars, extents): (Vec<Var>, Vec<Id>) = kept.unzip();
        domain.vars.splice(axis..=axis, vars);
        domain.extents.splice(axis..=axis, extents);
        let mut roots: Vec<Id> = part.stores.iter().map(|store| store.element).collect();
        roots.extend(part.stores.iter().map(|store| store.index));
        let roots = self.program.substitute_all(&roots, &map);
        let (elements, places) = roots.split_at(part.stores.len());
        let stores = part.stores.iter().zip(elements.iter().zip(places));
        let stores = stores
            .map(|(store, (&element, &place))| Store {
                buffer: store.buffer,
                index: self.canonical(place),
                element,
            })
            .collect();
        let part = Each { domain, stores };
        self.settled(&part, None).0
    }

    /// An index in canonical form.
    fn canonical(&mut self, id: Id) -> Id {
        let simple = self.sources.index.simplify(self.program, id);
        let poly = indices::poly(self.program, simple);
        indices::build(self.program, &poly)
    }

    /// The part without choices that are known at all of its points, and whether there were any.
    fn settled(&mut self, part: &Each, known: Option<(Id, bool)>) -> (Each, bool) {
        let mut rewriter = Rewriter::new(self.program, self.sources, &part.domain);
        if let Some((id, holds)) = known {
            rewriter.suppose(id, holds);
        }
        let stores = part.stores.iter();
        let stores = stores
            .map(|store| Store {
                element: rewriter.resolve(store.element),
                ..store.clone()
            })
            .collect();
        let some = rewriter.some;
        let domain = part.domain.clone();
        (Each { domain, stores }, some)
    }

    /// Adds a part, to one of the same size if there is one: its points then store an element of each, and what both
    /// read is read once. Not if a point takes long: then threads are worth more.
    fn join(&mut self, parts: &mut Vec<Each>, part: Each) {
        let fits = |other: &&mut Each| {
            other.domain.extents == part.domain.extents && !other.domain.vars.is_empty()
        };
        let long = (part.stores.iter())
            .flat_map(|store| walk::inside(self.program, store.element))
            .any(|id| {
                matches!(
                    self.program.node(id),
                    Node::Reduce { .. } | Node::Loop { .. }
                )
            });
        let Some(other) = parts.iter_mut().find(fits).filter(|_| !long) else {
            parts.push(part);
            return;
        };
        let reads = other.domain.vars.iter();
        let reads = reads.map(|&var| self.program.add(Node::Variable(var)));
        let map: QuickMap<Var, Id> = part.domain.vars.iter().copied().zip(reads).collect();
        for store in part.stores {
            let moved = [store.element, store.index];
            let moved = self.program.substitute_all(&moved, &map);
            other.stores.push(Store {
                buffer: store.buffer,
                element: moved[0],
                index: self.canonical(moved[1]),
            });
        }
    }
}
