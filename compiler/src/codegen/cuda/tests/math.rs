//! Functions that the prelude computes by itself, against a table made with 90 digits.

use super::{STAND_IN, folder, run};
use crate::codegen::prelude::OWN;
use std::path::Path;
use std::process::Command;

/// What `exp` of the device may be off by (ulp), of which the host's is off by a half.
const LEFT: f64 = 0.5;

#[test]
fn erfc_of_f64_is_as_good_as_promised() {
    if Command::new("g++").arg("--version").output().is_err() {
        eprintln!("skipped: no g++");
        return;
    }
    let reference =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/core/src/math/reference.txt");
    let text = std::fs::read_to_string(reference).expect("the table");
    let number = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).expect("hex"));
    // Arguments, results rounded, and how far the exact ones lie above them in ulp.
    let mut samples: Vec<(f64, f64, f64)> = text
        .lines()
        .filter_map(|line| {
            let words: Vec<&str> = line.strip_prefix("erfc ")?.split(' ').collect();
            let above = words[3].parse().expect("a number");
            Some((number(words[0]), number(words[2]), above))
        })
        .collect();
    assert!(samples.len() > 300);
    let exact = [
        (0.0, 1.0),
        (-0.0, 1.0),
        (f64::INFINITY, 0.0),
        (28.5, 0.0),
        (f64::NEG_INFINITY, 2.0),
        (-1e300, 2.0),
        (f64::NAN, f64::NAN),
    ];
    samples.extend(exact.map(|(x, result)| (x, result, 0.0)));
    let folder = folder();
    let [header, source, program] = ["erfc.h", "erfc.cpp", "erfc"].map(|name| folder.join(name));
    let arguments: Vec<String> = (samples.iter())
        .map(|(x, ..)| format!("0x{:x}", x.to_bits()))
        .collect();
    let main = format!(
        "#include <cstdio>\nint main() {{\n    const u64 xs[] = {{{}}};\n    for (u64 x : xs) \
         std::printf(\"%llx\\n\", bits_as<u64>(erfc_f64(bits_as<f64>(x))));\n}}\n",
        arguments.join(", ")
    );
    std::fs::write(&header, STAND_IN).expect("written");
    std::fs::write(&source, OWN.needed(&main) + &main).expect("written");
    let options = [
        "-std=c++20",
        "-ffp-contract=off",
        "-DACCELERATE_EMULATED",
        "-include",
    ];
    run(Command::new("g++")
        .args(options)
        .args([&header, &source])
        .arg("-o")
        .arg(&program));
    let output = Command::new(&program).output().expect("it runs");
    let results = String::from_utf8(output.stdout).expect("hex");
    assert_eq!(results.lines().count(), samples.len());
    for (line, &(x, expected, above)) in results.lines().zip(&samples) {
        let found = number(line);
        if !expected.is_normal() {
            let same = found == expected || found.is_nan() && expected.is_nan();
            assert!(same, "erfc({x:e}) is {found:e} instead of {expected:e}");
            continue;
        }
        let ulp = f64::from_bits(expected.to_bits() + 1) - expected;
        let error = ((found - expected) / ulp - above).abs();
        assert!(error <= 4.0 - LEFT, "erfc({x:e}) is off by {error:.2} ulp");
    }
}
