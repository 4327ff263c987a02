//! Broken plans: the verifier finds what is wrong and says where.

use super::build::{array, f32, index, output, program, sum};
use accelerate_compiler::fuse::{Options, fuse};
use accelerate_compiler::plan::{Plan, Skeleton, Statement, Step};
use accelerate_compiler::scalar::{Binary, Leaf};

/// `xs / sum(xs)`: a reduction, then a map, with a scalar on the device between them.
fn shares() -> Plan {
    let mut p = program("shares");
    let (xs, extents) = array(&mut p, "xs", 1);
    let total = sum(&mut p, &extents, |p, ix| index(p, xs, ix));
    let ys = p.generate(extents.clone(), |p, ix| {
        let x = index(p, xs, ix);
        let one = f32(p, 1.0);
        let x = p.binary(Binary::Add, x, one);
        p.binary(Binary::Div, x, total)
    });
    output(&mut p, ys);
    let plan = fuse(&p, &Options::default());
    assert_eq!(plan.verify(), Ok(()));
    plan
}

/// Breaks the plan; the verifier must say this.
fn broken(change: impl FnOnce(&mut Plan), wanted: &str) {
    let mut plan = shares();
    change(&mut plan);
    let found = plan.verify().expect_err(wanted);
    assert!(found.contains(wanted), "{found}\n{plan}");
}

fn position(plan: &Plan, is: impl Fn(&Step) -> bool) -> usize {
    plan.steps.iter().position(is).expect("such a step")
}

fn body(plan: &mut Plan) -> &mut Vec<Statement> {
    let mut bodies = plan
        .kernels
        .iter_mut()
        .filter_map(|kernel| match &mut kernel.skeleton {
            Skeleton::Elementwise(parts) => Some(&mut parts[0].body),
            Skeleton::Rowwise { .. }
            | Skeleton::Staged { .. }
            | Skeleton::Scatter { .. }
            | Skeleton::Sort { .. } => None,
        });
    bodies.next().expect("an elementwise kernel")
}

#[test]
fn buffers_live_from_allocation_to_release() {
    let allocate = |step: &Step| matches!(step, Step::Allocate(_));
    let release = |step: &Step| matches!(step, Step::Release(_));
    let launch = |step: &Step| matches!(step, Step::Launch { .. });
    broken(
        |plan| {
            let at = position(plan, allocate);
            plan.steps.remove(at);
        },
        "is used while it is not there",
    );
    broken(
        |plan| {
            let at = position(plan, release);
            plan.steps.remove(at);
        },
        "is never released",
    );
    broken(
        |plan| {
            let at = position(plan, release);
            let step = plan.steps.remove(at);
            let first = position(plan, launch);
            plan.steps.insert(first + 1, step);
        },
        "is used while it is not there",
    );
    broken(
        |plan| {
            let at = position(plan, launch);
            plan.steps.remove(at);
        },
        "is read before anything was written",
    );
    broken(
        |plan| {
            let at = position(plan, allocate);
            let step = plan.steps[at].clone();
            plan.steps.insert(at, step);
        },
        "is there already",
    );
}

#[test]
fn launches_fit_their_kernels() {
    fn arguments(
        plan: &mut Plan,
    ) -> (
        &mut Vec<accelerate_compiler::plan::BufferId>,
        &mut Vec<accelerate_compiler::plan::Value>,
    ) {
        let mut launches = plan.steps.iter_mut().filter_map(|step| match step {
            Step::Launch {
                buffers, scalars, ..
            } => Some((buffers, scalars)),
            _ => None,
        });
        launches.next().expect("a launch")
    }
    broken(
        |plan| _ = arguments(plan).1.pop(),
        "a wrong number of arguments",
    );
    broken(
        |plan| {
            let (buffers, _) = arguments(plan);
            let first = buffers[0];
            buffers.fill(first);
        },
        "is written",
    );
    broken(
        |plan| plan.kernels[0].buffers[0].leaf = Leaf::F64,
        "is f32, not f64",
    );
}

#[test]
fn values_are_defined_before_their_uses() {
    broken(|plan| body(plan).reverse(), "is used before it is defined");
    broken(
        |plan| {
            let body = body(plan);
            let again = body[0].clone();
            body.push(again);
        },
        "is defined twice",
    );
    broken(
        |plan| {
            let types = &mut plan.kernels[1].types;
            for leaf in types.iter_mut().filter(|leaf| **leaf == Leaf::F32) {
                *leaf = Leaf::I32;
            }
        },
        "kernel `shares_map`",
    );
}
