//! Sorts and searches: their arguments and results, and which elements have an order.

use super::Checker;
use super::operations_table::Operation;
use crate::scalar::Leaf;
use crate::typed::{ArrayOp, Expr, Sort, Type};

impl Checker<'_> {
    pub(super) fn sort(&mut self, sort: Sort, call: Operation) -> Expr {
        let (name, at) = (call.name, call.at);
        let ty = call.receiver.ty.clone();
        let mut operands = vec![call.receiver];
        let mut key = call.element.clone();
        let array = |element: Type, rank| Type::Array(Box::new(element), rank);
        let (places, is_sorted) = (
            array(Type::Usize, call.rank),
            match call.rank {
                1 => Type::Leaf(Leaf::Bool),
                rank => array(Type::Leaf(Leaf::Bool), rank - 1),
            },
        );
        match sort {
            Sort::ByKey | Sort::IsSortedByKey => {
                let closure = self.closure_argument(call.args[0], &[key], None, name);
                operands.push(closure.0);
                key = closure.1;
            }
            Sort::By | Sort::PlacesBy | Sort::IsSortedBy => {
                let both = [key.clone(), key];
                let (told, result) = match sort {
                    Sort::By => (Type::Ordering, ty),
                    Sort::PlacesBy => (Type::Ordering, places),
                    _ => (Type::Leaf(Leaf::Bool), is_sorted),
                };
                let closure = self.closure_argument(call.args[0], &both, Some(&told), name);
                operands.push(closure.0);
                return self.array(ArrayOp::Sort(sort), operands, result, at);
            }
            Sort::PartitionPoint => {
                let told = Type::Leaf(Leaf::Bool);
                let closure = self.closure_argument(call.args[0], &[key], Some(&told), name);
                operands.push(closure.0);
                return self.array(ArrayOp::Sort(sort), operands, Type::Usize, at);
            }
            Sort::Search => {
                let sought = self.check(call.args[0], &key);
                operands.push(sought);
            }
            Sort::Top | Sort::TopPlaces => {
                let count = self.check(call.args[0], &Type::Usize);
                operands.push(count);
            }
            Sort::Elements | Sort::Places | Sort::IsSorted => {}
        }
        let key = self.vars.resolve(&key);
        if !self.has_order(&key) {
            let shown = self.show(&key);
            return self.reject(
                at,
                format!("`{name}` needs elements that have an order, found {shown}"),
                match sort {
                    Sort::ByKey | Sort::IsSortedByKey => {
                        "a key is a number, `bool`, `char`, or a tuple, array or struct of such"
                    }
                    Sort::Places => "write `map(|x| key).argsort()` or `argsort_by(|a, b| ..)`",
                    Sort::IsSorted => {
                        "write `is_sorted_by_key(|x| ..)` or `is_sorted_by(|a, b| ..)`"
                    }
                    Sort::Top | Sort::TopPlaces => {
                        "write `map(|x| key).argtop_k(k)`, and `xs.select(&places)` for the elements"
                    }
                    _ => "write `sort_by_key(|x| ..)` or `sort_by(|a, b| ..)`",
                },
            );
        }
        let result = match sort {
            Sort::Elements | Sort::ByKey | Sort::By | Sort::Top => ty,
            Sort::Places | Sort::PlacesBy | Sort::TopPlaces => places,
            Sort::IsSorted | Sort::IsSortedBy | Sort::IsSortedByKey => is_sorted,
            Sort::Search => Type::Option(Box::new(Type::Usize)),
            Sort::PartitionPoint => Type::Usize,
        };
        self.array(ArrayOp::Sort(sort), operands, result, at)
    }

    /// Whether leaves compared one after the other are the order of a type.
    pub(super) fn has_order(&self, ty: &Type) -> bool {
        match ty {
            Type::Tuple(fields) => fields.iter().all(|field| self.has_order(field)),
            Type::Fixed(inner, _) | Type::Option(inner) => self.has_order(inner),
            Type::Struct(id) => {
                let fields = self.cx.fields(*id);
                let mut fields = fields.iter();
                self.cx.variants_of(*id).is_empty()
                    && fields.all(|(_, field)| self.has_order(field))
            }
            Type::Array(..)
            | Type::Bundle(_)
            | Type::Nested { .. }
            | Type::Range(_)
            | Type::Closure
            | Type::Function(..)
            | Type::Segmented(_)
            | Type::Offsets(_)
            | Type::Window(..) => false,
            _ => true,
        }
    }
}
