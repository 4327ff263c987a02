//! The shape of the code for the CPU.

/// What a program's Rust is, with one space between tokens.
fn code(program: &str) -> String {
    let unit = crate::compile(program.parse().expect("tokens"), &crate::Options::default());
    assert!(unit.errors.is_empty(), "{:?}", unit.errors);
    unit.expand_function(&unit.functions[0], crate::Built::Nothing)
        .to_string()
}

const NEAREST: &str =
    "pub fn nearest(points: &Vector<f32>, centres: &Vector<f32>) -> Vector<usize> {
    points.map(|x| centres.map(|a| (x - a).abs()).argmin())
}";

#[test]
fn short_reductions_that_read_alike_either_way_have_lanes_across_rows() {
    let code = code(NEAREST);
    assert!(
        code.contains("impl Each for Kernel_nearest_rows_columns"),
        "{code}"
    );
    assert!(code.contains("<= 2048u64"), "{code}");
}

#[test]
fn rows_of_their_own_have_lanes_along_them_if_they_are_not_short() {
    let rows = |map: &str| {
        code(&format!(
            "pub fn of_rows(m: &Matrix<f32>) -> Matrix<f32> {{ m.rows().map(|row| {map}) }}"
        ))
    };
    let sums =
        code("pub fn sums(m: &Matrix<f32>) -> Vector<f32> { m.rows().map(|row| row.sum()) }");
    assert!(sums.contains("<= 8u64"), "{sums}");
    let divided = rows("{ let total = row.sum(); row.map(|x| x / total) }");
    assert_eq!(divided.matches("<= 31u64").count(), 1, "{divided}");
    // Of segments as many elements as they have on average.
    let segments = code(
        "pub fn most(rows: &Segmented<f32>) -> Vector<f32> { rows.map_segments(|row| row.fold(0.0, |a, x| a.max(x))) }",
    );
    assert!(segments.contains(". div_ceil ("), "{segments}");
    // Combined by more than an operation, or with a function.
    let largest = code(
        "pub fn largest(m: &Matrix<f32>) -> Vector<usize> { m.rows().map(|row| row.argmax()) }",
    );
    assert!(largest.contains("<= 31u64"), "{largest}");
    let sines = code(
        "pub fn sines(m: &Matrix<f32>) -> Vector<f32> { m.rows().map(|row| row.map(|x| x.sin()).sum()) }",
    );
    assert!(sines.contains("<= 31u64"), "{sines}");
    // Elements of a scan wait for each other.
    let scans = rows("row.cumsum()");
    assert!(!scans.contains("impl Each for"), "{scans}");
}

#[test]
fn columns_have_lanes_across_them() {
    let columns = code(
        "pub fn normalized(m: &Matrix<f32>) -> Matrix<f32> {
            m.columns().map(|column| { let total = column.sum(); column.map(|x| x / total) }).transpose()
        }",
    );
    assert!(columns.contains("impl Each for"), "{columns}");
}

#[test]
fn an_index_in_order_is_compared_with_none_before_it() {
    let code = code(NEAREST);
    let across = code
        .split("impl Each for")
        .nth(1)
        .expect("lanes across rows");
    let across = across.split("impl Rows for").next().expect("a part");
    // Along the rows, lanes are combined in any order.
    assert_eq!(code.matches("Number :: lt").count(), 3, "{code}");
    assert_eq!(across.matches("Number :: lt").count(), 1, "{across}");
}

#[test]
fn long_code_has_a_single_lane_and_a_loop_is_as_long_as_its_text() {
    let single = "accelerate :: rt :: cpu :: Build < true >";
    let step = "y = y * y + x * y - 1.0;";
    let body = |rounds: &str, step: &str| {
        let body = format!("let mut y = x; for _ in 0..{rounds} {{ {step} }} y");
        code(&format!(
            "pub fn steps(xs: &Vector<f32>, n: usize) -> f32 {{ xs.map(|x| {{ {body} }}).sum() }}"
        ))
    };
    assert!(!body("n", &step.repeat(20)).contains(single));
    let long = code(&format!(
        "pub fn steps(n: usize) -> f32 {{ generate(n, |i| {{ let x = i as f32; let mut y = x; {} y }}).sum() }}",
        step.repeat(400)
    ));
    assert!(long.contains(single));
    assert!(long.contains("# [inline (never)] fn element"), "{long}");
}

/// Tiles on a GPU number a value for each neighbour: 289 here, of which the loops' code has none.
#[test]
fn loops_over_wide_windows_are_for_lanes() {
    let dilated = code(
        "pub fn dilated(image: &Matrix<f32>) -> Matrix<f32> {
            image.stencil(Clamp, |w| {
                let mut most = 0.0f32;
                for dy in -8..=8 { for dx in -8..=8 { most = most.max(w[(dy, dx)]); } }
                most
            })
        }",
    );
    assert!(dilated.contains("cfg ! (debug_assertions)"), "{dilated}");
}

/// A bisection from the first segment to the last for each element would be as many reads as there are digits of their number.
#[test]
fn searches_for_segments_begin_where_the_last_one_ended() {
    let spread = "pub fn spread(ns: &Vector<u32>) -> Vector<u32> {
        ns.flat_map(|n| generate(n as usize, |k| n + k as u32))
    }";
    let normalized = "pub fn normalized(rows: &Segmented<f32>) -> Segmented<f32> {
        rows.map_segments(|row| { let most = row.max(); row.map(|x| x - most) })
    }";
    for (program, searches) in [(spread, 1), (normalized, 1)] {
        let code = code(program);
        // For lanes of one segment, and for those of several in turn.
        assert_eq!(code.matches("segment :: <").count(), 2 * searches, "{code}");
    }
    // Elements that are counted and written are stored.
    let kept = code(
        "pub fn kept(ns: &Vector<u32>) -> Vector<u32> {
            ns.flat_map(|n| generate(n as usize, |k| n ^ k as u32)).filter(|x| x % 2 == 1)
        }",
    );
    assert_eq!(kept.matches("segment :: <").count(), 2, "{kept}");
    // Another search: what is sought is no index.
    let found = code(
        "pub fn found(ends: &Vector<u64>, xs: &Vector<u64>) -> Vector<usize> {
            xs.map(|x| {
                let (mut low, mut high) = (0, ends.len());
                while low < high {
                    let middle = low + (high - low) / 2;
                    if ends[middle] <= x { low = middle + 1; } else { high = middle; }
                }
                low
            })
        }",
    );
    assert!(
        !found.contains("near :: <") && !found.contains("segment :: <"),
        "{found}"
    );
}

/// LLVM would divide by a field.
#[test]
fn constants_of_a_row_are_no_fields_of_its_phases() {
    let code = code(
        "pub fn weeks(m: &Matrix<u32>) -> Vector<u32> {
            m.rows().map(|row| row.map(|x| x / 7).sum() + 7)
        }",
    );
    let element = code.split("fn element < L : Lanes >").nth(1);
    let element = element.expect("elements of a phase");
    let (_, rest) = element.split_once("= (7 as u32) ;").expect("the constant");
    assert!(rest.contains("Number :: div"), "{code}");
    let name = element
        .split("= (7 as u32) ;")
        .next()
        .and_then(|before| before.split_whitespace().last());
    let name = name.expect("its variable");
    assert!(!code.contains(&format!("self . {name}")), "{code}");
}
