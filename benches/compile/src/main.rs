//! How long the compiler takes. `cargo xtask bench compile [NAME ..]`: the corpus and all families, or the families with
//! these names; `corpus` is the corpus.

use compile_bench::{FAMILIES, corpus, growth, measure, steepest};
use std::collections::BTreeMap;

/// A family that takes longer than this is not tried at the next size.
const PATIENCE: f64 = 20.0;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let wants = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    if wants("corpus") {
        let report = corpus(3);
        println!("{}\n{}", report.table(), report.longest(20));
    }
    println!("| family | sizes | ms | growth | longest stages at the last size, ms |");
    println!("|---|---|---|---|---|");
    for family in FAMILIES.iter().filter(|family| wants(family.name)) {
        let (mut sizes, mut times) = (Vec::new(), Vec::new());
        for size in family.sizes {
            let [first] = growth(family, &[size], 1)[..] else {
                continue;
            };
            let runs = if first < 0.2 { 5 } else { 1 };
            let again = growth(family, &[size], runs)[0];
            sizes.push(size);
            times.push(first.min(again));
            if first > PATIENCE {
                break;
            }
        }
        let last = sizes.last().copied().unwrap_or_default();
        let mut stages: BTreeMap<&str, f64> = BTreeMap::new();
        for (stage, seconds) in (measure(&(family.source)(last)).functions.values()).flatten() {
            *stages.entry(stage).or_default() += seconds;
        }
        let mut stages: Vec<_> = stages.into_iter().collect();
        stages.sort_by(|a, b| b.1.total_cmp(&a.1));
        let longest = stages.iter().take(6);
        let longest = longest.map(|(stage, seconds)| format!("{stage} {:.1}", seconds * 1e3));
        let lengths: Vec<f64> = sizes.iter().map(|&size| size as f64).collect();
        let list = |numbers: Vec<String>| numbers.join(", ");
        println!(
            "| {} | {} | {} | {:.2} | {} |",
            family.name,
            list(sizes.iter().map(usize::to_string).collect()),
            list(times.iter().map(|t| format!("{:.1}", t * 1e3)).collect()),
            steepest(&lengths, &times),
            list(longest.collect()),
        );
    }
}
