//! What may fail runs only where somebody meets it: programs, as text, some of whose arrays are empty.

use super::agree_on;

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
fn reads_leave_domains_only_where_their_extents_are_known() {
    let function = "pub fn f(xs: &Vector<f32>, m: &Matrix<f32>) -> Matrix<u32> {
        let counts = xs.map(|x| x as usize % 3).histogram(3);
        m.map(|x| iota(m.shape().0).map(|i| iota(i).map(|j| j as u32 + counts[2]).sum()).sum())
    }";
    agree_on(
        function,
        &[&[&[5], &[3, 1]], &[&[0], &[1, 2]], &[&[4], &[0, 0]]],
    );
}
