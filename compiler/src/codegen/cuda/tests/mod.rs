//! Hand-built kernels: their text, and that the compilers take it.

mod columns;
mod kernels;
mod math;
mod operations;
mod registers;
mod scans;

use super::*;
use crate::plan::Cost;
use kernels::{dotp, mixed, ordered, rows, saxpy};
use operations::operations;
use std::path::PathBuf;
use std::process::Command;

fn module(kernels: Vec<Kernel>) -> Module {
    write(
        &Plan {
            name: "test".to_owned(),
            parameters: Vec::new(),
            scalars: Vec::new(),
            extents: Vec::new(),
            on_cuda: None,
            types: Vec::new(),
            names: Vec::new(),
            buffers: Vec::new(),
            kernels,
            steps: Vec::new(),
            outputs: Vec::new(),
            sites: Vec::new(),
            cost: Cost::default(),
            notes: Vec::new(),
        },
        Tiling::Large,
    )
}

/// The lines of a program's CUDA C that hold one of these texts, without what stands before them.
fn lines(program: &str, texts: &[&str]) -> Vec<String> {
    let tokens = program.parse().expect("tokens");
    let unit = crate::compile(tokens, &crate::Options::default());
    assert!(unit.errors.is_empty(), "{:?}", unit.errors);
    let text = unit.functions[0].cuda.own().to_owned();
    let holds = |line: &&str| texts.iter().any(|text| line.contains(text));
    text.lines()
        .filter(holds)
        .map(|line| line.trim().to_owned())
        .collect()
}

/// The readable text says where statements come from, and the text that is compiled does not.
#[test]
fn lines_of_the_source() {
    let program = "pub fn f(xs: &Vector<f32>, k: usize) -> (Vector<f32>, f32) {
        let scaled = xs
            .map(|x| {
                let y = x.exp();
                let mut sum = 0.0;
                for i in 0..k {
                    sum += y * i as f32;
                }
                assert!(sum < 1.0e6);
                sum / (y + 1.0)
            });
        (scaled, scaled.map(|x| x * x)
            .sum())
    }";
    let tokens = program.parse().expect("tokens");
    let unit = crate::compile(tokens, &crate::Options::default());
    let [compiled] = &unit.functions[..] else {
        panic!("one function: {:?}", unit.errors);
    };
    let readable = compiled.cuda.readable("src/lib.rs", &compiled.spans);
    let mut lines = readable.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(place) = line.strip_prefix("#line ") {
            let next = lines.next().expect("a statement").trim();
            found.push(format!("{place}: {next}"));
        }
    }
    insta::assert_snapshot!("lines", found.join("\n"));
    let plain = readable.lines().filter(|line| !line.starts_with("#line "));
    let plain: String = plain.map(|line| format!("{line}\n")).collect();
    assert_eq!(plain, compiled.cuda.own());
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("accelerate-cuda-tests-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the tests");
    folder
}

fn run(command: &mut Command) {
    let output = command.output().expect("the command starts");
    assert!(
        output.status.success(),
        "{command:?}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn text_of_small_kernels() {
    for kernel in [saxpy(), dotp(), rows(false, true), mixed(), ordered()] {
        let text = write_kernel(&kernel, Tiling::Large).0;
        insta::assert_snapshot!(kernel.name.clone(), text);
    }
}

fn all() -> Vec<Kernel> {
    let mut kernels = vec![
        saxpy(),
        dotp(),
        rows(false, false),
        rows(true, false),
        rows(false, true),
        mixed(),
        ordered(),
    ];
    kernels.extend(operations());
    kernels
}

/// What g++ needs to parse a module; the emulated device has the real one.
const STAND_IN: &str = "
#include <cmath>
#include <cstring>
#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define SHARED(type, name, count) static type name[count]
#define DYNAMIC_SHARED(type, name) static type name[1024]
#define SPIN_WAIT()
struct dim3_like { unsigned x, y, z; };
static dim3_like threadIdx, blockIdx, blockDim, gridDim;
static void __syncthreads() {}
static void __syncwarp(unsigned) {}
static void __threadfence() {}
static void __trap() {}
static unsigned __shfl_sync(unsigned, unsigned word, int, int) { return word; }
static unsigned __shfl_down_sync(unsigned, unsigned word, unsigned, int) { return word; }
template <class T> struct same { typedef T type; };
template <class T> T atomicCAS(T*, typename same<T>::type, typename same<T>::type) { return 0; }
template <class T> T atomicExch(T*, typename same<T>::type) { return 0; }
template <class T> T atomicAdd(T*, typename same<T>::type) { return 0; }
template <class T> T atomicMin(T*, typename same<T>::type) { return 0; }
template <class T> T atomicMax(T*, typename same<T>::type) { return 0; }
template <class T> T atomicAnd(T*, typename same<T>::type) { return 0; }
template <class T> T atomicOr(T*, typename same<T>::type) { return 0; }
template <class T> T atomicXor(T*, typename same<T>::type) { return 0; }
";

#[test]
fn gcc_takes_every_kernel() {
    if Command::new("g++").arg("--version").output().is_err() {
        eprintln!("skipped: no g++");
        return;
    }
    let folder = folder();
    let [header, source] = ["stand_in.h", "all.cpp"].map(|name| folder.join(name));
    std::fs::write(&header, STAND_IN).expect("written");
    std::fs::write(&source, module(all()).source).expect("written");
    run(Command::new("g++")
        .args([
            "-std=c++20",
            "-ffp-contract=off",
            "-fsyntax-only",
            "-Wall",
            "-Wextra",
            "-Wno-unknown-pragmas",
        ])
        .args([
            "-Wno-unused",
            "-Wno-bool-operation",
            "-Wno-bool-compare",
            "-Werror",
            "-DACCELERATE_EMULATED",
            "-include",
        ])
        .args([&header, &source]));
}

#[test]
fn nvcc_takes_every_kernel() {
    let found = std::env::var_os("ACCELERATE_NVCC").map(PathBuf::from);
    let nvcc = found.unwrap_or_else(|| PathBuf::from("nvcc"));
    if Command::new(&nvcc).arg("--version").output().is_err() {
        eprintln!("skipped: no nvcc (tried ACCELERATE_NVCC and PATH)");
        return;
    }
    let folder = folder();
    let [source, ptx] = ["all.cu", "all.ptx"].map(|name| folder.join(name));
    std::fs::write(&source, module(all()).source).expect("written");
    run(Command::new(&nvcc)
        .args([
            "-ptx",
            "-arch=compute_80",
            "-fmad=false",
            "-ftz=false",
            "-prec-div=true",
            "-prec-sqrt=true",
        ])
        .args(["-Werror", "all-warnings", "-o"])
        .args([&ptx, &source]));
}

/// Only the device's own arithmetic takes a sign for free, and it makes another NaN of a NaN.
#[test]
fn signs_are_bits_where_a_nan_is_seen() {
    let function = |result: &str, body: &str| {
        let program = format!("pub fn f(xs: &Vector<f32>, k: f32) -> {result} {{ {body} }}");
        let words = ["negated", "fabsf", "sign_flipped", "sign_cleared"];
        let mut found: Vec<&str> = Vec::new();
        for line in lines(&program, &words) {
            found.extend(words.iter().filter(|word| line.contains(**word)));
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    let vector = |body: &str| function("Vector<f32>", body);
    // As operands of arithmetic, comparisons, casts, sums.
    for (body, word) in [
        ("xs.map(|x| x.abs() + k)", "fabsf"),
        ("xs.map(|x| (-x).exp())", "negated"),
        ("xs.map(|x| if x.abs() < k { 1.0 } else { 2.0 })", "fabsf"),
        ("xs.map(|x| x.abs().min(k) as i32 as f32)", "fabsf"),
    ] {
        assert_eq!(vector(body), [word], "{body}");
    }
    assert_eq!(function("f32", "xs.map(|x| x.abs()).sum()"), ["fabsf"]);
    // As bits, results, keys, operands of what keeps one of them.
    for (body, word) in [
        (
            "xs.map(|x| f32::from_bits(x.abs().to_bits() + 1))",
            "sign_cleared",
        ),
        ("xs.map(|x| -x)", "sign_flipped"),
        ("xs.map(|x| if k < 0.0 { -x } else { x })", "sign_flipped"),
        ("xs.map(|x| x.abs().max(k))", "sign_cleared"),
        ("xs.map(|x| k.copysign(-x) + 1.0)", "sign_flipped"),
        ("xs.sort_by_key(|x| -x)", "sign_flipped"),
    ] {
        assert_eq!(vector(body), [word], "{body}");
    }
    assert_eq!(
        function("f32", "xs.map(|x| x.abs()).max()"),
        ["sign_cleared"]
    );
    // Seen in one place, computed with in another.
    assert_eq!(
        function("Vector<(f32, f32)>", "xs.map(|x| (-x, (-x).exp()))"),
        ["sign_flipped"]
    );
}

#[test]
fn elements_beside_a_name_share_its_address() {
    let reads = |body: &str| {
        let program = format!(
            "pub fn f(xs: &Vector<f32>, n: usize, ks: &Vector<usize>) -> Vector<f32> {{ {body} }}"
        );
        lines(&program, &["xs[", "(xs + "]).join("\n")
    };
    let sums = reads("generate(xs.len() - 2, |i| xs[i] - xs[i + 1] * xs[i + 2])");
    assert!(
        sums.contains("(xs + i)[1]") && sums.contains("(xs + i)[2]"),
        "{sums}"
    );
    let cross = "w[(0, -1)] + w[(0, 1)] + w[(-1, 0)] + w[(1, 0)]";
    let program =
        format!("pub fn f(m: &Matrix<f32>) -> Matrix<f32> {{ m.stencil(Clamp, |w| {cross}) }}");
    let around = lines(&program, &[")[-1]"]).join("\n");
    assert!(around.contains(")[1]"), "{around}");
    // A difference may be less than zero before the number is added, and what was read may be any number.
    let differences = reads("generate(n, |i| xs[n - i] + xs[n - i - 1])");
    assert!(!differences.contains("(xs + "), "{differences}");
    let any = reads("ks.map(|k| xs[k.wrapping_add(1)])");
    assert!(!any.contains("(xs + "), "{any}");
}

#[test]
fn tiles_know_what_checks_of_scalars_say() {
    let program = "pub fn f(image: &Matrix<f32>, weights: &Vector<f32>) -> Matrix<f32> {
        image.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for d in -8..=8 { sum += weights[(d + 8) as usize] * w[(d, 0)]; }
            sum
        })
    }";
    let text = lines(program, &["weights", "report("]).join("\n");
    assert_eq!(text.matches("* weights[").count(), 17, "{text}");
    // The kernel's own body still checks, here and for tiles at edges.
    for checked in ["report(failure", "? weights["] {
        assert_eq!(text.matches(checked).count(), 2, "{text}");
    }
}
