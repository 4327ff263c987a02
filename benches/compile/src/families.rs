//! Programs that grow in one respect each.

use std::fmt::Write;

/// Programs of a size.
pub struct Family {
    /// What it is called.
    pub name: &'static str,
    /// The sizes n, 2n, 4n and 8n.
    pub sizes: [usize; 4],
    /// The block of a size.
    pub source: fn(usize) -> String,
}

const LINES: [usize; 4] = [25, 50, 100, 200];
const LEVELS: [usize; 4] = [2, 4, 8, 16];
/// Most are computed in one kernel, with all that they read.
const VIEWS: [usize; 4] = [4, 8, 16, 32];

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "maps",
        sizes: LINES,
        source: maps,
    },
    Family {
        name: "zips",
        sizes: LINES,
        source: zips,
    },
    Family {
        name: "scans",
        sizes: LINES,
        source: scans,
    },
    Family {
        name: "wraps",
        sizes: VIEWS,
        source: wraps,
    },
    Family {
        name: "rotations",
        sizes: VIEWS,
        source: rotations,
    },
    Family {
        name: "reads",
        sizes: LINES,
        source: reads,
    },
    Family {
        name: "parameters",
        sizes: LINES,
        source: parameters,
    },
    Family {
        name: "functions",
        sizes: LINES,
        source: functions,
    },
    Family {
        name: "tuples",
        sizes: LINES,
        source: tuples,
    },
    Family {
        name: "arms",
        sizes: LINES,
        source: arms,
    },
    Family {
        name: "nesting",
        sizes: LEVELS,
        source: nesting,
    },
    Family {
        name: "windows",
        sizes: LINES,
        source: windows,
    },
    Family {
        name: "sha256 blocks",
        sizes: [8, 16, 32, 64],
        source: sha256_blocks,
    },
    Family {
        name: "sha256 messages",
        sizes: [8, 16, 32, 64],
        source: sha256_messages,
    },
];

/// `head`, a line for each of `numbers` and `tail`.
fn lines(
    head: &str,
    numbers: impl Iterator<Item = usize>,
    line: impl Fn(usize) -> String,
    tail: &str,
) -> String {
    let mut text = format!("{head}\n");
    for k in numbers {
        writeln!(text, "    {}", line(k)).expect("a string takes everything");
    }
    text + tail
}

/// n maps, each of the one before.
fn maps(n: usize) -> String {
    let line = |k| format!("let x = x.map(|v| v * {k}.0 + 1.0);");
    let head = "pub fn maps(x: &Vector<f32>) -> Vector<f32> { let x = x.map(|v| v - 1.0);";
    lines(head, 1..n + 1, line, "x }")
}

/// n lines of zip and map.
fn zips(n: usize) -> String {
    let line = |k| format!("let y = y.zip(x).map(|(a, b)| a * b + {k}.0);");
    let head = "pub fn zips(x: &Vector<f32>) -> Vector<f32> { let y = x.map(|v| v - 1.0);";
    lines(head, 1..n + 1, line, "y }")
}

/// n lines, a scan and a map in turns.
fn scans(n: usize) -> String {
    let line = |k| match k % 2 {
        0 => "let x = x.cumsum();".to_owned(),
        _ => format!("let x = x.map(|v| v * {k}.0 + 1.0);"),
    };
    let head = "pub fn scans(x: &Vector<f32>) -> Vector<f32> { let x = x.map(|v| v - 1.0);";
    lines(head, 0..n, line, "x }")
}

/// n stencils that wrap, each of the one before.
fn wraps(n: usize) -> String {
    let line = |_| "let x = x.stencil(Wrap, |w| w[0] - w[1]);".to_owned();
    let head = "pub fn wraps(x: &Vector<i32>) -> Vector<i32> { let x = x.map(|v| v - 1);";
    lines(head, 0..n, line, "x }")
}

/// n arrays, each made from the one before and that turned.
fn rotations(n: usize) -> String {
    let line = |k| format!("let x = x.zip(x.rotate_left(1)).map(|(a, b)| a * {k} - b);");
    let head = "pub fn rotations(x: &Vector<i32>) -> Vector<i32> { let x = x.map(|v| v - 1);";
    lines(head, 2..n + 2, line, "x }")
}

/// A stencil with n reads written out.
fn reads(n: usize) -> String {
    let line = |k: usize| format!("+ {k}.0 * w[{}]", k as isize - n as isize / 2);
    let head = "pub fn reads(x: &Vector<f32>) -> Vector<f32> { x.stencil(Clamp, |w| w[0]";
    lines(head, 0..n, line, ") }")
}

/// n parameters.
fn parameters(n: usize) -> String {
    let names: Vec<String> = (0..n).map(|k| format!("x{k}: &Vector<f32>")).collect();
    let head = format!(
        "pub fn parameters({}) -> Vector<f32> {{ x0",
        names.join(", ")
    );
    lines(&head, 1..n, |k| format!("+ x{k}"), "}")
}

/// n functions in a block, half of them helpers.
fn functions(n: usize) -> String {
    let line = |k| match k % 2 {
        0 => format!("fn helper{k}(v: f32) -> f32 {{ v.sin() * {k}.0 }}"),
        _ => format!(
            "pub fn f{k}(x: &Vector<f32>) -> f32 {{ x.map(|v| helper{}(v)).sum() }}",
            k - 1
        ),
    };
    lines("", 0..n, line, "")
}

/// Elements of n components.
fn tuples(n: usize) -> String {
    let list = |item: &dyn Fn(usize) -> String| -> String {
        (0..n).map(|k| item(k) + ", ").collect::<String>()
    };
    format!(
        "pub fn tuples(x: &Vector<({})>) -> Vector<({})> {{ x.map(|({})| ({})) }}",
        list(&|_| "i32".to_owned()),
        list(&|_| "i32".to_owned()),
        list(&|k| format!("a{k}")),
        list(&|k| format!("a{k} + a{}", (k + 1) % n)),
    )
}

/// A match of n arms, of which the last one is of the same kind for all sizes.
fn arms(n: usize) -> String {
    let line = |k: usize| match k % 5 {
        0 | 2 => format!("{k} => {},", k * k),
        1 | 3 => format!("v if v % {} == 7 => v + {k},", k + 1),
        _ => format!("{}..={} => v * {k},", k * 1000, k * 1000 + 500),
    };
    let head = "pub fn arms(x: &Vector<i32>) -> Vector<i32> { x.map(|v| match v {";
    lines(head, 0..n, line, "_ => v }) }")
}

/// Rows in rows, n deep.
fn nesting(n: usize) -> String {
    let head = "pub fn nesting(m: &Matrix<f32>) -> f32 {";
    let product: Vec<String> = (0..n).map(|k| format!("r{k}[0]")).collect();
    let tail = format!("{} {}}}", product.join("*"), "}).sum()\n".repeat(n));
    lines(head, 0..n, |k| format!("m.rows().map(|r{k}| {{"), &tail)
}

/// n maps over windows.
fn windows(n: usize) -> String {
    let line = |k: usize| {
        format!(
            "let y = y.zip(x.windows({}).map(|w| w[0] * {k}.0 + w[1])).map(|(a, b)| a * b);",
            2
        )
    };
    let head =
        "pub fn windows(x: &Vector<f32>) -> Vector<f32> { let y = x.windows(2).map(|w| w[0]);";
    lines(head, 1..n + 1, line, "y }")
}

/// The program of the corpus.
const SHA256: &str = include_str!("../../../tests/programs/applications/sha256.rs");

/// SHA-256 as the standard has it, or with fewer rounds: then of a block and a schedule that are as much shorter.
fn compress(rounds: usize) -> String {
    let (_, block) = SHA256.split_once("accelerate! {").expect("a block");
    let (helpers, _) = block.split_once("pub fn").expect("a function");
    let words = rounds / 4;
    let back = |steps: usize| format!("w[i - {}]", (steps * words).div_ceil(16));
    let mut text = (helpers.replace("in 0..16", &format!("in 0..{words}")))
        .replace("in 16..64", &format!("in {words}..{rounds}"))
        .replace("in 0..64", &format!("in 0..{rounds}"));
    // From the least on: what is written is none of those that follow.
    for steps in [2, 7, 15, 16] {
        text = text.replace(&format!("w[i - {steps}]"), &back(steps));
    }
    text
}

/// SHA-256 of single blocks, each after others: what is constant would be computed at once.
fn sha256_blocks(rounds: usize) -> String {
    compress(rounds)
        + "
pub fn sha256_blocks(states: &Vector<[u32; 8]>, blocks: &Vector<[u32; 16]>) -> Vector<[u32; 8]> {
    states.zip(blocks).map(|(state, block)| compress(state, block))
}
"
}

/// SHA-256 of messages of any lengths.
fn sha256_messages(rounds: usize) -> String {
    compress(rounds)
        + "
pub fn sha256_messages(messages: &Segmented<u8>) -> Vector<[u32; 8]> {
    messages.map_segments(|message| {
        let n = message.len();
        let blocks = (n + 9 + 63) / 64;
        let mut state = START;
        for k in 0..blocks {
            let mut block = [0u32; 16];
            for i in 0..16 {
                let mut word = 0u32;
                for j in 0..4 {
                    let at = k * 64 + i * 4 + j;
                    let byte = if at < n {
                        message[at] as u32
                    } else if at == n {
                        0x80
                    } else if at >= blocks * 64 - 8 {
                        ((n * 8) >> ((blocks * 64 - 1 - at) * 8)) as u32 & 255
                    } else {
                        0
                    };
                    word = word << 8 | byte;
                }
                block[i] = word;
            }
            state = compress(state, block);
        }
        state
    })
}
"
}
