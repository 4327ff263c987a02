//! A page for people about a function: its text, the program after the passes, the plan and the CUDA C, side by side.
//!
//! In: a compiled function, and the text of its block. Out: HTML without scripts. A line of the text whose array is computed
//! where it is read is green, one whose array keeps kernels apart is orange, each with the reasons below it.

use accelerate_compiler::Compiled;
use proc_macro2::TokenStream;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The source text of a block.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// The number of its first line in its file.
    first: usize,
    text: String,
}

impl Text {
    /// The text of a block, if its tokens are those of one file.
    pub(crate) fn of(tokens: &TokenStream) -> Option<Text> {
        let mut spans = tokens.clone().into_iter().map(|token| token.span());
        let first = spans.next()?;
        let whole = spans.last().map_or(Some(first), |last| first.join(last))?;
        let start = whole.start();
        let indented = " ".repeat(start.column) + &whole.source_text()?;
        Some(Text {
            first: start.line,
            text: dedented(&indented),
        })
    }
}

/// A text without the spaces that all of its lines begin with.
fn dedented(text: &str) -> String {
    let full = text.lines().filter(|line| !line.trim().is_empty());
    let indents = full.map(|line| line.len() - line.trim_start_matches(' ').len());
    let common = indents.min().unwrap_or(0);
    let lines = text.lines().map(|line| line.get(common..).unwrap_or(""));
    lines.collect::<Vec<&str>>().join("\n")
}

const STYLE: &str = "
body { font: 14px/1.4 system-ui, sans-serif; margin: 1rem; color: #1f2328; background: #fff; }
main { display: grid; grid-template-columns: repeat(4, minmax(28rem, 1fr)); gap: 1rem; overflow-x: auto; }
pre { font: 12px/1.5 ui-monospace, monospace; background: #f6f8fa; padding: .75rem; margin: 0; overflow-x: auto; }
.fused { background: #d7f5de; }
.stored { background: #ffe3c2; }
.note { color: #57606a; font-style: italic; }
";

/// The page; `cuda` is the kernels for readers.
pub(crate) fn page(compiled: &Compiled, text: Option<&Text>, cuda: &str) -> String {
    let plan = &compiled.plan;
    let mut page = String::new();
    let mut add = |part: &str| page.push_str(part);
    add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let name = escaped(compiled.name.trim_start_matches("r#"));
    add(&format!(
        "<title>{name}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
    ));
    let (read, written) = (plan.cost.read.to_string(), plan.cost.written.to_string());
    add(&format!(
        "<h1>{name}</h1>\n<p>{} kernel{}; reads {} bytes, writes {}. \
         <span class=\"fused\">Computed where it is read</span>, \
         <span class=\"stored\">keeps kernels apart</span>.</p>\n<main>\n",
        plan.cost.kernels,
        if plan.cost.kernels == 1 { "" } else { "s" },
        escaped(&read),
        escaped(&written)
    ));
    let columns = [
        ("Text", text.map(|text| annotated(compiled, text))),
        ("Program", Some(escaped(&compiled.program.to_string()))),
        ("Plan", Some(coloured(&plan.to_string()))),
        ("CUDA C", Some(escaped(cuda))),
    ];
    for (title, column) in columns {
        if let Some(column) = column {
            add(&format!(
                "<section>\n<h2>{title}</h2>\n<pre>{column}</pre>\n</section>\n"
            ));
        }
    }
    add("</main>\n</body>\n</html>\n");
    page
}

/// The text, with what became of the arrays of its lines.
fn annotated(compiled: &Compiled, text: &Text) -> String {
    let mut notes: BTreeMap<usize, Vec<(bool, &str)>> = BTreeMap::new();
    for note in &compiled.plan.notes {
        if let Some(span) = note.span {
            let line = compiled.spans.get(span).start().line;
            let of_line = notes.entry(line).or_default();
            of_line.push((note.barrier, &note.text));
        }
    }
    let mut lines = String::new();
    for (line, written) in (text.first..).zip(text.text.lines()) {
        let of_line = notes.get(&line).map_or(&[][..], Vec::as_slice);
        let stored = of_line.iter().any(|(barrier, _)| *barrier);
        let written = match of_line {
            [] => escaped(written),
            _ => marked(stored, &escaped(written)),
        };
        writeln!(lines, "{line:4} {written}").expect("a string takes all");
        for (_, note) in of_line {
            writeln!(lines, "     <span class=\"note\">{}</span>", escaped(note))
                .expect("a string takes all");
        }
    }
    lines
}

/// The plan, with its notes in the colours of the text.
fn coloured(plan: &str) -> String {
    let mut lines = String::new();
    for line in plan.lines() {
        let line = match line.strip_prefix("note: ") {
            Some(note) => marked(!note.starts_with("inlined"), &escaped(line)),
            None => escaped(line),
        };
        lines.push_str(&line);
        lines.push('\n');
    }
    lines
}

fn marked(stored: bool, line: &str) -> String {
    let class = if stored { "stored" } else { "fused" };
    format!("<span class=\"{class}\">{line}</span>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use accelerate_compiler::{Options, compile};

    #[test]
    fn lines_say_what_became_of_their_arrays() {
        let text = "\n
        pub fn f(xs: &Vector<f32>) -> (Vector<f32>, f32) {
            let doubled = xs.map(|x| x * 2.0);
            let sums = doubled.cumsum();
            (sums.reverse(), doubled.map(|x| if x < 1.0 && x > 0.0 { x.exp() } else { x }).sum())
        }";
        let tokens: TokenStream = text.parse().expect("tokens");
        let text = Text::of(&tokens).expect("one text");
        assert_eq!(text.first, 3);
        let unit = compile(tokens, &Options::default());
        let [compiled] = &unit.functions[..] else {
            panic!("one function: {:?}", unit.errors);
        };
        let page = page(compiled, Some(&text), compiled.cuda.own());
        for part in [
            "<title>f</title>",
            "   3 pub fn f(",
            ">    let doubled",
            "x &lt; 1.0 &amp;&amp; x &gt; 0.0",
            "<h2>Text</h2>",
            "<h2>Program</h2>",
            "<h2>Plan</h2>",
            "<h2>CUDA C</h2>",
            "class=\"stored\"",
            "__global__",
        ] {
            assert!(page.contains(part), "no `{part}` in:\n{page}");
        }
        assert!(!page.contains("x < 1.0"), "{page}");
        assert_eq!(
            page.matches("<section>").count(),
            page.matches("</section>").count()
        );
    }
}
