//! Rewrite rules as equations: their text, their parser, matching and building.
//!
//! In an equation `x y z u v w` stand for anything, `c d` for literals, `p q` for anything of type `bool`; numbers, `-0`,
//! `true` and `false` are literals. An operation on literals at the right is folded.

use crate::ir::{Id, Node, Program};
#[cfg(test)]
use crate::scalar;
use crate::scalar::{Binary, Leaf, Math, Scalar, Unary};
use std::ops::Index;

/// Exact for wrapping integers.
pub(super) const INT: &[&str] = &[
    "x + 0 = x",
    "x - 0 = x",
    "x * 1 = x",
    "x * 0 = 0",
    "x / 1 = x",
    "x % 1 = 0",
    "x - x = 0",
    "0 - x = -x",
    "-(-x) = x",
    "x + -y = x - y",
    "x - -y = x + y",
    "-x + y = y - x",
    "-(x - y) = y - x",
    "-x * -y = x * y",
    "(x + y) - y = x",
    "(x + y) - x = y",
    "(x - y) + y = x",
    "y + (x - y) = x",
    "x - (x - y) = y",
    "(x + c) + d = x + (c + d)",
    "(x + c) - d = x + (c - d)",
    "(x - c) - d = x - (c + d)",
    "(x - c) + d = x + (d - c)",
    "(x * c) * d = x * (c * d)",
    "x & x = x",
    "x | x = x",
    "x ^ x = 0",
    "x & 0 = 0",
    "x | 0 = x",
    "x ^ 0 = x",
    "(x & c) & d = x & (c & d)",
    "(x | c) | d = x | (c | d)",
    "(x ^ c) ^ d = x ^ (c ^ d)",
    "!!x = x",
    "min(x, x) = x",
    "max(x, x) = x",
    "min(min(x, c), d) = min(x, min(c, d))",
    "max(max(x, c), d) = max(x, max(c, d))",
    "max(min(x, y), y) = y",
    "max(min(x, y), x) = x",
    "min(max(x, y), y) = y",
    "min(max(x, y), x) = x",
    "abs(abs(x)) = abs(x)",
    "x == x = true",
    "x != x = false",
    "x < x = false",
    "x <= x = true",
    "x - y == 0 = x == y",
    "x - y != 0 = x != y",
    "x ^ y == 0 = x == y",
    "!(x < y) = y <= x",
    "!(x <= y) = y < x",
    "!(x == y) = x != y",
    "!(x != y) = x == y",
    "(x == y) & (x != y) = false",
    "(x == y) | (x != y) = true",
    "(x < y) & (y <= x) = false",
    "(x < y) | (y <= x) = true",
    "select(0 < x, x, 0) = max(x, 0)",
    "select(p, x, x) = x",
    "select(!p, x, y) = select(p, y, x)",
    "select(true, x, y) = x",
    "select(false, x, y) = y",
    "select(p, select(q, x, y), y) = select(p & q, x, y)",
    "select(p, x, select(q, x, y)) = select(p | q, x, y)",
    "select(p, select(p, x, y), z) = select(p, x, z)",
    "select(p, x, select(p, y, z)) = select(p, x, z)",
];

/// Exact for every IEEE value; all NaNs are one value.
pub(super) const FLOAT: &[&str] = &[
    "x - 0 = x",
    "x + -0 = x",
    "-0 - x = -x",
    "x * 1 = x",
    "x / 1 = x",
    "x * -1 = -x",
    "x / -1 = -x",
    "-(-x) = x",
    "x + -y = x - y",
    "x - -y = x + y",
    "-x + y = y - x",
    "-x * -y = x * y",
    "-x / -y = x / y",
    "x * 2 = x + x",
    "abs(-x) = abs(x)",
    "abs(abs(x)) = abs(x)",
    "abs(x * x) = x * x",
    "floor(floor(x)) = floor(x)",
    "ceil(ceil(x)) = ceil(x)",
    "trunc(trunc(x)) = trunc(x)",
    "trunc(floor(x)) = floor(x)",
    "min(x, x) = x",
    "max(x, x) = x",
    "min(min(x, c), d) = min(x, min(c, d))",
    "max(max(x, c), d) = max(x, max(c, d))",
    "x < x = false",
    "!(x == y) = x != y",
    "!(x != y) = x == y",
    "(x == y) & (x != y) = false",
    "(x == y) | (x != y) = true",
    "-x == -y = x == y",
    "-x < -y = y < x",
    "select(p, x, x) = x",
    "select(!p, x, y) = select(p, y, x)",
    "select(true, x, y) = x",
    "select(false, x, y) = y",
    "select(p, select(q, x, y), y) = select(p & q, x, y)",
    "select(p, x, select(q, x, y)) = select(p | q, x, y)",
    "select(p, select(p, x, y), z) = select(p, x, z)",
    "select(p, x, select(p, y, z)) = select(p, x, z)",
];

/// Exact for `bool`.
pub(super) const BOOL: &[&str] = &[
    "p & true = p",
    "p & false = false",
    "p | true = true",
    "p | false = p",
    "p ^ true = !p",
    "p ^ false = p",
    "p & p = p",
    "p | p = p",
    "p ^ p = false",
    "p & !p = false",
    "p | !p = true",
    "!!p = p",
    "!p & !q = !(p | q)",
    "!p | !q = !(p & q)",
    "p & (p & q) = p & q",
    "p | (p | q) = p | q",
    "p & (p | q) = p",
    "p | (p & q) = p",
    "p & (!p | q) = p & q",
    "p | (!p & q) = p | q",
    "p == true = p",
    "p == false = !p",
    "p != true = !p",
    "p != false = p",
    "p < p = false",
    "p < true = !p",
    "p < false = false",
    "true < p = false",
    "false < p = p",
    "p <= p = true",
    "p <= true = true",
    "p <= false = !p",
    "true <= p = p",
    "false <= p = true",
    "select(p, true, false) = p",
    "select(p, false, true) = !p",
    "select(p, q, false) = p & q",
    "select(p, true, q) = p | q",
    "select(p, q, true) = !p | q",
    "select(p, false, q) = !p & q",
    "select(p, p, q) = p | q",
    "select(p, q, p) = p & q",
    "select(p, q, q) = q",
    "select(p, p & q, r) = select(p, q, r)",
    "select(p, q, p | r) = select(p, q, r)",
    "select(p, q, !p & r) = select(p, q, r)",
    "select(p, select(p, q, r), u) = select(p, q, u)",
    "select(p, q, select(p, r, u)) = select(p, q, u)",
    "select(!p, q, r) = select(p, r, q)",
    "select(true, p, q) = p",
    "select(false, p, q) = q",
];

/// Only under `#[fast_math]`: true of real numbers.
pub(super) const FAST: &[&str] = &[
    "x + 0 = x",
    "0 - x = -x",
    "x * 0 = 0",
    "x - x = 0",
    "x / x = 1",
    "0 / x = 0",
    "-(x - y) = y - x",
    "(x + c) + d = x + (c + d)",
    "(x - c) + d = x + (d - c)",
    "(x * c) * d = x * (c * d)",
    "x * y + x * z = x * (y + z)",
    "(x + y) - y = x",
    "(x - y) + y = x",
    "sqrt(x * x) = abs(x)",
    "1 / sqrt(x) = rsqrt(x)",
    "x / sqrt(y) = x * rsqrt(y)",
    "x / (y * sqrt(y)) = x * (rsqrt(y) * (rsqrt(y) * rsqrt(y)))",
];

/// Only under `#[fast_math]`, when all else is done: which instructions compute what is left.
pub(super) const CONTRACT: &[&str] = &[
    "fmuladd(x, y, u * v) + w = fmuladd(x, y, fmuladd(u, v, w))",
    "x * y + z = fmuladd(x, y, z)",
    "x * y - z = fmuladd(x, y, -z)",
    "z - x * y = fmuladd(-x, y, z)",
];

/// The same of `f32` alone.
pub(super) const CONTRACT_SINGLE: &[&str] = &["x / y = fast_div(x, y)"];

/// One side of an equation.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Pattern {
    /// `x`, `y` and so on; `p` and `q` of type `bool`.
    Anything(char),
    /// `c`, `d`: a literal.
    Literal(char),
    /// A number.
    Number(f64),
    /// `true`, `false`.
    Truth(bool),
    Unary(Unary, Box<Pattern>),
    Binary(Binary, Box<Pattern>, Box<Pattern>),
    Select(Box<Pattern>, Box<Pattern>, Box<Pattern>),
    Math(Math, Vec<Pattern>),
}

/// An equation.
pub(super) struct Rule {
    pub(super) text: &'static str,
    pub(super) left: Pattern,
    pub(super) right: Pattern,
}

/// What the variables stand for: a place for each letter that a rule may have, in order of its names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bindings<T>([Option<T>; VARIABLES.len()]);

const VARIABLES: [char; 11] = ['c', 'd', 'p', 'q', 'r', 'u', 'v', 'w', 'x', 'y', 'z'];

impl<T: Copy> Bindings<T> {
    pub(super) fn new() -> Bindings<T> {
        Bindings([None; VARIABLES.len()])
    }

    fn place(name: char) -> usize {
        let place = VARIABLES.iter().position(|&other| other == name);
        place.unwrap_or_else(|| panic!("no variable `{name}` in rules"))
    }

    #[cfg(test)]
    pub(super) fn insert(&mut self, name: char, value: T) {
        self.0[Self::place(name)] = Some(value);
    }

    /// The value of a variable, which is this one if it has none.
    fn get_or_insert(&mut self, name: char, value: T) -> T {
        *self.0[Self::place(name)].get_or_insert(value)
    }
}

impl<T: Copy> Index<char> for Bindings<T> {
    type Output = T;

    fn index(&self, name: char) -> &T {
        self.0[Self::place(name)]
            .as_ref()
            .expect("a bound variable")
    }
}

impl Rule {
    /// # Panics
    /// If the text is no equation: tests parse all of them.
    pub(super) fn parse(text: &'static str) -> Rule {
        let at = text.rfind(" = ").expect("two sides");
        let side = |text: &str| {
            let mut parser = Parser {
                rest: text.trim_start(),
            };
            let pattern = parser.binary(0);
            assert!(
                parser.rest.is_empty(),
                "`{}` is left of {text}",
                parser.rest
            );
            pattern
        };
        Rule {
            text,
            left: side(&text[..at]),
            right: side(&text[at + 3..]),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn take(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn binary(&mut self, level: u32) -> Pattern {
        // Longer symbols first.
        const OPERATORS: [(&str, Binary); 12] = [
            ("==", Binary::Eq),
            ("!=", Binary::Ne),
            ("<=", Binary::Le),
            ("<", Binary::Lt),
            ("+", Binary::Add),
            ("-", Binary::Sub),
            ("*", Binary::Mul),
            ("/", Binary::Div),
            ("%", Binary::Rem),
            ("&", Binary::And),
            ("|", Binary::Or),
            ("^", Binary::Xor),
        ];
        let mut left = self.unary();
        'operators: loop {
            for (symbol, op) in OPERATORS {
                let (_, own) = op.symbol().expect("an operator");
                if own > level && self.take(symbol) {
                    let right = self.binary(own);
                    left = Pattern::Binary(op, Box::new(left), Box::new(right));
                    continue 'operators;
                }
            }
            return left;
        }
    }

    fn unary(&mut self) -> Pattern {
        let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
        if self.rest.starts_with('-') && !number(&self.rest[1..]) {
            self.take("-");
            return Pattern::Unary(Unary::Neg, Box::new(self.unary()));
        }
        if self.take("!") {
            return Pattern::Unary(Unary::Not, Box::new(self.unary()));
        }
        if self.take("(") {
            let inner = self.binary(0);
            assert!(self.take(")"), "`)` expected before `{}`", self.rest);
            return inner;
        }
        let end = self
            .rest
            .char_indices()
            .find(|&(k, c)| !(c.is_alphanumeric() || c == '_' || (k == 0 && c == '-')))
            .map_or(self.rest.len(), |(k, _)| k);
        let word = self.rest[..end].to_owned();
        self.rest = self.rest[end..].trim_start();
        if let Ok(value) = word.parse::<f64>() {
            return Pattern::Number(value);
        }
        match &word[..] {
            "true" | "false" => return Pattern::Truth(word == "true"),
            "c" | "d" => return Pattern::Literal(word.chars().next().expect("a letter")),
            _ if word.len() == 1 => {
                return Pattern::Anything(word.chars().next().expect("a letter"));
            }
            _ => {}
        }
        assert!(self.take("("), "`(` expected after `{word}`");
        let mut arguments = vec![self.binary(0)];
        while self.take(",") {
            arguments.push(self.binary(0));
        }
        assert!(self.take(")"), "`)` expected before `{}`", self.rest);
        call(&word, arguments)
    }
}

fn call(name: &str, arguments: Vec<Pattern>) -> Pattern {
    let mut boxes = arguments.iter().cloned().map(Box::new);
    let mut next = || boxes.next().expect("another argument");
    let unary = |op, a| Pattern::Unary(op, a);
    match name {
        "abs" => unary(Unary::Abs, next()),
        "sqrt" => unary(Unary::Sqrt, next()),
        "floor" => unary(Unary::Floor, next()),
        "ceil" => unary(Unary::Ceil, next()),
        "trunc" => unary(Unary::Trunc, next()),
        "min" => Pattern::Binary(Binary::Min, next(), next()),
        "max" => Pattern::Binary(Binary::Max, next(), next()),
        "select" => Pattern::Select(next(), next(), next()),
        "fmuladd" => Pattern::Math(Math::Fmuladd, arguments),
        "fast_div" => Pattern::Math(Math::FastDiv, arguments),
        "rsqrt" => Pattern::Math(Math::Rsqrt, arguments),
        other => panic!("no function `{other}` in rules"),
    }
}

/// Matches a pattern with an expression; `leaf` is the type of numbers in it.
pub(super) fn matches(
    program: &Program,
    pattern: &Pattern,
    id: Id,
    leaf: Leaf,
    found: &mut Bindings<Id>,
) -> bool {
    let mut bind = |name: char| found.get_or_insert(name, id) == id;
    match (pattern, program.node(id)) {
        (Pattern::Anything(name), _) => bind(*name),
        (Pattern::Literal(name), Node::Constant(_)) => bind(*name),
        (Pattern::Number(value), Node::Constant(constant)) => {
            number(leaf, *value) == Some(*constant)
        }
        (Pattern::Truth(value), Node::Constant(constant)) => {
            constant.leaf == Leaf::Bool && constant.is_true() == *value
        }
        (Pattern::Unary(op, a), Node::Unary(own, x)) => {
            op == own && matches(program, a, *x, leaf, found)
        }
        (Pattern::Binary(op, a, b), Node::Binary(own, x, y)) if op == own => {
            let before = *found;
            if matches(program, a, *x, leaf, found) && matches(program, b, *y, leaf, found) {
                return true;
            }
            *found = before;
            commutes(*op)
                && matches(program, a, *y, leaf, found)
                && matches(program, b, *x, leaf, found)
        }
        (Pattern::Select(p, a, b), Node::Select(q, x, y)) => {
            matches(program, p, *q, leaf, found)
                && matches(program, a, *x, leaf, found)
                && matches(program, b, *y, leaf, found)
        }
        (Pattern::Math(f, patterns), Node::Math(own, arguments)) => {
            let mut pairs = patterns.iter().zip(arguments);
            f == own && pairs.all(|(side, &id)| matches(program, side, id, leaf, found))
        }
        _ => false,
    }
}

/// Whether operands may change places: exact for floats too.
pub(super) fn commutes(op: Binary) -> bool {
    matches!(
        op,
        Binary::Add
            | Binary::Mul
            | Binary::Min
            | Binary::Max
            | Binary::And
            | Binary::Or
            | Binary::Xor
            | Binary::Eq
            | Binary::Ne
            | Binary::MulHigh
    )
}

/// The number as a constant of the type, if it has that value there.
pub(super) fn number(leaf: Leaf, value: f64) -> Option<Scalar> {
    match leaf {
        Leaf::F32 => Some(Scalar::f32(value as f32)),
        Leaf::F64 => Some(Scalar::f64(value)),
        Leaf::Bool => None,
        _ => Some(Scalar::number(leaf, value as i64)),
    }
}

/// The expression of a pattern. `add` makes nodes, simplifying them.
pub(super) fn build(
    pattern: &Pattern,
    leaf: Leaf,
    found: &Bindings<Id>,
    add: &mut impl FnMut(Node) -> Id,
) -> Id {
    let mut make = |pattern: &Pattern| build(pattern, leaf, found, add);
    let node = match pattern {
        Pattern::Anything(name) | Pattern::Literal(name) => return found[*name],
        Pattern::Number(value) => Node::Constant(number(leaf, *value).expect("a number")),
        Pattern::Truth(value) => Node::Constant(Scalar::bool(*value)),
        Pattern::Unary(op, a) => Node::Unary(*op, make(a)),
        Pattern::Binary(op, a, b) => {
            let a = make(a);
            Node::Binary(*op, a, make(b))
        }
        Pattern::Select(p, a, b) => {
            let (p, a) = (make(p), make(a));
            Node::Select(p, a, make(b))
        }
        Pattern::Math(f, arguments) => Node::Math(*f, arguments.iter().map(make).collect()),
    };
    add(node)
}

impl Pattern {
    /// The names it mentions.
    pub(super) fn names(&self, into: &mut crate::sorted::SortedSet<char>) {
        match self {
            Pattern::Anything(name) | Pattern::Literal(name) => {
                into.insert(*name);
            }
            Pattern::Number(_) | Pattern::Truth(_) => {}
            Pattern::Unary(_, a) => a.names(into),
            Pattern::Binary(_, a, b) => {
                a.names(into);
                b.names(into);
            }
            Pattern::Select(a, b, c) => [a, b, c].into_iter().for_each(|side| side.names(into)),
            Pattern::Math(_, arguments) => arguments.iter().for_each(|side| side.names(into)),
        }
    }

    /// The value under values of the variables.
    #[cfg(test)]
    pub(super) fn eval(&self, leaf: Leaf, values: &Bindings<Scalar>) -> Scalar {
        match self {
            Pattern::Anything(name) | Pattern::Literal(name) => values[*name],
            Pattern::Number(value) => number(leaf, *value).expect("a number"),
            Pattern::Truth(value) => Scalar::bool(*value),
            Pattern::Unary(op, a) => scalar::unary(*op, a.eval(leaf, values)),
            Pattern::Binary(op, a, b) => {
                scalar::binary(*op, a.eval(leaf, values), b.eval(leaf, values))
            }
            Pattern::Select(p, a, b) => {
                let side = if p.eval(leaf, values).is_true() { a } else { b };
                side.eval(leaf, values)
            }
            Pattern::Math(f, arguments) => {
                let arguments: Vec<Scalar> =
                    arguments.iter().map(|a| a.eval(leaf, values)).collect();
                scalar::math(*f, &arguments)
            }
        }
    }

    #[cfg(test)]
    /// What rewriting decreases: the cost of the operations, shared variables for free. Operations on literals alone
    /// are folded, so they count as one literal.
    pub(super) fn weight(&self) -> u32 {
        let literal = |side: &Pattern| {
            let mut names = crate::sorted::SortedSet::new();
            side.names(&mut names);
            names.iter().all(|name| matches!(name, 'c' | 'd'))
        };
        match self {
            Pattern::Anything(_) => 0,
            side if literal(side) => 1,
            Pattern::Literal(_) | Pattern::Number(_) | Pattern::Truth(_) => 1,
            Pattern::Unary(Unary::Sqrt, a) => 20 + a.weight(),
            Pattern::Unary(_, a) => 2 + a.weight(),
            Pattern::Binary(op, a, b) => {
                let own = match op {
                    Binary::Add => 4,
                    Binary::Sub => 5,
                    Binary::Mul => 6,
                    Binary::Div | Binary::Rem => 20,
                    _ => 4,
                };
                own + a.weight() + b.weight()
            }
            Pattern::Select(p, a, b) => 6 + p.weight() + a.weight() + b.weight(),
            Pattern::Math(_, arguments) => 7 + arguments.iter().map(Pattern::weight).sum::<u32>(),
        }
    }
}
