//! Rows whose elements share a reduction.

use super::agree_on;
use super::scans::kernels;
use accelerate_compiler::Options;
use accelerate_compiler::ir::eval::{self, Array};
use accelerate_compiler::plan::{Skeleton, interpret};
use accelerate_compiler::scalar::{Leaf, Scalar};

#[test]
fn rows_are_stored_before_reads_that_would_fold_them_again() {
    let reads = [
        ("Vector<f32>", "v.flatten().map(|x| x * 2.0)"),
        ("Matrix<f32>", "v.reshape((m.shape().1, m.shape().0))"),
        (
            "Vector<f32>",
            "generate(m.len(), |k| v[(k % m.shape().0, k % m.shape().1)])",
        ),
        ("f32", "v.flatten().max()"),
        ("Vector<f32>", "v.windows(2).map(|pair| pair.sum_all())"),
    ];
    for (result, read) in reads {
        let function = format!(
            "pub fn f(m: &Matrix<f32>) -> {result} {{
                let v = m.rows().map(|row| {{ let least = row.fold(9.0, |a, x| a.min(x)); row.map(|x| x - least) }});
                {read}
            }}"
        );
        assert_eq!(kernels(&function), 2, "{read}");
        agree_on(&function, &[&[&[2, 3]], &[&[3, 1]], &[&[4, 5]]]);
    }
}

/// A fold behind the question whether its segment has elements goes through the row's like any other; what it begins with is evaluated
/// where it has some alone.
#[test]
fn folds_of_segments_that_may_be_empty_are_of_rows() {
    let of = |body: &str| {
        let function = format!(
            "pub fn f(rows: &Segmented<i32>, ks: &Vector<i32>) -> Vector<i32> {{
                rows.map_segments(|row| if row.len() > 0 {{ {body} }} else {{ 0 }})
            }}"
        );
        let unit =
            accelerate_compiler::compile(function.parse().expect("tokens"), &Options::default());
        assert!(unit.errors.is_empty(), "{:?}", unit.errors);
        let compiled = &unit.functions[0];
        let array = |leaf, numbers: &[i64]| Array {
            extents: vec![numbers.len() as u64],
            leaves: vec![numbers.iter().map(|&x| Scalar::number(leaf, x)).collect()],
        };
        let inputs: [(&[i64], &[i64], &[i64]); 4] = [
            (&[], &[0, 0, 0], &[]),
            (&[3, 1, 2], &[0, 2, 2, 3], &[9, 8, 7, 6]),
            (&[3, 1, 2], &[0, 2, 2, 3], &[0]),
            (&[-5], &[0, 0, 1], &[1, 0]),
        ];
        for (values, offsets, ks) in inputs {
            let arrays = [
                array(Leaf::I32, values),
                array(Leaf::U64, offsets),
                array(Leaf::I32, ks),
            ];
            let wanted = eval::eval(&compiled.lowered, &[], &arrays);
            let found = interpret::run(&compiled.plan, &[], &arrays);
            assert_eq!(wanted, found, "{body}: {values:?} {offsets:?} {ks:?}");
        }
        matches!(compiled.plan.kernels[0].skeleton, Skeleton::Rowwise { .. })
    };
    assert!(of("row.max()"));
    assert!(of("row.argmin() as i32 + 1"));
    assert!(of("let most = row.max(); row.map(|x| most - x).sum()"));
    assert!(of("let k = ks[row.len()]; row.map(|x| x * k).sum()"));
    assert!(of("row.fold(7, |a, b| a.max(b))"));
    assert!(!of("row.fold(100 / ks[row.len()], |a, b| a + b)"));
}
