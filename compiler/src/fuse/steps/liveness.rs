//! Lifetimes of buffers: a `Release` after the last use of every name that is not a result.
//!
//! In: the steps and outputs of a plan. Out: the same steps with releases. Names that a loop or a branch moves are
//! not released; parameters only if they were passed by value.

use crate::ir::Parameter;
use crate::plan::{Argument, BufferId, Output, Plan, Step};
use crate::sorted::SortedSet;

type Names = SortedSet<BufferId>;

/// Adds the releases to a plan.
pub(in crate::fuse) fn release(plan: &mut Plan) {
    let mut live = Names::new();
    for output in &plan.outputs {
        match output {
            Output::Host(_) => {}
            Output::Device(leaves) | Output::Array { leaves, .. } => live.extend(leaves),
        }
    }
    let steps = std::mem::take(&mut plan.steps);
    let consumed = consumed(&plan.parameters);
    plan.steps = list(steps, &live, consumed);
}

/// The buffers of parameters that were passed by value.
fn consumed(parameters: &[Parameter]) -> Names {
    let mut names = Names::new();
    let mut next = 0;
    for parameter in parameters {
        if let Parameter::Array {
            leaves, consumed, ..
        } = parameter
        {
            for _ in leaves {
                if *consumed {
                    names.insert(BufferId(next));
                }
                next += 1;
            }
        }
    }
    names
}

/// Releases in a list of steps; `owned` are names from outside that end here.
fn list(steps: Vec<Step>, live_after: &Names, owned: Names) -> Vec<Step> {
    let mut owned = owned;
    for step in &steps {
        owned.extend(defined(step));
    }
    let mut live = live_after.clone();
    let mut reversed = Vec::new();
    for step in steps.into_iter().rev() {
        let mut step = step;
        if let Step::Copy { of, last, .. } = &mut step {
            *last = owned.contains(of) && !live.contains(of);
        }
        let (used, moved, defined) = (used(&step), moved(&step), defined(&step));
        let ends: Vec<BufferId> = (&used | &defined)
            .into_iter()
            .filter(|name| owned.contains(name) && !live.contains(name) && !moved.contains(name))
            .collect();
        reversed.extend(ends.into_iter().rev().map(Step::Release));
        live.extend(used);
        live.extend(moved);
        for name in &defined {
            live.remove(name);
        }
        reversed.push(inside(step));
    }
    reversed.reverse();
    // What is owned and never used ends at once.
    reversed
}

/// Releases inside a branch or a loop.
fn inside(step: Step) -> Step {
    match step {
        Step::If {
            condition,
            then,
            otherwise,
            values,
            buffers,
        } => {
            let a = buffers.iter().map(|join| join.then).collect();
            let b = buffers.iter().map(|join| join.otherwise).collect();
            Step::If {
                condition,
                then: list(then, &a, Names::new()),
                otherwise: list(otherwise, &b, Names::new()),
                values,
                buffers,
            }
        }
        Step::Loop {
            values,
            buffers,
            test,
            condition,
            body,
        } => {
            let states: Names = buffers.iter().map(|carry| carry.state).collect();
            let next: Names = buffers.iter().map(|carry| carry.next).collect();
            Step::Loop {
                values,
                test: list(test, &states, Names::new()),
                condition,
                body: list(body, &next, states),
                buffers,
            }
        }
        other => other,
    }
}

/// Names that come to be with a step.
fn defined(step: &Step) -> Names {
    match step {
        Step::Allocate(name)
        | Step::Share { buffer: name, .. }
        | Step::Shrink { buffer: name, .. }
        | Step::Copy { buffer: name, .. } => Names::from([*name]),
        Step::If { buffers, .. } => buffers.iter().map(|join| join.result).collect(),
        Step::Loop { buffers, .. } => buffers.iter().map(|carry| carry.state).collect(),
        _ => Names::new(),
    }
}

/// Names that go with a step.
fn moved(step: &Step) -> Names {
    match step {
        Step::Loop { buffers, .. } => buffers.iter().map(|carry| carry.initial).collect(),
        Step::Shrink { of, .. } | Step::Copy { of, last: true, .. } => Names::from([*of]),
        _ => Names::new(),
    }
}

/// Names from outside that a step uses.
fn used(step: &Step) -> Names {
    match step {
        Step::Launch { buffers, .. } => buffers.iter().copied().collect(),
        Step::Routine {
            arguments, results, ..
        } => {
            let arrays = arguments.iter().filter_map(Argument::array);
            arrays.chain(results.iter().copied()).collect()
        }
        Step::Read { buffer, .. } => Names::from([*buffer]),
        Step::Share { of, .. } | Step::Copy { of, .. } => Names::from([*of]),
        Step::Fill { buffer, .. } => Names::from([*buffer]),
        Step::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).flat_map(used).collect(),
        Step::Loop { test, body, .. } => test.iter().chain(body).flat_map(used).collect(),
        _ => Names::new(),
    }
}
