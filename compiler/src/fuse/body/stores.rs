//! What a kernel stores: arrays, element by element, over a domain.

use crate::fuse::body::Body;
use crate::fuse::body::collapse::{self, Domain};
use crate::ir::{Id, Node, Program, QuickMap, Var};
use crate::plan::{BufferId, Statement};

/// An array to store: its elements over `vars`.
#[derive(Clone)]
pub(in crate::fuse) struct Store {
    pub(in crate::fuse) buffer: BufferId,
    /// Indices, flat.
    pub(in crate::fuse) index: Id,
    pub(in crate::fuse) element: Id,
}

impl Store {
    /// The expressions that it evaluates.
    pub(in crate::fuse) fn roots(&self) -> [Id; 2] {
        [self.element, self.index]
    }
}

/// A domain, and what is stored at its points: all of a kernel, or once per element of a row.
#[derive(Clone)]
pub(in crate::fuse) struct Each {
    pub(in crate::fuse) domain: Domain,
    pub(in crate::fuse) stores: Vec<Store>,
}

/// The extents of a part of a row, and what is computed at its points.
pub(in crate::fuse) type Part = (Vec<Id>, Vec<Id>);

impl Each {
    pub(in crate::fuse) fn roots(&self) -> Vec<Id> {
        self.stores.iter().flat_map(Store::roots).collect()
    }

    pub(in crate::fuse) fn part(&self) -> Part {
        (self.domain.extents.clone(), self.roots())
    }

    /// Its stores at the point of other variables.
    pub(in crate::fuse) fn over(self, program: &mut Program, vars: &[Var]) -> Vec<Store> {
        let own = self.domain.vars.into_iter().zip(vars);
        let own = own.map(|(own, &var)| (own, program.add(Node::Variable(var))));
        let map: QuickMap<Var, Id> = own.collect();
        let mut stores = self.stores;
        for store in &mut stores {
            store.element = program.substitute(store.element, &map);
            store.index = program.substitute(store.index, &map);
        }
        stores
    }
}

impl Body<'_> {
    /// Joins axes of a domain whose stores allow it.
    pub(in crate::fuse) fn collapse(&mut self, each: &mut Each) {
        if !self.collapse {
            return;
        }
        let stores = each.stores.iter();
        let (mut values, mut places): (Vec<Id>, Vec<Id>) =
            stores.map(|store| (store.element, store.index)).unzip();
        let domain = &mut each.domain;
        collapse::collapse(self.program, self.sources, domain, &mut values, &mut places);
        for ((store, value), place) in each.stores.iter_mut().zip(values).zip(places) {
            (store.element, store.index) = (value, place);
        }
    }

    pub(in crate::fuse) fn store(&mut self, store: &Store) {
        let value = self.value(store.element);
        let index = self.value(store.index);
        let buffer = self.access(store.buffer, true);
        let at = self.scopes.len() - 1;
        self.push(
            at,
            Statement::Store {
                buffer,
                index,
                value,
            },
        );
    }
}
