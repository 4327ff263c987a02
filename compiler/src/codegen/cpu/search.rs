//! Searches for the segment of an index, in ends of segments that ascend. The points of a domain come in order, so that each search
//! begins where the one before it has ended: mostly in the same segment, or next to it. Where all lanes lie in one segment, what it
//! finds is uniform, and so is all that depends on it; lanes of several segments are masked, a segment at a time.

use super::statements::{Emitter, Held, Straight};
use crate::plan::body::{Carry, Op, Statement, Value};
use crate::scalar::Binary;
use crate::sorted::SortedMap;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// A bisection: how many of `count` segments end at an index or before it.
pub(super) struct Search {
    /// Holds the end of segment `k` at `k + 1`.
    buffer: usize,
    sought: Value,
    count: Value,
}

/// What a loop's statements define.
struct Definitions<'p> {
    /// Those of the whole method so far.
    constants: &'p SortedMap<Value, u64>,
    ops: SortedMap<Value, &'p Op>,
    /// By value: the buffer and the index.
    loads: SortedMap<Value, (usize, Value)>,
}

impl<'p> Definitions<'p> {
    fn of(body: &'p [Statement], constants: &'p SortedMap<Value, u64>) -> Option<Definitions<'p>> {
        let mut found = Definitions {
            constants,
            ops: SortedMap::new(),
            loads: SortedMap::new(),
        };
        for statement in body {
            match statement {
                Statement::Let { value, op } => _ = found.ops.insert(*value, op),
                Statement::Load {
                    value,
                    buffer,
                    index,
                    guard: None,
                } => _ = found.loads.insert(*value, (*buffer, *index)),
                _ => return None,
            }
        }
        Some(found)
    }

    /// The terms of a sum, in order, and its constant.
    fn sum(&self, value: Value) -> (Vec<Value>, u64) {
        let (mut terms, mut constant, mut open) = (Vec::new(), 0u64, vec![value]);
        while let Some(value) = open.pop() {
            match self.ops.get(&value) {
                Some(Op::Binary(Binary::Add, a, b)) => open.extend([*a, *b]),
                _ => match self.constant(value) {
                    Some(number) => constant = constant.wrapping_add(number),
                    None => terms.push(value),
                },
            }
        }
        terms.sort_unstable();
        (terms, constant)
    }

    fn constant(&self, value: Value) -> Option<u64> {
        match self.ops.get(&value) {
            Some(Op::Constant(number)) => Some(number.bits),
            Some(_) => None,
            None => self.constants.get(&value).copied(),
        }
    }
}

/// The search that a loop is, if it is one: `while low < high { middle = low + (high - low) / 2; if ends[middle + 1] <= sought { low =
/// middle + 1 } else { high = middle } }`, from the first segment to the last. That of a user checks or guards what it reads, and is none:
/// his ends need not ascend.
pub(super) fn find(
    state: &[Carry],
    test: &[Statement],
    condition: Value,
    body: &[Statement],
    constants: &SortedMap<Value, u64>,
) -> Option<Search> {
    let [low, high] = state else {
        return None;
    };
    let tested = Definitions::of(test, constants)?;
    let within = match tested.ops.get(&condition)? {
        Op::Binary(Binary::Lt, a, b) => *a == low.state && *b == high.state,
        _ => false,
    };
    if !within || tested.constant(low.initial) != Some(0) {
        return None;
    }
    let defined = Definitions::of(body, constants)?;
    let select = |value: Value| match defined.ops.get(&value) {
        Some(Op::Select(condition, a, b)) => Some((*condition, *a, *b)),
        _ => None,
    };
    let (ends, above, stays) = select(low.next)?;
    let (ends_too, kept, middle) = select(high.next)?;
    if ends != ends_too || stays != low.state || kept != high.state {
        return None;
    }
    // `low + (high - low) / 2`.
    let (terms, 0) = defined.sum(middle) else {
        return None;
    };
    let half = |value: Value| match defined.ops.get(&value) {
        Some(Op::Binary(Binary::Div, length, two)) => {
            let two = defined.constant(*two) == Some(2);
            let length = defined.ops.get(length);
            two && matches!(length, Some(Op::Binary(Binary::Sub, a, b)) if *a == high.state && *b == low.state)
        }
        _ => false,
    };
    let [a, b] = terms[..] else {
        return None;
    };
    if !(a == low.state && half(b) || b == low.state && half(a)) || defined.sum(above) != (terms, 1)
    {
        return None;
    }
    let &&Op::Binary(Binary::Le, end, sought) = defined.ops.get(&ends)? else {
        return None;
    };
    let end = match defined.ops.get(&end) {
        Some(Op::Cast(_, narrow)) => *narrow,
        _ => end,
    };
    let &(buffer, index) = defined.loads.get(&end)?;
    (defined.sum(index) == defined.sum(above)).then_some(Search {
        buffer,
        sought,
        count: high.initial,
    })
}

impl Emitter<'_> {
    /// Where the search may begin and end for the lanes at hand, as scalars of these names; none if they are in no order.
    pub(super) fn near(
        &mut self,
        state: &[Carry],
        search: &Search,
    ) -> Option<(TokenStream, [Ident; 2])> {
        let Held::Uniform(count) = self.held(search.count) else {
            return None;
        };
        let [first, last] = match self.held(search.sought) {
            Held::Uniform(sought) => [sought.clone(), sought],
            Held::Affine {
                first,
                stride: None,
            } => {
                self.near.extend(state.first().map(|low| low.state));
                [first.clone(), self.last(&first)]
            }
            Held::Affine { .. } | Held::Lanes(_) => return None,
        };
        let (place, end) = self.ends(search);
        let [low, high] = ["low", "high"].map(|name| self.temporary(name));
        let tokens = quote! {
            let (#low, #high) = near::<#place>(#count, [#first, #last], #end);
        };
        Some((tokens, [low, high]))
    }

    /// A search for lanes of one segment.
    pub(super) fn shared(&mut self, state: &[Carry], search: &Search) -> Option<TokenStream> {
        let [low, high] = state else {
            return None;
        };
        let shared = |straight: &&Straight| straight.shared.contains(&low.state);
        let in_turn = self.straight.as_ref().filter(shared)?.in_turn;
        let (Held::Uniform(count), Held::Affine { first, .. }) =
            (self.held(search.count), self.held(search.sought))
        else {
            panic!("a search for lanes in order, with or without assumptions")
        };
        let (place, end) = self.ends(search);
        let [low, high] = [low, high].map(|carry| self.bind_uniform(carry.state));
        let (lanes, next) = (self.lanes.clone(), self.temporary("next"));
        let tokens = match in_turn {
            false => {
                let last = self.last(&first);
                quote! {
                    let (#low, #next) = segment::<#place>(#count, #first, #end);
                    if #next <= #last { break 'straight; }
                }
            }
            true => quote! {
                let (#low, #next) = segment::<#place>(#count, #first + done, #end);
                until = Ord::min(#next - #first, <#lanes as Lanes>::W as u64);
                live = Mask::and(live, <<#lanes as Lanes>::Mask as Mask>::first(until as usize));
            },
        };
        if let Some(straight) = &mut self.straight {
            straight.assumed = true;
        }
        Some(quote!(#tokens let #high = #low;))
    }

    /// The last of the lanes at hand, from the first one on.
    fn last(&self, first: &TokenStream) -> TokenStream {
        let lanes = &self.lanes;
        quote!((#first + (<#lanes as Lanes>::W as u64 - 1)))
    }

    /// Where another search remembers where it has ended, and the function that reads an end.
    fn ends(&mut self, search: &Search) -> (Literal, TokenStream) {
        let place = Literal::usize_unsuffixed(self.searches % PLACES);
        self.searches += 1;
        let pointer = self.names.buffer(search.buffer);
        let end = quote!(|at: u64| unsafe { *#pointer.wrapping_add(at as usize) as u64 });
        (place, end)
    }
}

/// As many searches of a kernel remember where they have ended, as the runtime has places for.
const PLACES: usize = 4;
