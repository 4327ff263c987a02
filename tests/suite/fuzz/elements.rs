//! What an element is made of: its leaves, in a form that their number decides. One is a scalar, two are a pair, three are
//! pairs in one another, or a fixed array if they are alike, four are a struct with a pair in it.

use super::enums::KIND;
use super::grammar::{Grammar, Known, Shaped};
use super::scalars::{LEAVES, Leaf};

/// The type of such an element.
pub(super) fn element_type(leaves: &[Leaf]) -> String {
    let names: Vec<String> = leaves.iter().map(|leaf| leaf.name().to_owned()).collect();
    match leaves {
        [leaf, _, _] if alike(leaves) => format!("[{}; 3]", leaf.name()),
        [_, _, _, _] => struct_name(leaves),
        _ => element(leaves, &names),
    }
}

/// An element made of these parts; as it is, a pattern too.
pub(super) fn element(leaves: &[Leaf], parts: &[String]) -> String {
    match parts {
        [a] => a.clone(),
        [a, b] => format!("({a}, {b})"),
        [a, b, c] if alike(leaves) => format!("[{a}, {b}, {c}]"),
        [a, b, c] => format!("({a}, ({b}, {c}))"),
        [a, b, c, d] => format!(
            "{} {{ a: {a}, b: ({b}, {c}), c: {d} }}",
            struct_name(leaves)
        ),
        _ => unreachable!("an element has one to four leaves"),
    }
}

fn alike(leaves: &[Leaf]) -> bool {
    leaves.iter().all(|leaf| *leaf == leaves[0])
}

fn struct_name(leaves: &[Leaf]) -> String {
    let names = leaves.iter().map(|leaf| leaf.name().to_uppercase());
    format!("Of{}", names.collect::<String>())
}

/// The type of an array.
pub(super) fn array_type(leaves: &[Leaf], rank: usize) -> String {
    let element = element_type(leaves);
    match rank {
        1 => format!("Vector<{element}>"),
        2 => format!("Matrix<{element}>"),
        3 => format!("Cube<{element}>"),
        _ => format!("Array<{element}, {rank}>"),
    }
}

impl Grammar {
    /// Leaves of an element.
    pub(super) fn leaves(&mut self) -> Vec<Leaf> {
        let count = *self.choices.one(&[1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4]);
        let mut leaves: Vec<Leaf> = (0..count).map(|_| *self.choices.one(&LEAVES)).collect();
        if count == 3 && self.choices.chance(1, 2) {
            leaves = vec![leaves[0]; 3];
        }
        if count == 4 && !self.structs.contains(&leaves) {
            self.structs.push(leaves.clone());
        }
        leaves
    }

    /// The structs in use.
    pub(super) fn declarations(&self) -> String {
        let declaration = |leaves: &Vec<Leaf>| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| leaves[k].name());
            let name = struct_name(leaves);
            format!("    pub struct {name} {{ pub a: {a}, pub b: ({b}, {c}), pub c: {d} }}\n\n")
        };
        let kind = if self.enums { KIND } else { "" };
        self.structs.iter().map(declaration).collect::<String>() + kind
    }

    /// A pattern for the elements of an array, and what it binds.
    pub(super) fn bind(&mut self, array: &Shaped) -> (String, Vec<Known>) {
        self.named("x", &array.leaves, array.rough)
    }

    /// A pattern with fresh names for these leaves, and what it binds.
    pub(super) fn named(
        &mut self,
        stem: &str,
        leaves: &[Leaf],
        rough: bool,
    ) -> (String, Vec<Known>) {
        let known: Vec<Known> = (leaves.iter())
            .map(|&leaf| Known {
                name: self.fresh(stem),
                leaf,
                rough,
            })
            .collect();
        let names: Vec<String> = known.iter().map(|known| known.name.clone()).collect();
        (element(leaves, &names), known)
    }

    /// An element of literals.
    pub(super) fn literals(&mut self, leaves: &[Leaf]) -> String {
        let parts: Vec<String> = leaves.iter().map(|&leaf| self.literal(leaf)).collect();
        element(leaves, &parts)
    }

    /// An operator on whole elements that associates, and whether it rounds; with `any_order` it commutes, too.
    pub(super) fn operator(&mut self, array: &Shaped, any_order: bool) -> (String, bool) {
        let leaves = &array.leaves;
        if leaves.len() > 1
            && leaves.iter().all(|leaf| leaf.is_integer())
            && self.choices.chance(1, 3)
        {
            // The lesser by all leaves: an element is one value, which no part of another one may enter.
            let (a, left) = self.named("l", leaves, false);
            let (b, right) = self.named("r", leaves, false);
            let pairs = left.iter().zip(&right).rev();
            let less = pairs.fold("false".to_owned(), |rest, (left, right)| {
                let (l, r) = (&left.name, &right.name);
                format!("{r} < {l} || ({r} == {l} && ({rest}))")
            });
            return (
                format!("|{a}, {b}| if {less} {{ {b} }} else {{ {a} }}"),
                false,
            );
        }
        match self.choices.below(6) {
            0 if !any_order => return ("|_, b| b".to_owned(), false),
            1 if !any_order => return ("|a, _| a".to_owned(), false),
            2 | 3 if !any_order => {
                if let [first, second] = leaves.as_slice()
                    && first == second
                    && first.is_integer()
                {
                    // Composition of affine maps.
                    return ("|(a, b), (c, d)| (a * c, b * c + d)".to_owned(), false);
                }
                if leaves.len() > 1 && leaves[0].is_integer() {
                    // The first of the least.
                    let (a, left) = self.named("l", leaves, false);
                    let (b, right) = self.named("r", leaves, false);
                    let (x, y) = (&left[0].name, &right[0].name);
                    return (
                        format!("|{a}, {b}| if {y} < {x} {{ {b} }} else {{ {a} }}"),
                        false,
                    );
                }
            }
            _ => {}
        }
        let (a, left) = self.named("l", leaves, false);
        let (b, right) = self.named("r", leaves, false);
        let mut rounds = false;
        let mut parts = Vec::new();
        for ((left, right), leaf) in left.iter().zip(&right).zip(leaves) {
            let (l, r) = (&left.name, &right.name);
            let operators = match leaf {
                Leaf::Bool => vec!["^", "||", "&&"],
                leaf if leaf.is_float() => vec!["min", "max", "+", "+"],
                _ => vec!["+", "max", "min", "*", "&", "|", "^"],
            };
            let operator = *self.choices.one(&operators);
            rounds |= leaf.is_float() && operator == "+";
            parts.push(match operator {
                "min" | "max" => format!("{l}.{operator}({r})"),
                _ => format!("{l} {operator} {r}"),
            });
        }
        (format!("|{a}, {b}| {}", element(leaves, &parts)), rounds)
    }
}
