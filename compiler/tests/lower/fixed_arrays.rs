//! Fixed arrays and characters.

use super::{integers, run, vector};

#[test]
fn fixed_arrays() {
    let cases = [
        (
            "{ let a = [x, 2.0 * x, 7.0]; a[0] + a[1] * a[2] }",
            [30.0, 45.0],
        ),
        (
            "{ let mut a = [x; 3]; a[1] = 1.0; a[2] += 4.0; a[0] * a[1] * a[2] }",
            [12.0, 21.0],
        ),
        (
            "{
                let mut sorted = [5.0, x, 2.5];
                for i in 0..sorted.len() {
                    for j in 0..sorted.len() - 1 - i {
                        if sorted[j] > sorted[j + 1] {
                            let held = sorted[j];
                            sorted[j] = sorted[j + 1];
                            sorted[j + 1] = held;
                        }
                    }
                }
                sorted[0] * 100.0 + sorted[1] * 10.0 + sorted[2]
            }",
            [230.0, 285.0],
        ),
        ("{ let [a, .., b] = [x, 9.0, 1.0]; a - b }", [1.0, 2.0]),
        (
            "{ let a = [(x, 1), (4.0, 2)]; a[if x > 2.5 { 1 } else { 0 }].0 }",
            [2.0, 4.0],
        ),
        ("if [x, 1.0] == [2.0, 1.0] { 1.0 } else { 0.0 }", [1.0, 0.0]),
        (
            "match [x > 2.5, true] { [true, _] => 1.0, [false, b] => if b { 2.0 } else { 3.0 } }",
            [2.0, 1.0],
        ),
    ];
    for (expr, expected) in cases {
        let source = format!("pub fn f(xs: &Vector<f64>) -> Vector<f64> {{ xs.map(|x| {expr}) }}");
        let result = run(&source, &[], &[vector(&[2.0, 3.0])]);
        assert_eq!(result, Ok(expected.to_vec()), "{expr}");
    }
    let source = "
        struct Hand { cards: [i32; 3], best: [[i32; 2]; 2] }
        pub fn f(xs: &Vector<i32>) -> Vector<[i32; 2]> {
            xs.map(|x| Hand { cards: [x, x + 1, x + 2], best: [[x, 0], [0, x]] })
                .map(|hand| [hand.cards[2], hand.best[1][1]])
        }";
    let result = run(source, &[], &[integers(&[4, 5])]);
    assert_eq!(result, Ok(vec![6.0, 7.0, 4.0, 5.0]));
    let source =
        "pub fn f(xs: &Vector<usize>) -> Vector<i32> { xs.map(|i| { let a = [3, 4]; a[i + 1] }) }";
    let mut at = integers(&[0, 1]);
    for value in &mut at.leaves[0] {
        value.leaf = accelerate_compiler::scalar::Leaf::U64;
    }
    assert_eq!(
        run(source, &[], &[at]),
        Err("index 2 of an axis of 2 in `a[..]`".to_owned())
    );
}

#[test]
fn characters() {
    let source = "
        fn class(c: char) -> i32 {
            match c {
                'a'..='z' => 1,
                'A' | 'B' => 2,
                _ if c == 'é' => 3,
                _ => c as i32,
            }
        }
        pub fn f(xs: &Vector<u8>) -> (Vector<char>, Vector<i32>) {
            let cs = xs.map(|x| if x > 200 { 'é' } else { x as char });
            (cs, cs.map(class))
        }";
    let mut xs = integers(&[97, 66, 67, 201]);
    for value in &mut xs.leaves[0] {
        value.leaf = accelerate_compiler::scalar::Leaf::U8;
    }
    let result = run(source, &[], &[xs]);
    assert_eq!(
        result,
        Ok(vec![97.0, 66.0, 67.0, 233.0, 1.0, 2.0, 67.0, 3.0])
    );
}
