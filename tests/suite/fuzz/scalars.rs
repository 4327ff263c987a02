//! Scalar expressions of a wanted type, over what is in scope.

use super::grammar::{Grammar, Known, Shaped};

/// The types of elements that programs use; the first is the simplest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    I32,
    F32,
    U32,
    Bool,
    I64,
    U8,
    F64,
    Usize,
    I8,
    I16,
    U16,
    U64,
    F16,
    Bf16,
}

/// Those that arrays of parameters have.
pub(crate) const LEAVES: [Leaf; 16] = [
    Leaf::I32,
    Leaf::F32,
    Leaf::U32,
    Leaf::Bool,
    Leaf::I64,
    Leaf::U8,
    Leaf::F64,
    Leaf::I8,
    Leaf::I16,
    Leaf::U16,
    Leaf::U64,
    Leaf::F16,
    Leaf::Bf16,
    // More often: mathematical functions and bits are theirs alone.
    Leaf::F32,
    Leaf::F64,
    Leaf::U64,
];

impl Leaf {
    /// As in Rust.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Leaf::I32 => "i32",
            Leaf::F32 => "f32",
            Leaf::U32 => "u32",
            Leaf::Bool => "bool",
            Leaf::I64 => "i64",
            Leaf::U8 => "u8",
            Leaf::F64 => "f64",
            Leaf::Usize => "usize",
            Leaf::I8 => "i8",
            Leaf::I16 => "i16",
            Leaf::U16 => "u16",
            Leaf::U64 => "u64",
            Leaf::F16 => "f16",
            Leaf::Bf16 => "bf16",
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Leaf::F32 | Leaf::F64 | Leaf::F16 | Leaf::Bf16)
    }

    pub(crate) fn is_integer(self) -> bool {
        !self.is_float() && self != Leaf::Bool
    }

    pub(super) fn is_signed(self) -> bool {
        matches!(self, Leaf::I8 | Leaf::I16 | Leaf::I32 | Leaf::I64)
    }
}

/// An expression, and whether its value may differ between back ends (a float sum, a mathematical function): then it
/// decides nothing.
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) rough: bool,
}

impl Expression {
    pub(super) fn exact(text: impl Into<String>) -> Expression {
        Expression {
            text: text.into(),
            rough: false,
        }
    }
}

impl Grammar {
    /// An expression of this type, nested up to `depth`; an `exact` one where it decides something.
    pub(crate) fn scalar(&mut self, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        if depth == 0 || self.choices.chance(1, 4) {
            return self.simple(leaf, exact);
        }
        match self.choices.below(13) {
            0 => self.simple(leaf, exact),
            1 | 2 => self.operation(leaf, depth, exact),
            3 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (
                    self.scalar(leaf, depth - 1, exact),
                    self.scalar(leaf, depth - 1, exact),
                );
                Expression {
                    text: format!("if {condition} {{ {} }} else {{ {} }}", a.text, b.text),
                    rough: a.rough || b.rough,
                }
                .in_parentheses()
            }
            4 => self.method(leaf, depth, exact),
            5 => self.cast(leaf, depth),
            6 => {
                let name = self.fresh("t");
                let bound = self.scalar(leaf, depth - 1, exact);
                self.scalars.push(Known {
                    name: name.clone(),
                    leaf,
                    rough: bound.rough,
                });
                let body = self.scalar(leaf, depth - 1, exact);
                self.scalars.pop();
                Expression {
                    text: format!("{{ let {name} = {}; {} }}", bound.text, body.text),
                    rough: body.rough,
                }
            }
            7 => self.element(leaf, depth, exact),
            8 => self.repeated(leaf, depth, exact),
            9 => {
                let by = self.scalar(Leaf::I32, depth - 1, true).text;
                let [a, b, c] = [(); 3].map(|()| self.scalar(leaf, depth - 1, exact));
                Expression {
                    text: format!(
                        "match {by} {{ 0 => {}, 1..=5 => {}, _ => {} }}",
                        a.text, b.text, c.text
                    ),
                    rough: a.rough || b.rough || c.rough,
                }
                .in_parentheses()
            }
            10 => self.matched(leaf, depth, exact),
            11 => self.fixed(leaf, depth, exact),
            _ => self.reduced(leaf, depth, exact),
        }
    }

    /// An expression of this type without decisions, loops, and anything that fails.
    pub(super) fn straight(&mut self, leaf: Leaf, depth: usize) -> Expression {
        if depth == 0 {
            return self.simple(leaf, false);
        }
        let (a, b) = (
            self.straight(leaf, depth - 1),
            self.straight(leaf, depth - 1),
        );
        let rough = a.rough || b.rough;
        let (a, b) = (a.text, b.text);
        let operators: &[&str] = match leaf {
            Leaf::Bool => &["^", "|", "&"],
            leaf if leaf.is_float() => &["+", "-", "*", "min", "exp"],
            _ => &["+", "-", "*", "^", "max"],
        };
        let (text, rough) = match *self.choices.one(operators) {
            "exp" => (format!("({a}.min(2.0).exp() - {b})"), true),
            method @ ("min" | "max") => (format!("({a}.{method}({b}))"), rough),
            operator => (format!("({a} {operator} {b})"), rough),
        };
        Expression { text, rough }
    }

    /// Something that decides.
    pub(crate) fn condition(&mut self, depth: usize) -> String {
        self.scalar(Leaf::Bool, depth, true).text
    }

    /// A variable or a literal.
    fn simple(&mut self, leaf: Leaf, exact: bool) -> Expression {
        let fitting: Vec<Known> = (self.scalars.iter().rev())
            .filter(|known| known.leaf == leaf && !(exact && known.rough))
            .cloned()
            .collect();
        if !fitting.is_empty() && !self.choices.chance(1, 5) {
            let known = self.choices.one(&fitting);
            return Expression {
                text: known.name.clone(),
                rough: known.rough,
            };
        }
        Expression::exact(self.literal(leaf))
    }

    pub(crate) fn literal(&mut self, leaf: Leaf) -> String {
        let name = leaf.name();
        match leaf {
            Leaf::Bool => (*self.choices.one(&["true", "false"])).to_owned(),
            leaf if leaf.is_float() => {
                let text = *self
                    .choices
                    .one(&["1.0", "0.0", "2.0", "0.5", "3.0", "0.25"]);
                let sign = if self.choices.chance(1, 4) { "-" } else { "" };
                format!("({sign}{text}_{name})")
            }
            _ => {
                let number = self.choices.one(&[1, 0, 2, 3, 7, 100]);
                let sign = if leaf.is_signed() && self.choices.chance(1, 4) {
                    "-"
                } else {
                    ""
                };
                format!("({sign}{number}_{name})")
            }
        }
    }

    fn operation(&mut self, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        if leaf == Leaf::Bool {
            return self.decision(depth);
        }
        let (a, b) = (
            self.scalar(leaf, depth - 1, exact),
            self.scalar(leaf, depth - 1, exact),
        );
        let rough = a.rough || b.rough;
        let (a, b) = (a.text, b.text);
        let text = if leaf.is_float() {
            // What is rough may be anything near zero.
            let divisor = if rough {
                self.literal_divisor(leaf)
            } else {
                b.clone()
            };
            match self.choices.below(5) {
                0 | 1 => format!("({a} + {b})"),
                2 => format!("({a} - {b})"),
                3 => format!("({a} * {b})"),
                _ => format!("({a} / {divisor})"),
            }
        } else {
            let divisor = match self.failing && self.choices.chance(1, 3) {
                true => b.clone(),
                false => self.literal_divisor(leaf),
            };
            let shift = self.choices.below(8);
            match self.choices.below(10) {
                0 | 1 => format!("({a} + {b})"),
                2 => format!("({a} - {b})"),
                3 => format!("({a} * {b})"),
                4 => format!("({a} / {divisor})"),
                5 => format!("({a} % {divisor})"),
                6 => format!("({a} & {b})"),
                7 => format!("({a} ^ {b})"),
                8 => format!("({a} << {shift})"),
                _ => format!("({a} >> {shift})"),
            }
        };
        Expression { text, rough }
    }

    pub(super) fn literal_divisor(&mut self, leaf: Leaf) -> String {
        let number = self.choices.one(&[2, 3, 7, 5]);
        match leaf.is_float() {
            true => format!("{number}.0_{}", leaf.name()),
            false => format!("{number}_{}", leaf.name()),
        }
    }

    pub(super) fn decision(&mut self, depth: usize) -> Expression {
        let text = match self.choices.below(5) {
            0 | 1 => {
                let leaf = *self.choices.one(&LEAVES);
                let (a, b) = (
                    self.scalar(leaf, depth - 1, true).text,
                    self.scalar(leaf, depth - 1, true).text,
                );
                let operator = *self.choices.one(&["<", "==", ">=", "!=", ">", "<="]);
                // A cast before `<` would open generics.
                format!("(({a}) {operator} ({b}))")
            }
            2 => format!("(!{})", self.condition(depth - 1)),
            other => {
                let operator = if other == 3 { "&&" } else { "||" };
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({a} {operator} {b})")
            }
        };
        Expression::exact(text)
    }

    fn cast(&mut self, leaf: Leaf, depth: usize) -> Expression {
        let of_bits = match leaf {
            Leaf::F32 => Some(Leaf::U32),
            Leaf::F64 => Some(Leaf::U64),
            Leaf::U32 => Some(Leaf::F32),
            Leaf::U64 => Some(Leaf::F64),
            Leaf::F16 | Leaf::Bf16 => Some(Leaf::U16),
            Leaf::U16 => Some(*self.choices.one(&[Leaf::F16, Leaf::Bf16])),
            _ => None,
        };
        if let Some(from) = of_bits
            && self.choices.chance(2, 3)
        {
            let value = self.scalar(from, depth - 1, true).text;
            if leaf.is_float() {
                return Expression::exact(format!("{}::from_bits({value})", leaf.name()));
            }
            // The bits of a NaN are unspecified.
            let name = self.fresh("t");
            return Expression::exact(format!(
                "{{ let {name} = {value}; if {name} == {name} {{ {name}.to_bits() }} else {{ 0 }} }}"
            ));
        }
        if leaf != Leaf::Bool && self.choices.chance(1, 4) {
            return self.wide(leaf, depth);
        }
        let from = match leaf {
            Leaf::Bool => return self.decision(depth),
            // No cast from a bool to a float in Rust.
            leaf if leaf.is_float() => {
                *self
                    .choices
                    .one(&[Leaf::I32, Leaf::U8, Leaf::F32, Leaf::F64, Leaf::F16])
            }
            _ => *self.choices.one(&[
                Leaf::I32,
                Leaf::F32,
                Leaf::Bool,
                Leaf::U32,
                Leaf::I64,
                Leaf::Usize,
                Leaf::Bf16,
            ]),
        };
        let value = self.scalar(from, depth - 1, true).text;
        Expression::exact(format!("(({value}) as {})", leaf.name()))
    }

    /// An element of an array in scope.
    fn element(&mut self, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        let fitting: Vec<Shaped> = (self.arrays.iter())
            .filter(|array| array.leaves == [leaf] && array.dims.len() <= 2)
            .filter(|array| !(exact && array.rough))
            .cloned()
            .collect();
        if fitting.is_empty() {
            return self.operation(leaf, depth, exact);
        }
        let array = self.choices.one(&fitting).clone();
        let at: Vec<String> = (array.dims.iter())
            .map(|_| match self.counters.last().cloned() {
                Some(counter) if self.failing && self.choices.chance(1, 2) => {
                    let (by, more) = (1 + self.choices.below(2), self.choices.below(3));
                    match self.choices.chance(1, 4) {
                        true => format!("{} - {counter}", 4 + more),
                        false => format!("{by} * {counter} + {more}"),
                    }
                }
                _ => self.scalar(Leaf::Usize, depth - 1, true).text,
            })
            .collect();
        let (name, at) = (&array.name, super::views::tuple(&at));
        let text = match self.failing && self.choices.chance(1, 2) {
            true => format!("{name}[{at}]"),
            false => format!("{name}.get({at}).unwrap_or({})", self.literal(leaf)),
        };
        Expression {
            text,
            rough: array.rough,
        }
    }

    /// A loop over a number of the same type.
    fn repeated(&mut self, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        let (name, counter) = (self.fresh("s"), self.fresh("q"));
        let first = self.scalar(leaf, depth - 1, exact);
        // Rough from the first round on if it may become so.
        let may = leaf.is_float() && !exact;
        self.scalars.push(Known {
            name: name.clone(),
            leaf,
            rough: may,
        });
        let text = if self.choices.chance(1, 3) {
            let condition = self.condition(depth - 1);
            let next = self.scalar(leaf, depth - 1, exact).text;
            format!(
                "{{ let mut {name} = {}; let mut {counter} = 0; while {counter} < 4 && {condition} {{ {name} = {next}; {counter} += 1; }} {name} }}",
                first.text
            )
        } else {
            self.scalars.push(Known {
                name: counter.clone(),
                leaf: Leaf::Usize,
                rough: false,
            });
            self.counters.push(counter.clone());
            let rounds = self.choices.below(5);
            let next = self.scalar(leaf, depth - 1, exact).text;
            self.counters.pop();
            self.scalars.pop();
            format!(
                "{{ let mut {name} = {}; for {counter} in 0..{rounds}_usize {{ {name} = {next}; }} {name} }}",
                first.text
            )
        };
        self.scalars.pop();
        Expression { text, rough: may }
    }

    /// A fold over a vector in scope, of a value of each element.
    fn reduced(&mut self, leaf: Leaf, depth: usize, exact: bool) -> Expression {
        let fitting: Vec<Shaped> = (self.arrays.iter())
            .filter(|array| array.dims.len() == 1)
            .cloned()
            .collect();
        if fitting.is_empty() || self.folds == 0 {
            return self.operation(leaf, depth, exact);
        }
        self.folds -= 1;
        let array = self.choices.one(&fitting).clone();
        let (pattern, known) = self.bind(&array);
        let count = known.len();
        self.scalars.extend(known);
        let body = self.scalar(leaf, (depth - 1).min(2), exact);
        self.scalars.truncate(self.scalars.len() - count);
        let (fold, rounds) = self.fold(leaf, exact);
        Expression {
            text: format!("{}.map(|{pattern}| {}){fold}", array.name, body.text),
            rough: body.rough || rounds,
        }
    }

    /// A reduction of a vector of this type to a number of it, and whether it rounds.
    pub(crate) fn fold(&mut self, leaf: Leaf, exact: bool) -> (String, bool) {
        let name = leaf.name();
        let literal = self.literal(leaf);
        if leaf == Leaf::Bool {
            let folds = [
                ".any()",
                ".all()",
                ".fold(false, |a, b| a ^ b)",
                ".fold(true, |a, _| a)",
            ];
            return ((*self.choices.one(&folds)).to_owned(), false);
        }
        if leaf.is_float() {
            let sum = !exact && self.choices.chance(1, 2);
            return match sum {
                true => (".sum()".to_owned(), true),
                false => {
                    let least = format!(".fold({literal}, |a, b| a.min(b))");
                    let last = format!(".fold({literal}, |_, b| b)");
                    (self.choices.one(&[least, last]).clone(), false)
                }
            };
        }
        let folds = [
            ".sum()".to_owned(),
            format!(".fold({literal}, |a, b| a + b)"),
            format!(".fold({literal}, |a, b| a.max(b))"),
            format!(".fold({literal}, |_, b| b)"),
            ".product()".to_owned(),
            format!(".fold(0_{name}, |a, b| a ^ b)"),
        ];
        (self.choices.one(&folds).clone(), false)
    }
}

impl Expression {
    fn in_parentheses(self) -> Expression {
        Expression {
            text: format!("({})", self.text),
            rough: self.rough,
        }
    }
}
