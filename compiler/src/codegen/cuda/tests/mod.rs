//! Hand-built kernels: their text, and that the compilers take it.

mod kept;
mod kernels;
mod math;
mod operations;
mod scans;

use super::*;
use crate::plan::Cost;
use kernels::{dotp, mixed, ordered, rows, saxpy};
use operations::operations;
use std::path::PathBuf;
use std::process::Command;

fn module(kernels: Vec<Kernel>) -> Module {
    write(&Plan {
        name: "test".to_owned(),
        parameters: Vec::new(),
        scalars: Vec::new(),
        extents: Vec::new(),
        types: Vec::new(),
        names: Vec::new(),
        buffers: Vec::new(),
        kernels,
        steps: Vec::new(),
        outputs: Vec::new(),
        sites: Vec::new(),
        cost: Cost::default(),
        notes: Vec::new(),
    })
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
        let text = write_kernel(&kernel).0;
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
