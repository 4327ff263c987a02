//! The architecture document shows what the stages really print.

use accelerate_compiler::{Options, compile};

#[test]
fn the_program_in_the_document_is_the_real_one() {
    let document = include_str!("../src/lib.rs");
    let text: Vec<&str> = document
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let blocks: Vec<String> = text
        .split(|line| line.starts_with("```"))
        .skip(1)
        .step_by(2)
        .map(|lines| lines.join("\n"))
        .collect();
    let unit = compile(blocks[0].parse().unwrap(), &Options::default());
    assert!(unit.errors.is_empty());
    let compiled = &unit.functions[0];
    assert_eq!(blocks[1], compiled.program.to_string().trim_end());
    assert_eq!(blocks[2], compiled.plan.to_string().trim_end());
}
