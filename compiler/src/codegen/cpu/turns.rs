//! Stores in turn: of two arrays that alternate in memory, each lane stores two neighbours. Both vectors are written together,
//! as two vectors of neighbours, instead of lane by lane.

use super::statements::{Emitter, Held};
use crate::codegen::affine::alternating;
use crate::plan::affine::Polynomial;
use crate::plan::body::{Op, Statement, Value};
use crate::sorted::SortedMap;
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// Finds the pairs of a body over the lanes of a variable.
    pub(super) fn find_turns(&mut self, var: Value, body: &[Statement]) {
        let operations: SortedMap<Value, &Op> = (body.iter())
            .filter_map(|statement| match statement {
                Statement::Let { value, op } => Some((*value, op)),
                _ => None,
            })
            .collect();
        let along = Polynomial::atom(var);
        // The rest is the same in all lanes.
        let runs = |index: Value| {
            let start = Polynomial::of(&operations, index).minus(&along.scaled(2));
            start.values().all(|value| !self.analysis.varies(value))
        };
        self.turns.places = alternating(&operations, body, &along)
            .into_iter()
            .filter(|((_, index), (_, count))| *count == 2 && runs(*index))
            .map(|(at, (place, _))| (at, place))
            .collect();
    }

    /// One of a pair: nothing is written for the one that comes first.
    pub(super) fn store_in_turn(
        &mut self,
        buffer: usize,
        index: Value,
        value: Value,
    ) -> Option<TokenStream> {
        let place = *self.turns.places.get(&(buffer, index))?;
        let Some(other) = self.turns.waiting.remove(&buffer) else {
            self.turns.waiting.insert(buffer, (index, value));
            return Some(TokenStream::new());
        };
        let own = (index, value);
        let [(index, a), (_, b)] = match place {
            0 => [own, other],
            _ => [other, own],
        };
        let vector = self.vector(self.leaf(a));
        let (a, b, pointer) = (self.vectors(a), self.vectors(b), self.names.buffer(buffer));
        let first = match self.held(index) {
            Held::Affine { first, .. } => first,
            Held::Uniform(_) | Held::Lanes(_) => {
                let index = self.vectors(index);
                quote!(Value::lane(#index, 0))
            }
        };
        Some(quote! {
            unsafe { <#vector as Value>::store_in_turn(#a, #b, #pointer.wrapping_add(#first as usize)); }
        })
    }
}
