//! Control flow over scalars and arrays, in the corners.

use super::{integers, run, vector};
use accelerate_compiler::scalar::{Leaf, Scalar};

fn int(value: i64) -> Scalar {
    Scalar::number(Leaf::I32, value)
}

#[test]
fn variables_may_be_set_later() {
    let source = "pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.map(|x| {
        let y;
        let mut pair = (x, 1);
        if x > 0 { y = x * 2; pair.1 = 7; } else { y = -1; }
        let found;
        loop {
            pair.0 += 1;
            if pair.0 > 3 { found = pair.0; break; }
        }
        y * 100 + pair.1 * 10 + found
    }) }";
    let result = run(source, &[], &[integers(&[2, -2])]);
    assert_eq!(result, Ok(vec![474.0, -86.0]));
}

#[test]
fn a_loop_that_would_not_end_is_not_reached() {
    let source = "pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.map(|x| {
        if x <= 0 { return 0; }
        let mut n = x;
        let mut steps = 0;
        while n != 1 { n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 }; steps += 1; }
        if steps > 5 { return 100; }
        steps
    }) }";
    let result = run(source, &[], &[integers(&[0, 1, 8, 7])]);
    assert_eq!(result, Ok(vec![0.0, 0.0, 3.0, 100.0]));
}

#[test]
fn an_assertion_stops_what_follows() {
    let source = "pub fn f(xs: &Vector<i32>) -> Vector<i32> { xs.map(|x| {
        assert!(x > 0, \"positive\");
        let mut n = x;
        while n != 0 { n -= 1; }
        n
    }) }";
    assert_eq!(run(source, &[], &[integers(&[3])]), Ok(vec![0.0]));
    assert_eq!(
        run(source, &[], &[integers(&[-3])]),
        Err("positive".to_owned())
    );
}

#[test]
fn arrays_leave_early() {
    let source = "fn shrink(xs: &Vector<f64>, k: i32) -> Vector<f64> {
        if k < 0 { return xs.map(|x| -x); }
        let mut ys = xs.map(|x| x);
        for i in 0..k {
            if ys.len() < 2 { return ys.map(|y| y + 100.0); }
            ys = ys.tail();
        }
        ys
    }
    pub fn f(xs: &Vector<f64>, k: i32) -> Vector<f64> { shrink(xs, k) }";
    let xs = [vector(&[1.0, 2.0, 3.0])];
    assert_eq!(run(source, &[int(-1)], &xs), Ok(vec![-1.0, -2.0, -3.0]));
    assert_eq!(run(source, &[int(1)], &xs), Ok(vec![2.0, 3.0]));
    assert_eq!(run(source, &[int(9)], &xs), Ok(vec![103.0]));
}

#[test]
fn assertions_on_device_data() {
    let source = "pub fn f(xs: &Vector<f64>) -> (Vector<f64>, f64) {
        let total = xs.sum();
        if xs.len() > 1 { assert!(total > 0.0, \"a positive sum\"); }
        (xs.map(|x| x / total), total)
    }";
    assert_eq!(
        run(source, &[], &[vector(&[1.0, 3.0])]),
        Ok(vec![0.25, 0.75, 4.0])
    );
    let failed = run(source, &[], &[vector(&[1.0, -3.0])]);
    assert_eq!(failed, Err("a positive sum".to_owned()));
    assert_eq!(run(source, &[], &[vector(&[-2.0])]), Ok(vec![1.0, -2.0]));
}

#[test]
fn checks_in_loops_and_branches() {
    let source = "pub fn f(xs: Vector<f64>, ys: &Vector<f64>, k: i32) -> Vector<f64> {
        let mut all = xs;
        for _ in 0..k { all = all.zip(ys).map(|(x, y)| x + y); }
        while all.sum() < 10.0 { all = all + ys; }
        all
    }";
    let (xs, ys) = (vector(&[1.0, 2.0]), vector(&[3.0, 4.0]));
    let arrays = [xs.clone(), ys];
    assert_eq!(run(source, &[int(0)], &arrays), Ok(vec![4.0, 6.0]));
    assert_eq!(run(source, &[int(2)], &arrays), Ok(vec![7.0, 10.0]));
    let arrays = [vector(&[20.0, 2.0]), vector(&[1.0])];
    assert_eq!(run(source, &[int(0)], &arrays), Ok(vec![20.0, 2.0]));
    assert!(run(source, &[int(1)], &arrays).is_err());
    let arrays = [xs, vector(&[1.0])];
    assert!(run(source, &[int(0)], &arrays).is_err());
}

#[test]
fn matches_and_options() {
    let source = "struct P { x: i32, y: i32 }
    fn dot(a: P, b: P) -> i32 { a.x * b.x + a.y * b.y }
    pub fn f(xs: &Vector<i32>, table: &Vector<i32>) -> Vector<i32> { xs.map(|x| {
        let p = P { x, y: 2 };
        let kind = match x { 0 => 1, 1..=4 if x % 2 == 0 => 2, 1 | 3 => 3, _ => dot(p, P { x: 1, y: 10 }) };
        let scale = |v: i32| v * kind;
        match table.get(x as usize) { Some(v) if v > 5 => scale(v), Some(_) => -1, None => scale(1) }
    }) }";
    let xs = integers(&[0, 1, 2, 3, 4, 5]);
    let result = run(source, &[], &[xs, integers(&[9, 8, 2, 10])]);
    assert_eq!(result, Ok(vec![9.0, 24.0, -1.0, 30.0, 2.0, 25.0]));
}
