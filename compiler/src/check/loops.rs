//! What a `for` goes over: the numbers of a range, or the elements of a vector, of a fixed array or of the rows of an array.

use super::infer::POISON;
use super::operators::Class;
use super::paths::strip;
use super::{Checker, expr};
use crate::scalar::{Leaf, Scalar};
use crate::syntax::span;
use crate::typed::{Expr, ExprKind, LoopRange, LoopStep, Pattern, Stmt, Type};

/// What a loop goes over.
pub(super) struct Over {
    pub(super) range: LoopRange,
    /// Of an array: the range is that of its indices.
    pub(super) elements: Option<Elements>,
}

/// The elements of an array.
pub(super) struct Elements {
    /// Gives the array a name, before the loop.
    array: Stmt,
    index: Pattern,
    /// What the loop's own pattern takes at an index.
    pub(super) each: Expr,
    /// The index by itself.
    at: Expr,
}

impl Elements {
    /// The loop over the indices, with the array before it and the element at the beginning of each round.
    pub(super) fn around(
        self,
        pattern: Pattern,
        body: Expr,
        counted: impl FnOnce(Pattern, Expr) -> Expr,
    ) -> Expr {
        let element = Stmt::Let {
            pattern,
            value: Some(self.each),
        };
        let body = after(element, body);
        after(self.array, counted(self.index, body))
    }
}

fn after(first: Stmt, rest: Expr) -> Expr {
    let (ty, at) = (rest.ty.clone(), rest.span);
    expr(ExprKind::Block(vec![first], Some(Box::new(rest))), ty, at)
}

impl Checker<'_> {
    /// `a..b`, `a..=b` or an array, with `.rev()`, `.step_by(k)` and `.enumerate()` after it.
    pub(super) fn loop_over(&mut self, node: &syn::Expr) -> Option<Over> {
        match strip(node) {
            syn::Expr::Range(range) => self.loop_over_range(range),
            syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                let mut over = self.loop_over(&call.receiver)?;
                let turned = match over.range.steps.last_mut() {
                    Some(step) => &mut step.backwards,
                    None => &mut over.range.reversed,
                };
                *turned = !*turned;
                Some(over)
            }
            syn::Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                let mut over = self.loop_over(&call.receiver)?;
                over.range.steps.push(LoopStep {
                    by: self.check(&call.args[0], &Type::Usize),
                    backwards: false,
                });
                Some(over)
            }
            syn::Expr::MethodCall(call) if call.method == "enumerate" && call.args.is_empty() => {
                let mut over = self.loop_over(&call.receiver)?;
                let plain = !over.range.reversed && over.range.steps.is_empty();
                let Some(elements) = over.elements.as_mut().filter(|_| plain) else {
                    self.error(
                        call.method.span(),
                        "`enumerate` counts the elements of an array, from the first",
                        "write `for i in 0..n`, and read `xs[i]`",
                    );
                    return None;
                };
                let ty = Type::Tuple(vec![Type::Usize, elements.each.ty.clone()]);
                let at = elements.each.span;
                let pair = vec![elements.at.clone(), elements.each.clone()];
                elements.each = expr(ExprKind::Tuple(pair), ty, at);
                Some(over)
            }
            other => self.loop_over_value(other),
        }
    }

    fn loop_over_range(&mut self, range: &syn::ExprRange) -> Option<Over> {
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            self.error(
                span(range),
                "a loop needs both ends of its range",
                "write `0..n`, or a `loop` with a `break`",
            );
            return None;
        };
        let start = self.infer(start);
        let start = self.operand(start);
        let end = self.check(end, &start.ty.clone());
        self.require(
            &start.ty,
            Class::Integer,
            span(range),
            "a `for` over a range",
        );
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        Some(Over {
            range: between(start, end, inclusive),
            elements: None,
        })
    }

    /// A range that a variable has, or an array.
    fn loop_over_value(&mut self, node: &syn::Expr) -> Option<Over> {
        let value = self.without(node, &mut Vec::new());
        let value = self.infer(&value);
        self.solve_pending(false);
        let ty = self.vars.shallow(&value.ty);
        let help = match &ty {
            Type::Range(number) if matches!(value.kind, ExprKind::Local(_)) => {
                let [start, end] = [0, 1].map(|end| {
                    let kind = ExprKind::Field(Box::new(value.clone()), end);
                    expr(kind, (**number).clone(), value.span)
                });
                return Some(Over {
                    range: between(start, end, false),
                    elements: None,
                });
            }
            Type::Array(element, 1) | Type::Fixed(element, _) => {
                let element = (**element).clone();
                return Some(self.loop_over_elements(value, element));
            }
            Type::Nested { outer: 1, inner } => {
                let inner = (**inner).clone();
                return Some(self.loop_over_elements(value, inner));
            }
            &POISON => return None,
            Type::Segmented(_) => "write `map_segments(|s| ..)`, or `for x in s.values()`",
            Type::Array(..) => "write `for row in m.rows()`, or `m.flatten()` for its elements",
            _ => "write the range here: `for i in 0..n`",
        };
        let shown = self.show(&value.ty);
        self.error(
            span(node),
            format!("a `for` goes over a range or a vector, found {shown}"),
            help,
        );
        None
    }

    fn loop_over_elements(&mut self, value: Expr, element: Type) -> Over {
        let at = value.span;
        let (array, read) = self.saved(value);
        let local = self.fresh_local("i", at);
        let index = Pattern::Bind {
            local,
            name: "i".to_owned(),
            ty: Type::Usize,
            inner: None,
        };
        let here = expr(ExprKind::Local(local), Type::Usize, at);
        let kind = ExprKind::Index(Box::new(read.clone()), Box::new(here.clone()));
        let end = self.method(read, "len", &[], at);
        let zero = Scalar::wrapped(Leaf::U64, 0);
        let start = expr(ExprKind::Constant(zero), Type::Usize, at);
        Over {
            range: between(start, end, false),
            elements: Some(Elements {
                array,
                index,
                each: expr(kind, element, at),
                at: here,
            }),
        }
    }
}

fn between(start: Expr, end: Expr, inclusive: bool) -> LoopRange {
    LoopRange {
        start,
        end,
        inclusive,
        reversed: false,
        steps: Vec::new(),
    }
}
