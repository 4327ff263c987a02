//! Inputs of all sizes for a program, with the oracle's answers: what every tier asks.

use crate::compare::{
    Closeness, MORE_SAMPLES, SAMPLES, any_order, columns, difference, may_differ, moves,
    sums_floats, tolerances,
};
use crate::interval::Interval;
use accelerate_compiler::Compiled;
use accelerate_compiler::ir::{Program, Site, eval};
use accelerate_compiler::scalar::Scalar;
use harness::corpus::{self, Driver};
use harness::inputs::{self, Floats};
use harness::value::{Arguments, Column};

/// Sizes go up until the oracle computes this many values for one.
const PATIENCE: u64 = 300_000;

/// A result: columns, or the message of the failure.
pub(crate) type Outcome = Result<Vec<Column>, String>;

/// One question with its answer.
pub(crate) struct Question {
    /// Its sizes and kind of values.
    pub(crate) title: String,
    /// For drivers.
    pub(crate) arguments: Arguments,
    /// For the oracle.
    pub(crate) scalars: Vec<Scalar>,
    /// For the oracle.
    pub(crate) arrays: Vec<eval::Array>,
    /// What the oracle ran.
    program: Program,
    /// What the oracle says.
    pub(crate) answer: Outcome,
    /// What others may give where it fails.
    pub(crate) interval: Interval,
    /// How close others must be.
    closeness: Closeness,
    /// Whether one device gives the same bits on every run.
    pub(crate) repeats: bool,
    /// Of all arrays together.
    pub(crate) elements: u64,
    /// How many values the oracle computed.
    pub(crate) computed: u64,
}

/// Inputs of all sizes, as far as the oracle's patience goes, with its answers.
pub(crate) fn questions(driver: &Driver, compiled: &Compiled) -> Vec<Question> {
    let header = corpus::header(driver.program);
    let program = &compiled.lowered;
    let mut questions = Vec::new();
    // What has as many elements as this took too long.
    let mut most = u64::MAX;
    for (round, sizes) in inputs::sizes(&header).iter().enumerate() {
        let mut beyond = most;
        let mut asked = None;
        for floats in [Floats::Whole, Floats::Real, Floats::Special] {
            // Infinities and NaN depend on the order of a sum.
            if floats == Floats::Special && sums_floats(program) {
                continue;
            }
            let arguments = inputs::arguments(program, &header, sizes, floats, round as u64);
            let elements = elements(&arguments);
            // Without floats, or with a range of values for them, their kinds make no difference.
            if elements >= most || asked.as_ref() == Some(&arguments) {
                continue;
            }
            asked = Some(arguments.clone());
            let title = format!("{sizes:?}, {floats:?}");
            let whole = floats == Floats::Whole && header.values.is_empty();
            let question = Question::new(compiled, title, arguments, whole);
            if question.computed > PATIENCE {
                beyond = beyond.min(elements);
            }
            questions.push(question);
        }
        most = beyond;
    }
    questions
}

/// Of all arrays together.
fn elements(arguments: &Arguments) -> u64 {
    let counts = (arguments.arrays.iter()).map(|array| array.extents.iter().product::<u64>());
    counts.sum()
}

impl Question {
    /// Asks the oracle. `whole`: all floats are whole numbers.
    pub(crate) fn new(
        compiled: &Compiled,
        title: String,
        arguments: Arguments,
        whole: bool,
    ) -> Question {
        let program = &compiled.lowered;
        let scalars: Vec<_> = arguments.scalars.iter().copied().collect();
        let arrays: Vec<_> = arguments.arrays.iter().cloned().collect();
        let eval::Evaluation {
            result,
            failures,
            computed,
        } = eval::evaluate(program, &scalars, &arrays);
        let answer = outcome(compiled, result);
        let interval = Interval::new(program, &scalars, &arrays, failures, answer.as_deref().ok());
        let closeness = match &interval.lazy {
            Ok(answer) if may_differ(program, whole) => {
                tolerances(program, &scalars, &arrays, answer, SAMPLES)
            }
            _ => Closeness::Exact,
        };
        Question {
            title,
            elements: elements(&arguments),
            arguments,
            scalars,
            arrays,
            program: program.clone(),
            answer,
            interval,
            closeness,
            repeats: !any_order(program, whole),
            computed,
        }
    }

    /// Whether this tells a failure that may be met.
    fn may_fail_with(&self, text: &str) -> bool {
        let Question {
            interval, program, ..
        } = self;
        let met = |failed| text.ends_with(&message(program, failed));
        interval.failures().any(met)
            || (interval.anywhere()).any(|site| ends_with_message_at(text, program, site))
    }

    /// Where a result differs by more than the freedom of back ends explains, in words.
    fn problem(&self, found: &[Column], expected: &[Column]) -> Option<String> {
        let problem = difference(found, expected, &self.closeness)?;
        let (program, scalars, arrays) = (&self.program, &self.scalars, &self.arrays);
        // Products of whole numbers may have more digits than a float.
        let exact = matches!(self.closeness, Closeness::Exact);
        if exact && !moves(program, scalars, arrays, expected) {
            return Some(problem);
        }
        let closeness = tolerances(program, scalars, arrays, expected, MORE_SAMPLES);
        difference(found, expected, &closeness)
    }
}

/// The message of a failure, without its place in the source.
fn message(program: &Program, failed: &eval::Failed) -> String {
    let place = &program.sites[failed.site.0 as usize];
    let values = failed.values.iter().enumerate();
    values.fold(place.message.clone(), |text, (k, value)| {
        text.replace(&format!("{{{k}}}"), &(*value as u64).to_string())
            .replace(&format!("{{{k}:i}}"), &value.to_string())
    })
}

/// Whether this ends with the message of a place, with whatever values.
fn ends_with_message_at(text: &str, program: &Program, site: Site) -> bool {
    let mut message = program.sites[site.0 as usize].message.as_str();
    let mut text = text;
    while let Some((before, last)) = message.rsplit_once('}') {
        let Some(rest) = text.strip_suffix(last) else {
            return false;
        };
        text = rest.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
        message = before.rsplit_once('{').map_or("", |(before, _)| before);
    }
    text.ends_with(message)
}

/// What an evaluator gives, as all tiers compare it.
pub(crate) fn outcome(
    compiled: &Compiled,
    result: Result<Vec<eval::Output>, eval::Failed>,
) -> Outcome {
    result
        .map(|outputs| columns(&outputs))
        .map_err(|failed| message(&compiled.lowered, &failed))
}

/// Whether this is the answer, or within the interval where there is none.
pub(crate) fn agree(found: &Outcome, question: &Question, who: &str) -> Result<(), String> {
    let interval = &question.interval;
    let problem = match (found, &interval.lazy) {
        (Ok(found), Ok(expected)) => question.problem(found, expected),
        _ if interval.is_open() => None,
        (Ok(_), Err(failed)) => {
            let expected = message(&question.program, failed);
            Some(format!("a result instead of the failure `{expected}`"))
        }
        (Err(found), _) => (!question.may_fail_with(found)).then(|| match &question.answer {
            Ok(_) => format!("`{found}` instead of a result"),
            Err(expected) => format!("`{found}` instead of `{expected}`"),
        }),
    };
    problem.map_or(Ok(()), |problem| {
        Err(format!("{who}, {}: {problem}", question.title))
    })
}
