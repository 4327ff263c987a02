//! Arithmetic, text and evaluation of cost polynomials.

use super::Polynomial;
use crate::sorted::SortedMap;
use std::fmt;

impl Polynomial {
    /// A number.
    pub fn constant(value: i64) -> Self {
        Self::from_terms([(value, Vec::new())])
    }

    /// A symbol.
    pub fn symbol(name: impl Into<String>) -> Self {
        Self::from_terms([(1, vec![name.into()])])
    }

    fn from_terms(terms: impl IntoIterator<Item = (i64, Vec<String>)>) -> Self {
        let mut sum: SortedMap<Vec<String>, i64> = SortedMap::new();
        for (coefficient, mut symbols) in terms {
            symbols.sort();
            let total = sum.entry(symbols).or_default();
            *total = total.saturating_add(coefficient);
        }
        let mut terms: Vec<(i64, Vec<String>)> = sum
            .into_iter()
            .filter(|(_, coefficient)| *coefficient != 0)
            .map(|(symbols, coefficient)| (coefficient, symbols))
            .collect();
        terms.sort_by(|(_, a), (_, b)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        Polynomial { terms }
    }

    /// The sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::from_terms(self.terms.iter().chain(&other.terms).cloned())
    }

    /// The product.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let product = |(a, x): &(i64, Vec<String>), (b, y): &(i64, Vec<String>)| {
            (a.saturating_mul(*b), [&x[..], y].concat())
        };
        let pairs = self
            .terms
            .iter()
            .flat_map(|a| other.terms.iter().map(move |b| product(a, b)));
        Self::from_terms(pairs)
    }

    /// The one with the larger value where every symbol is 1024: an upper bound in practice.
    pub(super) fn larger(self, other: Self) -> Self {
        let value = |p: &Self| p.evaluate(|_| Some(1024)).unwrap_or(i64::MAX);
        if value(&self) >= value(&other) {
            self
        } else {
            other
        }
    }

    /// The symbols in it, each once.
    pub fn symbols(&self) -> Vec<&str> {
        let mut symbols: Vec<&str> = self
            .terms
            .iter()
            .flat_map(|(_, symbols)| symbols.iter().map(String::as_str))
            .collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    /// Its value, given those of the symbols; `None` if one has none.
    pub fn evaluate(&self, value: impl Fn(&str) -> Option<i64>) -> Option<i64> {
        self.terms
            .iter()
            .try_fold(0i64, |sum, (coefficient, symbols)| {
                let product = symbols.iter().try_fold(*coefficient, |product, name| {
                    Some(product.saturating_mul(value(name)?))
                });
                Some(sum.saturating_add(product?))
            })
    }

    /// The same with symbols replaced, where `to` names something else.
    #[must_use]
    pub fn rename(&self, to: impl Fn(&str) -> Option<String>) -> Self {
        let terms = self.terms.iter().map(|(coefficient, symbols)| {
            let symbols = symbols
                .iter()
                .map(|name| to(name).unwrap_or_else(|| name.clone()));
            (*coefficient, symbols.collect())
        });
        Self::from_terms(terms)
    }

    /// Reads sums of products of integers and symbols: `8n + 4`, `8m n`, `4 * xs.len() + 4 * m.shape().0 * k`. `None`
    /// for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        // A space between two factors is a product.
        let mut words = text.split_whitespace();
        let mut text = words.next()?.to_owned();
        let joins = |c: char| matches!(c, '+' | '-' | '*');
        for word in words {
            if !text.ends_with(joins) && !word.starts_with(joins) {
                text.push('*');
            }
            text.push_str(word);
        }
        let mut sum = Polynomial::default();
        let mut rest = text.as_str();
        let mut sign = 1;
        if let Some(after) = rest.strip_prefix('-') {
            (rest, sign) = (after, -1);
        }
        loop {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            let mut term = Self::constant(sign);
            for factor in rest[..end].split('*') {
                term = term.times(&parse_factor(factor)?);
            }
            sum = sum.plus(&term);
            if end == rest.len() {
                return Some(sum);
            }
            sign = if rest.as_bytes()[end] == b'-' { -1 } else { 1 };
            rest = &rest[end + 1..];
        }
    }
}

/// A number, a symbol, or both: `8n`.
fn parse_factor(text: &str) -> Option<Polynomial> {
    let digits = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, name) = text.split_at(digits);
    let symbol = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '(' | ')');
    if text.is_empty() || !name.chars().all(symbol) {
        return None;
    }
    let mut factor = match number {
        "" => Polynomial::constant(1),
        number => Polynomial::constant(number.parse().ok()?),
    };
    if !name.is_empty() {
        factor = factor.times(&Polynomial::symbol(name));
    }
    Some(factor)
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        for (k, (coefficient, symbols)) in self.terms.iter().enumerate() {
            let sign = match (k, *coefficient < 0) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            f.write_str(sign)?;
            let size = coefficient.unsigned_abs();
            match (size, symbols.is_empty()) {
                (_, true) => write!(f, "{size}")?,
                (1, false) => f.write_str(&symbols.join(" * "))?,
                (_, false) => write!(f, "{size} * {}", symbols.join(" * "))?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Polynomial;

    #[test]
    fn text_round_trips() {
        for (text, shown) in [
            ("8n + 4", "8 * n + 4"),
            ("4l m n + 2m", "4 * l * m * n + 2 * m"),
            ("4 * xs.len() + 4 * xs.len() + 4", "8 * xs.len() + 4"),
            (
                "m.shape().0 * m.shape().1 * 4",
                "4 * m.shape().0 * m.shape().1",
            ),
            ("n - n", "0"),
            ("-2n + 3n*n", "3 * n * n - 2 * n"),
        ] {
            let parsed = Polynomial::parse(text).expect(text);
            assert_eq!(parsed.to_string(), shown);
            assert_eq!(Polynomial::parse(shown), Some(parsed));
        }
        assert_eq!(Polynomial::parse("n / 2"), None);
        assert_eq!(Polynomial::parse(""), None);
    }

    #[test]
    fn evaluation() {
        let parsed = Polynomial::parse("8n + 4").expect("a polynomial");
        assert_eq!(
            parsed.evaluate(|name| (name == "n").then_some(10)),
            Some(84)
        );
        assert_eq!(parsed.evaluate(|_| None), None);
    }
}
