//! The values of code under construction: their types, and what readable code tells of them.

use crate::ir::{Id, Program, QuickMap};
use crate::plan::Value;
use crate::scalar::Leaf;
use crate::spans::SpanId;

/// The table of the values, by their numbers.
#[derive(Default)]
pub(in crate::fuse) struct Values {
    pub(in crate::fuse) types: Vec<Leaf>,
    pub(in crate::fuse) names: Vec<Option<String>>,
    /// Where values come from in the source.
    pub(in crate::fuse) places: QuickMap<Value, SpanId>,
}

impl Values {
    /// How many there are.
    pub(in crate::fuse) fn count(&self) -> usize {
        self.types.len()
    }

    /// The type of a value.
    pub(in crate::fuse) fn leaf(&self, value: Value) -> Leaf {
        self.types[value.0 as usize]
    }

    /// The name of a value.
    pub(in crate::fuse) fn name(&self, value: Value) -> Option<&String> {
        self.names[value.0 as usize].as_ref()
    }

    /// A new one.
    pub(in crate::fuse) fn fresh(&mut self, leaf: Leaf) -> Value {
        self.types.push(leaf);
        self.names.push(None);
        Value(self.types.len() as u32 - 1)
    }

    /// A new one of the type, name and place of another.
    pub(in crate::fuse) fn fresh_like(&mut self, like: Value) -> Value {
        let value = self.fresh(self.leaf(like));
        self.names[value.0 as usize] = self.name(like).cloned();
        if let Some(&place) = self.places.get(&like) {
            self.places.insert(value, place);
        }
        value
    }

    /// Gives up all but the first ones.
    pub(in crate::fuse) fn truncate(&mut self, count: usize) {
        self.types.truncate(count);
        self.names.truncate(count);
        self.places.retain(|value, _| (value.0 as usize) < count);
    }

    /// Gives a value a name; the first one stays.
    pub(in crate::fuse) fn set_name(&mut self, value: Value, name: Option<&String>) {
        let slot = &mut self.names[value.0 as usize];
        if slot.is_none() {
            *slot = name.cloned();
        }
    }

    /// A value is that of a node: it has its name and its place; the first ones stay.
    pub(in crate::fuse) fn label(&mut self, value: Value, program: &Program, id: Id) {
        self.set_name(value, program.names.get(&id));
        if let Some(&place) = program.spans.get(&id) {
            self.places.entry(value).or_insert(place);
        }
    }
}
