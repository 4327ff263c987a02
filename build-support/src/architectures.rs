//! The architectures to compile for. PTX for `80` runs on every later GPU; PTX for `90a` on that one only, so a portable one
//! always stands beside it.

use anyhow::{Result, bail};

/// What `all` stands for: the portable one, and those with instructions of their own.
const ALL: [&str; 4] = ["80", "90a", "100a", "120a"];
const PORTABLE: &str = ALL[0];

/// The numbers of a list such as `80,sm_90a` or `all`, each once, the portable ones first, then in order.
pub(crate) fn parse(list: &str) -> Result<Vec<String>> {
    let mut numbers = Vec::new();
    for arch in list.split(',').map(str::trim) {
        match arch {
            "all" => numbers.extend(ALL.map(String::from)),
            arch => numbers.push(number(arch)?),
        }
    }
    if numbers.iter().all(|number| !is_portable(number)) {
        numbers.push(PORTABLE.to_owned());
    }
    let digits = |number: &str| number.trim_end_matches(char::is_alphabetic).len();
    numbers.sort_by_key(|number| (!is_portable(number), digits(number), number.clone()));
    numbers.dedup();
    Ok(numbers)
}

fn is_portable(number: &str) -> bool {
    number.ends_with(|c: char| c.is_ascii_digit())
}

/// `90a` of `90a`, `sm_90a` and `compute_90a`.
fn number(arch: &str) -> Result<String> {
    let number = arch
        .trim_start_matches("compute_")
        .trim_start_matches("sm_");
    let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
    if digits.is_empty()
        || digits.chars().any(|c| !c.is_ascii_digit())
        || number.len() > digits.len() + 1
    {
        bail!(
            "unknown architecture `{arch}`: expected `all`, or some like `80`, `sm_90a` or `compute_80` with commas between"
        );
    }
    Ok(number.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_taken_in_every_spelling() {
        for (list, expected) in [
            ("80", "80"),
            ("compute_86", "86"),
            ("90a", "80 90a"),
            ("sm_90a, 75", "75 90a"),
            ("100,90,sm_90", "90 100"),
            ("all", "80 90a 100a 120a"),
            ("all,86", "80 86 90a 100a 120a"),
        ] {
            assert_eq!(parse(list).unwrap().join(" "), expected, "{list}");
        }
        for wrong in ["", "hopper", "80;90", "80,", "90ab"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
