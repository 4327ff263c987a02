//! The invariants of a program, checked after each pass in debug builds.
//!
//! 1. Operands have smaller ids than their users.
//! 2. A variable is bound by one reachable node, and occurs only inside the regions of that node where it is bound:
//!    index variables in elements, left and right operands in what is combined, the state of a loop in its condition
//!    and next state. Roots mention no variables.
//! 3. Both operands of a binary operation have one type (the right one of a shift is `u32`), conditions are `bool`,
//!    operations stand on types that have them: bit operations on integers and `bool`, rounding and mathematical
//!    functions on floats, what rounds as it likes under `#[fast_math]` alone. Casts are between different types.
//! 4. An array is read with one `u64` index per axis; extents are `u64` scalars; bundles occur under `Project` only.
//! 5. The sides of an `If`, and initial and next state of a `Loop`, agree with the bundle's type, arrays in rank.
//! 6. The parts of a reduction are scalars of equal types, as many elements as operands on either side; those of a
//!    scatter have as many defaults, arrays of as many axes as its indices. A sort has a key.
//! 7. Sites exist; parameters, inputs and extents exist.
//! 8. The leaves of an array output are arrays of its rank, those of a scalar output scalars.

use super::{Id, Node, Output, Program, Site, Type, Var, walk};
use crate::scalar::{Binary, Leaf, Math, Unary};
use crate::sorted::SortedMap;

impl Program {
    /// Checks every invariant of what is reachable.
    ///
    /// # Errors
    /// The first violation, with its number.
    pub fn verify(&self) -> Result<(), String> {
        self.verify_with(false)
    }

    /// See [`Program::verify`]; with `copies` a variable may be bound by several nodes: what passes move out of a body keeps its
    /// variables, and so does what they leave there.
    ///
    /// # Errors
    /// As of [`Program::verify`].
    pub fn verify_with(&self, copies: bool) -> Result<(), String> {
        let mut binders: SortedMap<Var, Id> = SortedMap::new();
        for id in walk::reachable(self, self.roots()) {
            let node = self.node(id);
            let check = |holds: bool, number: u32, what: &str| {
                if holds {
                    Ok(())
                } else {
                    Err(format!("invariant {number}: {what}: {id:?} = {node:?}"))
                }
            };
            let mut ordered = true;
            node.operands(|operand| ordered &= operand < id);
            check(ordered, 1, "an operand after its user")?;
            for var in node.bound() {
                let first = *binders.entry(var).or_insert(id);
                check(copies || first == id, 2, "a variable bound twice")?;
                check(
                    !self.free(id).contains(&var),
                    2,
                    "a variable outside its region",
                )?;
            }
            self.verify_types(node, &check)?;
        }
        for root in self.roots() {
            if !self.free(root).is_empty() {
                return Err(format!("invariant 2: the root {root:?} mentions variables"));
            }
        }
        for output in &self.outputs {
            let good = match output {
                Output::Scalar(leaves) => leaves.iter().all(|&leaf| self.is_scalar(leaf)),
                Output::Array { extents, leaves } => {
                    let rank = extents.len();
                    extents.iter().all(|&e| self.is_leaf(e, Leaf::U64))
                        && leaves.iter().all(|&leaf| {
                            matches!(self.ty(leaf), Type::Array(_, own) if own.len() == rank)
                        })
                }
            };
            if !good {
                return Err(format!("invariant 8: {output:?}"));
            }
        }
        for check in &self.checks {
            if !self.is_leaf(check.condition, Leaf::Bool) || !self.has_site(check.site) {
                return Err(format!("invariant 3: {check:?}"));
            }
        }
        Ok(())
    }

    fn is_scalar(&self, id: Id) -> bool {
        matches!(self.ty(id), Type::Scalar(_))
    }

    fn is_leaf(&self, id: Id, leaf: Leaf) -> bool {
        *self.ty(id) == Type::Scalar(leaf)
    }

    fn has_site(&self, site: Site) -> bool {
        (site.0 as usize) < self.sites.len()
    }

    /// Equal types, of arrays but for the extents.
    fn alike(&self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Array(a, x), Type::Array(b, y)) => a == b && x.len() == y.len(),
            _ => a == b,
        }
    }

    fn verify_types(
        &self,
        node: &Node,
        check: &impl Fn(bool, u32, &str) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut bundles = false;
        node.operands(|id| bundles |= matches!(self.ty(id), Type::Bundle(_)));
        if !matches!(node, Node::Project(..) | Node::Demand { .. }) {
            check(!bundles, 4, "a bundle as an operand")?;
        }
        let free_in = |ids: &[Id], vars: &[Var]| {
            ids.iter()
                .any(|&id| vars.iter().any(|var| self.free(id).contains(var)))
        };
        let extents_are_lengths =
            |extents: &[Id]| extents.iter().all(|&e| self.is_leaf(e, Leaf::U64));
        match node {
            Node::Constant(_) | Node::Variable(_) | Node::OnCuda => Ok(()),
            Node::Parameter(_) | Node::Input { .. } | Node::Extent { .. } => Ok(()),
            Node::Unary(op, a) => {
                check(self.is_scalar(*a), 3, "no scalar")?;
                let leaf = self.leaf(*a);
                check(unary_exists(*op, leaf), 3, "no such operation")
            }
            Node::Binary(op, a, b) => {
                check(self.is_scalar(*a) && self.is_scalar(*b), 3, "no scalar")?;
                let leaf = self.leaf(*a);
                let right = match op {
                    Binary::Shl | Binary::Shr => Leaf::U32,
                    _ => leaf,
                };
                check(self.leaf(*b) == right, 3, "operands of two types")?;
                check(binary_exists(*op, leaf), 3, "no such operation")
            }
            Node::Select(condition, a, b) => {
                check(self.is_leaf(*condition, Leaf::Bool), 3, "no condition")?;
                let same = self.is_scalar(*a) && self.ty(*a) == self.ty(*b);
                check(same, 3, "two types")
            }
            Node::Cast(leaf, a) => {
                check(
                    self.is_scalar(*a) && self.leaf(*a) != *leaf,
                    3,
                    "no conversion",
                )?;
                let through_f32 = |half: Leaf, other: Leaf| !half.is_half() || other == Leaf::F32;
                let from = self.leaf(*a);
                check(
                    through_f32(from, *leaf) && through_f32(*leaf, from),
                    3,
                    "not by way of `f32`",
                )
            }
            Node::Bitcast(leaf, a) => {
                let same = self.is_scalar(*a) && self.leaf(*a).bits() == leaf.bits();
                check(same, 3, "another width")
            }
            Node::Math(f, arguments) => {
                check(arguments.len() == f.arity(), 3, "a wrong number")?;
                let leaf = self.leaf(arguments[0]);
                let floats = matches!(leaf, Leaf::F32 | Leaf::F64)
                    && arguments.iter().all(|&a| self.is_leaf(a, leaf));
                check(floats, 3, "no floats")?;
                check(
                    !f.is_relaxed() || self.fast_math,
                    3,
                    "without `#[fast_math]`",
                )?;
                let single = *f != Math::FastDiv || leaf == Leaf::F32;
                check(single, 3, "no `f32`")
            }
            Node::Foreign(f, values) => {
                let types = f.parameters.iter().chain([&f.result]);
                let typed = types.zip(values).all(|(&leaf, &id)| self.is_leaf(id, leaf));
                let as_many = values.len() == f.parameters.len() + 1;
                check(as_many && typed, 3, "other arguments")
            }
            Node::Routine {
                routine,
                extents,
                arguments,
            } => {
                check(extents_are_lengths(extents), 4, "an extent that is no u64")?;
                let axes = routine.results.iter().map(|result| result.1);
                check(axes.sum::<usize>() == extents.len(), 4, "other extents")?;
                let bundle = |&id: &Id| matches!(self.ty(id), Type::Bundle(_));
                check(!arguments.iter().any(bundle), 4, "a bundle as an argument")
            }
            Node::Index { array, indices } => {
                let Type::Array(_, extents) = self.ty(*array) else {
                    return check(false, 4, "no array");
                };
                check(
                    extents.len() == indices.len(),
                    4,
                    "a wrong number of indices",
                )?;
                check(extents_are_lengths(indices), 4, "an index that is no u64")
            }
            Node::Guard {
                condition, site, ..
            } => {
                check(self.is_leaf(*condition, Leaf::Bool), 3, "no condition")?;
                check(self.has_site(*site), 7, "no such site")
            }
            Node::Demand { value, .. } => {
                let bundle = matches!(self.ty(*value), Type::Bundle(_));
                check(!bundle, 4, "a bundle as a value")
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                check(self.is_leaf(*condition, Leaf::Bool), 3, "no condition")?;
                let alike = then.len() == otherwise.len()
                    && then
                        .iter()
                        .zip(otherwise)
                        .all(|(&a, &b)| self.alike(self.ty(a), self.ty(b)));
                check(alike, 5, "sides of two types")
            }
            Node::Loop {
                state,
                initial,
                condition,
                next,
            } => {
                check(self.is_leaf(*condition, Leaf::Bool), 3, "no condition")?;
                let alike = state.len() == initial.len()
                    && state.len() == next.len()
                    && state
                        .iter()
                        .zip(initial.iter().zip(next))
                        .all(|(&s, (&a, &b))| {
                            let ty = self.var_type(s);
                            self.alike(ty, self.ty(a)) && self.alike(ty, self.ty(b))
                        });
                check(alike, 5, "another type of state")?;
                check(!free_in(initial, state), 2, "state outside its region")
            }
            Node::Generate {
                extents,
                vars,
                element,
            } => {
                check(extents_are_lengths(extents), 4, "an extent that is no u64")?;
                check(
                    extents.len() == vars.len(),
                    4,
                    "a wrong number of variables",
                )?;
                check(!free_in(extents, vars), 2, "an extent that varies")?;
                check(self.is_scalar(*element), 4, "an element that is no scalar")
            }
            Node::Reduce {
                extents,
                vars,
                elements,
                left,
                right,
                combined,
                initial,
                commutes: _,
            } => {
                check(extents_are_lengths(extents), 4, "an extent that is no u64")?;
                check(
                    extents.len() == vars.len(),
                    4,
                    "a wrong number of variables",
                )?;
                check(!free_in(extents, vars), 2, "an extent that varies")?;
                let operands = [&left[..], right].concat();
                check(!free_in(elements, &operands), 2, "an operand in an element")?;
                check(!free_in(combined, vars), 2, "an index in the operation")?;
                let initial = initial.as_ref().unwrap_or(elements);
                let bound = [&operands[..], vars].concat();
                check(
                    initial == elements || !free_in(initial, &bound),
                    2,
                    "an initial value that varies",
                )?;
                let count = elements.len();
                let counts = [left.len(), right.len(), combined.len(), initial.len()];
                check(counts == [count; 4], 6, "numbers differ")?;
                let same = (0..count).all(|k| {
                    let ty = self.ty(elements[k]);
                    self.is_scalar(elements[k])
                        && self.var_type(left[k]) == ty
                        && self.var_type(right[k]) == ty
                        && self.ty(combined[k]) == ty
                        && self.ty(initial[k]) == ty
                });
                check(same, 6, "types differ")
            }
            Node::Scan {
                extents,
                vars,
                elements,
                left,
                right,
                combined,
            } => {
                check(extents_are_lengths(extents), 4, "an extent that is no u64")?;
                let ranks = !extents.is_empty() && extents.len() == vars.len();
                check(ranks, 4, "a wrong number of variables")?;
                check(!free_in(extents, vars), 2, "an extent that varies")?;
                let operands = [&left[..], right].concat();
                check(!free_in(elements, &operands), 2, "an operand in an element")?;
                check(!free_in(combined, vars), 2, "an index in the operation")?;
                let count = elements.len();
                let counts = [left.len(), right.len(), combined.len()];
                check(count > 0 && counts == [count; 3], 6, "numbers differ")?;
                let same = (0..count).all(|k| {
                    let ty = self.ty(elements[k]);
                    self.is_scalar(elements[k])
                        && self.var_type(left[k]) == ty
                        && self.var_type(right[k]) == ty
                        && self.ty(combined[k]) == ty
                });
                check(same, 6, "types differ")
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
                check(extents_are_lengths(extents), 4, "an extent that is no u64")?;
                check(
                    extents.len() == vars.len(),
                    4,
                    "a wrong number of variables",
                )?;
                let outside = [&defaults[..], extents].concat();
                check(!free_in(&outside, vars), 2, "an extent that varies")?;
                let operands = [&left[..], right].concat();
                let points = [&[*condition][..], at, elements].concat();
                check(!free_in(&points, &operands), 2, "an operand in an element")?;
                check(!free_in(combined, vars), 2, "an index in the operation")?;
                check(self.is_leaf(*condition, Leaf::Bool), 3, "no condition")?;
                check(extents_are_lengths(at), 4, "an index that is no u64")?;
                let count = elements.len();
                let counts = [defaults.len(), left.len(), right.len(), combined.len()];
                check(count > 0 && counts == [count; 4], 6, "numbers differ")?;
                let array =
                    |id: Id| matches!(self.ty(id), Type::Array(_, own) if own.len() == at.len());
                let same = (0..count).all(|k| {
                    let ty = self.ty(elements[k]);
                    self.is_scalar(elements[k])
                        && array(defaults[k])
                        && self.leaf(defaults[k]) == self.leaf(elements[k])
                        && self.var_type(left[k]) == ty
                        && self.var_type(right[k]) == ty
                        && self.ty(combined[k]) == ty
                });
                check(same, 6, "types differ")?;
                check(
                    once.is_none_or(|site| self.has_site(site)),
                    7,
                    "no such site",
                )
            }
            Node::Compact {
                count,
                extents,
                vars,
                condition,
                elements,
            } => {
                let outside = [&[*count][..], extents].concat();
                check(extents_are_lengths(&outside), 4, "an extent that is no u64")?;
                let one = extents.len() == 1 && vars.len() == 1;
                check(one, 4, "a wrong number of variables")?;
                check(!free_in(&outside, vars), 2, "an extent that varies")?;
                check(self.is_leaf(*condition, Leaf::Bool), 3, "no condition")?;
                let scalars = elements.iter().all(|&element| self.is_scalar(element));
                check(scalars && !elements.is_empty(), 6, "no scalars")
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
                check(extents_are_lengths(extents), 4, "an extent that is no u64")?;
                let ranks = !extents.is_empty() && extents.len() == vars.len();
                check(ranks, 4, "a wrong number of variables")?;
                check(!free_in(extents, vars), 2, "an extent that varies")?;
                let some = (1..=elements.len()).contains(&(*keys as usize));
                check(some, 6, "another number of keys")?;
                let scalars = elements.iter().all(|&id| self.is_scalar(id));
                check(scalars, 4, "an element that is no scalar")?;
                let operands = [&left[..], right].concat();
                check(!free_in(elements, &operands), 2, "an operand in an element")?;
                let Some(less) = *less else {
                    let mut leaves = elements[..*keys as usize].iter().map(|&id| self.leaf(id));
                    check(!leaves.any(Leaf::is_half), 6, "a key that is a half")?;
                    return check(operands.is_empty(), 6, "operands of no comparison");
                };
                check(!free_in(&[less], vars), 2, "an index in the comparison")?;
                check(
                    self.is_leaf(less, Leaf::Bool),
                    3,
                    "a comparison that is no bool",
                )?;
                let like = |vars: &[Var]| {
                    let types = vars.iter().map(|&var| self.var_type(var));
                    types.eq(elements[..*keys as usize].iter().map(|&id| self.ty(id)))
                };
                check(like(left) && like(right), 6, "types differ")
            }
            Node::Project(bundle, k) => {
                let there = matches!(self.ty(*bundle), Type::Bundle(t) if (*k as usize) < t.len());
                check(there, 4, "no such component")
            }
            Node::Materialize(array) => {
                check(matches!(self.ty(*array), Type::Array(..)), 4, "no array")
            }
        }
    }
}

fn unary_exists(op: Unary, leaf: Leaf) -> bool {
    match op {
        _ if leaf.is_half() => false,
        Unary::Neg | Unary::Abs => leaf != Leaf::Bool,
        Unary::Not => !leaf.is_float(),
        Unary::Sqrt
        | Unary::Floor
        | Unary::Ceil
        | Unary::Trunc
        | Unary::Round
        | Unary::RoundEven => leaf.is_float(),
        Unary::CountOnes
        | Unary::LeadingZeros
        | Unary::TrailingZeros
        | Unary::SwapBytes
        | Unary::ReverseBits => leaf.is_integer(),
    }
}

fn binary_exists(op: Binary, leaf: Leaf) -> bool {
    match op {
        _ if leaf.is_half() => false,
        Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Rem => leaf != Leaf::Bool,
        Binary::Min | Binary::Max => leaf != Leaf::Bool,
        Binary::And | Binary::Or | Binary::Xor => !leaf.is_float(),
        Binary::Shl | Binary::Shr => leaf.is_integer(),
        Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => true,
        Binary::Copysign => leaf.is_float(),
        Binary::MulHigh => leaf.is_integer() && leaf.bits() >= 32,
    }
}
