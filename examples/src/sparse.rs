//! Sparse matrices by rows: read from files, or made from a picture of where something is.

use anyhow::{Context, Result, ensure};
use std::path::Path;

/// A matrix by rows: the entries of row `i` stand from `offsets[i]` up to `offsets[i + 1]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    pub columns: usize,
    pub offsets: Vec<u32>,
    /// Columns and values, in the order of the columns within each row.
    pub entries: Vec<(u32, f32)>,
}

impl Rows {
    /// Of rows, columns and values in any order.
    pub fn new(rows: usize, columns: usize, mut entries: Vec<(usize, usize, f32)>) -> Rows {
        entries.sort_by_key(|&(row, column, _)| (row, column));
        let mut offsets = vec![0; rows + 1];
        for &(row, ..) in &entries {
            offsets[row + 1] += 1;
        }
        for row in 0..rows {
            offsets[row + 1] += offsets[row];
        }
        let entries = entries.into_iter();
        Rows {
            columns,
            offsets,
            entries: entries
                .map(|(_, column, value)| (column as u32, value))
                .collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entries of a row.
    pub fn row(&self, row: usize) -> &[(u32, f32)] {
        let [from, to] = [self.offsets[row], self.offsets[row + 1]].map(|at| at as usize);
        &self.entries[from..to]
    }

    /// The product with a vector, in `f64`.
    pub fn times(&self, x: &[f32]) -> Vec<f64> {
        let term = |&(column, value): &(u32, f32)| f64::from(value) * f64::from(x[column as usize]);
        (0..self.len())
            .map(|row| self.row(row).iter().map(term).sum())
            .collect()
    }

    /// The negative sum of second differences on the squares of a board that are `inside`, zero around them; and the places
    /// on the board of its rows.
    pub fn laplacian(
        size: usize,
        inside: impl Fn(usize, usize) -> bool,
    ) -> (Rows, Vec<(usize, usize)>) {
        let board = (0..size * size).map(|k| (k / size, k % size));
        let places: Vec<(usize, usize)> = board.filter(|&(i, j)| inside(i, j)).collect();
        let mut numbers = vec![None; size * size];
        for (number, &(i, j)) in places.iter().enumerate() {
            numbers[i * size + j] = Some(number);
        }
        let mut entries = Vec::new();
        for (row, &(i, j)) in places.iter().enumerate() {
            entries.push((row, row, 4.0));
            let around = [
                (i > 0).then(|| (i - 1, j)),
                (j > 0).then(|| (i, j - 1)),
                (j + 1 < size).then_some((i, j + 1)),
                (i + 1 < size).then_some((i + 1, j)),
            ];
            for (i, j) in around.into_iter().flatten() {
                if let Some(column) = numbers[i * size + j] {
                    entries.push((row, column, -1.0));
                }
            }
        }
        (Rows::new(places.len(), places.len(), entries), places)
    }

    /// A file of the Matrix Market (<https://math.nist.gov/MatrixMarket/formats.html>): `coordinate`, real, integer or pattern,
    /// of any symmetry but hermitian.
    pub fn read(path: &Path) -> Result<Rows> {
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        parse(&text).with_context(|| format!("{} is no matrix", path.display()))
    }
}

fn parse(text: &str) -> Result<Rows> {
    let mut lines = text.lines();
    let banner = lines.next().unwrap_or_default().to_lowercase();
    let banner: Vec<&str> = banner.split_whitespace().collect();
    let [head, "matrix", "coordinate", field, symmetry] = banner[..] else {
        anyhow::bail!("its first line is not `%%MatrixMarket matrix coordinate FIELD SYMMETRY`");
    };
    ensure!(head == "%%matrixmarket", "it begins with `{head}`");
    ensure!(
        matches!(field, "real" | "integer" | "pattern"),
        "its values are `{field}`, not real"
    );
    let mirrored = match symmetry {
        "general" => None,
        "symmetric" => Some(1.0),
        "skew-symmetric" => Some(-1.0),
        other => anyhow::bail!("its symmetry is `{other}`"),
    };
    let mut lines = lines.filter(|line| !line.starts_with('%') && !line.trim().is_empty());
    let numbers = |line: &str| -> Result<Vec<f64>> {
        let numbers = line.split_whitespace().map(str::parse);
        numbers
            .collect::<Result<_, _>>()
            .with_context(|| format!("`{line}`"))
    };
    let sizes = numbers(lines.next().context("it has no sizes")?)?;
    let [rows, columns, count] = sizes[..] else {
        anyhow::bail!("its sizes are not rows, columns and entries");
    };
    let mut entries = Vec::new();
    for line in lines {
        let (row, column, value) = match numbers(line)?[..] {
            [row, column] if field == "pattern" => (row, column, 1.0),
            [row, column, value] if field != "pattern" => (row, column, value as f32),
            _ => anyhow::bail!("`{line}`"),
        };
        ensure!(
            (1.0..=rows).contains(&row) && (1.0..=columns).contains(&column),
            "`{line}` is outside of it"
        );
        let (row, column) = (row as usize - 1, column as usize - 1);
        entries.push((row, column, value));
        if let Some(sign) = mirrored
            && row != column
        {
            entries.push((column, row, sign * value));
        }
    }
    let diagonal = entries
        .iter()
        .filter(|(row, column, _)| row == column)
        .count();
    let found = match mirrored {
        Some(_) => (entries.len() - diagonal) / 2 + diagonal,
        None => entries.len(),
    };
    ensure!(
        found as f64 == count,
        "it has {found} entries instead of {count}"
    );
    Ok(Rows::new(rows as usize, columns as usize, entries))
}

#[cfg(test)]
mod tests {
    use super::{Rows, parse};

    #[test]
    fn files_are_read() {
        let text = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n\n3 3 3\n3 1 -2.5\n1 1 4\n2 2 1e1\n";
        let entries = vec![(0, 0, 4.0), (0, 2, -2.5), (1, 1, 10.0), (2, 0, -2.5)];
        assert_eq!(parse(text).unwrap(), Rows::new(3, 3, entries));
        let pattern = "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n2 3\n";
        assert_eq!(parse(pattern).unwrap(), Rows::new(2, 3, vec![(1, 2, 1.0)]));
        let short = "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n2 3\n";
        let error = parse(short).unwrap_err().to_string();
        assert_eq!(error, "it has 1 entries instead of 2");
    }

    #[test]
    fn laplacians_have_four_neighbours() {
        let (rows, places) = Rows::laplacian(3, |i, j| (i, j) != (0, 0));
        assert_eq!(places.len(), 8);
        assert_eq!(
            rows.row(3),
            [(0, -1.0), (2, -1.0), (3, 4.0), (4, -1.0), (6, -1.0)]
        );
    }
}
