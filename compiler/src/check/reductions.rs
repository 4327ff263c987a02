//! Reductions: their arguments and results.

use super::Checker;
use super::operations_table::Operation;
use super::operators::Class;
use crate::typed::{ArrayOp, Axes, Expr, Reduction, Type};
use proc_macro2::Span;

impl Checker<'_> {
    /// Numbers, or what is made of numbers.
    fn require_of_components(&mut self, element: &Type, at: Span, what: &str) -> bool {
        let types = match self.vars.shallow(element) {
            Type::Tuple(types) if !types.is_empty() => types,
            Type::Fixed(element, _) => vec![*element],
            Type::Struct(id) if self.cx.variants_of(id).is_empty() => {
                let fields = self.cx.fields(id).into_iter();
                fields.map(|(_, ty)| ty).collect()
            }
            ty => return self.require(&ty, Class::Number, at, what),
        };
        types
            .iter()
            .all(|ty| self.require_of_components(ty, at, what))
    }

    /// A reduction: its arguments after the axis, if it has one.
    pub(super) fn reduce(&mut self, reduction: Reduction, axes: Axes, call: Operation) -> Expr {
        let (name, at) = (call.name, call.at);
        let what = format!("`{name}`");
        let own = match reduction {
            Reduction::Fold => 2,
            Reduction::Fold1 | Reduction::Dot => 1,
            Reduction::Sum
            | Reduction::Product
            | Reduction::Min
            | Reduction::Max
            | Reduction::All
            | Reduction::Any
            | Reduction::Argmin
            | Reduction::Argmax
            | Reduction::Mean => 0,
        };
        let with_axis = matches!(axes, Axes::Axis(_));
        let count = own + usize::from(with_axis || axes == Axes::Segments);
        if call.args.len() != count {
            if let (0, [arg]) = (count, call.args)
                && let Some(help) = super::habits::reduction(name, arg)
            {
                return self.wrong_count_of(name, 0, 1, at, help);
            }
            for arg in call.args {
                self.argument_for_errors(arg);
            }
            return self.wrong_count(name, count, call.args.len(), at);
        }
        let mut args = call.args;
        let mut axes = axes;
        if with_axis {
            let Some(axis) = self.axis_number(args[0], call.rank) else {
                return self.poison(at);
            };
            axes = Axes::Axis(axis);
            args = &args[1..];
        }
        let mut operands = vec![call.receiver];
        if axes == Axes::Segments {
            operands.push(self.segments_argument(args[0], name));
            args = &args[1..];
        }
        let element = call.element;
        let class = match reduction {
            Reduction::Fold | Reduction::Fold1 | Reduction::Dot => None,
            Reduction::All | Reduction::Any => Some(Class::Bool),
            Reduction::Mean => Some(Class::Float),
            Reduction::Sum
            | Reduction::Product
            | Reduction::Min
            | Reduction::Max
            | Reduction::Argmin
            | Reduction::Argmax => Some(Class::Number),
        };
        let components = matches!(reduction, Reduction::Sum | Reduction::Product);
        if let Some(class) = class {
            let fits = match components {
                true => self.require_of_components(&element, at, &what),
                false => self.require(&element, class, at, &what),
            };
            if !fits {
                return self.poison(at);
            }
        }
        let result = match reduction {
            Reduction::Fold => {
                let init = self.infer(args[0]);
                let init = self.operand(init);
                self.settle_none(&init.ty, &element);
                let ty = init.ty.clone();
                let types = [ty.clone(), element];
                let (closure, _) = self.closure_argument(args[1], &types, Some(&ty), name);
                operands.extend([init, closure]);
                ty
            }
            Reduction::Fold1 => {
                let types = [element.clone(), element.clone()];
                let (closure, _) = self.closure_argument(args[0], &types, Some(&element), name);
                operands.push(closure);
                element
            }
            Reduction::Dot => {
                let ty = operands[0].ty.clone();
                let other = self.check(args[0], &ty);
                operands.push(other);
                if !self.require(&element, Class::Number, at, &what) {
                    return self.poison(at);
                }
                element
            }
            Reduction::Argmin | Reduction::Argmax => Type::Usize,
            Reduction::Sum
            | Reduction::Product
            | Reduction::Min
            | Reduction::Max
            | Reduction::All
            | Reduction::Any
            | Reduction::Mean => element,
        };
        if self.vars.resolve(&result).has_array() {
            let shown = self.show(&result);
            return self.reject(
                at,
                format!("{what} of arrays is not supported yet, found {shown}"),
                "fold the elements: `xs.axis(k)` or `transpose()` bring them together",
            );
        }
        let ty = match (axes, call.rank) {
            (Axes::Segments, rank) => Type::Array(Box::new(result), rank),
            (Axes::All, _) | (_, 1) => result,
            (_, rank) => Type::Array(Box::new(result), rank - 1),
        };
        self.array(ArrayOp::Reduce(reduction, axes), operands, ty, at)
    }
}
