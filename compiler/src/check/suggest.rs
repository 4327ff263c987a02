//! "did you mean": the nearest of some names.

/// The name nearest to `word`, if one is near.
pub(super) fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = word.chars().count();
    // Any letter is near any other one.
    if length < 2 {
        return None;
    }
    let limit = (length / 3).max(1);
    names
        .into_iter()
        .filter(|name| *name != word)
        .map(|name| (distance(word, name), name))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, name)| name)
}

/// A line of help that names the nearest name, or is empty.
pub(super) fn did_you_mean<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    match nearest(word, names) {
        Some(name) => format!("did you mean `{name}`?"),
        None => String::new(),
    }
}

/// Insertions, deletions, replacements and exchanges of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1)
                .min(row[j - 1] + 1)
                .min(rows[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        assert_eq!(nearest("foldl", ["fold", "map"]), Some("fold"));
        assert_eq!(nearest("lenght", ["len", "length"]), Some("length"));
        assert_eq!(nearest("x", ["window", "y2", "y"]), None);
    }
}
