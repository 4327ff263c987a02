//! What holds of the model and of the choice for all sizes, over the sets of variants that the compiler writes.

use super::tests::{device, entry};
use super::*;

/// A kernel's variants, and how its sizes follow from two numbers.
struct Family {
    name: &'static str,
    entries: Vec<Entry>,
    sizes: fn(u64, u64) -> (Sizes, Vec<u64>),
}

fn rows_of(rows: u64, inner: u64) -> (Sizes, Vec<u64>) {
    (sizes(rows, Some(inner), rows * inner), vec![])
}

fn segments_of(rows: u64, inner: u64) -> (Sizes, Vec<u64>) {
    (sizes(rows, None, rows * inner), vec![rows, rows * inner])
}

fn product_of(side: u64, inner: u64) -> (Sizes, Vec<u64>) {
    let rows = side.saturating_mul(side);
    (
        sizes(rows, Some(inner), rows.max(side.saturating_mul(inner))),
        vec![side],
    )
}

fn plane_of(height: u64, width: u64) -> (Sizes, Vec<u64>) {
    let points = height * width;
    (sizes(points, Some(1), points), vec![height, width])
}

fn scatter_of(points: u64, targets: u64) -> (Sizes, Vec<u64>) {
    (
        sizes(points, Some(targets), points.max(targets)),
        Vec::new(),
    )
}

fn sizes(rows: u64, inner: Option<u64>, longest: u64) -> Sizes {
    Sizes {
        rows,
        inner,
        longest,
    }
}

/// Both widths of indices of each, as the compiler orders them; parts of warps are narrow only.
fn both(items: u32, regimes: &[Regime]) -> Vec<Entry> {
    let of = |narrow| {
        let regimes = regimes.iter().copied();
        let wanted =
            regimes.filter(move |regime| narrow || !matches!(regime, Regime::Warp { lanes: ..32 }));
        wanted.map(move |regime| Entry {
            items,
            ..entry(regime, narrow)
        })
    };
    of(true).chain(of(false)).collect()
}

fn families() -> Vec<Family> {
    use Regime::{Block, Chained, Columns, ColumnsGrid, Elementwise, Grid, Tables, Thread};
    let warps = [4, 8, 16, 32].map(|lanes| Regime::Warp { lanes });
    let teams = [&[Thread], &warps[..], &[Block]].concat();
    let family = |name, entries, sizes| Family {
        name,
        entries,
        sizes,
    };
    let mut kept = both(8, &teams);
    for entry in &mut kept {
        if matches!(entry.regime, Block | Regime::Warp { lanes: 32 }) {
            entry.kept = 32;
        }
    }
    let balanced = Regime::Balanced {
        axis: 1,
        segments: Some(0),
    };
    let tiled = [(128, 256, 64), (64, 128, 32), (32, 64, 16)].map(|(side, threads, items)| Entry {
        threads,
        items,
        ..entry(
            Regime::Tiled {
                tile: [side, side],
                extents: (Some(0), 0),
            },
            true,
        )
    });
    let wide = Entry {
        narrow: false,
        ..tiled[0]
    };
    let windows = Regime::Windows {
        tile: [1, 32, 64],
        extents: [None, Some(0), Some(1)],
    };
    let mut tables = both(32, &[Elementwise, Tables]);
    for entry in &mut tables {
        if entry.regime == Tables {
            (entry.threads, entry.shared) = (512, 4);
        }
    }
    let shared = [&teams[..], &[Grid]].concat();
    let across = [Thread, Columns, ColumnsGrid];
    let mixed = [&shared[..], &[Columns, ColumnsGrid]].concat();
    vec![
        family("rows", both(8, &shared), rows_of),
        family("rows of packs", both(16, &shared), rows_of),
        family("one row", both(16, &[Block, Grid]), rows_of),
        family("kept rows", kept, rows_of),
        family("scans", both(15, &[Block, Chained]), rows_of),
        family("columns", both(8, &across), rows_of),
        family("rows and columns", both(16, &mixed), rows_of),
        family(
            "segments",
            both(8, &[&teams[..], &[balanced]].concat()),
            segments_of,
        ),
        family(
            "products",
            [&both(16, &mixed)[..], &tiled, &[wide]].concat(),
            product_of,
        ),
        family("windows", both(8, &[Elementwise, windows]), plane_of),
        family("tables", tables, scatter_of),
    ]
}

/// 1, 2, 3, .., by a quarter more each, up to 2^24.
fn steps() -> Vec<u64> {
    let next = |at: &u64| Some((at + at / 4).max(at + 1)).filter(|next| *next <= 1 << 24);
    std::iter::successors(Some(1), next).collect()
}

fn best(family: &Family, [rows, inner]: [u64; 2], machine: &Machine) -> (usize, f64) {
    let (sizes, scalars) = (family.sizes)(rows, inner);
    let entries = &family.entries;
    let at = choose(entries, sizes, &scalars, machine).unwrap();
    let mut timed = timed(entries, sizes, &scalars, machine);
    timed.find(|(other, _)| *other == at).unwrap()
}

fn everywhere(check: impl Fn(&Family, [u64; 2], &Machine)) {
    for family in families() {
        for multiprocessors in [16, 108, 132] {
            let machine = device(multiprocessors);
            for rows in steps() {
                let fits = |inner: &u64| {
                    (family.sizes)(rows, *inner).0.rows.saturating_mul(*inner) <= 1 << 36
                };
                for inner in steps().into_iter().filter(fits) {
                    check(&family, [rows, inner], &machine);
                }
            }
        }
    }
}

#[test]
fn little_more_work_takes_little_more_time() {
    everywhere(|family, [rows, inner], machine| {
        let (_, time) = best(family, [rows, inner], machine);
        for next in [
            [rows + 1, inner],
            [rows, inner + 1],
            [rows + rows / 4, inner],
            [rows, inner + inner / 4],
        ] {
            let (_, longer) = best(family, next, machine);
            let at = (family.name, machine.multiprocessors, [rows, inner], next);
            // One more of one is twice the work.
            let work =
                |[rows, inner]: [u64; 2]| (family.sizes)(rows, inner).0.rows as f64 * inner as f64;
            let growth = work(next) / work([rows, inner]);
            let most = f64::max(2.0, 1.6 * growth);
            assert!(longer <= most * time, "{at:?}: {time} then {longer}");
            // Tables of two ranges have half as many blocks, which have less to hand on.
            assert!(longer >= 0.7 * time, "{at:?}: {time} then {longer}");
        }
    });
}

#[test]
fn the_choice_is_right_for_the_sizes() {
    everywhere(|family, [rows, inner], machine| {
        let (sizes, scalars) = (family.sizes)(rows, inner);
        let entries = &family.entries;
        let (at, _) = best(family, [rows, inner], machine);
        let narrow = is_small(&entries[at], entries, sizes, &scalars);
        assert_eq!(entries[at].narrow, narrow, "{}", family.name);
        // Not by what was chosen before.
        best(family, [inner, rows], machine);
        assert_eq!(best(family, [rows, inner], machine).0, at);
    });
}

#[test]
fn devices_that_tell_nothing_are_middling() {
    let machine = Machine::of(Attributes::default());
    assert_eq!(machine.multiprocessors, 64);
    for family in families() {
        let (_, time) = best(&family, [1000, 1000], &machine);
        assert!(time.is_finite() && time > 0.0);
    }
}
