//! Arguments made from a seed: sizes from the header's symbols, values by type.

use crate::corpus::Header;
use crate::value::Arguments;
use accelerate_compiler::ir::{Parameter, Program, eval};
use accelerate_compiler::scalar::{Leaf, Scalar};
use std::collections::BTreeMap;

/// What floats are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Floats {
    /// Whole numbers from -4 to 4: sums and products are exact in every order.
    Whole,
    /// Fractions.
    Real,
    /// Fractions with zeros, infinities, NaN and subnormals among them.
    Special,
}

/// A source of numbers: SplitMix64 (Steele, Lea, Flood, 2014).
pub struct Random(pub u64);

impl Random {
    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to 1.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From 0 to `n`, exclusive.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n.max(1)
    }
}

/// The sizes worth trying, as values of the header's symbols, ascending.
pub fn sizes(header: &Header) -> Vec<BTreeMap<String, u64>> {
    let mut symbols: Vec<&String> = header.shapes.values().flatten().collect();
    symbols.sort();
    symbols.dedup();
    let rank = header
        .shapes
        .values()
        .map(Vec::len)
        .max()
        .unwrap_or(1)
        .max(symbols.len())
        .max(1) as f64;
    // Every size grows with the number of symbols in mind: a product of three matrices' sides is still oracle's work.
    let long = 3000f64.powf(1.0 / (rank - 1.0).max(1.0)).min(300.0) as u64;
    let assign = |size: &dyn Fn(usize) -> u64| -> BTreeMap<String, u64> {
        symbols
            .iter()
            .enumerate()
            .map(|(k, &symbol)| (symbol.clone(), size(k)))
            .collect()
    };
    let mut all = vec![assign(&|_| 0), assign(&|_| 1), assign(&|_| 2)];
    if symbols.len() > 1 {
        for zero in 0..symbols.len() {
            all.push(assign(&|k| if k == zero { 0 } else { 3 + k as u64 }));
            all.push(assign(&|k| if k == zero { 1 } else { long }));
        }
    }
    if rank > 2.0 {
        // Two tiles side by side without edges, in little data.
        all.push(assign(&|k| [10, 11, 26, 4, 3][k.min(4)]));
    }
    for n in [7, 31, 32, 33, 257, 1000, 4099, 20_011, 150_001] {
        let side = f64::from(n).powf(1.0 / rank).round() as u64;
        all.push(assign(&|k| side + if rank > 1.0 { k as u64 } else { 0 }));
    }
    if !header.sizes.is_empty() {
        all.extend(header.sizes.iter().cloned());
        all.sort_by_key(|sizes| sizes.values().product::<u64>());
    }
    all
}

/// Arguments for a program.
pub fn arguments(
    program: &Program,
    header: &Header,
    sizes: &BTreeMap<String, u64>,
    floats: Floats,
    seed: u64,
) -> Arguments {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) + 1);
    let range = |name: &String| {
        let (low, high) = header.values.get(name)?;
        Some((low.at(sizes), high.at(sizes)))
    };
    let mut arguments = Arguments::default();
    for parameter in &program.parameters {
        match parameter {
            Parameter::Scalars { name, leaves } => {
                let range = range(name);
                let own = leaves.iter().map(|&(_, leaf)| match (range, leaf) {
                    (None, Leaf::U64) => Scalar {
                        leaf,
                        bits: random.below(9),
                    },
                    _ => value(&mut random, leaf, range, floats),
                });
                let mut own: Vec<Vec<Scalar>> = own.map(|value| vec![value]).collect();
                clear_absent(leaves, &mut own);
                arguments.scalars.extend(own.concat());
            }
            Parameter::Array {
                name, leaves, rank, ..
            } => {
                let symbols = header
                    .shapes
                    .get(name)
                    .unwrap_or_else(|| panic!("`shapes:` lacks `{name}`"));
                assert_eq!(
                    symbols.len(),
                    *rank as usize,
                    "`shapes:` gives `{name}` another rank"
                );
                let extents: Vec<u64> = symbols.iter().map(|symbol| sizes[symbol]).collect();
                let count = extents.iter().product::<u64>();
                let range = range(name);
                let (lengths, offsets) = (header.lengths.get(name), header.offsets.get(name));
                let column = |&(_, leaf): &(String, Leaf)| {
                    let Some(axis) = lengths.or(offsets) else {
                        let values = (0..count).map(|_| value(&mut random, leaf, range, floats));
                        return values.collect();
                    };
                    let all = segments(&mut random, sizes[axis], count, lengths.is_some());
                    let width = u64::MAX >> (64 - leaf.bits());
                    let scalar = |bits| Scalar {
                        leaf,
                        bits: bits & width,
                    };
                    all.into_iter().map(scalar).collect()
                };
                let mut columns: Vec<Vec<Scalar>> = leaves.iter().map(column).collect();
                clear_absent(leaves, &mut columns);
                arguments.arrays.push_back(eval::Array {
                    extents,
                    leaves: columns,
                });
            }
        }
    }
    arguments
}

/// Makes zeros of what options do not hold: a leaf `is_some` of something tells it of the leaves of its `some`.
fn clear_absent(leaves: &[(String, Leaf)], columns: &mut [Vec<Scalar>]) {
    for (k, (path, _)) in leaves.iter().enumerate() {
        let Some(option) = path.strip_suffix("is_some") else {
            continue;
        };
        let held = format!("{option}some");
        let inside = |path: &str| {
            let rest = path.strip_prefix(&held);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let some = columns[k].clone();
        for ((path, _), column) in leaves.iter().zip(&mut *columns) {
            if inside(path) {
                let absent = column
                    .iter_mut()
                    .zip(&some)
                    .filter(|(_, some)| some.bits == 0);
                absent.for_each(|(value, _)| value.bits = 0);
            }
        }
    }
}

/// Segments of an axis of `n`: so many lengths, or offsets. Many are empty; in turns they are alike, of all lengths, or
/// few elements each but for a single one.
fn segments(random: &mut Random, n: u64, count: u64, lengths: bool) -> Vec<u64> {
    let cuts = count.saturating_sub(u64::from(!lengths));
    let kind = random.below(3);
    let cut = |random: &mut Random| {
        let share = random.fraction();
        let share = match kind {
            0 => share,
            1 => share * share * share,
            _ => (8.0 * share).floor() / 8.0 * 0.01 + if share < 0.4 { 0.0 } else { 0.95 },
        };
        ((share * (n + 1) as f64) as u64).min(n)
    };
    let mut ends: Vec<u64> = (1..cuts).map(|_| cut(random)).collect();
    ends.sort_unstable();
    ends.extend((cuts > 0).then_some(n));
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let mut all: Vec<u64> = match lengths {
        true => ends
            .iter()
            .zip(begins)
            .map(|(to, from)| to - from)
            .collect(),
        false => begins.collect(),
    };
    all.truncate(count as usize);
    all
}

fn value(random: &mut Random, leaf: Leaf, range: Option<(f64, f64)>, floats: Floats) -> Scalar {
    let width = u64::MAX >> (64 - leaf.bits());
    if leaf.is_float() {
        let x = match (range, floats) {
            (Some((low, high)), _) => low + (high - low) * random.fraction(),
            (None, Floats::Whole) => random.below(9) as f64 - 4.0,
            (None, Floats::Special) if random.below(8) == 0 => special(random),
            (None, _) => 8.0 * random.fraction() - 4.0,
        };
        return Scalar::float(leaf, x);
    }
    let bits = match range {
        _ if leaf == Leaf::Bool => random.below(2),
        Some((low, high)) => (low as i64 + random.below((high - low) as u64) as i64) as u64,
        None if random.below(4) == 0 => match random.below(4) {
            0 => width,
            1 => (width >> 1) + 1,
            2 => width >> 1,
            _ => random.bits(),
        },
        None => (random.below(41) as i64 - 20) as u64,
    };
    Scalar {
        leaf,
        bits: bits & width,
    }
}

fn special(random: &mut Random) -> f64 {
    let list = [
        0.0,
        -0.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e-40,
        -1e-310,
        3.4e38,
        1.0,
        -1.0,
    ];
    list[random.below(list.len() as u64) as usize]
}
