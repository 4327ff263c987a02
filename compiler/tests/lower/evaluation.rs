//! What programs compute.

use super::{integers, matrix, program, run, vector};
use accelerate_compiler::ir::eval::eval_perturbed;
use accelerate_compiler::scalar::{Leaf, Scalar};

#[test]
fn rmse() {
    let source = "pub fn rmse(xs: &Vector<f64>, ys: &Vector<f64>) -> f64 {
        let squares = xs.zip(ys).map(|(x, y)| (x - y) * (x - y));
        (squares.sum() / xs.len() as f64).sqrt()
    }";
    let arrays = [vector(&[1.0, 2.0]), vector(&[4.0, 6.0])];
    assert_eq!(run(source, &[], &arrays), Ok(vec![12.5f64.sqrt()]));
    let arrays = [vector(&[1.0, 2.0]), vector(&[4.0])];
    assert_eq!(
        run(source, &[], &arrays),
        Err("`zip` of arrays of lengths 2 and 1".to_owned())
    );
}

#[test]
fn softmax_of_rows() {
    let source = "pub fn softmax(m: &Matrix<f64>) -> Matrix<f64> {
        m.rows().map(|row| {
            let largest = row.max();
            let weights = row.map(|x| (x - largest).exp());
            let total = weights.sum();
            weights.map(|w| w / total)
        })
    }";
    let result = run(source, &[], &[matrix(2, 2, &[0.0, 0.0, 5.0, 5.0])]);
    assert_eq!(result, Ok(vec![0.5; 4]));
    assert_eq!(run(source, &[], &[matrix(0, 0, &[])]), Ok(vec![]));
    let failed = run(source, &[], &[matrix(2, 0, &[])]);
    assert_eq!(failed, Err("`max` of an empty axis".to_owned()));
}

#[test]
fn matmul_both_ways() {
    let arrays = [
        matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        matrix(3, 2, &[7.0, 8.0, 9.0, 10.0, 11.0, 12.0]),
    ];
    let expected = Ok(vec![58.0, 64.0, 139.0, 154.0]);
    let nested = "pub fn f(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
        a.rows().map(|row| b.columns().map(|column| row.zip(column).map(|(x, y)| x * y).sum()))
    }";
    assert_eq!(run(nested, &[], &arrays), expected);
    let short = "pub fn f(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> { a.matmul(b) }";
    assert_eq!(run(short, &[], &arrays), expected);
    let wrong = [arrays[0].clone(), arrays[0].clone()];
    assert_eq!(
        run(short, &[], &wrong),
        Err("`matmul` of matrices of 3 columns and 2 rows".to_owned())
    );
}

#[test]
fn mandelbrot_counts() {
    let source = "pub fn f(points: &Vector<(f64, f64)>, limit: i32) -> Vector<i32> {
        points.map(|(cx, cy)| {
            let (mut x, mut y, mut i) = (cx, cy, 0);
            while i < limit && x * x + y * y < 4.0 {
                (x, y) = (cx + x * x - y * y, cy + 2.0 * x * y);
                i += 1;
            }
            i
        })
    }";
    let mut points = vector(&[0.0, 1.0, 3.0]);
    points.leaves.push(vec![Scalar::f64(0.0); 3]);
    let limit = [Scalar::number(Leaf::I32, 50)];
    assert_eq!(run(source, &limit, &[points]), Ok(vec![50.0, 1.0, 0.0]));
}

#[test]
fn early_exits() {
    let source = "fn find(xs: &Vector<i32>, wanted: i32) -> i32 {
        for i in 0..xs.len() {
            if xs[i] < 0 { continue; }
            if xs[i] == wanted { return i as i32; }
            if xs[i] > 100 { break; }
        }
        -1
    }
    pub fn f(xs: &Vector<i32>, wanted: &Vector<i32>) -> Vector<i32> { wanted.map(|w| find(xs, w)) }";
    let arrays = [
        integers(&[5, -7, 9, 200, 11]),
        integers(&[5, -7, 9, 200, 11]),
    ];
    assert_eq!(
        run(source, &[], &arrays),
        Ok(vec![0.0, -1.0, 2.0, 3.0, -1.0])
    );
}

#[test]
fn labelled_loops() {
    let source = "pub fn f(n: i32, xs: &Vector<i32>) -> Vector<i32> { xs.map(|x| {
        let mut count = 0;
        'outer: for i in 0..n {
            for j in (0..=i).rev().step_by(2) {
                if j == x { continue 'outer; }
                if i * j > 12 { break 'outer; }
                count += 1;
            }
        }
        count
    }) }";
    let plain = |n: i32, x: i32| {
        let mut count = 0;
        'outer: for i in 0..n {
            for j in (0..=i).rev().step_by(2) {
                if j == x {
                    continue 'outer;
                }
                if i * j > 12 {
                    break 'outer;
                }
                count += 1;
            }
        }
        f64::from(count)
    };
    for n in 0..7 {
        let result = run(
            source,
            &[Scalar::number(Leaf::I32, n)],
            &[integers(&[0, 1, 2, 9])],
        );
        let expected = [0, 1, 2, 9].map(|x| plain(n as i32, x));
        assert_eq!(result, Ok(expected.to_vec()));
    }
}

/// Ranges from the end, in steps and backwards, in loops that are unrolled and in others.
#[test]
fn stepped_ranges() {
    fn plain(n: i32, items: impl Iterator<Item = i32>) -> f64 {
        f64::from(items.fold(n, |sum, i| sum.wrapping_mul(3).wrapping_add(i)))
    }
    let loops = |range: &str| {
        format!(
            "pub fn f(n: i32) -> (i32, i32) {{
            let mut sum = n;
            for i in {range} {{ sum = sum * 3 + i; }}
            let places = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
            let mut unrolled = n;
            for i in {} {{ unrolled = unrolled * 3 + places[i as usize]; }}
            (sum, unrolled)
        }}",
            range.replace('n', "10")
        )
    };
    for n in [0, 1, 2, 9, 10] {
        let cases = [
            (
                "(0..n).rev().step_by(4)",
                plain(n, (0..n).rev().step_by(4)),
                plain(n, (0..10).rev().step_by(4)),
            ),
            (
                "(0..n).rev().step_by(3)",
                plain(n, (0..n).rev().step_by(3)),
                plain(n, (0..10).rev().step_by(3)),
            ),
            (
                "(0..n).step_by(3).rev()",
                plain(n, (0..n).step_by(3).rev()),
                plain(n, (0..10).step_by(3).rev()),
            ),
            (
                "(2..=n).step_by(4).rev()",
                plain(n, (2..n + 1).step_by(4).rev()),
                plain(n, (2..11).step_by(4).rev()),
            ),
            (
                "(1..n).rev().step_by(4).rev()",
                plain(n, (1..n).rev().step_by(4).rev()),
                plain(n, (1..10).rev().step_by(4).rev()),
            ),
            (
                "(0..n).step_by(3).rev().rev()",
                plain(n, (0..n).step_by(3)),
                plain(n, (0..10).step_by(3)),
            ),
        ];
        for (range, expected, unrolled) in cases {
            let result = run(
                &loops(range),
                &[Scalar::number(Leaf::I32, i64::from(n))],
                &[],
            );
            assert_eq!(result, Ok(vec![expected, unrolled]), "{range}, {n}");
        }
    }
}

#[test]
fn asserts_guard_their_region() {
    let source = "pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.map(|x| {
        if x < 0 { assert!(x > -10, \"too small\"); }
        x + 1
    }) }";
    assert_eq!(run(source, &[], &[integers(&[1, -5])]), Ok(vec![2.0, -4.0]));
    assert_eq!(
        run(source, &[], &[integers(&[1, -50])]),
        Err("too small".to_owned())
    );
}

#[test]
fn panics_fail_where_they_are_reached() {
    let source = "fn sign(x: i32) -> i32 {
        match x % 3 {
            0 => 1,
            1 => 2,
            -1 => { let y = x + 1; if y > 0 { panic!(\"above\") } else { -2 } }
            _ => unreachable!(),
        }
    }
    pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.map(|x| sign(x)) }";
    assert_eq!(
        run(source, &[], &[integers(&[3, 4, -1])]),
        Ok(vec![1.0, 2.0, -2.0])
    );
    let failed = run(source, &[], &[integers(&[3, 5])]);
    assert_eq!(failed, Err("entered unreachable code".to_owned()));
    let source = "pub fn f(n: i32, xs: &Vector<i32>) -> Vector<i32> {
        let ys = if n < 0 { panic!(\"negative\") } else { xs.map(|x| x / n) };
        let mut k = 0;
        while k < 3 { if k == n { panic!(\"later\") } k += 1; }
        ys
    }";
    let of = |n| {
        run(
            source,
            &[Scalar::number(Leaf::I32, n)],
            &[integers(&[6, 9])],
        )
    };
    assert_eq!(of(3), Ok(vec![2.0, 3.0]));
    assert_eq!(of(-1), Err("negative".to_owned()));
    assert_eq!(of(2), Err("later".to_owned()));
}

#[test]
fn reads_are_checked_and_lazy() {
    let source = "pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        let n = xs.len();
        xs.map_indexed(|i, x| if i + 1 < n && xs[i + 1] > x { xs[i + 1] } else { x })
    }";
    assert_eq!(
        run(source, &[], &[integers(&[1, 3, 2])]),
        Ok(vec![3.0, 3.0, 2.0])
    );
    let source = "pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.map_indexed(|i, _| xs[i + 1]) }";
    assert_eq!(
        run(source, &[], &[integers(&[1, 3])]),
        Err("index 2 of an axis of 2 in `xs[..]`".to_owned())
    );
    assert_eq!(run(source, &[], &[integers(&[])]), Ok(vec![]));
}

#[test]
fn arrays_as_state() {
    let grows = "pub fn f(xs: Vector<i32>, rounds: i32) -> Vector<i32> {
        let mut all = xs;
        for k in 0..rounds { all = all.concat(&all.map(|x| x + k)); }
        all
    }";
    let rounds = |n| [Scalar::number(Leaf::I32, n)];
    assert_eq!(
        run(grows, &rounds(2), &[integers(&[5])]),
        Ok(vec![5.0, 5.0, 6.0, 6.0])
    );
    let relax = "fn step(g: &Vector<f64>) -> Vector<f64> { g.map(|x| x / 2.0) }
    pub fn f(g: Vector<f64>) -> (Vector<f64>, i32) {
        let mut grid = g;
        let mut rounds = 0;
        while grid.sum() > 1.0 { grid = step(&grid); rounds += 1; }
        (grid, rounds)
    }";
    assert_eq!(
        run(relax, &[], &[vector(&[4.0, 4.0])]),
        Ok(vec![0.5, 0.5, 3.0])
    );
    let chosen = "pub fn f(xs: &Vector<f64>, k: i32) -> Vector<f64> {
        let ys = if k > 0 { xs.take(1) } else { xs.map(|x| -x) };
        ys.map(|y| y + 1.0)
    }";
    assert_eq!(
        run(chosen, &rounds(1), &[vector(&[4.0, 5.0])]),
        Ok(vec![5.0])
    );
    assert_eq!(
        run(chosen, &rounds(0), &[vector(&[4.0, 5.0])]),
        Ok(vec![-3.0, -4.0])
    );
    assert_eq!(run(chosen, &rounds(0), &[vector(&[])]), Ok(vec![]));
    assert!(run(chosen, &rounds(1), &[vector(&[])]).is_err());
}

#[test]
fn numbers() {
    let source =
        "pub fn f(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<(i32, i32, i32, i32, i32)> {
        xs.zip(ys).map(|(x, y)| (
            x.rem_euclid(7),
            x.saturating_add(y),
            match x.checked_mul(y) { Some(p) => p, None => -1 },
            x.clamp(-5, 5).signum(),
            x.pow(3),
        ))
    }";
    let (xs, ys) = ([-9, i32::MAX, 3, 0], [1, 5, 100, -4]);
    let mut expected = Vec::new();
    let pairs = || xs.iter().zip(&ys);
    expected.extend(pairs().map(|(x, _)| x.rem_euclid(7)));
    expected.extend(pairs().map(|(x, &y)| x.saturating_add(y)));
    expected.extend(pairs().map(|(x, &y)| x.checked_mul(y).unwrap_or(-1)));
    expected.extend(pairs().map(|(x, _)| x.clamp(&-5, &5).signum()));
    expected.extend(pairs().map(|(x, _)| x.wrapping_pow(3)));
    let expected: Vec<f64> = expected.into_iter().map(f64::from).collect();
    assert_eq!(
        run(source, &[], &[integers(&xs), integers(&ys)]),
        Ok(expected)
    );
}

#[test]
fn division_by_zero_is_reported() {
    let source = "pub fn f(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<i32> { xs / ys }";
    let arrays = [integers(&[6, 7]), integers(&[2, 0])];
    assert_eq!(
        run(source, &[], &arrays),
        Err("division by zero".to_owned())
    );
    let source = "pub fn f(xs: &Vector<i32>, k: i32) -> Vector<i32> { xs.map(|x| x % k) }";
    let zero = [Scalar::number(Leaf::I32, 0)];
    assert_eq!(
        run(source, &zero, &[integers(&[1])]),
        Err("remainder by zero".to_owned())
    );
    assert_eq!(run(source, &zero, &[integers(&[])]), Ok(vec![]));
}

#[test]
fn sums_of_segments_round_as_other_sums() {
    let program =
        program("pub fn f(xs: &Vector<f64>) -> Vector<f64> { xs.cumsum_segmented(&fill(1, 3)) }");
    let xs = [vector(&[0.1, 0.2, 0.3])];
    let sums = |seed| eval_perturbed(&program, &[], &xs, seed).expect("no failure");
    assert!((2..20).any(|seed| sums(seed) != sums(1)));
}

#[test]
fn operators_on_arrays() {
    let arrays = [integers(&[1, 3]), integers(&[2, 1])];
    let cases = [
        ("xs << 2", [4.0, 12.0]),
        ("xs << ks", [4.0, 6.0]),
        ("1 << xs", [2.0, 8.0]),
        ("-xs >> ks.map(|k| k as u8)", [-1.0, -2.0]),
        ("xs * ks - 7 % ks", [1.0, 3.0]),
        ("zip_with((xs, ks, xs), |x, k, y| x * k + y)", [3.0, 6.0]),
        ("xs.map(|x| matches!(x, 0 | 3 if x > 2) as i32)", [0.0, 1.0]),
    ];
    for (operation, expected) in cases {
        let source = format!(
            "pub fn f(xs: &Vector<i32>, ks: &Vector<i32>) -> Vector<i32> {{ {operation} }}"
        );
        assert_eq!(
            run(&source, &[], &arrays),
            Ok(expected.to_vec()),
            "{operation}"
        );
    }
}

#[test]
fn reads_of_arrays_of_arrays() {
    let source = "pub fn f(m: &Matrix<f64>, i: usize) -> f64 { m.rows()[i].sum() }";
    let m = matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let at = |i| {
        [Scalar {
            leaf: Leaf::U64,
            bits: i,
        }]
    };
    assert_eq!(
        run(source, &at(1), std::slice::from_ref(&m)),
        Ok(vec![15.0])
    );
    let failed = Err("index 2 of an axis of 2".to_owned());
    assert_eq!(run(source, &at(2), &[m]), failed);
}
