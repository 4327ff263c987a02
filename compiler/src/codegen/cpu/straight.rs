//! Indices that borders bend, taken as straight: stencils clamp and mirror indices that go up from lane to lane, which
//! changes something near borders only. A body is written twice: once with the assumption that these indices go on as
//! they are, which it leaves where lanes are found for which they do not, and once without.

use super::statements::{Emitter, Held};
use crate::plan::body::{Op, Value};
use crate::scalar::{Binary, Leaf};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    /// An operation that changes an index near borders only, as if it did not.
    pub(super) fn unbent(&mut self, value: Value, op: &Op) -> Option<TokenStream> {
        self.straight
            .as_ref()
            .filter(|straight| !straight.in_turn)?;
        let (condition, index) = match *op {
            Op::Binary(op @ (Binary::Min | Binary::Max), a, b) => {
                let (index, bound) = match (self.held(a), self.held(b)) {
                    (Held::Affine { .. }, Held::Uniform(bound)) => (a, bound),
                    (Held::Uniform(bound), Held::Affine { .. }) => (b, bound),
                    _ => return None,
                };
                let (first, lanes) = (self.going_up(index)?, &self.lanes);
                let condition = match op {
                    Binary::Min => quote!(all_at_most::<#lanes>(#first, #bound)),
                    _ => quote!(all_at_least::<#lanes>(#first, #bound)),
                };
                (condition, index)
            }
            Op::Binary(op @ (Binary::Lt | Binary::Le), a, b) => {
                self.compare(value, op, a, b);
                return None;
            }
            Op::Select(condition, a, b) => {
                let compared = &self.straight.as_ref()?.compared;
                let (holds, condition) = compared.get(&condition)?.clone();
                (condition, if holds { a } else { b })
            }
            _ => return None,
        };
        self.going_up(index)?;
        let straight = self.straight.as_mut()?;
        (straight.assumed, straight.bent) = (true, true);
        let held = self.held(index);
        self.held.insert(value, held);
        Some(quote!(if !#condition { break 'straight; }))
    }

    /// The first lane of an index that goes up by one from lane to lane.
    fn going_up(&self, index: Value) -> Option<TokenStream> {
        match self.held(index) {
            Held::Affine {
                first,
                stride: None,
            } if self.leaf(index) == Leaf::U64 => Some(first),
            _ => None,
        }
    }

    /// Notes what a comparison of an index says away from borders: that the index is at least what is constant, and less
    /// than what is not.
    fn compare(&mut self, value: Value, op: Binary, a: Value, b: Value) {
        let lanes = self.lanes.clone();
        let Some(straight) = &self.straight else {
            return;
        };
        let constant = |bound: &Value| straight.constants.contains(bound);
        let (holds, condition) = match (op, self.held(a), self.held(b)) {
            (Binary::Lt, Held::Affine { .. }, Held::Uniform(bound)) => {
                let Some(first) = self.going_up(a) else {
                    return;
                };
                match constant(&b) {
                    true => (false, quote!(all_at_least::<#lanes>(#first, #bound))),
                    false => (true, quote!(all_less::<#lanes>(#first, #bound))),
                }
            }
            (Binary::Le, Held::Uniform(bound), Held::Affine { .. }) => {
                let Some(first) = self.going_up(b) else {
                    return;
                };
                match constant(&a) {
                    true => (true, quote!(all_at_least::<#lanes>(#first, #bound))),
                    false => (false, quote!(all_less::<#lanes>(#first, #bound))),
                }
            }
            _ => return,
        };
        if let Some(straight) = &mut self.straight {
            straight.compared.insert(value, (holds, condition));
        }
    }
}
