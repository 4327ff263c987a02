//! Scalar code against Rust itself: functions of a number with loops, labels, early exits in operands, patterns and assignments
//! wherever Rust allows them. rustc compiles them as they are written; the program that they are lowered to, and its plan, must give
//! the same numbers. What the other searches compare begins after that.

use super::batch::finished;
use super::choices::{Choices, shrink};
use super::{REFUSALS, SHRINKING, STATEMENTS, caught};
use crate::report::Report;
use crate::workers;
use accelerate_compiler::ir::eval::{self, Array, Output};
use accelerate_compiler::plan::interpret;
use accelerate_compiler::scalar::{Leaf, Scalar};
use accelerate_compiler::{Options, compile};
use harness::inputs::Random;
use std::fs::{self, File};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// Functions that rustc compiles at once.
const BATCH: u64 = 150;
/// What they are called with.
const ARGUMENTS: RangeInclusive<i32> = -9..=12;
/// How long they may take, all together.
const PATIENCE: Duration = Duration::from_secs(60);
/// Expressions and statements of a function, about.
const SIZE: usize = 50;
/// What all of them call.
const ITEMS: &str = "
    enum Kind { One(i32), Two(i32, i32), Other }
    fn kind(x: i32) -> Kind {
        if x % 3 == 0 { Kind::One(x + 1) } else if x > 4 { Kind::Two(x / 2, x) } else { Kind::Other }
    }
    fn half(x: i32) -> Option<i32> { if x % 2 == 0 { Some(x / 2) } else { None } }
";

/// What a function gives for each argument; nothing where it panics.
type Answers = Vec<Option<i32>>;

/// So many batches, each a case.
pub(super) fn run(report: &mut Report, tier: &str, seed: u64, batches: u64) {
    for batch in 0..batches {
        let name = format!("imperative-{batch}");
        if workers::claims(report.claims(), tier, &name) {
            report.case(tier, &name, || case(seed, batch));
            report.count(tier, "functions as in Rust", BATCH as usize);
        }
    }
}

fn case(seed: u64, batch: u64) -> Result<(), String> {
    let first = (seed << 32) + batch * BATCH;
    let drawn: Vec<(String, Choices)> = (first..first + BATCH)
        .map(|seed| Writer::function(Choices::random(Random(seed).bits())))
        .collect();
    let texts: Vec<&str> = drawn.iter().map(|(text, _)| &**text).collect();
    let answers = native(&texts)?;
    for ((text, choices), answers) in drawn.iter().zip(answers) {
        if let Err(problem) = compare(text, &answers) {
            eprintln!("{problem}\n{text}");
            let mut fails = |candidate: &[u32]| {
                let (text, choices) = Writer::function(Choices::of(candidate.to_vec()));
                let answers = native(&[&text]).ok()?.pop()?;
                let problem = compare(&text, &answers).err()?;
                Some((choices.made().to_vec(), problem))
            };
            let found = (choices.made().to_vec(), problem);
            let (best, problem) = shrink(found, Instant::now() + SHRINKING, &mut fails);
            let (text, _) = Writer::function(Choices::of(best));
            return Err(format!("{problem}\n{text}"));
        }
    }
    Ok(())
}

/// What functions give that rustc compiles.
fn native(bodies: &[&str]) -> Result<Vec<Answers>, String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("imperative-{}", std::process::id());
    let [source, program] = ["rs", "out"].map(|kind| folder.join(&name).with_extension(kind));
    let mut text = ITEMS.to_owned();
    let mut names = String::new();
    for (k, body) in bodies.iter().enumerate() {
        text += &format!("fn f{k}(x: i32) -> i32 {{ {body} }}\n");
        names += &format!("f{k}, ");
    }
    text += &format!(
        "fn main() {{
            std::panic::set_hook(Box::new(|_| {{}}));
            const ALL: &[fn(i32) -> i32] = &[{names}];
            for f in ALL {{
                for x in {ARGUMENTS:?} {{
                    match std::panic::catch_unwind(|| f(x)) {{
                        Ok(value) => println!(\"{{value}}\"),
                        Err(_) => println!(\"panic\"),
                    }}
                }}
            }}
        }}"
    );
    fs::write(&source, &text).map_err(|error| error.to_string())?;
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition", "2024", "--cap-lints", "allow"])
        .args([
            "-C",
            "opt-level=0",
            "-C",
            "overflow-checks=off",
            "-C",
            "debuginfo=0",
        ])
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .map_err(|error| error.to_string())?;
    if !compiled.status.success() {
        let errors = String::from_utf8_lossy(&compiled.stderr);
        let errors: Vec<&str> = errors.lines().take(30).collect();
        return Err(format!("rustc: {}", errors.join("\n")));
    }
    let told = program.with_extension("told");
    let mut child = Command::new(&program)
        .stdout(File::create(&told).map_err(|error| error.to_string())?)
        .spawn()
        .map_err(|error| error.to_string())?;
    let ended = finished(&mut child, PATIENCE).map_err(|error| error.to_string())?;
    let text = fs::read_to_string(&told).map_err(|error| error.to_string())?;
    for path in [&source, &program, &told] {
        let _ = fs::remove_file(path);
    }
    let answers: Answers = text.lines().map(|line| line.parse().ok()).collect();
    let count = ARGUMENTS.count();
    if answers.len() != count * bodies.len() {
        return Err(format!("the program of rustc ended early: {ended:?}"));
    }
    Ok(answers.chunks(count).map(<[_]>::to_vec).collect())
}

/// Compares a body with what Rust makes of it. A failure on which no result depends may be left out.
fn compare(body: &str, answers: &Answers) -> Result<(), String> {
    let block = format!(
        "{ITEMS} fn f(x: i32) -> i32 {{ {body} }} pub fn all(xs: &Vector<i32>) -> Vector<i32> {{ xs.map(f) }}"
    );
    let tokens = block.parse().map_err(|error| format!("{error}"))?;
    let unit = caught(|| compile(tokens, &Options::default()))?;
    if let Some(error) = unit.errors.iter().find(|error| !error.warning) {
        let message = &error.message;
        return match REFUSALS.iter().any(|refusal| message.contains(refusal)) {
            true => Ok(()),
            false => Err(message.clone()),
        };
    }
    let compiled = unit.functions.first().ok_or("no function")?;
    for (x, rust) in ARGUMENTS.zip(answers) {
        let array = Array {
            extents: vec![1],
            leaves: vec![vec![Scalar::number(Leaf::I32, x.into())]],
        };
        let arrays = [array];
        let lowered = caught(|| eval::eval(&compiled.lowered, &[], &arrays))?;
        let plan = caught(|| interpret::run_within(&compiled.plan, &[], &arrays, STATEMENTS))?;
        for (who, ours) in [("lowered", Some(lowered)), ("plan", plan)] {
            let Some(ours) = ours else { continue };
            let ours = ours.ok().map(|outputs| number(&outputs));
            if rust.is_some() && ours != *rust {
                return Err(format!("of {x}: Rust gives {rust:?}, {who} {ours:?}"));
            }
        }
    }
    Ok(())
}

/// The only number of outputs.
fn number(outputs: &[Output]) -> i32 {
    match &outputs[0] {
        Output::Array { leaves, .. } => leaves[0][0].as_i64() as i32,
        Output::Scalar(leaves) => leaves[0].as_i64() as i32,
    }
}

/// What a label names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// `while` and `for`, or a `loop` without a value.
    Loop,
    LoopWithValue,
    Block,
    BlockWithValue,
}

struct Writer {
    choices: Choices,
    /// Variables that may be assigned, and numbers that may not.
    variables: Vec<String>,
    constants: Vec<String>,
    labels: Vec<(String, Label)>,
    count: usize,
    left: usize,
}

impl Writer {
    /// A body, and the choices that made it.
    fn function(choices: Choices) -> (String, Choices) {
        let mut writer = Writer {
            choices,
            variables: ["a", "b"].map(str::to_owned).to_vec(),
            constants: vec!["x".to_owned()],
            labels: Vec::new(),
            count: 0,
            left: SIZE,
        };
        let statements = writer.statements(3);
        let result = writer.number(2);
        let text = format!(
            "let mut fuel = 30; let (mut a, mut b) = (x, 1_i32); let mut t = [x, 2, 3, 5]; {statements} \
             let c: i32 = {result}; c * 31 + a * 7 + b * 3 + t[0] + 5 * t[1] + 11 * t[2] + 13 * t[3]"
        );
        (text, writer.choices)
    }

    fn fresh(&mut self, name: &str) -> String {
        self.count += 1;
        format!("{name}{}", self.count)
    }

    /// Some statements; their variables end with them.
    fn statements(&mut self, depth: usize) -> String {
        let (variables, constants) = (self.variables.len(), self.constants.len());
        let text = self.open_statements(depth);
        self.variables.truncate(variables);
        self.constants.truncate(constants);
        text
    }

    fn open_statements(&mut self, depth: usize) -> String {
        let count = 1 + self.choices.below(3);
        (0..count).map(|_| self.statement(depth) + " ").collect()
    }

    /// Statements and a value, in braces.
    fn block(&mut self, depth: usize) -> String {
        let (variables, constants) = (self.variables.len(), self.constants.len());
        let statements = self.open_statements(depth);
        let value = self.number(depth);
        self.variables.truncate(variables);
        self.constants.truncate(constants);
        format!("{{ {statements}{value} }}")
    }

    fn statement(&mut self, depth: usize) -> String {
        self.left = self.left.saturating_sub(1);
        if depth == 0 || self.left == 0 {
            return self.assignment(0);
        }
        let depth = depth - 1;
        match self.choices.below(12) {
            0..=2 => self.assignment(depth),
            3 => {
                let value = self.number(depth);
                let name = self.fresh("v");
                self.variables.push(name.clone());
                format!("let mut {name}: i32 = {value};")
            }
            4 => {
                let condition = self.condition(depth);
                let (then, otherwise) = (self.statements(depth), self.statements(depth));
                format!("if {condition} {{ {then} }} else {{ {otherwise} }}")
            }
            5 => {
                let label = self.enter("w", Label::Loop);
                let condition = self.condition(depth);
                let body = self.statements(depth);
                self.labels.pop();
                format!("'{label}: while {{ fuel -= 1; fuel > 0 }} && {condition} {{ {body} }}")
            }
            6 if self.choices.chance(1, 3) => self.elements(depth),
            6 => self.counted(depth),
            7 => {
                let label = self.enter("l", Label::Loop);
                let body = self.statements(depth);
                self.labels.pop();
                format!("'{label}: loop {{ fuel -= 1; if fuel < 0 {{ break '{label}; }} {body} }}")
            }
            8 => {
                let label = self.enter("s", Label::Block);
                let body = self.statements(depth);
                self.labels.pop();
                format!("'{label}: {{ {body} }}")
            }
            9 => {
                let (condition, leave) = (self.condition(depth), self.leave(depth));
                format!("if {condition} {{ {leave} }}")
            }
            10 => self.matched(depth, false),
            _ => self.chain(depth, false),
        }
    }

    fn enter(&mut self, name: &str, label: Label) -> String {
        let name = self.fresh(name);
        self.labels.push((name.clone(), label));
        name
    }

    /// A `for` over a range.
    fn counted(&mut self, depth: usize) -> String {
        let ends = [(); 2].map(|()| format!("({} & 7)", self.number(depth)));
        let mut range = format!(
            "({}{}{})",
            ends[0],
            self.choices.one(&["..", "..="]),
            ends[1]
        );
        let mut is_exact = !range.contains("..=");
        for _ in 0..self.choices.below(3) {
            match self.choices.below(2) {
                0 => {
                    let step = 1 + self.choices.below(3);
                    range += &format!(".step_by({step})");
                }
                // From the end only where Rust knows how many there are.
                _ if is_exact => range += ".rev()",
                _ => is_exact = false,
            }
        }
        let label = self.enter("r", Label::Loop);
        let name = self.fresh("i");
        self.constants.push(name.clone());
        let body = self.statements(depth);
        self.constants.pop();
        self.labels.pop();
        format!(
            "'{label}: for {name} in {range} {{ fuel -= 1; if fuel < 0 {{ break '{label}; }} {body} }}"
        )
    }

    /// A `for` over the elements of an array.
    fn elements(&mut self, depth: usize) -> String {
        let numbers: Vec<String> = (0..2 + self.choices.below(3))
            .map(|_| self.number(depth))
            .collect();
        let mut array = format!("[{}].into_iter()", numbers.join(", "));
        let label = self.enter("e", Label::Loop);
        let (name, index) = (self.fresh("x"), self.fresh("k"));
        let (pattern, first) = match self.choices.below(3) {
            0 => {
                array += ".enumerate()";
                let first = format!("let {name} = {name} ^ {index} as i32;");
                (format!("({index}, {name})"), first)
            }
            1 => {
                array += ".rev()";
                (name.clone(), String::new())
            }
            _ => (name.clone(), String::new()),
        };
        self.constants.push(name);
        let body = self.statements(depth);
        self.constants.pop();
        self.labels.pop();
        format!(
            "'{label}: for {pattern} in {array} {{ fuel -= 1; if fuel < 0 {{ break '{label}; }} {first} {body} }}"
        )
    }

    fn assignment(&mut self, depth: usize) -> String {
        let operator = *self.choices.one(&["=", "+=", "-=", "*=", "^=", "|="]);
        let target = self.target(depth);
        if operator == "=" && self.choices.chance(1, 4) {
            let other = self.target(depth);
            let values = [(); 2].map(|()| self.number(depth));
            return format!("({target}, {other}) = ({}, {});", values[0], values[1]);
        }
        let value = self.number(depth);
        format!("{target} {operator} {value};")
    }

    /// A variable, or an element of an array.
    fn target(&mut self, depth: usize) -> String {
        if self.choices.chance(1, 4) {
            return format!("t[({} & 3) as usize]", self.number(depth.min(1)));
        }
        let variables = self.variables.clone();
        self.choices.one(&variables).clone()
    }

    /// What leaves this place.
    fn leave(&mut self, depth: usize) -> String {
        let labels = self.labels.clone();
        if labels.is_empty() || self.choices.chance(1, 6) {
            return format!("return {}", self.number(depth.saturating_sub(1)));
        }
        let (label, kind) = self.choices.one(&labels).clone();
        let continues = matches!(kind, Label::Loop | Label::LoopWithValue);
        match kind {
            _ if continues && self.choices.chance(1, 3) => format!("continue '{label}"),
            Label::Loop | Label::Block => format!("break '{label}"),
            Label::LoopWithValue | Label::BlockWithValue => {
                format!("break '{label} ({})", self.number(depth.saturating_sub(1)))
            }
        }
    }

    /// A `match`, of statements or of values.
    fn matched(&mut self, depth: usize, value: bool) -> String {
        let side = |writer: &mut Self| match (value, writer.choices.below(5)) {
            (_, 1) => format!("{{ {} }}", writer.leave(depth)),
            (true, _) => writer.number(depth),
            (false, _) => format!("{{ {} }}", writer.statements(depth)),
        };
        // One has a value, so that all have a type.
        let last = |writer: &mut Self| match value {
            true => writer.number(depth),
            false => format!("{{ {} }}", writer.statements(depth)),
        };
        let subject = self.number(depth);
        let name = self.fresh("n");
        match self.choices.below(3) {
            0 => {
                let first = side(self);
                self.constants.push(name.clone());
                let guard = self.condition(depth);
                let guarded = side(self);
                self.constants.pop();
                let rest = last(self);
                format!(
                    "match ({subject}) ^ 0 {{ 0 | 3..=5 => {first}, {name} if {guard} => {guarded}, _ => {rest} }}"
                )
            }
            1 => {
                self.constants.push(name.clone());
                let first = side(self);
                self.constants.pop();
                let other = last(self);
                format!(
                    "match kind({subject}) {{ Kind::One({name}) | Kind::Two(_, {name}) => {first}, Kind::Other => {other} }}"
                )
            }
            _ => {
                self.constants.push(name.clone());
                let some = side(self);
                self.constants.pop();
                let none = last(self);
                format!("match half({subject}) {{ Some({name}) => {some}, None => {none} }}")
            }
        }
    }

    /// An `if` with `let`.
    fn chain(&mut self, depth: usize, value: bool) -> String {
        let before = self.constants.len();
        let mut links = Vec::new();
        for _ in 0..=self.choices.below(2) {
            if self.choices.chance(1, 2) {
                links.push(self.condition(depth));
            }
            let of = self.number(depth);
            let name = self.fresh("n");
            links.push(format!("let Some({name}) = half({of})"));
            self.constants.push(name);
        }
        let side = |writer: &mut Self| match value {
            true => writer.block(depth),
            false => format!("{{ {} }}", writer.statements(depth)),
        };
        let then = side(self);
        self.constants.truncate(before);
        let otherwise = side(self);
        format!("if {} {then} else {otherwise}", links.join(" && "))
    }

    fn number(&mut self, depth: usize) -> String {
        self.left = self.left.saturating_sub(1);
        if depth == 0 || self.left == 0 {
            return self.simple();
        }
        let depth = depth - 1;
        match self.choices.below(14) {
            0 => self.simple(),
            1..=3 => self.operation(depth),
            4 => {
                let condition = self.condition(depth);
                let (a, b) = (self.number(depth), self.number(depth));
                format!("(if {condition} {{ {a} }} else {{ {b} }})")
            }
            5 => {
                let (condition, leave) = (self.condition(depth), self.leave(depth));
                format!(
                    "(if {condition} {{ {leave} }} else {{ {} }})",
                    self.number(depth)
                )
            }
            6 => self.block(depth),
            7 => {
                let label = self.enter("s", Label::BlockWithValue);
                let body = self.block(depth);
                self.labels.pop();
                format!("'{label}: {body}")
            }
            8 => {
                let label = self.enter("l", Label::LoopWithValue);
                let body = self.statements(depth);
                let last = self.number(0);
                self.labels.pop();
                format!(
                    "'{label}: loop {{ fuel -= 1; if fuel < 0 {{ break '{label} {last}; }} {body} }}"
                )
            }
            9 => self.matched(depth, true),
            10 => self.chain(depth, true),
            11 => format!("t[({} & 3) as usize]", self.number(depth)),
            12 => {
                let (of, other) = (self.number(depth), self.number(depth));
                format!("half({of}).unwrap_or({other})")
            }
            _ => {
                let (a, b) = (self.number(depth), self.number(depth));
                format!(
                    "({a}).{}({b})",
                    self.choices.one(&["max", "min", "wrapping_sub"])
                )
            }
        }
    }

    fn operation(&mut self, depth: usize) -> String {
        let (a, b) = (self.number(depth), self.number(depth));
        match self.choices.below(8) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * {b})"),
            4 => format!("({a} ^ {b})"),
            5 => format!("({a} / ({b} & 7))"),
            6 => format!("({a} % ({b} & 6 | 1))"),
            _ => format!("({a} >> ({b} & 7))"),
        }
    }

    fn simple(&mut self) -> String {
        let names: Vec<String> = self
            .variables
            .iter()
            .chain(&self.constants)
            .cloned()
            .collect();
        match self.choices.chance(1, 4) {
            true => (*self
                .choices
                .one(&["1_i32", "0_i32", "2_i32", "5_i32", "-3_i32", "7_i32"]))
            .to_owned(),
            false => self.choices.one(&names).clone(),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        self.left = self.left.saturating_sub(1);
        if depth == 0 || self.left == 0 {
            let (a, b) = (self.simple(), self.simple());
            return format!("({a} {} {b})", self.choices.one(&["<", ">=", "!="]));
        }
        let depth = depth - 1;
        match self.choices.below(8) {
            0..=3 => {
                let (a, b) = (self.number(depth), self.number(depth));
                format!(
                    "(({a}) {} ({b}))",
                    self.choices.one(&["<", ">=", "==", "!="])
                )
            }
            4 => format!("({} && {})", self.condition(depth), self.condition(depth)),
            5 => format!("({} || {})", self.condition(depth), self.condition(depth)),
            6 => {
                let (condition, leave) = (self.condition(depth), self.leave(depth));
                format!(
                    "(if {condition} {{ {leave} }} else {{ {} }})",
                    self.condition(depth)
                )
            }
            _ => {
                let statements = self.statements(depth);
                format!("({{ {statements} {} }})", self.condition(depth))
            }
        }
    }
}
