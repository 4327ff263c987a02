//! What an evaluation costs: of a whole program, and of what it never came to.
//!
//! A back end may evaluate once what does not depend on any variable and stands where nothing asks for it, as long as
//! its domains and loops are no larger than what there is already.

use super::{Array, Failed, Machine, Output};
use crate::ir::{Id, Node, Program, Type, walk};
use crate::scalar::{Scalar, Work};
use crate::sorted::SortedSet;

/// Numbers in a program that count as bounds of domains and of loops: all small ones.
const LARGEST_CONSTANT: u64 = 1 << 12;

/// An evaluation, and what it cost.
pub struct Spent {
    /// As of [`super::eval`].
    pub result: Result<Vec<Output>, Failed>,
    /// Of the evaluation.
    pub evaluated: Work,
    /// Of one evaluation of each closed expression that it did not come to, of those whose extents and numbers of rounds
    /// are at most constants or extents of parameters.
    pub others: Work,
}

/// Evaluates a program, and counts.
pub fn spent(program: &Program, scalars: &[Scalar], arrays: &[Array]) -> Spent {
    let mut machine = Machine::new(program, scalars, arrays, None);
    let result = machine.run();
    let evaluated = std::mem::take(&mut machine.work);
    let extents = arrays.iter().flat_map(|array| &array.extents);
    let constants = program.ids().filter_map(|id| match program.node(id) {
        Node::Constant(constant) if !constant.leaf.is_float() => Some(constant.bits),
        _ => None,
    });
    let constants = constants.filter(|&bits| bits <= LARGEST_CONSTANT);
    // Offsets are one more than segments, and the like.
    let [extent, constant] =
        [extents.copied().max(), constants.max()].map(Option::unwrap_or_default);
    machine.limit = Some(extent + constant);
    let mut others = Work::default();
    let mut refused = SortedSet::new();
    for id in walk::reachable(program, program.roots()) {
        let closed = program.free(id).is_empty();
        if closed && machine.values[id.0 as usize].is_some() {
            continue;
        }
        let mut without = loops_over_arrays(program, id);
        (program.node(id)).operands(|operand| without |= refused.contains(&operand));
        if closed && !without {
            machine.work = Work::default();
            (machine.stopped, machine.beyond) = (false, false);
            let _ = machine.value(id);
            without = machine.beyond;
            if !without {
                others += machine.work;
            }
        }
        if without {
            refused.insert(id);
        }
    }
    Spent {
        result,
        evaluated,
        others,
    }
}

/// Nobody runs these early.
fn loops_over_arrays(program: &Program, id: Id) -> bool {
    match program.node(id) {
        Node::Loop { state, .. } => {
            let is_array = |&var| matches!(program.var_type(var), Type::Array(..));
            state.iter().any(is_array)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::interpret::run_counted;
    use crate::scalar::Leaf;

    fn numbers(numbers: &[i64]) -> Array {
        let leaf = numbers.iter().map(|&x| Scalar::number(Leaf::U32, x));
        Array {
            extents: vec![numbers.len() as u64],
            leaves: vec![leaf.collect()],
        }
    }

    /// What evaluation costs, what it did not come to, and what the plan costs.
    fn costs(block: &str, arrays: &[Array]) -> [Work; 3] {
        let unit = crate::compile(block.parse().expect("tokens"), &crate::Options::default());
        let function = &unit.functions[0];
        let spent = spent(&function.lowered, &[], arrays);
        let planned = run_counted(&function.plan, &[], arrays, u64::MAX);
        let (result, planned) = planned.expect("no limit");
        assert_eq!(result, spent.result);
        [spent.evaluated, spent.others, planned]
    }

    #[test]
    fn operations_and_elements_count() {
        let block = "pub fn f(xs: &Vector<u32>) -> Vector<u32> { xs.map(|x| x / 3 ^ 1) }";
        let [evaluated, others, planned] = costs(block, &[numbers(&[5, 6, 7])]);
        // Read, divided, changed, written.
        let element = 8 + 10 + 1 + 8;
        let of = |work: Work| (work.cost, work.functions);
        assert_eq!(of(evaluated), (3 * element, 0));
        assert_eq!(of(others), (0, 0));
        assert_eq!(of(planned), (3 * element, 0));
    }

    #[test]
    fn functions_count_by_themselves() {
        let block = "pub fn f(xs: &Vector<u32>) -> Vector<f32> { xs.map(|x| (x as f32).exp()) }";
        let [evaluated, _, planned] = costs(block, &[numbers(&[5, 6, 7])]);
        assert_eq!([evaluated.functions, planned.functions], [3, 3]);
    }

    #[test]
    fn what_no_branch_came_to_counts_once_and_only_if_it_is_small() {
        let block = |extent: &str| {
            format!(
                "pub fn f(xs: &Vector<u32>) -> Vector<u32> {{
                    let n = xs.len();
                    xs.map(|x| if x > 7 {{ generate({extent}, |i| xs[i % n] / 3).sum() }} else {{ x }})
                }}"
            )
        };
        let others = |extent: &str, xs: &[i64]| costs(&block(extent), &[numbers(xs)])[1].cost;
        // Read, divided, added; its index is divided and compared too.
        assert!((4 * 29..4 * 50).contains(&others("n", &[5, 6, 7, 1])));
        // The extent itself.
        assert!(others("n * n * n", &[5, 6, 7, 1]) < 10);
        assert_eq!(others("n", &[5, 6, 7, 8]), 0);
    }
}
