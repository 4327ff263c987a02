//! Keys: floats as integers that compare as `total_cmp` does, and back.

use super::{Id, Node, Program};
use crate::scalar::{Binary, Leaf, Scalar};

impl Program {
    /// A leaf by which it is compared: of a float the integer that Rust's `total_cmp` compares.
    pub(crate) fn ordered(&mut self, id: Id) -> Id {
        let leaf = match self.leaf(id) {
            leaf if leaf.is_half() => Leaf::I16,
            Leaf::F32 => Leaf::I32,
            Leaf::F64 => Leaf::I64,
            _ => return id,
        };
        let bits = self.add(Node::Bitcast(leaf, id));
        self.turned(bits)
    }

    /// A leaf by what it is compared by.
    pub(crate) fn unordered(&mut self, leaf: Leaf, id: Id) -> Id {
        if !leaf.is_float() {
            return id;
        }
        // What turns the bits around turns them back.
        let turned = self.turned(id);
        self.add(Node::Bitcast(leaf, turned))
    }

    /// The bits of a float, all but the sign turned around where that is set: done twice, it changes nothing.
    fn turned(&mut self, bits: Id) -> Id {
        let leaf = self.leaf(bits);
        let top = u64::from(leaf.bits()) - 1;
        let most = self.constant(Scalar {
            leaf,
            bits: (1 << top) - 1,
        });
        let top = self.constant(Scalar {
            leaf: Leaf::U32,
            bits: top,
        });
        let sign = self.binary(Binary::Shr, bits, top);
        let mask = self.binary(Binary::And, sign, most);
        self.binary(Binary::Xor, bits, mask)
    }
}
