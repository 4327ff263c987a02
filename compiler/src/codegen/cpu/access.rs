//! Loads, stores and checks.

use super::names::zero;
use super::statements::{Emitter, Held};
use crate::ir::Site;
use crate::plan::body::Value;
use crate::scalar::Leaf;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// How an element is found.
enum Place {
    /// The same one for all lanes.
    Same(TokenStream),
    /// Neighbours.
    Neighbours(TokenStream),
    /// Anywhere.
    Anywhere(TokenStream),
}

impl Emitter<'_> {
    fn place(&self, index: Value) -> Place {
        match self.held(index) {
            Held::Uniform(index) => Place::Same(index),
            Held::Affine {
                first,
                stride: None,
            } => Place::Neighbours(first),
            Held::Affine { .. } | Held::Lanes(_) => Place::Anywhere(self.vectors(index)),
        }
    }

    /// The live lanes where `guard` holds, as a mask expression; `None` for all lanes.
    fn mask(&self, guard: Option<Value>) -> Option<TokenStream> {
        match (&self.live, guard) {
            (None, None) => None,
            (Some(live), None) => Some(quote!(#live)),
            (None, Some(guard)) => Some(self.vectors(guard)),
            (Some(live), Some(guard)) => {
                let guard = self.vectors(guard);
                Some(quote!(Mask::and(#live, #guard)))
            }
        }
    }

    pub(super) fn load(
        &mut self,
        value: Value,
        buffer: usize,
        index: Value,
        guard: Option<Value>,
    ) -> TokenStream {
        let pointer = self.names.buffer(buffer);
        let leaf = self.leaf(value);
        let (vector, zero) = (self.vector(leaf), zero(leaf));
        if let Some(&position) = self.blocks.get(&value) {
            let position = Literal::usize_unsuffixed(position);
            let element = quote!(unsafe { <#vector as Value>::load(block.#position.at(place)) });
            return self.bind(value, false, element);
        }
        let place = self.place(index);
        if let Place::Same(index) = &place {
            let element = quote!(unsafe { *#pointer.wrapping_add(#index as usize) });
            return match guard {
                // Some lane is live here, and for it the element is there.
                None => self.bind(value, true, element),
                Some(guard) if self.is_uniform(guard) => {
                    let guard = self.scalar(guard);
                    self.bind(value, true, quote!(if #guard { #element } else { #zero }))
                }
                Some(guard) => {
                    let lanes = self.vectors(guard);
                    let mask = self.mask(Some(guard)).expect("there is a guard");
                    let element = quote!(if Mask::any(#mask) { #element } else { #zero });
                    let splat = quote!(<#vector as Value>::splat(#element));
                    let zero = quote!(<#vector as Value>::splat(#zero));
                    self.bind(
                        value,
                        false,
                        quote!(<#vector as Value>::select(#lanes, #splat, #zero)),
                    )
                }
            };
        }
        self.gathers |= matches!(place, Place::Anywhere(_));
        // What is the same in all lanes is a branch, which leaves loops: no masks then.
        let branch = guard.filter(|&guard| self.is_uniform(guard));
        let mask = self.mask(guard.filter(|_| branch.is_none()));
        let expression = match (place, mask) {
            (Place::Same(_), _) => unreachable!("done above"),
            (Place::Neighbours(first), None) => {
                quote!(unsafe { <#vector as Value>::load(#pointer.wrapping_add(#first as usize)) })
            }
            (Place::Neighbours(first), Some(mask)) => {
                quote!(unsafe { <#vector as Value>::load_masked(#pointer.wrapping_add(#first as usize), #mask) })
            }
            (Place::Anywhere(index), None) => {
                quote!(unsafe { gather::<#vector>(#pointer, #index) })
            }
            (Place::Anywhere(index), Some(mask)) => {
                quote!(unsafe { <#vector as Value>::gather_masked(#pointer, #index, #mask) })
            }
        };
        let expression = match branch {
            Some(guard) => {
                let guard = self.scalar(guard);
                quote!(if #guard { #expression } else { <#vector as Value>::splat(#zero) })
            }
            None => expression,
        };
        self.bind(value, false, expression)
    }

    pub(super) fn store(&mut self, buffer: usize, index: Value, value: Value) -> TokenStream {
        if let Some(tokens) = self.store_in_turn(buffer, index, value) {
            return tokens;
        }
        let pointer = self.names.buffer(buffer);
        let mask = self.mask(None);
        let x = self.vectors(value);
        let vector = self.vector(self.leaf(value));
        match (self.place(index), mask) {
            (Place::Same(index), None) if self.is_uniform(value) => {
                let x = self.scalar(value);
                quote!(unsafe { *#pointer.wrapping_add(#index as usize) = #x; })
            }
            // One element for all lanes: only one lane may be live.
            (Place::Same(index), None) => {
                quote!(unsafe { *#pointer.wrapping_add(#index as usize) = <#vector as Value>::lane(#x, 0); })
            }
            (Place::Same(_), Some(mask)) => {
                let index = self.vectors(index);
                quote!(unsafe { <#vector as Value>::scatter(#x, #pointer, #index, #mask); })
            }
            (Place::Neighbours(first), None) if self.past => {
                quote!(unsafe { <#vector as Value>::store_past(#x, #pointer.wrapping_add(#first as usize), past); })
            }
            (Place::Neighbours(first), None) => {
                quote!(unsafe { <#vector as Value>::store(#x, #pointer.wrapping_add(#first as usize)); })
            }
            (Place::Neighbours(first), Some(mask)) => {
                quote!(unsafe { <#vector as Value>::store_masked(#x, #pointer.wrapping_add(#first as usize), #mask); })
            }
            (Place::Anywhere(index), mask) => {
                let lanes = &self.lanes;
                let mask =
                    mask.unwrap_or_else(|| quote!(<<#lanes as Lanes>::Mask as Value>::splat(true)));
                quote!(unsafe { <#vector as Value>::scatter(#x, #pointer, #index, #mask); })
            }
        }
    }

    /// Reports the live lanes where the condition fails.
    pub(super) fn check(&mut self, condition: Value, site: Site, values: &[Value]) -> TokenStream {
        let lanes = self.lanes.clone();
        let holds = self.vectors(condition);
        let bad = self.temporary("bad");
        let live = match &self.live {
            Some(live) => quote!(#live),
            None => quote!(<<#lanes as Lanes>::Mask as Value>::splat(true)),
        };
        let vector = self.vector(Leaf::I64);
        let shown = (0..2).map(|k| match values.get(k) {
            Some(&value) => self.reported(value),
            None => quote!(<#vector as Value>::splat(0)),
        });
        let (failures, site) = (&self.failures, site.0);
        let remember = self
            .failed
            .as_ref()
            .map(|failed| quote!(#failed = Mask::or(#failed, #bad);));
        let report = quote! {
            let #bad = Mask::but_not(#live, #holds);
            if Mask::any(#bad) {
                fail::<#lanes>(#failures, #site, #bad, [#(#shown),*]);
                #remember
            }
        };
        if self.is_uniform(condition) {
            // Most checks of uniform values hold: no masks then.
            let condition = self.scalar(condition);
            return quote!(if !#condition { #report });
        }
        report
    }
}
