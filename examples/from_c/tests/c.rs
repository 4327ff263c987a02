//! `main.c` compiled against the header that the build script has written, linked to the library, and run.

use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = env!("CARGO_PKG_NAME");

const EXPECTED: &str = "\
mean 8, variance 448
rod: 0 4 16 24 16 4 0 0
diffused: status 1: it was given away to a call
picked: 24 0
picked: status 4: index 9 of an axis of 8 in `xs[i]`
peaks: 9 at 1, 8 at 2
counted: 0 1 1 0
wrong type: status 1: expected an array of `f64` of rank 1
wrong rank: status 1: expected an array of `u64` of rank 1
no array: status 1: `xs` is a null pointer
no result: status 1: `result_0` is a null pointer
no device: status 1: `device` is a null pointer
celsius: 100, letter: z
celsius: status 2: below the absolute zero
letter: status 1: `letter` is 55296, which is no character
";

/// The folder of the library, and that of the header.
fn folders() -> (PathBuf, PathBuf) {
    let test = std::env::current_exe().expect("the path of this test");
    let library = test.parent().expect("it lies in a folder").to_owned();
    let header = Path::new("accelerate").join(PACKAGE);
    let header = (test.ancestors().map(|folder| folder.join(&header)))
        .find(|folder| folder.is_dir())
        .expect("the build script has written the header");
    (library, header)
}

/// What a command prints; it must not fail.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("the command starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Compiles a file, and gives the program.
fn compile(source: &Path, name: &str) -> PathBuf {
    let (library, header) = folders();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut compile = Command::new("cc");
    compile
        .args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&program, source])
        .arg("-I")
        .arg(header)
        .arg("-L")
        .arg(&library)
        .arg("-lfrom_c")
        .arg(format!("-Wl,-rpath,{}", library.display()));
    run(&mut compile);
    program
}

#[test]
fn a_program_in_c_calls_array_programs() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("main.c");
    let program = compile(&source, "from_c");
    let printed = run(Command::new(program).env("ACCELERATE_DEVICE", "cpu"));
    assert_eq!(printed, EXPECTED);
}

#[test]
fn every_function_of_the_header_is_in_the_library() {
    let (_, header) = folders();
    let include = format!("#include \"{PACKAGE}.h\"\n");
    let header = header.join(format!("{PACKAGE}.h"));
    // With the macro of the element types written out.
    let text = run(Command::new("cc").args(["-E", "-P"]).arg(header));
    let words = text.split('(').filter_map(|before| {
        let mut parts = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_');
        parts.next()
    });
    let ours = [
        "accelerate_",
        "diffused",
        "statistics",
        "peaks",
        "picked",
        "counted",
        "celsius",
        "letter",
    ];
    let mut names: Vec<&str> = words
        .filter(|word| ours.iter().any(|start| word.starts_with(start)))
        .collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 36, "{names:?}");
    let table: String = (names.iter())
        .map(|name| format!("    (function){name},\n"))
        .collect();
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("every_function.c");
    let text = format!(
        "{include}typedef void (*function)(void);\nstatic const function all[] = {{\n{table}}};\n\
         int main(void) {{ return all[0] == 0; }}\n"
    );
    std::fs::write(&source, text).expect("a folder that can be written to");
    run(&mut Command::new(compile(&source, "every_function")));
}

#[test]
fn the_header_is_one_of_cpp_too() {
    let (_, header) = folders();
    let header = header.join(format!("{PACKAGE}.h"));
    let flags = ["-x", "c++", "-pedantic", "-Wall", "-Wextra", "-Werror"];
    run(Command::new("g++")
        .args(flags)
        .arg("-fsyntax-only")
        .arg(header));
}
