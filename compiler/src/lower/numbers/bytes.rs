//! Numbers as bytes, and products of twice the width.

use crate::ir::{Id, Node};
use crate::lower::Lower;
use crate::lower::loops::unsigned;
use crate::lower::value::Value;
use crate::scalar::{Binary, Leaf};
use crate::typed::Type;

impl<'a> Lower<'a> {
    /// `to_le_bytes`, `f32::from_be_bytes(..)` and so on; `None` if it is another method. Devices are little-endian, and so
    /// is the host.
    pub(super) fn bytes_method(
        &mut self,
        name: &str,
        values: &[Value<'a>],
        ty: &'a Type,
    ) -> Option<Value<'a>> {
        let big = name.ends_with("_be_bytes");
        match (name, values) {
            ("to_be_bytes" | "to_le_bytes" | "to_ne_bytes", [number]) => {
                let bits = self.bits_of(number.scalar());
                let width = self.p.leaf(bits).bits();
                let mut bytes = Vec::new();
                for by in (0..width).step_by(8) {
                    let rest = self.shifted(Binary::Shr, bits, by);
                    bytes.push(Value::Scalar(self.cast(Leaf::U8, rest)));
                }
                if big {
                    bytes.reverse();
                }
                Some(Value::Tuple(bytes))
            }
            ("from_be_bytes" | "from_le_bytes" | "from_ne_bytes", [Value::Tuple(bytes)]) => {
                let own = self.leaf_of(ty)?;
                let plain = match own {
                    Leaf::F16 | Leaf::Bf16 => Leaf::U16,
                    Leaf::F32 => Leaf::U32,
                    Leaf::F64 => Leaf::U64,
                    own => unsigned(own),
                };
                let mut bits = self.int(plain, 0);
                let mut bytes: Vec<Id> = bytes.iter().map(Value::scalar).collect();
                if big {
                    bytes.reverse();
                }
                for (position, byte) in bytes.into_iter().enumerate() {
                    let byte = self.cast(plain, byte);
                    let byte = self.shifted(Binary::Shl, byte, 8 * position as u32);
                    bits = self.p.binary(Binary::Or, bits, byte);
                }
                Some(Value::Scalar(match own.is_float() {
                    true => self.p.add(Node::Bitcast(own, bits)),
                    false => self.cast(own, bits),
                }))
            }
            ("carrying_mul_add", [x, y, carry, add]) => {
                let ids = [x, y, carry, add].map(Value::scalar);
                let (low, high) = self.wide_product(ids);
                Some(Value::Tuple(vec![Value::Scalar(low), Value::Scalar(high)]))
            }
            _ => None,
        }
    }

    fn shifted(&mut self, op: Binary, bits: Id, by: u32) -> Id {
        if by == 0 {
            return bits;
        }
        let by = self.int(Leaf::U32, by.into());
        self.p.binary(op, bits, by)
    }

    /// An integer without a sign, of the same bits.
    fn bits_of(&mut self, x: Id) -> Id {
        match self.p.leaf(x) {
            leaf if leaf.is_half() => self.p.add(Node::Bitcast(Leaf::U16, x)),
            Leaf::F32 => self.p.add(Node::Bitcast(Leaf::U32, x)),
            Leaf::F64 => self.p.add(Node::Bitcast(Leaf::U64, x)),
            leaf => self.cast(unsigned(leaf), x),
        }
    }

    /// `x * y + carry + add` of unsigned integers: the low half and the high one.
    fn wide_product(&mut self, [x, y, carry, add]: [Id; 4]) -> (Id, Id) {
        let leaf = self.p.leaf(x);
        if leaf.bits() < 64 {
            let [x, y, carry, add] = [x, y, carry, add].map(|id| self.cast(Leaf::U64, id));
            let product = self.p.binary(Binary::Mul, x, y);
            let sum = self.p.binary(Binary::Add, product, carry);
            let sum = self.p.binary(Binary::Add, sum, add);
            let shift = self.int(Leaf::U32, leaf.bits().into());
            let high = self.p.binary(Binary::Shr, sum, shift);
            return (self.cast(leaf, sum), self.cast(leaf, high));
        }
        let mut low = self.p.binary(Binary::Mul, x, y);
        let mut high = self.p.binary(Binary::MulHigh, x, y);
        for more in [carry, add] {
            let sum = self.p.binary(Binary::Add, low, more);
            let wraps = self.p.binary(Binary::Lt, sum, low);
            let wraps = self.cast(leaf, wraps);
            high = self.p.binary(Binary::Add, high, wraps);
            low = sum;
        }
        (low, high)
    }
}
