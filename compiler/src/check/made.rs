//! Generic structs with their arguments: types of their own, numbered behind those of the block.

use crate::typed::Type;
use std::cell::RefCell;

/// A parameter of a generic struct, in the types of its fields and of its operators' operands.
pub(super) fn parameter(position: usize) -> Type {
    Type::Unknown(u32::MAX - 1 - position as u32)
}

/// Whether a type is one of these.
pub(super) fn is_parameter(ty: &Type) -> bool {
    // No function has so many variables, and no struct so many parameters.
    matches!(ty, Type::Unknown(id) if (u32::MAX - 0x1_0000..u32::MAX).contains(id))
}

/// The generic structs that occur, with their arguments.
pub(super) struct Made {
    /// How many types the block has.
    first: usize,
    list: RefCell<Vec<(usize, Vec<Type>)>>,
}

impl Made {
    pub(super) fn new(first: usize) -> Made {
        Made {
            first,
            list: RefCell::default(),
        }
    }

    /// The struct of the block that a type is made of, and the arguments; `None` if it has none.
    pub(super) fn of(&self, id: usize) -> Option<(usize, Vec<Type>)> {
        let position = id.checked_sub(self.first)?;
        self.list.borrow().get(position).cloned()
    }

    /// The number of a struct with these arguments.
    pub(super) fn make(&self, template: usize, arguments: Vec<Type>) -> usize {
        let mut list = self.list.borrow_mut();
        let made = (template, arguments);
        let position = list.iter().position(|known| *known == made);
        let position = position.unwrap_or_else(|| {
            list.push(made);
            list.len() - 1
        });
        self.first + position
    }

    pub(super) fn count(&self) -> usize {
        self.first + self.list.borrow().len()
    }

    /// A type with arguments in the place of parameters.
    pub(super) fn substituted(&self, ty: &Type, arguments: &[Type]) -> Type {
        let inner = |ty: &Type| self.substituted(ty, arguments);
        match ty {
            Type::Unknown(id) => {
                let position = (u32::MAX - 1).wrapping_sub(*id) as usize;
                arguments.get(position).unwrap_or(ty).clone()
            }
            Type::Struct(id) | Type::Bundle(id) => {
                let Some((template, own)) = self.of(*id) else {
                    return ty.clone();
                };
                let id = self.make(template, own.iter().map(inner).collect());
                match ty {
                    Type::Bundle(_) => Type::Bundle(id),
                    _ => Type::Struct(id),
                }
            }
            ty => rebuilt(ty, &inner),
        }
    }
}

/// A type whose parts are replaced; what has none stays.
pub(super) fn rebuilt(ty: &Type, part: &dyn Fn(&Type) -> Type) -> Type {
    let one = |ty: &Type| Box::new(part(ty));
    match ty {
        Type::Tuple(types) => Type::Tuple(types.iter().map(part).collect()),
        Type::Fixed(inner, n) => Type::Fixed(one(inner), *n),
        Type::Option(inner) => Type::Option(one(inner)),
        Type::Range(inner) => Type::Range(one(inner)),
        Type::Array(element, rank) => Type::Array(one(element), *rank),
        Type::Nested { outer, inner } => Type::Nested {
            outer: *outer,
            inner: one(inner),
        },
        Type::Window(element, rank) => Type::Window(one(element), *rank),
        Type::Segmented(element) => Type::Segmented(one(element)),
        Type::Offsets(element) => Type::Offsets(one(element)),
        Type::Function(arguments, result) => {
            Type::Function(arguments.iter().map(part).collect(), one(result))
        }
        other => other.clone(),
    }
}
