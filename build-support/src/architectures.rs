//! The architectures to compile for, as PTX and as SASS. PTX for `80` runs on every later GPU, once its driver has compiled it; PTX
//! for `90a` on that one only; SASS within a major version. So a portable PTX stands always beside them.

use anyhow::{Result, bail};

/// What `all` stands for, in the manner of nvcc's `-arch=all-major`: SASS for the major versions from the portable PTX on.
const ALL: &str = "compute_80,sm_80,sm_90,sm_100,sm_120";
/// The default target: PTX alone, embedding SASS is opt-in.
pub(crate) const PORTABLE: &str = "compute_80";

/// Numbers such as `80` and `90a`, each once, the portable ones first, then in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Architectures {
    /// Embedded as PTX.
    pub(crate) ptx: Vec<String>,
    /// Embedded as cubins.
    pub(crate) sass: Vec<String>,
}

impl Architectures {
    /// Parses a list such as `compute_80,sm_90` or `all`. A number alone selects both PTX and SASS.
    pub(crate) fn parse(list: &str) -> Result<Architectures> {
        let mut found = Architectures::default();
        found.extend(list)?;
        if found.ptx.iter().all(|number| !is_portable(number)) {
            found.extend(PORTABLE)?;
        }
        for numbers in [&mut found.ptx, &mut found.sass] {
            sort(numbers);
        }
        Ok(found)
    }

    fn extend(&mut self, list: &str) -> Result<()> {
        for arch in list.split(',').map(str::trim) {
            if arch == "all" {
                self.extend(ALL)?;
            } else if let Some(rest) = arch.strip_prefix("compute_") {
                self.ptx.push(number(arch, rest)?);
            } else if let Some(rest) = arch.strip_prefix("sm_") {
                self.sass.push(number(arch, rest)?);
            } else {
                let number = number(arch, arch)?;
                self.ptx.push(number.clone());
                self.sass.push(number);
            }
        }
        Ok(())
    }

    /// Those whose PTX is needed: to be embedded or to be assembled.
    pub(crate) fn compiled(&self) -> Vec<String> {
        let mut numbers = [&*self.ptx, &*self.sass].concat();
        sort(&mut numbers);
        numbers
    }
}

fn sort(numbers: &mut Vec<String>) {
    let digits = |number: &str| number.trim_end_matches(char::is_alphabetic).len();
    numbers.sort_by_key(|number| (!is_portable(number), digits(number), number.clone()));
    numbers.dedup();
}

fn is_portable(number: &str) -> bool {
    number.ends_with(|c: char| c.is_ascii_digit())
}

/// What follows the prefix of an architecture, if it is a number with a letter at most.
fn number(arch: &str, number: &str) -> Result<String> {
    let digits = number.trim_end_matches(|c: char| c.is_ascii_lowercase());
    if digits.is_empty()
        || digits.chars().any(|c| !c.is_ascii_digit())
        || number.len() > digits.len() + 1
    {
        bail!(
            "unknown architecture `{arch}`: expected `all`, or some like `compute_80` (PTX), `sm_90` (SASS) or `90` (both) with \
             commas between"
        );
    }
    Ok(number.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_taken_in_every_spelling() {
        for (list, ptx, sass) in [
            (PORTABLE, "80", ""),
            ("compute_86", "86", ""),
            ("compute_90a", "80 90a", ""),
            ("sm_90", "80", "90"),
            ("sm_90a, compute_75", "75", "90a"),
            ("80", "80", "80"),
            ("90a", "80 90a", "90a"),
            ("100f", "80 100f", "100f"),
            ("compute_100,90,sm_90", "90 100", "90"),
            ("sm_120,sm_90,sm_100a,sm_100", "80", "90 100 120 100a"),
            ("all", "80", "80 90 100 120"),
            ("all,86,compute_90a", "80 86 90a", "80 86 90 100 120"),
        ] {
            let found = Architectures::parse(list).unwrap();
            let found = (found.ptx.join(" "), found.sass.join(" "));
            assert_eq!(found, (ptx.to_owned(), sass.to_owned()), "{list}");
        }
        for wrong in [
            "",
            "hopper",
            "80;90",
            "80,",
            "90ab",
            "sm_",
            "sm_compute_80",
            "compute_sm_80",
            "SM_80",
            "compute_all",
        ] {
            assert!(Architectures::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ptx_is_compiled_once_for_both() {
        let compiled = |list| Architectures::parse(list).unwrap().compiled().join(" ");
        assert_eq!(compiled("90"), "90");
        assert_eq!(compiled("sm_90,sm_90a,compute_90a"), "80 90 90a");
    }
}
