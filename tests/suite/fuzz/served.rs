//! The main file of a batch: answers questions about its programs, on the CPU in all versions and with one thread and
//! three, or on a GPU. What is batch-specific, `CALLS` and its modules, is written behind this.

use accelerate::rt::cpu::{Level, choose};
use accelerate::{Array, Cube, Device, Matrix, Vector, bf16, f16};
use accelerate_compiler::ir::eval;
use std::panic::{AssertUnwindSafe, catch_unwind};
use value::{Argument, Arguments, Column};

/// Bytes of a thread's stack: without optimisation, a kernel for one instruction set is one function that keeps each value
/// of each lane apart, which can be megabytes.
const STACK: usize = 64 << 20;

type Call = fn(&Device, &mut Arguments) -> accelerate::Result<Vec<Column>>;

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("questions");
    let gpu = std::env::args().nth(1).is_some();
    let device = match gpu {
        true => Device::cuda(0).expect("the emulated device"),
        false => Device::cpu(),
    };
    let pools = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        (threads, pool.stack_size(STACK).build().expect("threads"))
    });
    let mut lines = text.lines();
    while let Some((program, arguments)) = next_question(&mut lines) {
        let call = || {
            let call = || CALLS[program](&device, &mut arguments.clone());
            let answer = catch_unwind(AssertUnwindSafe(call));
            let answer = answer.map(|answer| answer.map_err(|error| error.to_string()));
            answer.unwrap_or_else(|_| Err("a panic".to_owned()))
        };
        if gpu {
            println!("{}", answer_text("emulated CUDA", &call()).trim_end());
            continue;
        }
        for level in Level::ALL.into_iter().filter(|&level| choose(level)) {
            for (threads, pool) in &pools {
                let answer = pool.install(call);
                let who = format!("{level:?}, {threads} threads");
                println!("{}", answer_text(&who, &answer).trim_end());
            }
        }
        println!("next");
    }
}

/// Takes the next question from the lines.
fn next_question<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Option<(usize, Arguments)> {
    let program = lines.next()?.strip_prefix("program ")?.parse().ok()?;
    let mut arguments = Arguments::default();
    for line in lines.take_while(|line| *line != "end") {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "scalar" => arguments.scalars.extend(wire::scalars(rest)),
            "array" => arguments.arrays.push_back(eval::Array {
                extents: wire::numbers(rest),
                leaves: Vec::new(),
            }),
            _ => arguments
                .arrays
                .back_mut()?
                .leaves
                .push(wire::scalars(rest)),
        }
    }
    Some((program, arguments))
}

/// An answer, by whom.
fn answer_text(who: &str, answer: &Result<Vec<Column>, String>) -> String {
    let mut text = format!("by {who}\n");
    match answer {
        Ok(columns) => {
            for Column { shape, values } in columns {
                match shape {
                    Some(shape) => text += &format!("array {shape:?}\n"),
                    None => text += "value\n",
                }
                text += &format!("leaf{}\n", wire::words(values));
            }
        }
        Err(message) => text += &format!("error {}\n", message.replace('\n', " ")),
    }
    text + "end\n"
}
