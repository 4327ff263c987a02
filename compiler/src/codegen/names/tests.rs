//! Names that mean something else: whatever a user gives to a parameter, a local, a field or a function.

use super::*;
use crate::codegen::cuda;
use crate::ir::{QuickMap, QuickSet};
use crate::listing;
use crate::options::Tiling;
use crate::plan::Plan;
use crate::sorted::SortedSet;
use std::path::Path;

/// A program for each skeleton and each way that it is written.
const PROGRAMS: [&str; 15] = [
    "filter_map",
    "histogram_image",
    "network_bmerge",
    "product_distances",
    "product_nearest",
    "scan_fused",
    "scatter_sums",
    "segmented_scans",
    "smvm",
    "softmax",
    "sort_by_key",
    "sort_by_structs",
    "stencil_gauss",
    "structs",
    "transpose_joined",
];

/// Names in no list: letters, other alphabets, what looks like a number of ours.
const STRANGE: &str = "a b c d e f g h i j k l m n o p q r s t u v w x y z A I N T L größe é 変数 переменная __a _a a_ a__b \
    r#type r#fn r#match x_2 n_2 row_2 M_PIf HUGE_VAL STREAM cudaStreamDefault p0_xs buffer_0 kernel_0 value";

fn plans(program: &str) -> Vec<Plan> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs");
    let path = &listing::programs(&folder)[program];
    let text = std::fs::read_to_string(path).expect("a program");
    let file = syn::parse_file(&text).expect("Rust");
    let mut plans = Vec::new();
    for item in file.items {
        if let syn::Item::Macro(item) = item {
            let unit = crate::compile(item.mac.tokens, &crate::Options::default());
            plans.extend(unit.functions.into_iter().map(|function| function.plan));
        }
    }
    assert!(!plans.is_empty(), "{program}");
    plans
}

/// The kernels of all programs, with marks.
fn kernels() -> Vec<String> {
    let plans = PROGRAMS.iter().flat_map(|program| plans(program));
    plans
        .flat_map(|plan| plan.kernels)
        .map(|kernel| cuda::marked(&kernel, Tiling::Large).0)
        .collect()
}

/// The words of a text, without those of comments, and whether they are members.
fn words_of(text: &str) -> Vec<(&str, bool)> {
    let mut found = Vec::new();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    for line in lines.map(|line| line.split("//").next().unwrap_or_default()) {
        let mut at = 0;
        for word in line.split(|c: char| !(c.is_alphanumeric() || c == '_' || MARKS.contains(&c))) {
            let member = line[..at].ends_with(['.', ':']);
            if !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()) {
                found.push((word, member));
            }
            at += word.len();
            at += line[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    found
}

/// Every name in any list, and every word that a kernel has.
fn hostile(kernels: &[String]) -> Vec<String> {
    let mut all: SortedSet<String> = WORDS
        .iter()
        .copied()
        .chain(STRANGE.split_whitespace())
        .map(str::to_owned)
        .collect();
    for kernel in kernels {
        let own = words_of(kernel).into_iter().map(|(word, _)| word);
        all.extend(own.filter(|word| !word.contains(MARKS)).map(str::to_owned));
    }
    all.into_iter().collect()
}

/// The names of a kernel, each with its marks.
fn stems(kernel: &str) -> Vec<&str> {
    let [open, close] = MARKS;
    let mut stems: Vec<&str> = (kernel.split(open).skip(1))
        .filter_map(|rest| rest.split(close).next())
        .collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

/// A kernel whose user has called its things so, from the word at `first` on.
fn renamed(kernel: &str, hostile: &[String], first: usize) -> String {
    let [open, close] = MARKS;
    let mut names = Names::default();
    let mut new = QuickMap::default();
    for (k, stem) in stems(kernel).into_iter().enumerate() {
        new.insert(stem, names.fresh(&hostile[(first + k) % hostile.len()]));
    }
    let mut text = String::new();
    for part in kernel.split(open) {
        match part.split_once(close) {
            Some((stem, rest)) => text.extend([new[stem].as_str(), rest]),
            None => text.push_str(part),
        }
    }
    text
}

/// Of a kernel with marks: what stands in its final text says the same.
fn check(marked: &str) {
    let resolved = resolved(marked);
    assert!(resolved.is_ascii(), "{resolved}");
    let (before, after) = (words_of(marked), words_of(&resolved));
    assert_eq!(before.len(), after.len(), "{resolved}");
    let own: QuickSet<&str> = (before.iter())
        .filter(|(word, member)| !member && !word.contains(MARKS))
        .map(|(word, _)| *word)
        .collect();
    let own = |word: &str| own.contains(word) || WORDS.contains(word);
    let (mut to, mut from) = (QuickMap::default(), QuickMap::default());
    for ((old, _), (new, _)) in before.iter().zip(&after) {
        if !old.contains(MARKS) {
            assert_eq!(old, new, "a word of the skeleton has changed");
            continue;
        }
        assert!(!own(new), "`{new}` means something else\n{resolved}");
        assert!(!new.contains("__") && !new.starts_with('_'), "`{new}`");
        assert_eq!(*to.entry(old).or_insert(new), new, "two names of one thing");
        assert_eq!(
            *from.entry(new).or_insert(old),
            old,
            "`{new}` is two things\n{resolved}"
        );
    }
}

#[test]
fn no_name_meets_another_word_of_its_kernel() {
    let kernels = kernels();
    let hostile = hostile(&kernels);
    assert!(hostile.len() > 400, "{}", hostile.len());
    for kernel in &kernels {
        check(kernel);
        assert!(stems(kernel).len() > 1, "{kernel}");
        // Each name is given once.
        for first in (0..hostile.len()).step_by(stems(kernel).len()) {
            check(&renamed(kernel, &hostile, first));
        }
    }
}

#[test]
fn a_skeleton_word_is_left_to_the_skeleton() {
    let mut names = Names::default();
    let [c, other] = ["c", "c_2"].map(|name| names.fresh(name));
    let text = format!("for (u32 c = 0; c < 8; ++c) step({c}, {other}, {c}_pack[c]);");
    let expected = "for (u32 c = 0; c < 8; ++c) step(c_2, c_3, c_pack[c]);";
    assert_eq!(resolved(&text), expected);
}

#[test]
fn members_and_comments_are_no_variables() {
    let mut names = Names::default();
    let [start, next] = ["start", "next"].map(|name| names.fresh(name));
    let text = format!("team.start({start}, side::next, {next}); // the next {start}\n");
    assert_eq!(
        resolved(&text),
        "team.start(start, side::next, next); // the next start\n"
    );
}

#[test]
fn names_are_unique_identifiers() {
    let mut names = Names::default();
    let mut fresh = |wanted: &str| resolved(&names.fresh(wanted));
    for (wanted, given) in [
        ("xs", "xs"),
        ("xs", "xs_2"),
        ("float", "float_2"),
        ("and", "and_2"),
        ("threadIdx", "threadIdx_2"),
        ("lowest", "lowest_2"),
        ("xs.0", "xs_0"),
        ("__a__b", "a_b"),
        ("0", "value_0"),
        ("é", "value"),
        ("größe", "gr_e"),
        ("r#type", "type"),
        ("SHARED", "shared"),
        ("M_PIf", "m_pif"),
        ("cudaStreamDefault", "cudastreamdefault"),
        ("N", "N"),
    ] {
        assert_eq!(fresh(wanted), given, "{wanted}");
    }
}

#[test]
fn symbols_are_in_ascii_and_no_word_of_the_prelude() {
    for (kernel, expected) in [
        ("rmse_reduce", "rmse_reduce"),
        ("größe_map", "gr_e_map"),
        ("é_map_2", "kernel_map_2"),
        ("r#type_map", "type_map"),
        ("_f_map", "f_map"),
    ] {
        assert_eq!(symbol(kernel), expected);
    }
    for word in WORDS.iter() {
        let (first, _) = word.split_once('_').unwrap_or((word, ""));
        for kernel in [word, first] {
            let symbol = symbol(kernel);
            let begins = |word: &str| word == symbol || word.starts_with(&format!("{symbol}_"));
            assert!(!WORDS.iter().any(|word| begins(word)), "{symbol}");
        }
    }
    assert_eq!(file("größe"), "gr_e");
}

mod rust_forms {
    use super::super::rust::*;
    use super::*;
    use proc_macro2::Span;

    #[test]
    fn values_meet_nothing_of_ours() {
        let mut ours = SortedSet::new();
        for k in 0..12 {
            for word in SEVERAL {
                ours.insert(several(word, k).to_string());
            }
            for stem in ["xs", "xs_7", "7", "t1"] {
                ours.insert(pointer(stem, k).to_string());
            }
            ours.insert(temporary("live", k as u32).to_string());
        }
        let hostile = hostile(&[]);
        let stems = hostile
            .iter()
            .map(String::as_str)
            .chain(SEVERAL)
            .chain(LOCALS);
        let stems = stems.chain(["v", "p0_xs", "p0", "live", "v_buffer", "state_1"]);
        let mut seen = SortedSet::new();
        for (number, stem) in (0..).zip(stems.cycle().take(4000)) {
            let value = value(Some(stem), number % 12).to_string();
            assert!(!ours.contains(&value), "{stem}: {value}");
            // Unlike numbers are unlike names.
            assert!(value.ends_with(&format!("_{}", number % 12)));
            seen.insert(value);
        }
        assert!(
            seen.iter()
                .all(|name| syn::parse_str::<syn::Ident>(name).is_ok())
        );
    }

    #[test]
    fn parameters_give_way() {
        let [plan] = &plans("sort_by_key")[..] else {
            panic!("one function")
        };
        let written = [
            "device", "call", "buffer_0", "x", "r#type", "größe", "SITES", "to_1", "to",
        ];
        let given = parameters(
            written.into_iter().map(|name| (name, Span::call_site())),
            plan,
        );
        let given: Vec<String> = given.iter().map(ToString::to_string).collect();
        let expected = [
            "device_2",
            "call_2",
            "buffer_0_2",
            "x",
            "r#type",
            "größe",
            "SITES_2",
            "to_1_2",
            "to",
        ];
        assert_eq!(given, expected);
    }

    #[test]
    fn structs_of_kernels_are_none_of_the_block() {
        assert_eq!(structs(["Body", "Kernel"].into_iter()), "Kernel");
        assert_eq!(structs(["Kernel_f_map"].into_iter()), "Kernel_2");
    }
}
