//! Which word of a dictionary has a given MD5 sum (RFC 1321): one word a thread, one kernel that is fused with the search for
//! the first match. Never use MD5 for passwords.

use accelerate::{Device, Vector, accelerate};
use anyhow::{Context, Result};
use clap::Parser;
use examples::{Options, agrees, equal, function, random_integers};

accelerate! {
    /// The sines of RFC 1321: `floor(2^32 |sin(i + 1)|)`.
    const T: [u32; 64] = [
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
        0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
        0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
        0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
        0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
        0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
        0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
    ];
    const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

    /// What round `round` mixes of three words, and which word of the block it takes.
    fn mixed(round: usize, b: u32, c: u32, d: u32) -> (u32, usize) {
        match round / 16 {
            0 => ((b & c) | (!b & d), round),
            1 => ((d & b) | (!d & c), (5 * round + 1) % 16),
            2 => (b ^ c ^ d, (3 * round + 5) % 16),
            _ => (c ^ (b | !d), (7 * round) % 16),
        }
    }

    /// The sum of a message that fills one block with what stands behind it.
    fn md5(block: [u32; 16]) -> [u32; 4] {
        let start = [0x67452301_u32, 0xefcdab89, 0x98badcfe, 0x10325476];
        let [mut a, mut b, mut c, mut d] = start;
        for round in 0..64 {
            let (f, place) = mixed(round, b, c, d);
            let sum = a.wrapping_add(f).wrapping_add(T[round]).wrapping_add(block[place]);
            (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(TURNS[round / 16][round % 4])));
        }
        [start[0].wrapping_add(a), start[1].wrapping_add(b), start[2].wrapping_add(c), start[3].wrapping_add(d)]
    }

    /// The sums of messages.
    pub fn digests(blocks: &Vector<[u32; 16]>) -> Vector<[u32; 4]> {
        blocks.map(md5)
    }

    /// The first message with this sum, or how many there are.
    #[fused(kernels = 1)]
    #[fused(bytes = 64 * blocks.len() + 8)]
    pub fn find(blocks: &Vector<[u32; 16]>, digest: [u32; 4]) -> usize {
        let n = blocks.len();
        blocks.map_indexed(|i, block| if md5(block) == digest { i } else { n }).fold(n, |a, b| a.min(b))
    }
}

/// Finds the word of a dictionary that has an MD5 sum.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Number of words of the dictionary, all made up
    #[arg(long, default_value_t = 1_000_000)]
    size: usize,
    /// The sum in 32 hexadecimal digits; by default that of a word near the end
    #[arg(long)]
    sum: Option<String>,
}

fn main() -> Result<()> {
    let Arguments { options, size, sum } = Arguments::parse();
    let device = options.start(&[function!(find), function!(digests)])?;
    let words = words(size);
    let blocks = words.iter().map(|word| block(word)).collect();
    let dictionary = Vector::from_vec(&device, blocks)?;
    let wanted = match sum {
        Some(sum) => parse(&sum)?,
        None => plain(
            words
                .get(size * 9 / 10)
                .context("a dictionary without words")?,
        ),
    };
    let asked = wanted.map(|part| options.constant(part));
    let (place, time) = options.measure("find", 5, || find(&device, &dictionary, asked))?;
    function!(find).report(&device, &[("blocks.len()", size)], time);
    println!(
        "{:.1} million sums a second",
        size as f64 / 1e6 / time.as_secs_f64()
    );
    let found = words.get(place);
    match found {
        Some(word) => println!("{} is the sum of `{word}`", hex(wanted)),
        None => println!("{} is the sum of no word", hex(wanted)),
    }
    if options.check {
        check(&device, &words, &dictionary)?;
        let first = words.iter().position(|word| plain(word) == wanted);
        agrees(
            "the first word with this sum, by plain Rust",
            first == found.map(|_| place),
        )?;
    }
    Ok(())
}

/// Compares sums with published ones and with plain Rust.
fn check(device: &Device, words: &[String], dictionary: &Vector<[u32; 16]>) -> Result<()> {
    // Of RFC 1321, A.5.
    let known = [
        ("", "d41d8cd98f00b204e9800998ecf8427e"),
        ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (
            "abcdefghijklmnopqrstuvwxyz",
            "c3fcd3d76192e4007dfb496cca67e13b",
        ),
    ];
    let blocks = known.iter().map(|(text, _)| block(text)).collect();
    let sums = digests(device, &Vector::from_vec(device, blocks)?)?.to_vec()?;
    for ((text, known), sum) in known.iter().zip(sums) {
        let name = format!("known sum of `{text}`");
        equal(&name, &[hex(sum).as_str()], &[*known])?;
    }
    let sums = digests(device, dictionary)?.to_vec()?;
    let expected: Vec<[u32; 4]> = words.iter().map(|word| plain(word)).collect();
    equal("all sums by plain Rust", &sums, &expected)
}

/// Words of six to twelve letters.
fn words(n: usize) -> Vec<String> {
    const SYLLABLES: [&str; 16] = [
        "ba", "chi", "da", "fe", "go", "ku", "la", "mi", "no", "pra", "qui", "ro", "sta", "te",
        "vu", "zo",
    ];
    let word = |number: u64| {
        let syllable = |k: u64| SYLLABLES[(number >> (4 * k)) as usize % 16];
        (0..3 + number % 2)
            .map(|k| syllable(k + 1))
            .collect::<String>()
            + &(number >> 32).to_string()
    };
    random_integers(1, n, 100 << 32)
        .into_iter()
        .map(word)
        .collect()
}

/// The only block of a message of at most 55 bytes: a bit behind it, zeros, and its length in bits.
fn block(message: &str) -> [u32; 16] {
    let mut bytes = [0u8; 64];
    bytes[..message.len()].copy_from_slice(message.as_bytes());
    bytes[message.len()] = 0x80;
    bytes[56..].copy_from_slice(&(8 * message.len() as u64).to_le_bytes());
    let word = |k: usize| [bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]];
    std::array::from_fn(|k| u32::from_le_bytes(word(4 * k)))
}

fn hex(sum: [u32; 4]) -> String {
    let bytes = sum.into_iter().flat_map(u32::to_le_bytes);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

fn parse(text: &str) -> Result<[u32; 4]> {
    let byte = |k: usize| {
        text.get(2 * k..2 * k + 2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok())
    };
    let bytes: Option<Vec<u8>> = (0..16).map(byte).collect();
    let bytes = bytes.filter(|_| text.len() == 32);
    let bytes = bytes.with_context(|| format!("`{text}` is not 32 hexadecimal digits"))?;
    let word = |k: usize| [bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]];
    Ok(std::array::from_fn(|k| u32::from_le_bytes(word(4 * k))))
}

/// The sum in plain Rust, written as RFC 1321 writes it: four rounds, and the sines computed.
fn plain(message: &str) -> [u32; 4] {
    type Mix = fn(u32, u32, u32) -> u32;
    const ROUNDS: [(Mix, usize, usize, [u32; 4]); 4] = [
        (|x, y, z| (x & y) | (!x & z), 1, 0, [7, 12, 17, 22]),
        (|x, y, z| (x & z) | (y & !z), 5, 1, [5, 9, 14, 20]),
        (|x, y, z| x ^ y ^ z, 3, 5, [4, 11, 16, 23]),
        (|x, y, z| y ^ (x | !z), 7, 0, [6, 10, 15, 21]),
    ];
    let block = block(message);
    let start = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let [mut a, mut b, mut c, mut d] = start;
    for (round, (mix, factor, first, turns)) in ROUNDS.into_iter().enumerate() {
        for i in 0..16 {
            let sine = ((16 * round + i + 1) as f64).sin().abs() * 4_294_967_296.0;
            let word = block[(factor * i + first) % 16];
            let sum = a
                .wrapping_add(mix(b, c, d))
                .wrapping_add(word)
                .wrapping_add(sine as u32);
            (a, b, c, d) = (d, b.wrapping_add(sum.rotate_left(turns[i % 4])), b, c);
        }
    }
    let [e, f, g, h] = start;
    [
        a.wrapping_add(e),
        b.wrapping_add(f),
        c.wrapping_add(g),
        d.wrapping_add(h),
    ]
}
