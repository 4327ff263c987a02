//! What scatters mean: where elements go, what they meet, what fails.

use super::{integers, matrix, program, refused, run, vector};

#[test]
fn every_form() {
    let xs = [integers(&[3, 0, 3, 1])];
    let histogram = "pub fn f(xs: &Vector<i32>) -> Vector<u32> { xs.histogram(5) }";
    assert_eq!(run(histogram, &[], &xs), Ok(vec![1.0, 1.0, 0.0, 2.0, 0.0]));
    let sums = "pub fn f(xs: &Vector<i32>) -> Vector<i64> {
        xs.reduce_by_index(&xs.map(|x| x * 10), 4, 7, |sum, x| sum + x as i64)
    }";
    assert_eq!(run(sums, &[], &xs), Ok(vec![7.0, 17.0, 7.0, 67.0]));
    let odd = "pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        fill(4, 100).scatter(|a, b| a.max(b), xs.map(|x| x * 100),
            |i, x| if x > 0 { Some(i) } else { None })
    }";
    assert_eq!(run(odd, &[], &xs), Ok(vec![300.0, 100.0, 300.0, 100.0]));
    let unique =
        "pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.scatter_unique(xs, |i, _| Some(3 - i)) }";
    assert_eq!(run(unique, &[], &xs), Ok(vec![1.0, 3.0, 0.0, 3.0]));
    let unchecked = "pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        unsafe { xs.scatter_unique_unchecked(xs, |i, _| if i > 0 { Some(i - 1) } else { None }) }
    }";
    assert_eq!(run(unchecked, &[], &xs), Ok(vec![0.0, 3.0, 1.0, 1.0]));
}

#[test]
fn ranks() {
    let m = [matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])];
    let turned = "pub fn f(m: &Matrix<f64>) -> Matrix<f64> {
        fill((3, 2), 0.5).scatter(|a, b| a + b, m, |(i, j), x| if x != 5.0 { Some((j, i)) } else { None })
    }";
    assert_eq!(run(turned, &[], &m), Ok(vec![1.5, 4.5, 2.5, 0.5, 3.5, 6.5]));
    for (operator, expected) in [
        ("|a, b| a + b", 30.0),
        ("|a, b| if a < b { b } else { a }", 12.0),
    ] {
        let scalar = format!(
            "pub fn f(m: &Matrix<f64>) -> f64 {{
                fill((), 9.0).scatter({operator}, m.map(|x| x * 2.0), |_, x| if x > 1.5 && x > 9.0 {{ Some(()) }} else {{ None }}).value() - 0.0
            }}"
        );
        let expected = if operator.contains('+') {
            9.0 + 10.0 + 12.0
        } else {
            expected
        };
        assert_eq!(run(&scalar, &[], &m), Ok(vec![expected]), "{scalar}");
    }
}

/// Sums that round, combined in any order and in that of the source.
#[test]
fn in_order() {
    let function = |attribute: &str, operator: &str| {
        format!(
            "{attribute} pub fn f(xs: &Vector<f64>, keys: &Vector<f64>) -> Vector<f64> {{
                let start = generate((2, 2), |(i, j)| (i * 2 + j) as f64 * 0.5);
                start.scatter({operator}, xs, |i, x| if x == 3.0 {{ None }} else {{ Some((keys[i] as usize, i % 2)) }}).flatten()
            }}"
        )
    };
    let sums = "|a, b| a + b / 3.0";
    // More than two blocks of one target.
    let numbers: Vec<f64> = (0..2000).map(|k| f64::from(k * k % 997) - 3.0).collect();
    let keys: Vec<f64> = (0..2000)
        .map(|k| f64::from(u8::from(k % 700 == 0)))
        .collect();
    let inputs = [vector(&numbers), vector(&keys)];
    let any = run(&function("", sums), &[], &inputs).expect("sums");
    let ordered = run(&function("#[deterministic]", sums), &[], &inputs).expect("sums");
    for (a, b) in any.iter().zip(&ordered) {
        assert!((a - b).abs() < 1e-6 * a.abs(), "{any:?} {ordered:?}");
    }
    // Folds of whole blocks have entered.
    assert_ne!(any, ordered);
    // Few meet: the bits are those of a loop.
    let few = [vector(&numbers[..400]), vector(&keys[..400])];
    assert_eq!(
        run(&function("#[deterministic]", sums), &[], &few),
        run(&function("", sums), &[], &few)
    );
    let last = function("#[deterministic]", "|_, b| b + 0.0");
    let both = [vector(&[5.0, 6.0, 3.0, 7.0]), vector(&[0.0, 1.0, 0.0, 1.0])];
    assert_eq!(run(&last, &[], &both), Ok(vec![5.0, 0.5, 1.0, 7.0]));
    let nowhere = [vector(&[3.0, 3.0]), vector(&[9.0, 9.0])];
    assert_eq!(run(&last, &[], &nowhere), Ok(vec![0.0, 0.5, 1.0, 1.5]));
    let far = [vector(&[5.0, 6.0]), vector(&[0.0, 2.0])];
    assert_eq!(run(&last, &[], &far), run(&function("", sums), &[], &far));
}

#[test]
fn tuples_are_one_value() {
    let xs = [vector(&[4.0, 1.0, 3.0, 1.0])];
    let first = "pub fn f(xs: &Vector<f64>) -> Vector<(f64, usize)> {
        fill(2, (9.0, 99)).scatter(
            |a, b| if b.0 < a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a },
            xs.map_indexed(|i, x| (x, i)),
            |i, _| Some(i % 2),
        )
    }";
    assert_eq!(run(first, &[], &xs), Ok(vec![3.0, 1.0, 2.0, 1.0]));
}

#[test]
fn failures() {
    let xs = [integers(&[1, -1, 7, 1])];
    let histogram = "pub fn f(xs: &Vector<i32>) -> Vector<u32> { xs.histogram(5) }";
    let far = "index -1 of an axis of 5 in `histogram`".to_owned();
    assert_eq!(run(histogram, &[], &xs), Err(far));
    let dropped = "pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        fill(2, 0).scatter(|a, b| a + b, xs, |_, x| if x == 1 { Some(x as usize) } else { None })
    }";
    assert_eq!(run(dropped, &[], &xs), Ok(vec![0.0, 2.0]));
    let twice = "pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        fill(2, 0).scatter_unique(xs, |i, x| if x == 1 { Some(x as usize) } else { None })
    }";
    let once = "`scatter_unique` writes to the index 1 more than once".to_owned();
    assert_eq!(run(twice, &[], &xs), Err(once));
    let lengths = "pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.reduce_by_index(&xs.take(2), 4, 0, |a, b| a + b)
    }";
    let lengths = run(lengths, &[], &xs).unwrap_err();
    assert!(
        lengths.contains("`reduce_by_index` of arrays of lengths"),
        "{lengths}"
    );
}

#[test]
fn operators_commute() {
    let subtract = "pub fn f(xs: &Vector<i32>) -> Vector<i32> {
        xs.scatter(|a, b| if a == 0 { b } else { a }, xs, |i, _| Some(i))
    }";
    let message = refused(subtract);
    assert!(message.contains("not commutative"), "{message}");
    let text =
        program("pub fn f(xs: &Vector<u8>) -> Vector<u32> { xs.histogram(256) }").to_string();
    assert!(text.contains("= scatter(x1, n, |i2|"), "{text}");
}
