//! The pass `contract`, of programs under `#[fast_math]`: products and sums become one instruction, and divisions of `f32`
//! an approximate one.
//!
//! It comes last: no other rule knows these operations, and a product meets its sum only when arrays between them are gone.

use super::rebuild::{Rebuild, Rules, rebuild};
use super::rules::{self, Bindings, Rule};
use super::simplify::folded;
use super::{Fired, State};
use crate::ir::{Id, Node, Program};
use crate::scalar::Leaf;
use std::sync::OnceLock;

/// Contracts what may be.
pub(crate) fn run(program: Program, state: &mut State) -> Program {
    static TABLES: OnceLock<[Vec<Rule>; 2]> = OnceLock::new();
    if !program.fast_math {
        return program;
    }
    let [both, single] = TABLES.get_or_init(|| {
        [rules::CONTRACT, rules::CONTRACT_SINGLE]
            .map(|table| table.iter().map(|text| Rule::parse(text)).collect())
    });
    let mut contract = Contract {
        both,
        single,
        fired: &mut state.fired,
    };
    rebuild(&program, &mut contract)
}

struct Contract<'a> {
    /// Of every float.
    both: &'a [Rule],
    /// Of `f32`.
    single: &'a [Rule],
    fired: &'a mut Fired,
}

impl Rules for Contract<'_> {
    fn node(&mut self, cx: &mut Rebuild<'_>, node: Node) -> Id {
        let id = cx.add(node);
        let Node::Binary(_, a, _) = cx.new.node(id) else {
            return id;
        };
        let leaf = cx.new.leaf(*a);
        let single = match leaf {
            Leaf::F32 => self.single,
            Leaf::F64 => &[],
            _ => return id,
        };
        for rule in self.both.iter().chain(single) {
            let mut found = Bindings::new();
            if rules::matches(&cx.new, &rule.left, id, leaf, &mut found) {
                self.fired.count(rule.text);
                let mut add = |node: Node| match folded(&cx.new, &node) {
                    Some(constant) => cx.add(Node::Constant(constant)),
                    None => cx.add(node),
                };
                return rules::build(&rule.right, leaf, &found, &mut add);
            }
        }
        id
    }
}
