//! Which variant is chosen for which sizes.

use super::*;

pub(in crate::cuda) const fn entry(regime: Regime, narrow: bool) -> Entry {
    Entry {
        name: "k",
        regime,
        threads: 256,
        items: 4,
        kept: 0,
        shared: 0,
        partial: 4,
        narrow,
        small: &[],
        failure: false,
        leaves: false,
    }
}

/// An H200, or one with so many multiprocessors and as much of everything else for each.
pub(super) fn device(multiprocessors: i32) -> Machine {
    Machine::of(Attributes {
        multiprocessors,
        clock: 1_980_000,
        memory_clock: 3_201_000,
        bus_width: 6144 * multiprocessors / 132,
        cache: (60 << 20) / 132 * multiprocessors,
        threads: 2048,
    })
}

fn chosen(entries: &[Entry], rows: u64, inner: Option<u64>) -> Entry {
    let index = choose_sizes(entries, rows, inner).unwrap();
    entries[index]
}

fn choose_sizes(entries: &[Entry], rows: u64, inner: Option<u64>) -> Option<usize> {
    let sizes = Sizes {
        rows,
        inner,
        longest: rows.saturating_mul(inner.unwrap_or(1)),
    };
    choose(entries, sizes, &[], &device(100))
}

#[test]
fn the_regime_follows_the_shape() {
    let regimes = [4, 8, 16, 32].map(|lanes| Regime::Warp { lanes });
    let regimes = regimes
        .into_iter()
        .chain([Regime::Thread, Regime::Block, Regime::Grid]);
    let entries: Vec<Entry> = regimes.map(|regime| entry(regime, false)).collect();
    let regime = |rows, inner| chosen(&entries, rows, Some(inner)).regime;
    assert_eq!(regime(1, 1 << 25), Regime::Grid);
    assert_eq!(regime(8192, 4096), Regime::Block);
    assert_eq!(regime(1 << 20, 100), Regime::Warp { lanes: 32 });
    assert_eq!(regime(1 << 20, 40), Regime::Warp { lanes: 16 });
    assert_eq!(regime(1 << 20, 3), Regime::Thread);
}

fn threads_of(entries: &[Entry], entry: &Entry, rows: u64, inner: u64) -> u32 {
    let sizes = Sizes {
        rows,
        inner: Some(inner),
        longest: rows * inner,
    };
    threads(entries, entry, sizes, inner, &[], &device(100))
}

#[test]
fn rows_are_kept_by_as_few_threads_as_can() {
    let entries = [Regime::Warp { lanes: 32 }, Regime::Block].map(|regime| Entry {
        kept: 32,
        ..entry(regime, false)
    });
    let launched = |rows, inner| {
        let chosen = chosen(&entries, rows, Some(inner));
        let threads = threads_of(&entries, &chosen, rows, inner);
        (chosen.regime, threads)
    };
    let warp = Regime::Warp { lanes: 32 };
    assert_eq!(launched(1 << 16, 1024), (warp, 256));
    assert_eq!(launched(1 << 16, 1025), (Regime::Block, 64));
    assert_eq!(launched(1 << 16, 2048), (Regime::Block, 64));
    assert_eq!(launched(1 << 16, 2049), (Regime::Block, 128));
    assert_eq!(launched(1 << 16, 8192), (Regime::Block, 256));
    assert_eq!(launched(1 << 16, 1 << 20), (Regime::Block, 256));
    assert_eq!(launched(100, 2048), (Regime::Block, 256));
    let sums = entry(Regime::Block, false);
    assert_eq!(threads_of(&[sums], &sums, 1 << 16, 2049), 256);
}

#[test]
fn tiles_where_they_are_full_and_many() {
    let tiled = Regime::Tiled {
        tile: [128, 64],
        extents: (Some(0), 1),
    };
    let entries = [tiled, Regime::Block].map(|regime| entry(regime, false));
    let regime = |height: u64, width: u64| {
        let sizes = Sizes {
            rows: height * width,
            inner: Some(1000),
            longest: 1 << 20,
        };
        entries[choose(&entries, sizes, &[height, width], &device(16)).unwrap()].regime
    };
    assert_eq!(regime(1024, 1024), tiled);
    assert_eq!(regime(1 << 20, 3), Regime::Block);
    assert_eq!(regime(100, 60), Regime::Block);
    assert_eq!(tiles(tiled, 129 * 65, &[129, 65]).unwrap().count, 4);
}

#[test]
fn small_results_have_small_tiles() {
    let tiled = [(128, 256, 64), (64, 128, 32), (32, 64, 16)].map(|(side, threads, items)| Entry {
        threads,
        items,
        ..entry(
            Regime::Tiled {
                tile: [side, side],
                extents: (Some(0), 1),
            },
            false,
        )
    });
    // Without tiles an element of the result is a row.
    let row = entry(Regime::Block, false);
    let warp = entry(Regime::Warp { lanes: 32 }, false);
    let column = entry(Regime::Columns, false);
    let entries = [&tiled[..], &[row, warp, column]].concat();
    let side = |side: u64| {
        let sizes = Sizes {
            rows: side * side,
            inner: Some(side),
            longest: side * side,
        };
        choose(&entries, sizes, &[side, side], &device(132)).and_then(|at| {
            match entries[at].regime {
                Regime::Tiled { tile, .. } => Some(tile[0]),
                _ => None,
            }
        })
    };
    // As measured.
    let sides = [128, 256, 512, 768, 1024, 1536, 2048, 4096].map(side);
    let best = [
        None,
        Some(32),
        Some(32),
        Some(32),
        Some(64),
        Some(64),
        Some(128),
        Some(128),
    ];
    assert_eq!(sides, best);
}

#[test]
fn scans_are_shared_by_blocks_that_know_their_tiles() {
    let entries = [Regime::Block, Regime::Chained].map(|regime| entry(regime, false));
    let regime = |inner| chosen(&entries, 1, inner).regime;
    assert_eq!(regime(Some(1 << 20)), Regime::Chained);
    assert_eq!(regime(Some(1000)), Regime::Block);
    assert_eq!(regime(None), Regime::Block);
    // 256 threads of 4 elements: 33 tiles, 2 groups of 32, 1 of 1024.
    assert_eq!(chained(&entries[1], 32 * 1024 + 1), 8 + 36 * 4);
}

#[test]
fn segments_are_shared_by_their_lengths() {
    let path = Regime::Balanced {
        axis: 1,
        segments: Some(0),
    };
    let short = Entry {
        leaves: true,
        ..entry(Regime::Warp { lanes: 8 }, false)
    };
    let block = Entry {
        leaves: true,
        ..entry(Regime::Block, false)
    };
    let entries = [short, block, entry(path, false)];
    // Batches of segments of an axis.
    let launched = |batches: u64, segments: u64, axis: u64| {
        let (rows, scalars) = (batches * segments, [segments, axis]);
        let sizes = Sizes {
            rows,
            inner: None,
            longest: axis,
        };
        let first = choose(&entries, sizes, &scalars, &device(16)).unwrap();
        let second = second(&entries, first, rows, &scalars, &device(16));
        (
            entries[first].regime,
            second.map(|(index, most)| (entries[index].regime, most)),
        )
    };
    assert_eq!(launched(1, 100, 1 << 20), (path, None));
    assert_eq!(
        launched(1, 1 << 12, 1 << 24),
        (Regime::Block, Some((path, 1 << 17)))
    );
    assert_eq!(launched(1, 1000, 1 << 14), (short.regime, None));
    assert_eq!(
        launched(1, 1000, 1 << 15),
        (short.regime, Some((path, 1 << 14)))
    );
    assert_eq!(
        launched(4, 1 << 18, 1 << 21),
        (short.regime, Some((path, 1 << 16)))
    );
}

#[test]
fn points_meet_tables_where_these_are_few_and_they_are_many() {
    let tables = Entry {
        threads: 512,
        shared: 4,
        partial: 0,
        ..entry(Regime::Tables, false)
    };
    let entries = [entry(Regime::Elementwise, false), tables];
    let regime = |points, targets| chosen(&entries, points, Some(targets)).regime;
    assert_eq!(regime(1 << 26, 256), Regime::Tables);
    assert_eq!(regime(1 << 25, 30_000), Regime::Tables);
    // A sum by a million keys, as measured.
    assert_eq!(regime(1 << 26, 1 << 20), Regime::Elementwise);
    assert_eq!(regime(500_000, 30_000), Regime::Elementwise);
    assert_eq!(regime(300, 256), Regime::Elementwise);
}

#[test]
fn bodies_have_tiles_where_they_are_many() {
    let tiled = Regime::Tiled {
        tile: [1, 256],
        extents: (None, 0),
    };
    let teams = [Regime::Warp { lanes: 32 }, Regime::Block, Regime::Grid];
    let mut entries = teams.map(|regime| entry(regime, true)).to_vec();
    entries.push(Entry {
        items: 1,
        ..entry(tiled, true)
    });
    let regime = |bodies| {
        let sizes = Sizes {
            rows: bodies,
            inner: Some(bodies),
            longest: bodies,
        };
        entries[choose(&entries, sizes, &[bodies], &device(132)).unwrap()].regime
    };
    // 4,096 bodies take 0.035 ms so, 0.45 by tiles; 65,536 take 6.1 and 8.9.
    assert_ne!(regime(4096), tiled);
    assert_eq!(regime(65_536), Regime::Block);
    assert_eq!(regime(1 << 18), tiled);
}

#[test]
fn sparse_rows_have_half_a_warp() {
    let warps = [4, 8, 16, 32].map(|lanes| Regime::Warp { lanes });
    let teams = [&[Regime::Thread], &warps[..], &[Regime::Block]].concat();
    let path = Regime::Balanced {
        axis: 1,
        segments: Some(0),
    };
    let of = |regime: &Regime| Entry {
        items: 8,
        ..entry(*regime, true)
    };
    let entries: Vec<Entry> = teams.iter().chain([&path]).map(of).collect();
    let (rows, elements) = (1 << 20, 33 << 20);
    let sizes = Sizes {
        rows,
        inner: None,
        longest: elements,
    };
    let machine = device(132);
    let scalars = [rows, elements];
    let timed: Vec<_> = timed(&entries, sizes, &scalars, &machine).collect();
    // As measured: 317, 304, 281 and 397 us by 4, 8, 16 and 32 lanes.
    let times = [1, 2, 3, 4].map(|at: usize| timed[at].1 / 1000.0);
    for (time, measured) in times.into_iter().zip([317.0, 304.0, 281.0, 397.0]) {
        let ratio = time / measured;
        assert!((0.8..1.25).contains(&ratio), "{time} for {measured}");
    }
    let chosen = choose(&entries, sizes, &scalars, &machine);
    assert_eq!(chosen.map(|at| entries[at].regime), Some(warps[2]));
}

#[test]
fn sorts_by_the_length_of_their_rows() {
    let several = entry(Regime::Sort { passes: 2 }, false);
    let entries = [entry(Regime::SortRows, false), several];
    let regime = |length| chosen(&entries, 3 * length, Some(length)).regime;
    assert_eq!(regime(1024), Regime::SortRows);
    assert_eq!(regime(1025), Regime::Sort { passes: 2 });
    assert_eq!(grid(&entries[0], 100, 20, 1000), (13, 1));
    assert_eq!(grid(&entries[0], 100, 33, 1000), (100, 1));
    // Two tickets, three rows of two digits, two tiles each.
    let states = 256 * 6 * 4;
    let zeros = 2 * 4 + 256 * 6 * 4;
    let all = zeros + 2 * states;
    assert_eq!(sort_scratch(&several, 2, 3, 1025), [zeros, all]);
}

#[test]
fn merges_double_a_tile_until_it_holds_a_row() {
    // Tiles of 1024 elements.
    let entry = entry(Regime::Merge, false);
    let regime = |length| chosen(&[entry], 3 * length, Some(length)).regime;
    assert_eq!([1, 1 << 20].map(regime), [Regime::Merge; 2]);
    assert_eq!(merges(&entry, 100, 1), ([400, 800], 0));
    assert_eq!(merges(&entry, 2, 1024), ([8, 16], 0));
    assert_eq!(merges(&entry, 1, 1025), ([8, 16], 2));
    assert_eq!(merges(&entry, 1, 5 * 1024), ([20, 40], 6));
    assert_eq!(grid(&entry, 100, 20, 1000), (2, 1));
}

#[test]
fn narrow_indices_only_where_they_suffice() {
    let entries = [
        entry(Regime::Elementwise, true),
        entry(Regime::Elementwise, false),
    ];
    assert!(chosen(&entries, 1 << 20, Some(1)).narrow);
    assert!(!chosen(&entries, 1 << 31, Some(1)).narrow);
    assert!(chosen(&entries, 1 << 20, None).narrow);
    assert_eq!(choose_sizes(&entries[..1], 1 << 40, Some(1)), None);
}

#[test]
fn the_regime_does_not_depend_on_the_width_of_indices() {
    let both = [
        Regime::Thread,
        Regime::Block,
        Regime::Columns,
        Regime::ColumnsGrid,
    ];
    let mut entries: Vec<Entry> = [4, 8, 16]
        .map(|lanes| entry(Regime::Warp { lanes }, true))
        .into();
    for regime in both.into_iter().chain([Regime::Warp { lanes: 32 }]) {
        entries.extend([true, false].map(|narrow| entry(regime, narrow)));
    }
    let regime = |rows, inner| chosen(&entries, rows, Some(inner)).regime;
    assert_eq!(regime(1 << 16, 1 << 16), Regime::Columns);
    assert_eq!(regime(1 << 12, 1 << 20), Regime::ColumnsGrid);
    assert_eq!(regime(1 << 17, 1000), Regime::Thread);
    let rows: Vec<Entry> = (entries.iter())
        .filter(|entry| !matches!(entry.regime, Regime::Columns | Regime::ColumnsGrid))
        .copied()
        .collect();
    let regime = |count, inner| chosen(&rows, count, Some(inner)).regime;
    assert_eq!(regime(1 << 27, 32), Regime::Warp { lanes: 32 });
}

#[test]
fn groups_of_rows_are_shared_by_blocks() {
    let regimes = [Regime::Thread, Regime::Columns, Regime::ColumnsGrid];
    let entries = regimes.map(|regime| entry(regime, false));
    let launched = |rows, inner| {
        let chosen = chosen(&entries, rows, Some(inner));
        (chosen.regime, grid(&chosen, rows, inner, 800))
    };
    // Each thread has four elements in hand, and a block 8 threads for each of 32 rows.
    assert_eq!(launched(1000, 1024), (Regime::ColumnsGrid, (25, 32)));
    assert_eq!(launched(1000, 100), (Regime::Columns, (32, 1)));
    // A block has 64 threads for each of 4 rows.
    assert_eq!(launched(3, 1 << 20), (Regime::ColumnsGrid, (800, 1)));
    assert_eq!(launched(3, 1 << 14), (Regime::ColumnsGrid, (64, 1)));
    assert_eq!(launched(1, 1 << 30), (Regime::ColumnsGrid, (800, 1)));
    assert_eq!(launched(3, 4), (Regime::Thread, (1, 1)));
}

#[test]
fn grids_are_neither_empty_nor_endless() {
    let elementwise = entry(Regime::Elementwise, false);
    assert_eq!(grid(&elementwise, 1, 0, 1000), (1, 1));
    assert_eq!(grid(&elementwise, 1 << 40, 0, 1000), (16_000, 1));
    let several = entry(Regime::Grid, false);
    assert_eq!(grid(&several, 1, 1 << 25, 1000), (1000, 1));
    assert_eq!(grid(&several, 3, 0, 1000), (1, 3));
    assert_eq!(grid(&several, 1 << 20, 1 << 20, 1000), (1, 65_535));
}
