//! Stencils against a plain model of the boundaries.

use super::{matrix, run, vector};

const BOUNDARIES: [&str; 6] = [
    "Clamp",
    "Mirror",
    "Boundary::Reflect",
    "Wrap",
    "Constant(-1.0)",
    "Function(|i: isize| i as f64 * 1000.0)",
];

/// The element at an index that may lie anywhere.
fn element(boundary: &str, xs: &[f64], i: i64) -> f64 {
    let n = xs.len() as i64;
    if (0..n).contains(&i) {
        return xs[i as usize];
    }
    let bounce = |period: i64, last: i64| {
        let j = i.rem_euclid(period.max(1));
        j.min(last - j)
    };
    let at = match boundary {
        "Clamp" => i.clamp(0, n - 1),
        "Mirror" => bounce(2 * n - 2, (2 * n - 2).max(0)),
        "Boundary::Reflect" => bounce(2 * n, 2 * n - 1),
        "Wrap" => i.rem_euclid(n),
        "Constant(-1.0)" => return -1.0,
        _ => return i as f64 * 1000.0,
    };
    xs[at as usize]
}

#[test]
fn every_boundary_of_every_extent() {
    for boundary in BOUNDARIES {
        for d in [-7, -3, -2, -1, 0, 1, 2, 3, 8] {
            let source = format!(
                "pub fn f(xs: &Vector<f64>) -> Vector<f64> {{ xs.stencil({boundary}, |w| w[{d}]) }}"
            );
            for n in 0..6 {
                let xs: Vec<f64> = (0..n).map(|i| f64::from(i) + 1.0).collect();
                let expected = (0..i64::from(n)).map(|i| element(boundary, &xs, i + d));
                let expected: Vec<f64> = expected.collect();
                assert_eq!(
                    run(&source, &[], &[vector(&xs)]),
                    Ok(expected),
                    "{boundary} {d} of {n}"
                );
            }
        }
    }
}

#[test]
fn counters_of_loops_are_offsets() {
    let loops = [
        "for e in -7..=8 { if e == D { s = w[e]; } }",
        "for e in (-8..9).rev() { if e + 1 == D { s = w[e + 1]; } }",
        "for e in (0..=20_u8).step_by(2) { if 1 - e as isize == D || 2 - e as isize == D { s = w[D]; } s = s + 0.0 * w[1 - e as isize]; }",
        "let at = |d: isize| w[2 * d - D]; s = at(D); for e in 1..1 { s = w[e]; }",
    ];
    for boundary in BOUNDARIES {
        for d in [-7, -3, -1, 0, 2, 8] {
            for text in loops {
                let source = format!(
                    "pub fn f(xs: &Vector<f64>) -> Vector<f64> {{ xs.stencil({boundary}, |w| {{ let mut s = 0.0; {} s }}) }}",
                    text.replace('D', &format!("({d})"))
                );
                for n in 0..6 {
                    let xs: Vec<f64> = (0..n).map(|i| f64::from(i) + 1.0).collect();
                    let expected = (0..i64::from(n)).map(|i| element(boundary, &xs, i + d));
                    let expected: Vec<f64> = match text.contains("step_by") && d > 2 {
                        // No counter is that offset.
                        true => vec![0.0; xs.len()],
                        false => expected.collect(),
                    };
                    assert_eq!(
                        run(&source, &[], &[vector(&xs)]),
                        Ok(expected),
                        "{boundary} {d} of {n}: {text}"
                    );
                }
            }
        }
    }
}

#[test]
fn padding_by_more_than_the_array() {
    for boundary in BOUNDARIES {
        let source =
            format!("pub fn f(xs: &Vector<f64>) -> Vector<f64> {{ xs.pad(7, 9, {boundary}) }}");
        for n in 1..5 {
            let xs: Vec<f64> = (0..n).map(|i| f64::from(i) + 1.0).collect();
            let expected = (-7..i64::from(n) + 9).map(|i| element(boundary, &xs, i));
            let expected: Vec<f64> = expected.collect();
            assert_eq!(
                run(&source, &[], &[vector(&xs)]),
                Ok(expected),
                "{boundary} of {n}"
            );
        }
    }
    let empty = |boundary: &str, by: usize| {
        let source =
            format!("pub fn f(xs: &Vector<f64>) -> Vector<f64> {{ xs.pad({by}, 1, {boundary}) }}");
        run(&source, &[], &[vector(&[])])
    };
    assert_eq!(empty("Constant(2.0)", 1), Ok(vec![2.0, 2.0]));
    assert_eq!(empty("Wrap", 1), Err("`pad` of an empty axis".to_owned()));
}

#[test]
fn windows_of_higher_rank() {
    let m = matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let cases: [(&str, &[f64]); 6] = [
        (
            "m.stencil(Clamp, |w| w[(-1, 0)] + w[(1, 1)])",
            &[6.0, 8.0, 9.0, 6.0, 8.0, 9.0],
        ),
        (
            "m.stencil(Constant(0.0), |w| w[(0, -1)] + w[(0, 1)])",
            &[2.0, 4.0, 2.0, 5.0, 10.0, 5.0],
        ),
        (
            "m.stencil2(Wrap, &m.map(|x| x * 10.0), Clamp, |w, v| w[(1, 0)] + v[(0, 1)])",
            &[24.0, 35.0, 36.0, 51.0, 62.0, 63.0],
        ),
        (
            "m.rows().map(|row| row.stencil(Mirror, |w| w[-1]))",
            &[2.0, 1.0, 2.0, 5.0, 4.0, 5.0],
        ),
        (
            "m.map(|x| (x, -x)).stencil(Constant((0.0, 1.0)), |w| { let (a, b) = w[(0, 2)]; a + 2.0 * b })",
            &[-3.0, 2.0, 2.0, -6.0, 2.0, 2.0],
        ),
        (
            "m.stencil(Function(|(y, x)| (10 * y + x) as f64), |w| w[(-1, -2)])",
            &[-12.0, -11.0, -10.0, -2.0, -1.0, 1.0],
        ),
    ];
    for (expr, expected) in cases {
        let source = format!("pub fn f(m: &Matrix<f64>) -> Matrix<f64> {{ {expr} }}");
        assert_eq!(
            run(&source, &[], std::slice::from_ref(&m)),
            Ok(expected.to_vec()),
            "{expr}"
        );
    }
}
