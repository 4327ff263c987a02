//! The instruction sets that kernels of optimised builds are compiled for: `ACCELERATE_CPU`.
//!
//! `all`, the default, is every one that there are versions for; `avx2` all but AVX-512; `baseline` what any machine has;
//! `native` the best one of this machine alone, which others may lack. What the compiler may take for granted anyway
//! (`-C target-cpu`) leaves the lesser ones out.

use std::env::var;

/// In order, each with what it needs of a machine.
const SETS: [(&str, &[&str]); 3] = [
    ("baseline", &[]),
    (
        "avx2",
        &["avx2", "fma", "f16c", "bmi1", "bmi2", "popcnt", "lzcnt"],
    ),
    (
        "avx512",
        &["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"],
    ),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=ACCELERATE_CPU");
    println!(
        "cargo::rustc-check-cfg=cfg(accelerate_cpu, values(\"baseline\", \"avx2\", \"avx512\"))"
    );
    let x86 = var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64");
    let granted = var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let granted: Vec<&str> = granted.split(',').collect();
    let least = best(|feature| granted.contains(&feature));
    let (least, most) = match var("ACCELERATE_CPU").as_deref() {
        _ if !x86 => (0, 0),
        Err(_) | Ok("" | "all" | "avx512") => (least, SETS.len() - 1),
        Ok("avx2") => (least, least.max(1)),
        Ok("baseline") => (least, least),
        Ok("native") => {
            let own = best(here).max(least);
            (own, own)
        }
        Ok(other) => {
            println!(
                "cargo::error=ACCELERATE_CPU is `{other}`: expected `all`, `native`, `baseline`, `avx2` or `avx512`"
            );
            return;
        }
    };
    for (name, _) in &SETS[least..=most] {
        println!("cargo::rustc-cfg=accelerate_cpu=\"{name}\"");
    }
}

/// The best set of which there is everything, also of those before it.
fn best(has: impl Fn(&str) -> bool) -> usize {
    let sets = SETS.iter().skip(1);
    sets.take_while(|(_, needs)| needs.iter().all(|feature| has(feature)))
        .count()
}

/// Whether this machine, which is to run what it builds, has it.
#[cfg(target_arch = "x86_64")]
fn here(feature: &str) -> bool {
    match feature {
        "avx2" => is_x86_feature_detected!("avx2"),
        "fma" => is_x86_feature_detected!("fma"),
        "f16c" => is_x86_feature_detected!("f16c"),
        "bmi1" => is_x86_feature_detected!("bmi1"),
        "bmi2" => is_x86_feature_detected!("bmi2"),
        "popcnt" => is_x86_feature_detected!("popcnt"),
        "lzcnt" => is_x86_feature_detected!("lzcnt"),
        "avx512f" => is_x86_feature_detected!("avx512f"),
        "avx512bw" => is_x86_feature_detected!("avx512bw"),
        "avx512dq" => is_x86_feature_detected!("avx512dq"),
        "avx512vl" => is_x86_feature_detected!("avx512vl"),
        "avx512cd" => is_x86_feature_detected!("avx512cd"),
        _ => false,
    }
}

/// A machine of another kind.
#[cfg(not(target_arch = "x86_64"))]
fn here(_feature: &str) -> bool {
    false
}
