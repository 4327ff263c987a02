//! The greatest elements, by folds and by sorts; as many elements as each says.

use super::{integers, matrix, run, vector};

/// Of every number, by a fold where it may be one, and by a sort.
fn greatest(values: &[f64], k: usize) -> [Vec<f64>; 4] {
    let texts = [format!("{k}"), format!("xs.len() * 0 + {k}")];
    let calls = texts
        .each_ref()
        .map(|k| [format!("top_k({k})"), format!("argtop_k({k})")]);
    let run = |call: &String| {
        let element = if call.starts_with("arg") {
            "usize"
        } else {
            "f64"
        };
        let source = format!("pub fn f(xs: &Vector<f64>) -> Vector<{element}> {{ xs.{call} }}");
        run(&source, &[], &[vector(values)]).expect("no failure")
    };
    let [a, b, c, d] = [&calls[0][0], &calls[1][0], &calls[0][1], &calls[1][1]].map(run);
    [a, b, c, d]
}

#[test]
fn the_greatest_fall_and_the_first_of_equals_comes_first() {
    let values = [
        1.0,
        -0.0,
        7.0,
        0.0,
        f64::NAN,
        7.0,
        -f64::NAN,
        f64::INFINITY,
        1.0,
    ];
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    for k in 0..=values.len() {
        let [folded, sorted, folded_places, sorted_places] = greatest(&values, k);
        let places: Vec<f64> = places[..k].iter().map(|&place| place as f64).collect();
        let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        let expected = bits(places.iter().map(|&place| values[place as usize]).collect());
        assert_eq!(
            (bits(folded), bits(sorted)),
            (expected.clone(), expected),
            "{k}"
        );
        assert_eq!(
            (folded_places, sorted_places),
            (places.clone(), places),
            "{k}"
        );
    }
}

#[test]
fn axes_and_failures() {
    let rows = "pub fn f(m: &Matrix<f64>) -> Matrix<f64> { m.top_k(2) }";
    let m = [matrix(2, 3, &[1.0, 3.0, 2.0, -1.0, -2.0, -3.0])];
    assert_eq!(run(rows, &[], &m), Ok(vec![3.0, 2.0, -1.0, -2.0]));
    let fails = run(rows, &[], &[matrix(2, 1, &[1.0, 3.0])]);
    assert_eq!(fails, Err("`top_k` of 2 of an axis of 1".to_owned()));
    let places = "pub fn f(xs: &Vector<i32>) -> Vector<usize> { xs.argtop_k(xs.len() + 1) }";
    let fails = run(places, &[], &[integers(&[4])]);
    assert_eq!(fails, Err("`argtop_k` of 2 of an axis of 1".to_owned()));
    let pairs = "pub fn f(xs: &Vector<i32>) -> Vector<(bool, i32)> { xs.map(|x| (x % 2 == 0, -x)).top_k(3) }";
    let found = run(pairs, &[], &[integers(&[4, 1, 2, 2, 7])]);
    assert_eq!(found, Ok(vec![1.0, 1.0, 1.0, -2.0, -2.0, -4.0]));
}

#[test]
fn results_of_any_length_for_each() {
    let on = |body: &str, values: &[i32]| {
        let source = format!("pub fn f(xs: &Vector<i32>) -> {body}");
        run(&source, &[], &[integers(values)])
    };
    let flat = "Vector<usize> { xs.flat_map(|x| iota(x as usize)) }";
    assert_eq!(on(flat, &[2, 0, 3, 0]), Ok(vec![0.0, 1.0, 0.0, 1.0, 2.0]));
    assert_eq!(on(flat, &[]), Ok(vec![]));
    assert_eq!(on(flat, &[0]), Ok(vec![]));
    let thrice = "Vector<i32> { xs.flat_map(|x| generate(3, |k| x + k as i32)) }";
    assert_eq!(
        on(thrice, &[5, 9]),
        Ok(vec![5.0, 6.0, 7.0, 9.0, 10.0, 11.0])
    );
    let never = "Vector<i32> { xs.flat_map(|x| fill(xs.len() - 2, x)) }";
    assert_eq!(on(never, &[5, 9]), Ok(vec![]));
    let kept = "Segmented<i32> { xs.map_segments(|x| (1..x + 1).filter(|d| x % d == 0)) }";
    assert_eq!(
        on(kept, &[4, -1, 3]),
        Ok(vec![1.0, 2.0, 4.0, 1.0, 3.0, 0.0, 3.0, 3.0, 5.0])
    );
    let each = "Vector<i32> { xs.map_segments(|x| x + 1) }";
    assert_eq!(on(each, &[4, -1]), Ok(vec![5.0, 0.0]));
    let divided = "Vector<i32> { xs.flat_map(|x| fill(2, 6 / x)) }";
    assert_eq!(on(divided, &[3, 0]), Err("division by zero".to_owned()));
    let twice = "Vector<i32> { xs.repeat_each(xs.map(|x| x as u8)) }";
    assert_eq!(on(twice, &[2, 0, 1]), Ok(vec![2.0, 2.0, 1.0]));
    let differ = "Vector<i32> { xs.repeat_each(iota(3)) }";
    let fails = "`repeat_each` of arrays of lengths 2 and 3".to_owned();
    assert_eq!(on(differ, &[2, 0]), Err(fails));
}
