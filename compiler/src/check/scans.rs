//! Scans: their arguments and results.

use super::Checker;
use super::operations_table::Operation;
use super::operators::Class;
use crate::typed::{ArrayOp, Expr, Scan, Type};

impl Checker<'_> {
    /// A scan of the last axis.
    pub(super) fn scan(
        &mut self,
        scan: Scan,
        reversed: bool,
        segmented: bool,
        call: Operation,
    ) -> Expr {
        let (name, at) = (call.name, call.at);
        let mut operands = vec![call.receiver];
        let mut args = call.args;
        if segmented {
            operands.push(self.segments_argument(args[0], name));
            args = &args[1..];
        }
        let element = call.element;
        let state = match scan {
            Scan::Whole | Scan::Exclusive => {
                let init = self.infer(args[0]);
                let init = self.operand(init);
                self.settle_none(&init.ty, &element);
                let ty = init.ty.clone();
                // Operands keep their order: from the right, the element comes before what is right of it.
                let types = match reversed {
                    false => [ty.clone(), element],
                    true => [element, ty.clone()],
                };
                let (closure, _) = self.closure_argument(args[1], &types, Some(&ty), name);
                operands.extend([init, closure]);
                ty
            }
            Scan::Inclusive => {
                let types = [element.clone(), element.clone()];
                let (closure, _) = self.closure_argument(args[0], &types, Some(&element), name);
                operands.push(closure);
                element
            }
            Scan::Sum | Scan::Product | Scan::Max | Scan::Min => {
                self.require(&element, Class::Number, at, &format!("`{name}`"));
                element
            }
        };
        if self.vars.resolve(&state).has_array() {
            let shown = self.show(&state);
            return self.reject(
                at,
                format!("`{name}` of arrays is not supported yet, found {shown}"),
                "scan the elements: `transpose()` or `permute_axes` bring an axis to the end",
            );
        }
        let array = Type::Array(Box::new(state.clone()), call.rank);
        let ty = match (scan, call.rank) {
            (Scan::Exclusive, rank) if segmented => {
                let totals = Type::Array(Box::new(state), rank);
                Type::Tuple(vec![array, totals])
            }
            (Scan::Exclusive, 1) => Type::Tuple(vec![array, state]),
            (Scan::Exclusive, rank) => {
                let totals = Type::Array(Box::new(state), rank - 1);
                Type::Tuple(vec![array, totals])
            }
            _ => array,
        };
        let op = ArrayOp::Scan {
            scan,
            reversed,
            segmented,
        };
        self.array(op, operands, ty, at)
    }
}
