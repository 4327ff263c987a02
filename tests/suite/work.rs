//! How much a plan computes, against strict evaluation: at any size at most a small constant times as much, and one
//! evaluation of each expression that strict evaluation does not come to.
//!
//! Work is the costs of scalar operations (`scalar::cost`) and of the elements read and written, counted by the oracle and
//! by the interpreter of plans. It knows of statements, not of how kernels divide them: tiles, regimes, passes of a sort are
//! not counted. Sizes double, of all symbols together and of each by itself, until strict evaluation has computed enough: the
//! last three are compared.

use crate::programs::DRIVERS;
use crate::report::Report;
use crate::workers;
use accelerate_compiler::ir::eval::{self, Spent};
use accelerate_compiler::plan::interpret;
use accelerate_compiler::scalar::Scalar;
use accelerate_compiler::scalar::Work;
use accelerate_compiler::{Compiled, Options};
use harness::corpus::{self, Driver, Header};
use harness::inputs::{self, Floats};
use std::collections::{BTreeMap, BTreeSet};

const TIER: &str = "work";

/// Programs whose plans do more, and why. The list may only shrink.
const OFFENDERS: [(&str, &str); 0] = [];

/// What a plan may do for each unit of strict evaluation, and besides.
const FACTOR: f64 = 4.0;
const BESIDES: f64 = 2000.0;
/// How much the ratio may grow where sizes double, once strict evaluation costs so much: before, it is what is small that grows.
const GROWTH: f64 = 1.25;
const TELLING: u64 = 10_000;

/// The first size, and the last.
const FIRST: u64 = 8;
const LAST: u64 = 512;
/// What other symbols are where one grows.
const OTHERS: u64 = 5;
/// What is added to the sizes of symbols, so that none is a multiple of another one.
const APART: [u64; 6] = [0, 1, 5, 7, 11, 13];
/// Sizes go up, and inputs are added, until strict evaluation costs this much.
const ENOUGH: u64 = 400_000;
/// Statements that a plan may run for each unit of strict evaluation, and besides, before it is given up.
const PATIENCE: u64 = 30;
const PATIENCE_BESIDES: u64 = 1_000_000;
/// Inputs of each size: one of them at least does not fail.
const SEEDS: u64 = 8;
/// Sizes that are compared.
const COMPARED: usize = 3;

/// Work at one size.
struct Row {
    size: u64,
    evaluated: Work,
    others: Work,
    /// None if it takes too long.
    planned: Option<Work>,
}

impl Row {
    fn allowed(&self) -> Work {
        let mut allowed = self.evaluated;
        allowed += self.others;
        allowed
    }

    fn ratio(&self) -> f64 {
        let planned = self.planned.map_or(f64::INFINITY, |work| work.cost as f64);
        planned / self.allowed().cost.max(1) as f64
    }

    /// What is wrong at this size.
    fn problem(&self) -> Option<String> {
        let Some(planned) = self.planned else {
            return Some(format!("more than {PATIENCE} times as much"));
        };
        let allowed = self.allowed();
        if planned.cost as f64 > FACTOR * allowed.cost as f64 + BESIDES {
            return Some(format!("{:.1} times as much", self.ratio()));
        }
        (planned.functions as f64 > FACTOR * allowed.functions as f64).then(|| {
            let (found, expected) = (planned.functions, allowed.functions);
            format!("{found} mathematical functions, for {expected}")
        })
    }
}

/// Rows of growing sizes.
struct Growth {
    /// What grows.
    title: String,
    rows: Vec<Row>,
}

impl Growth {
    fn problem(&self) -> Option<String> {
        let problem = self.rows.iter().find_map(|row| {
            let problem = row.problem()?;
            Some(format!("{problem} at {}", row.size))
        });
        let grown = || match self.rows.as_slice() {
            [.., before, last]
                if before.ratio() > 1.0 && last.ratio() > 1.0 && last.allowed().cost >= TELLING =>
            {
                let times = last.ratio() / before.ratio();
                let text = format!("{times:.2} times that at half of {}", last.size);
                (times > GROWTH).then(|| format!("the ratio is {text}"))
            }
            _ => None,
        };
        let problem = problem.or_else(grown)?;
        Some(format!("{problem} ({})", self.text()))
    }

    fn text(&self) -> String {
        let row = |row: &Row| {
            let planned = row
                .planned
                .map_or("too much".to_owned(), |work| work.cost.to_string());
            let (evaluated, others) = (row.evaluated.cost, row.others.cost);
            let ratio = row.ratio();
            format!(
                "{}: {ratio:.2} = {planned} / ({evaluated} + {others})",
                row.size
            )
        };
        let rows: Vec<String> = self.rows.iter().map(row).collect();
        format!("{}: {}", self.title, rows.join(", "))
    }
}

/// Runs the tier.
pub(crate) fn run(report: &mut Report) {
    if !report.wants(TIER) {
        return;
    }
    for driver in DRIVERS.iter() {
        if !report.selects(driver.program)
            || !workers::claims(report.claims(), TIER, driver.program)
        {
            continue;
        }
        let reason = OFFENDERS
            .iter()
            .find(|(program, _)| *program == driver.program);
        let told = !report.is_much();
        report.case(TIER, driver.program, || {
            match (excess(driver, told)?, reason) {
                (None, Some((_, reason))) => Err(format!(
                    "it passes now: remove it from the list (`{reason}`)"
                )),
                (Some(problem), None) => Err(problem),
                (Some(_), Some(_)) | (None, None) => Ok(()),
            }
        });
        report.count(TIER, "offenders", usize::from(reason.is_some()));
    }
}

/// Where a plan does too much.
fn excess(driver: &Driver, told: bool) -> Result<Option<String>, String> {
    let mut header = corpus::header(driver.program);
    let ranges = std::mem::take(&mut header.work);
    header.values.extend(ranges);
    let compiled = corpus::compile(driver, &Options::default())?;
    let (mut fails, mut excess) = (false, None);
    for (title, sizes) in growths(&header) {
        let growth = grow(&compiled, &header, title, &sizes, &mut fails)?;
        if told {
            println!("{}: {}", driver.program, growth.text());
        }
        excess = excess.or_else(|| growth.problem());
    }
    match header.fails && !fails {
        true => Err("it says `work: fails` and does not".to_owned()),
        false => Ok(excess),
    }
}

/// Sizes of symbols.
type Sizes = BTreeMap<String, u64>;

/// What grows, and how large all symbols are then.
type Scaling = (String, Box<dyn Fn(u64) -> Sizes>);

/// What grows, and the sizes of all symbols then.
fn growths(header: &Header) -> Vec<Scaling> {
    let symbols: BTreeSet<&String> = header.shapes.values().flatten().collect();
    let symbols: Vec<String> = symbols.into_iter().cloned().collect();
    let all = symbols.clone();
    let together = move |n| {
        let sizes = all.iter().enumerate();
        sizes
            .map(|(k, symbol)| (symbol.clone(), n + APART[k % APART.len()]))
            .collect()
    };
    let mut growths: Vec<Scaling> = vec![("all".to_owned(), Box::new(together))];
    if symbols.len() > 1 {
        for symbol in &symbols {
            let (all, grows) = (symbols.clone(), symbol.clone());
            let alone = move |n| {
                let size = |symbol: &String| match *symbol == grows {
                    true => n,
                    false => OTHERS,
                };
                all.iter()
                    .map(|symbol| (symbol.clone(), size(symbol)))
                    .collect()
            };
            growths.push((symbol.clone(), Box::new(alone)));
        }
    }
    growths
}

fn grow(
    compiled: &Compiled,
    header: &Header,
    title: String,
    sizes: &dyn Fn(u64) -> Sizes,
    fails: &mut bool,
) -> Result<Growth, String> {
    let mut found = Vec::new();
    let mut size = FIRST;
    while size <= LAST {
        let asked = asked(compiled, header, &sizes(size), SEEDS);
        if !asked.is_empty() {
            let costs = asked.iter().map(|asked| asked.spent.evaluated.cost);
            let most = costs.max();
            found.push((size, asked));
            if most > Some(ENOUGH) {
                break;
            }
        } else if header.fails {
            *fails = true;
        } else {
            return Err(format!("it fails on all inputs of {title} = {size}"));
        }
        size *= 2;
    }
    let compared = found.len().saturating_sub(COMPARED);
    let mut rows = Vec::new();
    for (size, asked) in found.split_off(compared) {
        let row = row(compiled, size, asked);
        let row = row.map_err(|problem| format!("{problem} at {title} = {size}"))?;
        rows.push(row);
    }
    Ok(Growth { title, rows })
}

/// What a plan does with these arguments.
fn row(compiled: &Compiled, size: u64, asked: Vec<Asked>) -> Result<Row, String> {
    let mut row = Row {
        size,
        evaluated: Work::default(),
        others: Work::default(),
        planned: Some(Work::default()),
    };
    for asked in asked {
        row.evaluated += asked.spent.evaluated;
        row.others += asked.spent.others;
        let patience = PATIENCE * row.allowed().cost + PATIENCE_BESIDES;
        let (scalars, arrays) = (&asked.scalars, &asked.arrays);
        let planned = interpret::run_counted(&compiled.plan, scalars, arrays, patience);
        if let Some((Err(failed), _)) = planned {
            return Err(format!("only the plan fails, with {failed:?},"));
        }
        let both = row.planned.zip(planned);
        row.planned = both.map(|(mut sum, (_, work))| {
            sum += work;
            sum
        });
        if row.planned.is_none() {
            break;
        }
    }
    Ok(row)
}

/// How much more a plan does than it may, where a size doubles up to this one: the larger ratio, and what is wrong with it.
pub(crate) fn doubled(compiled: &Compiled, header: &Header, size: u64) -> (f64, Option<String>) {
    let (_, sizes) = growths(header).swap_remove(0);
    let rows = [size / 2, size].map(|size| {
        let asked = asked(compiled, header, &sizes(size), 2);
        row(compiled, size, asked).ok()
    });
    let rows = rows.into_iter().flatten();
    let growth = Growth {
        title: "all".to_owned(),
        rows: rows.filter(|row| row.evaluated.cost > 0).collect(),
    };
    let ratios = growth.rows.iter().map(Row::ratio);
    (ratios.fold(0.0, f64::max), growth.problem())
}

/// Arguments with what strict evaluation does.
struct Asked {
    scalars: Vec<Scalar>,
    arrays: Vec<eval::Array>,
    spent: Spent,
}

/// Arguments of a size that do not fail: several, since branches depend on them, but together not too much.
fn asked(compiled: &Compiled, header: &Header, sizes: &Sizes, seeds: u64) -> Vec<Asked> {
    let (mut found, mut cost) = (Vec::new(), 0);
    for seed in 0..seeds {
        let program = &compiled.lowered;
        let arguments = inputs::arguments(program, header, sizes, Floats::Real, seed);
        let scalars: Vec<Scalar> = arguments.scalars.into();
        let arrays: Vec<eval::Array> = arguments.arrays.into();
        let spent = eval::spent(program, &scalars, &arrays);
        if spent.result.is_ok() {
            cost += spent.evaluated.cost;
            found.push(Asked {
                scalars,
                arrays,
                spent,
            });
        }
        if cost > ENOUGH {
            break;
        }
    }
    found
}
