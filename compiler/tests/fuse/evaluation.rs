//! What may fail runs only where somebody meets it, and what nothing demands reads nothing out of bounds: programs, as text,
//! some of whose arrays are empty.

use super::scans::kernels;
use super::{agree_on, source};
use accelerate_compiler::fuse::{Options, fuse};
use accelerate_compiler::pass;

#[test]
fn points_of_a_scatter_into_nothing() {
    let function = "pub fn f(a: &Vector<f32>, m: &Matrix<f32>, xs: &Vector<f32>) -> Matrix<f32> {
        m.scatter(|l, r| l.min(r), xs, |i, _| Some((i % m.shape().0, {
            let mut s = 0_usize;
            for q in 0..1_usize { s = a.map(|_| q).sum(); }
            s
        } % m.shape().1)))
    }";
    let all: &[&[&[u64]]] = &[
        &[&[1], &[2, 0], &[2]],
        &[&[1], &[0, 2], &[2]],
        &[&[1], &[2, 3], &[0]],
        &[&[1], &[2, 3], &[2]],
    ];
    agree_on(function, all);
}

#[test]
fn rounds_of_a_loop_that_nobody_reads() {
    let function = "pub fn f(m: &Matrix<f32>) -> Vector<f32> {
        let mut v = m.clone();
        let mut q = 0_usize;
        while q < 1 && { let more = [true, true]; more[q % 2] } {
            v = v.rotate_left(1).map(|x| x + 1.0);
            q += 1;
        }
        v.sum_axis(0)
    }";
    agree_on(function, &[&[&[2, 0]], &[&[0, 3]], &[&[2, 3]]]);
}

#[test]
fn rounds_of_a_loop_in_a_closure_that_nobody_calls() {
    let loops = [
        "let mut s = 1; while q < 1 { s = s / ys.len(); v = v.map(|y| y + s as f32); q += 1; }",
        "let mut s = 1 / ys.len(); while q < 1 { s = s + q; v = v.reverse(); q += 1; }",
        "let s = 1; while q < 1 / ys.len() { v = v.reverse(); q += 1; }",
    ];
    for rounds in loops {
        let function = format!(
            "pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {{
                xs.map(|x| {{ let mut v = xs.clone(); let mut q = 0; {rounds} x + v.sum() + s as f32 }})
            }}"
        );
        let all: &[&[&[u64]]] = &[&[&[0], &[0]], &[&[0], &[2]], &[&[2], &[0]], &[&[2], &[1]]];
        agree_on(&function, all);
    }
}

#[test]
fn what_can_fail_is_stored_for_all_who_read_it() {
    // One reader has no elements where the other has some.
    let function = "pub fn both(xs: &Vector<f32>) -> (Vector<f32>, Vector<f32>) {
        let ys = xs.map(|x| {
            assert!(x > -1000.0);
            ((x * x).sqrt().sin() + x.cos()).exp().ln_1p().tanh()
        });
        (ys.chunks_exact(48).map(|c| c.sum() * c.max()), ys.windows(3).map(|w| w.sum()))
    }";
    agree_on(function, &[&[&[5]], &[&[0]], &[&[100]]]);
}

#[test]
fn rows_that_can_fail_are_folded_once_for_all_columns() {
    let function = "pub fn f(m: &Matrix<f32>, v: &Vector<f32>) -> Matrix<f32> {
        let totals = m.rows().map(|row| row.map(|x| { assert!(x > -1000.0); x }).sum());
        totals.outer_product(v)
    }";
    let sizes: &[&[&[u64]]] = &[
        &[&[3, 4], &[5]],
        &[&[0, 4], &[5]],
        &[&[3, 0], &[2]],
        &[&[3, 4], &[0]],
    ];
    agree_on(function, sizes);
    // In one kernel the fold would not be hoisted to the row, which demands no failure where there are no columns.
    assert_eq!(kernels(function), 2);
}

#[test]
fn remainders_of_differences_that_wrap_are_extents() {
    // 2^64 - 98 has the remainder 3.
    let function = "pub fn f(xs: &Vector<f32>) -> Vector<u32> {
        xs.flat_map(|x| generate((xs.len() + 2 - 100) % 5, |i| i as u32))
    }";
    agree_on(function, &[&[&[0]], &[&[3]], &[&[101]]]);
}

#[test]
fn reads_leave_domains_only_where_their_extents_are_known() {
    let function = "pub fn f(xs: &Vector<f32>, m: &Matrix<f32>) -> Matrix<u32> {
        let counts = xs.map(|x| x as usize % 3).histogram(3);
        m.map(|x| iota(m.shape().0).map(|i| iota(i).map(|j| BODY).sum()).sum())
    }";
    let all: &[&[&[u64]]] = &[&[&[5], &[3, 1]], &[&[0], &[1, 2]], &[&[4], &[0, 0]]];
    // What is read may be part of what leaves fewer domains.
    for body in [
        "j as u32 + counts[2]",
        "(j as u64 ^ (counts[2] as u64 * 3).min(i as u64)) as u32",
    ] {
        agree_on(&function.replace("BODY", body), all);
    }
}

#[test]
fn what_nobody_asks_for_reads_nothing_out_of_bounds() {
    // In bounds because of a branch around it, of elements that there are, or of rounds.
    let bodies = [
        "xs.map(|x| x - m.rows()[0].sum())",
        "xs.map(|x| if m.shape().0 > 0 { x - m.rows()[0].sum() } else { x })",
        "xs.map(|x| if x > 0.0 && m.shape().0 > 0 { x - m.rows()[0].sum() } else { x })",
        "{
            let mut v = xs.clone();
            let mut i = 0;
            while i < m.shape().0 { v = v.map(|x| x - m.rows()[0].sum()); i += 1; }
            v
        }",
        "{
            let mut s = 0.0;
            let mut i = 0;
            while i < m.shape().0 { s += m.rows()[0].sum(); i += 1; }
            xs.map(|x| x + s)
        }",
        "xs.map(|x| {
            let mut s = x;
            let mut i = 0;
            while i < m.shape().0 { s += m.rows()[0].sum(); i += 1; }
            s
        })",
        "xs.map(|x| {
            let t = m.rows()[0].map(|y| y.sin().exp().ln());
            t.map(|a| t.map(|b| a * b * x).sum()).sum()
        })",
        "xs.map(|x| if m.shape().0 > 0 {
            let t = m.rows()[0].map(|y| y + 1.0).materialize();
            t.sum() + x
        } else { x })",
        "xs.map(|x| m.rows()[0].map(|y| y + 1.0).materialize().sum() + x)",
        "xs.map(|x| m.rows()[0].cumsum().map(|y| y * x).sum())",
        "xs.map(|x| m.rows()[0].sort().map(|y| y * x).sum())",
        "xs.map(|x| if m.shape().0 > 0 { m.rows()[0].sort().map(|y| y * x).sum() } else { x })",
        "xs.map(|x| if m.shape().0 > 0 {
            m.rows()[0].map(|y| y as u32 % 7).histogram(7)[x as usize % 7] as f32
        } else { x })",
        "xs.map(|x| if m.shape().0 > 0 { m.rows()[0].filter(|y| y > 0.0).map(|y| y * x).sum() } else { x })",
        "m.rows().map(|row| m.rows()[0].sum() + row.sum())",
        "xs.map(|x| if x > 0.5 {
            let t = m.map(|y| y + 1.0).rows().map(|row| row.fold(0.0, |a, _| a)).map(|a| a + 1.0);
            t.get(1).unwrap_or(0.5)
        } else { x })",
        "{
            let rows = m.rows().map(|row| if row.get(0).unwrap_or(0.0) > 0.5 { row.sort() } else { row });
            xs.map(|x| rows.get((0, x as usize % 3)).unwrap_or(x))
        }",
        "{
            let rows = m.rows().map(|row| {
                let mut v = row;
                let mut k = row.get(0).unwrap_or(0.0);
                while k < 3.0 { v = v.map(|y| y + k); k += row.get(0).unwrap_or(1.0).max(1.0); }
                v
            });
            xs.map(|x| rows.get((0, x as usize % 3)).unwrap_or(x))
        }",
    ];
    let all: &[&[&[u64]]] = &[
        &[&[0, 3], &[2]],
        &[&[0, 3], &[0]],
        &[&[2, 3], &[0]],
        &[&[2, 3], &[3]],
        &[&[0, 0], &[1]],
        &[&[2, 0], &[3]],
    ];
    for body in bodies {
        let function =
            format!("pub fn f(m: &Matrix<f32>, xs: &Vector<f32>) -> Vector<f32> {{ {body} }}");
        agree_on(&function, all);
    }
}

#[test]
fn rounds_that_the_elements_of_two_arrays_ask_for() {
    let function = "pub fn f(a: &Vector<f32>, b: &Vector<f32>) -> (Matrix<f32>, Matrix<i32>) {
        let mut m = a.outer_product(b);
        for _ in 0..1 { m = m.rotate_left(1).map(|x| x + a.sum()); }
        let c = m.stencil(Clamp, |w| w[(-1, -1)].max(w[(0, 1)]));
        (c, m.map(|x| x as i32 + 1))
    }";
    let all: &[&[&[u64]]] = &[&[&[2], &[0]], &[&[0], &[2]], &[&[0], &[0]], &[&[2], &[3]]];
    agree_on(function, all);
}

#[test]
fn components_that_nobody_wants_ask_for_nothing() {
    let function = "#[deterministic] pub fn f(a: &Vector<f32>) -> Vector<(f32, i32)> {
        let a = a.map(|x| (x, x as i32));
        let b = a.map(|_| 1_usize).reduce_by_index(a, 4, (3.0, -100), |(a, b), (c, d)| {
            if c < a { (c, d) } else { (a, b) }
        });
        b.map(|_| 0_usize).reduce_by_index(b.map(|(x, _)| (x, 7)), 2, (0.0, -3), |(a, b), (c, d)| {
            if c < a || (c == a && d < b) { (c, d) } else { (a, b) }
        })
    }";
    agree_on(function, &[&[&[0]], &[&[1]], &[&[7]], &[&[700]]]);
}

#[test]
fn folds_leave_domains_that_keep_their_reads_in_bounds() {
    let function = "pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        let ends = m.chunks_exact(1).map(|c| c.gather(c.shape(), |(i, j)| (j % c.shape().0, i)).fold_axis(0, 1.0, |_, b| b));
        let right = ends.transpose();
        ends.rows().map(|r| right.columns().map(|c| r.zip(c).map(|(_, y)| y).sum()))
    }";
    agree_on(function, &[&[&[2, 0]], &[&[0, 3]], &[&[3, 2]]]);
}

#[test]
fn points_that_a_branch_asks_for_too() {
    let function = "pub fn f(a: &Vector<f32>) -> (Matrix<f32>, bool) {
        let v = a.scatter(|l, r| l + r, a, |i, _| Some(i * 3 % a.len()));
        (v.concat_axis(0, v).split(2).sort_by(|a, b| b.total_cmp(&a)), v.is_sorted())
    }";
    agree_on(function, &[&[&[0]], &[&[1]], &[&[5]]]);
}

#[test]
fn what_loops_begin_with_fails_only_if_somebody_asks() {
    let function = "pub fn f(a: &Vector<f32>, m: &Matrix<f32>) -> Matrix<f32> {
        let pairs = a.chunks_exact(2).map(|pair| {
            let mut v = pair;
            for _ in 0..1 { v = v.map_indexed(|i, x| x + v[1 - i]); }
            v
        });
        pairs.gather(m.shape(), |(_, j)| (j % pairs.shape().0, j % 2))
    }";
    let all: &[&[&[u64]]] = &[
        &[&[0], &[0, 2]],
        &[&[1], &[2, 0]],
        &[&[1], &[2, 2]],
        &[&[5], &[2, 3]],
    ];
    agree_on(function, all);
}

#[test]
fn points_of_a_scatter_that_only_a_branch_asks_for() {
    let function = "pub fn f(a: &Vector<f32>, xs: &Vector<f32>) -> Vector<f32> {
        let v = xs.scatter(|l, r| l.max(r), xs, |_, _| Some(a.len() % xs.len()));
        v.map(|x| if a.len() == 0 { x } else { 1.0 })
    }";
    let all: &[&[&[u64]]] = &[&[&[0], &[2]], &[&[5], &[2]], &[&[5], &[0]], &[&[0], &[0]]];
    agree_on(function, all);
}

#[test]
fn bundles_in_branches_that_some_elements_take() {
    // Out of bounds, or not: nobody may ever ask.
    let bodies = [
        "xs.map(|x| if x > 1.5 { scattered[0] } else { x })",
        "m.map_indexed(|(i, j), x| if x > 1.5 { if i == j { scattered[0] } else { x } } else { 0.5 })",
        "m.rows().map(|row| row.map(|x| if row.sum() > 1.5 { scattered[0] * x } else { x }).sum())",
        "xs.map(|x| if x > 1.5 { sorted.map(|y| y * x).sum() } else { x })",
        "xs.map(|x| if x > 1.5 { summed.map(|y| y * x).sum() } else { x })",
        "xs.map(|x| if xs.len() > 3 && xs[3] > 1.5 { scattered[0] } else { x })",
        "xs.map(|x| if xs[0] > 0.5 { scattered[0] } else { x })",
        "m.rows().map(|row| if row.len() > 2 { if row[2] > 1.5 { scattered[0] } else { 0.5 } } else { 1.0 })",
        "xs.map_indexed(|i, x| if i < m.shape().0 { m.rows()[i].map(|y| if y > 1.5 { scattered[0] } else { y }).sum() } else { x })",
        "xs.map(|x| if x > 1.5 { kept.map(|y| y * x).sum() } else { x })",
        "xs.map(|x| if x > 1.5 { kept.get(0).unwrap_or(0.25) } else { x })",
        "xs.map(|x| if x > 1.5 { kept.sort().get(0).unwrap_or(0.25) } else { x })",
        "xs.map(|x| if x > 1.5 { kept.len() as f32 } else { x })",
        "xs.map(|x| (if x > 1.5 { scattered[0] } else { x }) + (if x < 0.5 { scattered[0] } else { x }))",
        // Whether one is demanded, the other tells.
        "xs.map(|x| if x > 1.5 { x } else if scattered[1] > 0.5 { scattered[0] } else { x })",
        "xs.map(|x| (if x > 1.5 && scattered[0] > 0.1 { summed[0] } else { x }) + (if x < 0.5 && summed[0] > 0.1 { scattered[0] } else { x }))",
        "xs.map(|x| if x > 1.5 { if kept.len() > 1 { kept[0] } else { x } } else { 0.5 })",
    ];
    let all: &[&[&[u64]]] = &[
        &[&[0, 3], &[2]],
        &[&[2, 3], &[0]],
        &[&[2, 3], &[1]],
        &[&[2, 3], &[5]],
        &[&[1, 2], &[2]],
    ];
    for body in bodies {
        let function = format!(
            "pub fn f(m: &Matrix<f32>, xs: &Vector<f32>) -> {} {{
                let wrong = [true, false];
                let b = m.shape().0 + 1;
                let scattered = fill(2, 0.5).scatter(|l, r| l.max(r), xs, |_, _| Some(b));
                let sorted = xs.map(|x| if wrong[b] {{ x }} else {{ 0.5 }}).sort();
                let kept = xs.filter(|x| wrong[b] && x > 0.5);
                let summed = xs.map(|x| if wrong[b] {{ x }} else {{ 0.5 }}).cumsum();
                {body}
            }}",
            if body.starts_with("m.map") {
                "Matrix<f32>"
            } else {
                "Vector<f32>"
            }
        );
        agree_on(&function, all);
    }
}

#[test]
fn points_that_their_own_reader_asks_for() {
    // Where a segment begins, which is scattered, no element of the scan is read.
    let function = "pub fn f(xs: &Vector<f32>, starts: &Vector<f32>) -> Vector<f32> {
        let offsets = starts.map_indexed(|i, _| i);
        let sums = xs.scan_segmented(Offsets::new(&offsets), 0.0, |a, b| a + b);
        sums.concat(sums)
    }";
    agree_on(function, &[&[&[2], &[3]], &[&[0], &[1]], &[&[1], &[3]]]);
}

#[test]
fn rows_that_only_a_check_keeps_in_bounds() {
    // Of a matrix without rows, one is stored for each element.
    let function = "pub fn f(m: &Matrix<f32>, xs: &Vector<f32>) -> Vector<f32> {
        let rows = m.rows().map(|row| { let last = row.fold(1.0, |_, b| b); row.map(|y| y + 1.0) });
        xs.map_indexed(|i, x| x + rows[(i % m.shape().0, i % m.shape().1)])
    }";
    let all: &[&[&[u64]]] = &[
        &[&[0, 3], &[2]],
        &[&[2, 0], &[2]],
        &[&[0, 3], &[0]],
        &[&[2, 3], &[5]],
    ];
    agree_on(function, all);
}

/// What a closure computes before a loop is computed once for an element, though the loop may have no rounds.
#[test]
fn what_a_loop_does_not_change_is_computed_before_it() {
    let sum = "let mut s = 0.0; for k in 0..ys.len() { s += w * k as f32; } s";
    let sometimes = "let mut s = 0.0; for k in 0..ys.len() { if k % 3 == 0 { s += w; } } s";
    let checked = "let mut s = 0.0; for k in 0..ys.len() { s += w; } assert!(s < 1.0e9); s";
    let folded = "ys.map(|y| if y > 1.0 { w } else { y }).sum()";
    for rest in [sum, sometimes, checked, folded] {
        for map in [
            "xs.map(|x| { let w = x.exp(); REST })",
            "xs.stencil(Clamp, |x| { let w = (x[-1] + x[1]).exp(); REST })",
            "xs.windows(3).map(|x| { let w = (x[0] + x[2]).exp(); REST })",
            "xs.zip(xs.map(|x| x.exp())).map(|(x, w)| { let w = w + x; REST })",
        ] {
            let body = map.replace("REST", rest);
            let function =
                format!("pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {{ {body} }}");
            let program = source::program(&function);
            let program = pass::run(program, &pass::Options::default());
            let plan = fuse(&program, &Options::default()).to_string();
            let mut lines = plan.lines().filter(|line| line.contains("exp("));
            let depth = |line: &str| line.len() - line.trim_start().len();
            assert!(lines.all(|line| depth(line) == 4), "{body}\n{plan}");
            agree_on(&function, &[&[&[5], &[4]], &[&[3], &[0]], &[&[0], &[3]]]);
        }
    }
}

/// A read that checks keep in bounds is not speculated without them, though a closure demands it, too.
#[test]
fn reads_that_checks_keep_in_bounds_stay_under_them() {
    let function = "pub fn f(m: &Cube<f32>, xs: &Vector<f32>) -> (Matrix<f32>, Matrix<f32>, f32) {
        let v = m.rows().map(|r| r.zip(r).fold((1.0, 2.0), |a, _| a));
        let (r, s) = match xs.len() {
            1 => (0.5, 1.5),
            _ => v[(xs.map(|_| 1_usize).fold(1, |a, b| a + b), 9)],
        };
        let w = m.rows().map(|c| { let t = c.map(|_| s); t[0] });
        (w.concat_axis(1, w.map(|_| s * 1.0)), w, r)
    }";
    let extents: &[&[&[u64]]] = &[
        &[&[2, 3, 4], &[3]],
        &[&[0, 0, 2], &[0]],
        &[&[5, 10, 2], &[3]],
    ];
    agree_on(function, extents);
}

/// What is demanded in advance of a loop's state that nothing reads is not computed.
#[test]
fn state_that_nothing_reads_is_not_computed_in_advance() {
    let rows = "pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        let v = m.rows().map(|r| {
            let (mut v, mut s) = (r.clone(), -2);
            for q in 0..3_usize {
                v = v.zip(r).map(|(_, _)| 0.0);
                s = match (1_u8 as u128).reverse_bits() <= (s as u128) << 100_u8 {
                    false => s,
                    true => {
                        let mut t = s;
                        for _ in 0..4_usize {
                            t = t;
                        }
                        t + q as i32
                    }
                };
            }
            let w = r.map(|_| if s == 0 { 2.0 } else { 3.0 });
            v.gather(r.shape(), |i| i % w.len())
        });
        v.rows().map(|r| {
            let s = r.sum();
            r.map(|x| x.max(s))
        })
    }";
    agree_on(rows, &[&[&[2, 3]], &[&[0, 3]], &[&[3, 0]]]);
    let elements = "pub fn f(m: &Matrix<f32>) -> Matrix<i16> {
        m.map_indexed(|(i, j), _| {
            let f = [{
                let mut s = { let mut t = -100_i16; for q in 0..1_usize { t = 100; } t };
                for q in 0..1_usize { s = if false { s } else { s }; }
                s
            }, 3];
            f[{ let mut a = 7_usize; let mut q = 0; while q < 4 && false { a = i; q += 1; } a } % j % 3_usize]
        })
    }";
    agree_on(elements, &[&[&[2, 3]], &[&[0, 3]], &[&[3, 0]]]);
}

/// The rounds of a loop do not read before it what their checks keep in bounds.
#[test]
fn reads_of_rounds_stay_under_their_checks() {
    let function = "pub fn f(m: &Matrix<f32>, xs: &Vector<f32>) -> f32 {
        let folds = m.rows().map(|row| row.fold(1.0, |acc, _| acc));
        let rows = [100_usize, 3_usize];
        let (mut s, mut q) = (3.0, 0);
        while q < 2 {
            s = folds.get(rows[xs.len() % 2]).unwrap_or(3.0);
            q += 1;
        }
        s
    }";
    agree_on(
        function,
        &[&[&[0, 3], &[0]], &[&[2, 3], &[1]], &[&[4, 2], &[3]]],
    );
}

#[test]
fn loops_that_both_sides_read_begin_with_what_is_wanted() {
    let function = "pub fn f(xs: &Vector<f32>) -> Vector<i32> {
        xs.map(|x| {
            let x = x as i32;
            let (mut a, mut b, mut fuel) = (x, 1, 30);
            let v = loop { fuel -= 1; if fuel < 0 { break 2; } a += 2; a |= 1; };
            let w = loop { fuel -= 1; if fuel < 0 { break -3; } b = 2; a = x; };
            let (_, d) = if b == 0 || b > 2 && b < 6 { (a, b) } else {
                let k = v % (w & 6 | 1);
                (if k < -3 { a - 7 } else { a ^ b }, k)
            };
            if d % 2 == 0 { d / 2 } else { x }
        })
    }";
    agree_on(function, &[&[&[0]], &[&[5]]]);
}

/// An effect that is left out is no part of a kernel, whatever chance stores in it.
#[test]
fn demands_that_are_left_out_have_no_reductions() {
    let block = "pub fn f(a: &Vector<i64>, b: &Cube<u16>) -> u16 {
        let rows = b.rows().map(|row| {
            let squares = row.map(|x| x - x * x);
            let all = squares.map(|x| x + 1).fold(1, |l, r| l | r);
            squares.map(|_| 101 - (all ^ 7))
        });
        let sorted = a.map(|x| x == 3).all();
        let lasts = rows.rows().map(|row| row.fold(1, |_, x| x));
        let (mut s, mut q) = (0, 0);
        while q < 1 && sorted {
            let k = { let mut k = 1; for i in 0..0 { k = i; } k };
            s = lasts.get((k, 7)).unwrap_or(0);
            q += 1;
        }
        s
    }";
    for seed in 360..400 {
        let mut options = Options {
            seed: Some(seed),
            ..Options::default()
        };
        for pass in ["forward", "prune"] {
            options.switch_off(pass).expect("a pass");
        }
        let unit = accelerate_compiler::compile(block.parse().expect("tokens"), &options);
        assert!(unit.errors.is_empty(), "{seed}: {:?}", unit.errors);
    }
}

/// Dead components of a loop's state: their loop-invariant expressions are not hoisted.
#[test]
fn invariants_of_components_that_nobody_reads_are_left_out() {
    let block = "pub fn f(a: &Vector<f32>, b: &Cube<(i16, f32, f64)>) -> (Matrix<f32>, i16) {
        let (least, with, _) = {
            let rows = b.rows().map(|row| {
                row.fold((9_i16, 3.0, 0.5), |(x, y, z), (u, v, w)| if u < x { (u, v, w) } else { (x, y, z) })
            });
            let mut s = (7_i16, 1.0, 2.0);
            let mut q = 0;
            while q < 0 && !true {
                s = rows.get((1600, 1)).unwrap_or((7_i16, 1.0, 2.0));
                q += 1;
            }
            s
        };
        let turned = a.chunks_exact(33).map(|chunk| {
            let mut t = chunk;
            for _ in 0..4 {
                t = t.map_indexed(|i, x| {
                    t.map(|_| { let two = [with.sigmoid(), x]; two[i % 2] }).fold(1.0, |a, b| a.min(b)) - t[32 - i]
                });
            }
            t
        });
        (turned, least)
    }";
    for seed in 480..500 {
        let mut options = Options {
            seed: Some(seed),
            ..Options::default()
        };
        options.switch_off("prune").expect("a pass");
        let unit = accelerate_compiler::compile(block.parse().expect("tokens"), &options);
        assert!(unit.errors.is_empty(), "{seed}: {:?}", unit.errors);
    }
}
