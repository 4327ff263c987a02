//! What compiled functions say that they cost.

use accelerate::{Cost, Device};
use std::fmt;
use std::time::Duration;

/// A function of an `accelerate!` block and what the compiler knows of it.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub name: &'static str,
    pub cost: Cost,
}

/// The [`Function`] of this name.
#[macro_export]
macro_rules! function {
    ($name:ident) => {
        $crate::Function {
            name: stringify!($name),
            cost: $name::COST,
        }
    };
}

/// The extents in which a cost is written, such as `("xs.len()", 1000)`.
pub type Sizes<'a> = [(&'a str, usize)];

impl Function {
    /// Bytes read and written at these sizes; none where only the data tell.
    pub fn bytes(&self, sizes: &Sizes) -> Option<u64> {
        let total = value(self.cost.read, sizes)? + value(self.cost.written, sizes)?;
        u64::try_from(total).ok()
    }

    /// Prints what a call cost: kernels, time, and bytes where the sizes tell them.
    pub fn report(&self, device: &Device, sizes: &Sizes, time: Duration) {
        crate::report(
            self.name,
            device,
            self.cost.kernels,
            self.bytes(sizes),
            time,
        );
    }
}

impl fmt::Display for Function {
    /// In columns, as `cargo xtask examples` reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cost {
            kernels,
            read,
            written,
        } = self.cost;
        write!(f, "{}\t{kernels}\t{read}\t{written}", self.name)
    }
}

/// A polynomial such as `8 * m.shape().0 * m.shape().1 - 4`.
fn value(polynomial: &str, sizes: &Sizes) -> Option<i128> {
    let mut total = 0;
    for positive in polynomial.split(" + ") {
        for (k, term) in positive.split(" - ").enumerate() {
            let factors = term.split(" * ").map(|factor| {
                let size = sizes.iter().find(|(name, _)| *name == factor);
                size.map_or_else(|| factor.parse().ok(), |&(_, size)| Some(size as i128))
            });
            let product: Option<i128> = factors.product();
            total += if k == 0 { product? } else { -product? };
        }
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn polynomials_are_evaluated() {
        let sizes = [("m.shape().0", 3), ("m.shape().1", 5), ("xs.len()", 7)];
        let text = "8 * m.shape().0 * m.shape().1 + 2 * xs.len() - 4 + xs.len()";
        assert_eq!(value(text, &sizes), Some(120 + 14 - 4 + 7));
        assert_eq!(value("4 * host3 + 4", &sizes), None);
        assert_eq!(value("0", &sizes), Some(0));
    }
}
