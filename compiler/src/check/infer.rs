//! Types with unknowns: fresh variables, unification, and their text for messages.
//!
//! Variables are `Type::Unknown`; one of them, [`POISON`], is the type of whatever has been reported already and
//! agrees with everything.

use super::made::{Made, rebuilt};
use crate::scalar::Leaf;
use crate::typed::Type;
use std::rc::Rc;

/// The type of an expression with a reported error.
pub(super) const POISON: Type = Type::Unknown(u32::MAX);

/// What a variable may become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Any,
    /// An integer literal: any integer type, `i32` by default.
    Integer,
    /// A float literal: `f64` by default.
    Float,
}

#[derive(Clone, Debug)]
enum Var {
    Free(Kind),
    Is(Type),
}

/// The variables of one function.
#[derive(Clone)]
pub(super) struct Variables {
    list: Vec<Var>,
    /// Generic structs with their arguments, of the whole block.
    made: Rc<Made>,
    /// The types of values that never come.
    never: Vec<Type>,
}

impl Variables {
    pub(super) fn new(made: Rc<Made>) -> Variables {
        Variables {
            list: Vec::new(),
            made,
            never: Vec::new(),
        }
    }

    pub(super) fn fresh(&mut self, kind: Kind) -> Type {
        self.list.push(Var::Free(kind));
        Type::Unknown(self.list.len() as u32 - 1)
    }

    pub(super) fn any(&mut self) -> Type {
        self.fresh(Kind::Any)
    }

    /// The type of a value that never comes: any, and `()` where nothing says more.
    pub(super) fn never(&mut self) -> Type {
        let ty = self.any();
        self.never.push(ty.clone());
        ty
    }

    /// The type with its outermost variable replaced by what is known of it.
    pub(super) fn shallow(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Unknown(id) = ty {
            match self.list.get(*id as usize) {
                Some(Var::Is(next)) => ty = next,
                _ => break,
            }
        }
        match ty {
            Type::Struct(id) => Type::Struct(self.canonical(*id)),
            Type::Bundle(id) => Type::Bundle(self.canonical(*id)),
            ty => ty.clone(),
        }
    }

    /// A generic struct by what is known of its arguments.
    fn canonical(&self, id: usize) -> usize {
        match self.made.of(id) {
            None => id,
            Some((template, arguments)) => {
                let known = arguments.iter().map(|ty| self.resolve(ty)).collect();
                self.made.make(template, known)
            }
        }
    }

    /// The type with every known variable replaced.
    pub(super) fn resolve(&self, ty: &Type) -> Type {
        rebuilt(&self.shallow(ty), &|part| self.resolve(part))
    }

    /// The kind of an unknown type; `None` if it is known (or poison).
    pub(super) fn kind(&self, ty: &Type) -> Option<Kind> {
        match self.shallow(ty) {
            Type::Unknown(id) => match self.list.get(id as usize) {
                Some(Var::Free(kind)) => Some(*kind),
                _ => None,
            },
            _ => None,
        }
    }

    /// Makes two types equal where possible.
    pub(super) fn unify(&mut self, a: &Type, b: &Type) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (&POISON, &POISON) => true,
            // What meets an error is an error too: no second message.
            (&POISON, Type::Unknown(id)) | (Type::Unknown(id), &POISON) => {
                self.list[*id as usize] = Var::Is(POISON);
                true
            }
            (&POISON, _) | (_, &POISON) => true,
            (Type::Unknown(x), Type::Unknown(y)) if x == y => true,
            (Type::Unknown(x), Type::Unknown(y)) => {
                let (Some(p), Some(q)) = (self.kind(&a), self.kind(&b)) else {
                    return true;
                };
                match (p, q) {
                    (Kind::Any, _) => self.list[*x as usize] = Var::Is(b.clone()),
                    (_, Kind::Any) => self.list[*y as usize] = Var::Is(a.clone()),
                    (p, q) if p == q => self.list[*x as usize] = Var::Is(b.clone()),
                    _ => return false,
                }
                true
            }
            (Type::Unknown(id), ty) | (ty, Type::Unknown(id)) => self.bind(*id, ty),
            (Type::Tuple(xs), Type::Tuple(ys)) => {
                xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y))
            }
            (Type::Option(x), Type::Option(y))
            | (Type::Range(x), Type::Range(y))
            | (Type::Segmented(x), Type::Segmented(y))
            | (Type::Offsets(x), Type::Offsets(y)) => self.unify(x, y),
            (Type::Array(x, p), Type::Array(y, q))
            | (Type::Fixed(x, p), Type::Fixed(y, q))
            | (Type::Window(x, p), Type::Window(y, q)) => p == q && self.unify(x, y),
            (Type::Struct(x), Type::Struct(y)) | (Type::Bundle(x), Type::Bundle(y)) if x != y => {
                match (self.made.of(*x), self.made.of(*y)) {
                    (Some((a, xs)), Some((b, ys))) => {
                        a == b && xs.iter().zip(&ys).all(|(x, y)| self.unify(x, y))
                    }
                    _ => false,
                }
            }
            (Type::Nested { outer: p, inner: x }, Type::Nested { outer: q, inner: y }) => {
                p == q && self.unify(x, y)
            }
            (Type::Function(xs, x), Type::Function(ys, y)) => {
                let pairs = || xs.iter().zip(ys);
                xs.len() == ys.len() && pairs().all(|(x, y)| self.unify(x, y)) && self.unify(x, y)
            }
            _ => a == b,
        }
    }

    fn bind(&mut self, id: u32, ty: &Type) -> bool {
        if self.occurs(id, ty) {
            return false;
        }
        let Some(Var::Free(kind)) = self.list.get(id as usize) else {
            return true;
        };
        let fits = match kind {
            Kind::Any => true,
            Kind::Integer => is_integer(ty),
            Kind::Float => matches!(ty, Type::Leaf(leaf) if leaf.is_float()),
        };
        if fits {
            self.list[id as usize] = Var::Is(ty.clone());
        }
        fits
    }

    /// Whether a type holds the variable: it would be infinite.
    fn occurs(&self, id: u32, ty: &Type) -> bool {
        match self.shallow(ty) {
            Type::Unknown(other) => other == id,
            Type::Tuple(types) => types.iter().any(|t| self.occurs(id, t)),
            Type::Option(inner)
            | Type::Range(inner)
            | Type::Array(inner, _)
            | Type::Fixed(inner, _)
            | Type::Segmented(inner)
            | Type::Offsets(inner)
            | Type::Window(inner, _) => self.occurs(id, &inner),
            Type::Nested { inner, .. } => self.occurs(id, &inner),
            Type::Struct(made) | Type::Bundle(made) => {
                let (_, arguments) = self.made.of(made).unwrap_or_default();
                arguments.iter().any(|ty| self.occurs(id, ty))
            }
            Type::Function(arguments, result) => {
                arguments.iter().any(|t| self.occurs(id, t)) || self.occurs(id, &result)
            }
            _ => false,
        }
    }

    /// Values that never come become `()` where nothing has fixed their types.
    pub(super) fn default_never(&mut self) {
        for ty in std::mem::take(&mut self.never) {
            if self.kind(&ty) == Some(Kind::Any) {
                self.unify(&ty, &Type::Tuple(Vec::new()));
            }
        }
    }

    /// Literals that nothing has fixed become `i32` and `f64`.
    pub(super) fn default_literals(&mut self) {
        for var in &mut self.list {
            match var {
                Var::Free(Kind::Integer) => *var = Var::Is(Type::Leaf(Leaf::I32)),
                Var::Free(Kind::Float) => *var = Var::Is(Type::Leaf(Leaf::F64)),
                Var::Free(Kind::Any) | Var::Is(_) => {}
            }
        }
    }

    /// The text of a type, as a user would write it.
    pub(super) fn show(&self, ty: &Type, structs: &[String]) -> String {
        let inner = |ty: &Type| self.show(ty, structs);
        match self.shallow(ty) {
            Type::Leaf(leaf) => leaf.name().to_string(),
            Type::Char => "char".to_string(),
            Type::Ordering => "Ordering".to_string(),
            Type::Fixed(element, n) => format!("[{}; {n}]", inner(&element)),
            Type::Usize => "usize".to_string(),
            Type::Isize => "isize".to_string(),
            Type::I128 => "i128".to_string(),
            Type::U128 => "u128".to_string(),
            Type::Tuple(types) => match &types[..] {
                [one] => format!("({},)", inner(one)),
                types => format!(
                    "({})",
                    types.iter().map(inner).collect::<Vec<_>>().join(", ")
                ),
            },
            Type::Struct(id) | Type::Bundle(id) => {
                let (template, arguments) = self.made.of(id).unwrap_or((id, Vec::new()));
                let name = structs.get(template).cloned().unwrap_or_default();
                match &arguments[..] {
                    [] => name,
                    arguments => {
                        let arguments: Vec<String> = arguments.iter().map(inner).collect();
                        format!("{name}<{}>", arguments.join(", "))
                    }
                }
            }
            Type::Option(ty) => format!("Option<{}>", inner(&ty)),
            Type::Range(ty) => format!("Range<{}>", inner(&ty)),
            Type::Array(element, rank) => {
                let name = ["Scalar", "Vector", "Matrix", "Cube"].get(rank);
                match name {
                    Some(name) => format!("{name}<{}>", inner(&element)),
                    None => format!("Array<{}, {rank}>", inner(&element)),
                }
            }
            Type::Nested { outer, inner: ty } => {
                format!("array of rank {outer} of {}", inner(&ty))
            }
            Type::Segmented(element) => format!("Segmented<{}>", inner(&element)),
            Type::Offsets(element) => format!("Offsets<{}>", inner(&element)),
            Type::Window(element, 1) => format!("window of {}", inner(&element)),
            Type::Window(element, rank) => format!("window of {} of rank {rank}", inner(&element)),
            Type::Closure => "closure".to_string(),
            Type::Function(arguments, result) => {
                let arguments: Vec<String> = arguments.iter().map(inner).collect();
                format!("Fn({}) -> {}", arguments.join(", "), inner(&result))
            }
            Type::Never => "!".to_string(),
            Type::Unknown(_) => match self.kind(ty) {
                Some(Kind::Integer) => "{integer}".to_string(),
                Some(Kind::Float) => "{float}".to_string(),
                Some(Kind::Any) | None => "_".to_string(),
            },
        }
    }
}

/// The leaf type of a scalar; `usize` and `isize` are 64 bits wide. Of an integer of 128 bits it is that of the high half,
/// which tells its kind and its sign, but not its width: see [`bits`].
pub(super) fn leaf(ty: &Type) -> Option<Leaf> {
    match ty {
        Type::I128 => Some(Leaf::I64),
        Type::U128 => Some(Leaf::U64),
        Type::Leaf(leaf) => Some(*leaf),
        Type::Char => Some(Leaf::U32),
        Type::Ordering => Some(Leaf::I8),
        Type::Usize => Some(Leaf::U64),
        Type::Isize => Some(Leaf::I64),
        _ => None,
    }
}

/// The width of a scalar in bits.
pub(super) fn bits(ty: &Type) -> Option<u32> {
    let leaf = leaf(ty)?;
    Some(if ty.is_wide() { 128 } else { leaf.bits() })
}

pub(super) fn is_integer(ty: &Type) -> bool {
    !matches!(ty, Type::Char | Type::Ordering) && leaf(ty).is_some_and(Leaf::is_integer)
}

/// The type of an index or a shape of a rank.
pub(super) fn index_type(rank: usize) -> Type {
    match rank {
        1 => Type::Usize,
        rank => Type::Tuple(vec![Type::Usize; rank]),
    }
}
