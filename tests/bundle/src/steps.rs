//! The steps of both commands, the most worth first.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    Check,
    Bench,
}

impl Plan {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Plan::Check => "check",
            Plan::Bench => "bench",
        }
    }
}

/// What a step needs beside the bundle.
pub(crate) enum Needs {
    Nothing,
    /// A program on the path.
    Tool(&'static str),
}

impl Needs {
    /// What the machine lacks of it.
    pub(crate) fn missing(&self) -> Option<String> {
        let runs = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::null());
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            status.is_ok_and(|status| status.success())
        };
        match self {
            Needs::Nothing => None,
            Needs::Tool(tool) => (!runs(tool, &["--version"])).then(|| format!("no {tool}")),
        }
    }
}

/// A program to be started.
pub(crate) struct Invocation {
    program: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) variables: Vec<(&'static str, &'static str)>,
}

impl Invocation {
    fn of(program: &str, arguments: &[&str]) -> Invocation {
        Invocation {
            program: program.to_owned(),
            arguments: arguments
                .iter()
                .map(|&argument| argument.to_owned())
                .collect(),
            // Who asks for a GPU wants it used.
            variables: vec![("ACCELERATE_CUDA", "require")],
        }
    }

    fn with(mut self, option: &str, value: impl ToString) -> Invocation {
        self.arguments
            .extend([option.to_owned(), value.to_string()]);
        self
    }

    /// One that lies in the bundle, or on the path.
    pub(crate) fn program(&self, folder: &Path) -> PathBuf {
        let own = folder.join(&self.program);
        match own.is_file() {
            true => own,
            false => PathBuf::from(&self.program),
        }
    }

    pub(crate) fn text(&self) -> String {
        format!("{} {}", self.program, self.arguments.join(" "))
    }
}

/// One step.
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) needs: Needs,
    /// Seconds with which it is worth beginning.
    pub(crate) least: u64,
    /// What to run, with so much time left.
    pub(crate) command: Box<dyn Fn(Duration) -> Invocation>,
}

impl Step {
    fn new(
        name: impl ToString,
        needs: Needs,
        least: u64,
        command: impl Fn(Duration) -> Invocation + 'static,
    ) -> Step {
        Step {
            name: name.to_string(),
            needs,
            least,
            command: Box::new(command),
        }
    }
}

/// The tier that asks the corpus of a real GPU.
const CORPUS: [&str; 2] = ["--tier", "real GPU"];
/// Seconds that a program of the corpus may take.
const LIMIT: u64 = 60;
/// Of the time left, in hundredths, what the first two steps of a check may begin programs in.
const SHARES: [u32; 2] = [55, 45];

/// What compute-sanitizer looks for, and programs that together have every skeleton.
const SANITIZERS: [&str; 3] = ["memcheck", "racecheck", "initcheck"];
const SAMPLE: [&str; 8] = [
    "saxpy",
    "sum_rows",
    "scan_cumsum",
    "sort",
    "histogram",
    "matmul",
    "segments_skewed",
    "stencil_gauss",
];

/// What ncu counts.
const METRICS: &str =
    "gpu__time_duration.sum,dram__bytes.sum,smsp__inst_executed.sum,launch__registers_per_thread";

/// The steps of a command.
pub(crate) fn steps(plan: Plan, rehearse: bool) -> Vec<Step> {
    match plan {
        Plan::Check => check(rehearse),
        Plan::Bench => bench(rehearse),
    }
}

fn check(rehearse: bool) -> Vec<Step> {
    let share = |left: Duration, share: u32| (left * share / 100).as_secs().max(1);
    let mut steps = vec![
        Step::new("corpus", Needs::Nothing, 20, move |left| {
            let mut suite = Invocation::of("suite", &CORPUS)
                .with("--jobs", 16)
                .with("--limit", LIMIT)
                .with("--seconds", share(left, SHARES[0]));
            if rehearse {
                suite.arguments.push("map_".to_owned());
            }
            suite
        }),
        Step::new("litmus", Needs::Nothing, 20, move |left| {
            Invocation::of("suite", &["--tier", "litmus"]).with("--seconds", share(left, SHARES[1]))
        }),
    ];
    for tool in SANITIZERS {
        for program in SAMPLE {
            let name = format!("{tool} of {program}");
            steps.push(Step::new(
                name,
                Needs::Tool("compute-sanitizer"),
                30,
                move |_| {
                    let arguments = ["--tool", tool, "--error-exitcode", "9", "./suite"];
                    Invocation::of("compute-sanitizer", &arguments)
                        .with(CORPUS[0], CORPUS[1])
                        .with("--program", program)
                },
            ));
        }
    }
    steps
}

fn bench(rehearse: bool) -> Vec<Step> {
    let rows = Step::new("rows", Needs::Nothing, 15, move |_| {
        let benches = Invocation::of("benches", &["--device", "cuda"]);
        match rehearse {
            true => benches.with("--shrink", 4000).with("--rounds", 1),
            false => benches,
        }
    });
    let instructions = Step::new("instructions", Needs::Tool("ncu"), 60, move |_| {
        let ncu = ["--metrics", METRICS, "--clock-control", "none", "--csv"];
        // Alone: libraries launch kernels of their own.
        let benches = ["./benches", "--device", "cuda", "--python", "none"];
        Invocation::of("ncu", &[&ncu[..], &benches].concat()).with("--rounds", 1)
    });
    vec![rows, instructions]
}
