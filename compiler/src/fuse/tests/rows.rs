//! Rows whose elements share a reduction.

use super::agree_on;
use super::scans::kernels;

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
