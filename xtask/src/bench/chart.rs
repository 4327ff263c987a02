//! The ratios of a run as bars, to the left of the line where they are faster than their rivals.

use super::table::Row;
use std::fmt::Write;

/// Widths and heights, in pixels.
const NAMES: f64 = 330.0;
const BARS: f64 = 420.0;
const LINE: f64 = 20.0;
const TOP: f64 = 40.0;

/// The ratios at the ends.
const LEAST: f64 = 1.0 / 32.0;
const MOST: f64 = 4.0;

/// Where a ratio is, on a scale on which each step doubles.
fn place(ratio: f64) -> f64 {
    let part = (ratio.clamp(LEAST, MOST) / LEAST).log2() / (MOST / LEAST).log2();
    NAMES + BARS * part
}

/// A text of a picture that grows with its font.
pub(super) fn draw(rows: &[Row]) -> String {
    let height = TOP + LINE * rows.len() as f64 + 10.0;
    let width = NAMES + BARS + 70.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for step in -5..=2 {
        let ratio = f64::from(step).exp2();
        let (x, bottom) = (place(ratio), height - 8.0);
        let label = match step {
            ..0 => format!("1/{}", 1 << -step),
            _ => format!("{}", 1 << step),
        };
        let color = if step == 0 { "#333" } else { "#ddd" };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"{color}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#555\">{label}</text>",
            TOP - 8.0,
            TOP - 14.0
        );
    }
    for (k, row) in rows.iter().enumerate() {
        let y = TOP + LINE * k as f64;
        let (one, end) = (place(1.0), place(row.ratio));
        let (from, to) = (one.min(end), one.max(end));
        let color = match row.ratio {
            ..=1.0 => "#2a7f4f",
            _ if row.ratio <= row.aim => "#b9a13c",
            _ => "#b5483a",
        };
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{} / {}</text>\
             <rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"12\" fill=\"{color}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#333\">{:.2}</text>",
            NAMES - 8.0,
            y + 13.0,
            escaped(&row.program),
            escaped(&row.rival),
            y + 3.0,
            (to - from).max(1.0),
            NAMES + BARS + 16.0,
            y + 13.0,
            row.ratio
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_faster_is_left_of_one() {
        assert!(place(0.5) < place(1.0) && place(1.0) < place(2.0));
        assert_eq!(place(1e-9), NAMES);
        assert_eq!(place(1e9), NAMES + BARS);
        let row = |ratio| Row {
            program: "a < b".to_owned(),
            ours: 1.0,
            rival: "rayon".to_owned(),
            theirs: 1.0,
            ratio,
            aim: 1.1,
        };
        let svg = draw(&[row(0.25), row(3.0)]);
        assert!(
            svg.contains("a &lt; b / rayon") && svg.contains("#2a7f4f") && svg.contains("#b5483a")
        );
        assert!(svg.ends_with("</svg>\n"));
    }
}
