//! Fewer axes: a domain whose neighbouring axes are only used as one flat index gets one axis for both.
//!
//! In: a domain and the expressions over it. Out: the same with as few axes as the reads allow; a read whose index was
//! changed has one flat index from then on.

use crate::fuse::analysis::indices::{self, Poly};
use crate::fuse::body::sources::Sources;
use crate::ir::{Id, Node, Program, QuickMap, Var};
use crate::sorted::SortedSet;

/// Index variables over extents.
#[derive(Clone, Debug)]
pub(in crate::fuse) struct Domain {
    pub(in crate::fuse) extents: Vec<Id>,
    pub(in crate::fuse) vars: Vec<Var>,
}

/// Joins axes from the last to the first. `values` are expressions over the domain, `places` flat indices.
pub(in crate::fuse) fn collapse(
    program: &mut Program,
    sources: &mut Sources,
    domain: &mut Domain,
    values: &mut Vec<Id>,
    places: &mut Vec<Id>,
) {
    let mut axis = domain.vars.len();
    while axis >= 2 {
        axis -= 1;
        let _ = join(program, sources, domain, axis - 1, values, places);
    }
}

/// Joins an axis with the next one, if all uses allow it.
fn join(
    program: &mut Program,
    sources: &mut Sources,
    domain: &mut Domain,
    axis: usize,
    values: &mut Vec<Id>,
    places: &mut Vec<Id>,
) -> Option<()> {
    let (outer, inner) = (domain.vars[axis], *domain.vars.get(axis + 1)?);
    let extent = domain.extents[axis + 1];
    let size = indices::size(program, &mut sources.index, &[domain.extents[axis], extent]);
    let size = indices::build(program, &size);
    let (var, read) = program.index_var();
    sources.index.domain(var, size);
    let mut joiner = Joiner {
        outer: program.add(Node::Variable(outer)),
        inner: program.add(Node::Variable(inner)),
        gone: SortedSet::from([outer, inner]),
        extent: indices::poly(program, extent),
        read,
        sources,
        done: QuickMap::default(),
    };
    let mut new_values = Vec::new();
    for &value in &*values {
        new_values.push(joiner.rewrite(program, value)?);
    }
    let mut new_places = Vec::new();
    for &place in &*places {
        new_places.push(joiner.index(program, place)?);
    }
    let name = program.var_names.get(&inner).cloned();
    program.name_var(var, &name.unwrap_or_else(|| "i".to_owned()));
    domain.vars.splice(axis..axis + 2, [var]);
    domain.extents.splice(axis..axis + 2, [size]);
    (*values, *places) = (new_values, new_places);
    Some(())
}

struct Joiner<'a> {
    outer: Id,
    inner: Id,
    /// The variables to be got rid of.
    gone: SortedSet<Var>,
    /// The extent of the inner axis.
    extent: Poly,
    /// The joined index.
    read: Id,
    sources: &'a mut Sources,
    done: QuickMap<Id, Option<Id>>,
}

impl Joiner<'_> {
    /// `slope * (outer * extent + inner) + rest` as an expression of the joined index.
    fn index(&mut self, program: &mut Program, index: Id) -> Option<Id> {
        let whole = indices::poly(program, index);
        let (outer, rest) = whole.linear(self.outer)?;
        let (inner, rest) = rest.linear(self.inner)?;
        let clean = |poly: &Poly, program: &Program| {
            let mut atoms = poly.0.keys().flatten();
            atoms.all(|&atom| program.free(atom).is_disjoint(&self.gone))
        };
        if outer != inner.times(&self.extent) || !clean(&rest, program) || !clean(&inner, program) {
            return None;
        }
        let joined = inner.times(&Poly::atom(self.read)).plus(&rest, 1);
        Some(indices::build(program, &joined))
    }

    fn rewrite(&mut self, program: &mut Program, id: Id) -> Option<Id> {
        if program.free(id).is_disjoint(&self.gone) {
            return Some(id);
        }
        if let Some(done) = self.done.get(&id) {
            return *done;
        }
        let found = self.changed(program, id);
        self.done.insert(id, found);
        found
    }

    fn changed(&mut self, program: &mut Program, id: Id) -> Option<Id> {
        let mut node = program.node(id).clone();
        match node {
            Node::Variable(_) => None,
            Node::Index { array, indices } => {
                let extents = program.extents(array).to_vec();
                let flat = indices::flat(program, &mut self.sources.index, &extents, &indices);
                let flat = match program.free(flat).is_disjoint(&self.gone) {
                    true => flat,
                    // Affine in the axes, or an index that was itself read or computed from reads.
                    false => match self.index(program, flat) {
                        Some(flat) => flat,
                        None => self.rewrite(program, flat)?,
                    },
                };
                Some(program.add(Node::Index {
                    array,
                    indices: vec![flat],
                }))
            }
            _ => {
                let mut failed = false;
                node.map_operands(|operand| {
                    if failed {
                        return operand;
                    }
                    self.rewrite(program, operand).unwrap_or_else(|| {
                        failed = true;
                        operand
                    })
                });
                if failed {
                    return None;
                }
                let to = program.add(node);
                program.keep_labels(id, to);
                Some(to)
            }
        }
    }
}
