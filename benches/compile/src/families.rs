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
/// Up to four levels are computed in one kernel, with all that they read: beyond that some are stored.
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

/// A match of n arms.
fn arms(n: usize) -> String {
    let line = |k: usize| match k % 3 {
        0 => format!("{k} => {},", k * k),
        1 => format!("v if v % {} == 7 => v + {k},", k + 1),
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

/// SHA-256 as the standard has it, with so many rounds.
fn compress(rounds: usize) -> String {
    format!(
        "
const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
const START: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

fn compress(state: [u32; 8], block: [u32; 16]) -> [u32; 8] {{
    let mut w = [0u32; 64];
    for i in 0..16 {{
        w[i] = block[i];
    }}
    for i in 16..{rounds}.max(16) {{
        let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
    }}
    let mut h = state;
    for i in 0..{rounds} {{
        let s1 = h[4].rotate_right(6) ^ h[4].rotate_right(11) ^ h[4].rotate_right(25);
        let choice = (h[4] & h[5]) ^ (!h[4] & h[6]);
        let t1 = h[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(K[i]).wrapping_add(w[i]);
        let s0 = h[0].rotate_right(2) ^ h[0].rotate_right(13) ^ h[0].rotate_right(22);
        let majority = (h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]);
        let t2 = s0.wrapping_add(majority);
        h = [t1.wrapping_add(t2), h[0], h[1], h[2], h[3].wrapping_add(t1), h[4], h[5], h[6]];
    }}
    let mut sums = state;
    for i in 0..8 {{
        sums[i] = sums[i].wrapping_add(h[i]);
    }}
    sums
}}
"
    )
}

/// SHA-256 of single blocks.
fn sha256_blocks(rounds: usize) -> String {
    compress(rounds)
        + "
pub fn sha256_blocks(blocks: &Vector<[u32; 16]>) -> Vector<[u32; 8]> {
    blocks.map(|block| compress(START, block))
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
