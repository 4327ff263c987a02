//! The pass `eliminate`: integer arithmetic by ranges, conditions that ranges decide, guards that always hold.

use super::index::Index;
use super::rebuild::{Rebuild, Rules, rebuild};
use super::{Fired, State};
use crate::ir::{Id, Node, Program, Type};
use crate::scalar::{Binary, Leaf};

pub(super) fn run(program: Program, state: &mut State) -> Program {
    rebuild(
        &program,
        &mut Ranges {
            fired: &mut state.fired,
        },
    )
}

struct Ranges<'a> {
    fired: &'a mut Fired,
}

impl Rules for Ranges<'_> {
    fn wants_facts(&self) -> bool {
        true
    }

    fn node(&mut self, cx: &mut Rebuild<'_>, node: Node) -> Id {
        if let Node::Guard {
            condition, value, ..
        } = &node
            && cx.index.decide(&cx.new, *condition) == Some(true)
        {
            self.fired.count("guard(true, x) = x");
            return *value;
        }
        let id = cx.add(node);
        let scalar = matches!(cx.new.ty(id), Type::Scalar(Leaf::Bool))
            || matches!(cx.new.ty(id), Type::Scalar(leaf) if leaf.is_integer());
        let computed = matches!(
            cx.new.node(id),
            Node::Unary(..)
                | Node::Binary(..)
                | Node::Select(..)
                | Node::Cast(..)
                | Node::Extent { .. }
                | Node::Parameter(_)
        );
        // Other integers are indices only where they depend on nothing else; a cast to one is simplified with them.
        let data = cx.new.reads(id)
            && match *cx.new.node(id) {
                Node::Unary(_, a) => cx.new.leaf(a) != Leaf::U64,
                Node::Binary(op, ..) => {
                    let leaf = cx.new.leaf(id);
                    !matches!(op, Binary::Div | Binary::Rem)
                        && !matches!(leaf, Leaf::U64 | Leaf::Bool)
                }
                _ => false,
            };
        if !scalar || !computed || data {
            return id;
        }
        let Rebuild { index, new, .. } = cx;
        let to = simplified(index, new, id);
        // What may fail is not dropped.
        if to == id || (cx.may_fail(id) && !cx.may_fail(to)) {
            return id;
        }
        self.fired.count("index arithmetic");
        to
    }
}

fn simplified(index: &mut Index, program: &mut Program, id: Id) -> Id {
    index.simplify_node(program, id)
}
