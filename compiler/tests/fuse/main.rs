//! Plans of small programs: their shape, and that they mean what the program means, with each part on and off.

mod branches;
mod build;
mod control;

mod evaluation;
mod predicate;
mod rows;
mod scans;
mod shapes;
#[path = "../source/mod.rs"]
mod source;
mod verify;

use accelerate_compiler::fuse::Options;
use accelerate_compiler::fuse::Tiling;
use accelerate_compiler::fuse::fuse;
use accelerate_compiler::ir::Program;
use accelerate_compiler::ir::eval::{self, Array, Failed};
use accelerate_compiler::pass;
use accelerate_compiler::plan::{Plan, interpret};
use accelerate_compiler::scalar::Scalar;

/// Every switch off in turn, and all on.
fn variants() -> Vec<Options> {
    let on = Options::default;
    vec![
        on(),
        Options {
            tiles: Tiling::Off,
            ..on()
        },
        Options {
            vertical: false,
            ..on()
        },
        Options {
            horizontal: false,
            ..on()
        },
        Options {
            seed: Some(1),
            ..on()
        },
        Options {
            seed: Some(2),
            ..on()
        },
        Options {
            hoist: false,
            ..on()
        },
        Options {
            collapse: false,
            ..on()
        },
        Options {
            split: false,
            ..on()
        },
    ]
}

fn same(a: &[eval::Output], b: &[eval::Output]) -> bool {
    let all =
        |x: &[Scalar], y: &[Scalar]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.same(*y));
    a.len() == b.len()
        && a.iter().zip(b).all(|pair| match pair {
            (eval::Output::Scalar(x), eval::Output::Scalar(y)) => all(x, y),
            (
                eval::Output::Array {
                    extents: e,
                    leaves: x,
                },
                eval::Output::Array {
                    extents: f,
                    leaves: y,
                },
            ) => e == f && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| all(x, y)),
            _ => false,
        })
}

/// The plan; it and every variant of it must give what evaluation does, or one of its failures, on the arguments.
fn agree(program: &Program, arguments: &[(&[Scalar], &[Array])]) -> Plan {
    for options in variants() {
        let plan = fuse(program, &options);
        for (scalars, arrays) in arguments {
            let wanted: Result<Vec<eval::Output>, Failed> =
                eval::eval_lazily(program, scalars, arrays);
            let found = interpret::run(&plan, scalars, arrays);
            // A plan fails where a result depends on it, and with nothing that strict evaluation does not meet.
            let equal = match (&wanted, &found) {
                (Ok(a), Ok(b)) => same(a, b),
                (Err(_), Ok(_)) => false,
                (_, Err(failed)) => {
                    let strict = eval::evaluate(program, scalars, arrays);
                    strict.failures.contains(failed) || strict.result.as_ref() == Err(failed)
                }
            };
            assert!(
                equal,
                "{options:?}\n{program}\n{plan}\nwanted {wanted:?}\nfound {found:?}"
            );
        }
    }
    fuse(program, &Options::default())
}

/// The plans of a function of arrays of `f32`, simplified or not, or without some passes, mean what it means, on all arrays of
/// these extents.
fn agree_on(function: &str, extents: &[&[&[u64]]]) {
    let program = source::program(function);
    for extents in extents {
        let arrays: Vec<Array> = extents
            .iter()
            .map(|extents| build::numbers(extents))
            .collect();
        agree(&program, &[(&[], &arrays)]);
        for without in [
            &[][..],
            &["prune"],
            &["eliminate"],
            &["simplify", "eliminate"],
        ] {
            let mut options = Options::default();
            for pass in without {
                options.switch_off(pass).expect("a pass");
            }
            let simple = pass::run(program.clone(), &options);
            agree(&simple, &[(&[], &arrays)]);
        }
    }
}
