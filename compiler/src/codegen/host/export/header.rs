//! The C header of a package: what all share, then a comment and a declaration for each function with `#[export(c)]`.

use super::{Parameter, Role, parameters};
use crate::codegen::names::{c, unraw};
use crate::scalar::Leaf;
use crate::sorted::SortedSet;
use crate::typed::{Function, Host, Type};
use std::fmt::Write as _;

const SHARED: &str = include_str!("accelerate.h");
/// Types that stand in declarations; words of C are known.
const TYPES: [&str; 12] = [
    "accelerate_array",
    "accelerate_device",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "ptrdiff_t",
    "size_t",
];

/// The header of a package with these functions, of which each is plain Rust or not; nothing if none is for C.
pub fn header<'f>(
    package: &str,
    all: impl Iterator<Item = (&'f Function, bool)>,
) -> Option<String> {
    let mut functions = String::new();
    for (source, plain) in all.filter(|(source, _)| source.attributes.export.is_some()) {
        functions.push_str(&comment(source, plain));
        functions.push_str(&declaration(source, plain));
    }
    if functions.is_empty() {
        return None;
    }
    let plain = |c: char| match c.is_ascii_alphanumeric() {
        true => c.to_ascii_uppercase(),
        false => '_',
    };
    let guard: String = package.chars().map(plain).collect();
    let guard = format!("ACCELERATE_PACKAGE_{guard}_H");
    Some(format!(
        "/* Functions of `{package}` for C. Written by its build script: do not edit. */\n#ifndef {guard}\n#define {guard}\n\n\
         {SHARED}\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n{functions}\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n"
    ))
}

/// The names of the parameters in C, with the device's.
fn names(all: &[Parameter]) -> Vec<String> {
    let mut taken: SortedSet<String> = TYPES.map(str::to_owned).into();
    taken.insert("device".to_owned());
    let names = all.iter().map(|p| c::parameter(&p.name, &mut taken));
    names.collect()
}

fn declaration(source: &Function, plain: bool) -> String {
    let all = parameters(source);
    let mut list = Vec::new();
    if !plain {
        list.push("const accelerate_device *device".to_owned());
    }
    for (parameter, name) in all.iter().zip(names(&all)) {
        let declared = match (parameter.ty, parameter.role) {
            (Type::Array(..), Role::Argument) => format!("const accelerate_array *{name}"),
            (Type::Array(..), Role::Consumed) => format!("accelerate_array *{name}"),
            (Type::Array(..), Role::Result) => format!("accelerate_array **{name}"),
            (ty, Role::Result) => format!("{} *{name}", type_of(ty)),
            (ty, _) => format!("{} {name}", type_of(ty)),
        };
        list.push(declared);
    }
    let list = match list.is_empty() {
        true => "void".to_owned(),
        false => list.join(", "),
    };
    format!("int {}({list});\n", unraw(&source.name.to_string()))
}

/// What the user says of the function, and the types of its arrays.
fn comment(source: &Function, plain: bool) -> String {
    let mut text = documentation(source);
    let all = parameters(source);
    for (parameter, name) in all.iter().zip(names(&all)) {
        if let Type::Array(element, rank) = parameter.ty {
            let away = match parameter.role {
                Role::Consumed => ", which the call empties",
                Role::Argument | Role::Result => "",
            };
            let element = type_of(element);
            let _ = write!(text, "\n   `{name}`: `{element}` of rank {rank}{away}.");
        }
    }
    let text = text.trim_start();
    let text = match (text.is_empty(), plain) {
        (false, _) => text,
        (true, true) => "Takes and gives scalars.",
        (true, false) => "Takes a device and scalars.",
    };
    // Whatever the user has written, the comment ends where it does.
    let text = text.replace("*/", "* /").replace("/*", "/ *");
    format!("\n/* {text} */\n")
}

/// The first paragraph of the documentation.
fn documentation(source: &Function) -> String {
    let Host::Item { attributes, .. } = &source.host else {
        return String::new();
    };
    let mut lines = Vec::new();
    for attribute in attributes {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let syn::Expr::Lit(literal) = &pair.value
            && let syn::Lit::Str(text) = &literal.lit
        {
            lines.extend(text.value().split('\n').map(|line| line.trim().to_owned()));
        }
    }
    let paragraph = lines.iter().skip_while(|line| line.is_empty());
    let paragraph: Vec<&str> = paragraph
        .take_while(|line| !line.is_empty())
        .map(String::as_str)
        .collect();
    paragraph.join("\n   ")
}

/// A scalar in C.
fn type_of(ty: &Type) -> &'static str {
    match ty {
        Type::Leaf(leaf) => match leaf {
            Leaf::Bool => "bool",
            Leaf::I8 => "int8_t",
            Leaf::I16 => "int16_t",
            Leaf::I32 => "int32_t",
            Leaf::I64 => "int64_t",
            Leaf::U8 => "uint8_t",
            // A float of 16 bits is its bits.
            Leaf::U16 | Leaf::F16 | Leaf::Bf16 => "uint16_t",
            Leaf::U32 => "uint32_t",
            Leaf::U64 => "uint64_t",
            Leaf::F32 => "float",
            Leaf::F64 => "double",
        },
        Type::Usize => "size_t",
        Type::Isize => "ptrdiff_t",
        Type::Char => "uint32_t",
        ty => unreachable!("`check` lets no {ty:?} out"),
    }
}

#[cfg(test)]
mod tests {
    use super::header;
    use crate::{Options, compile};
    use std::str::FromStr;

    /// Without what all headers share.
    fn functions(text: &str) -> String {
        let tokens = proc_macro2::TokenStream::from_str(text).expect("Rust");
        let unit = compile(tokens, &Options::default());
        assert!(unit.errors.is_empty(), "{:?}", unit.errors);
        let header = header("some-package", unit.sources()).unwrap_or_default();
        let (_, own) = header.split_once("#endif\n\n#endif\n").unwrap_or_default();
        let begin = own.find("/*").unwrap_or(0);
        let end = own.rfind("\n#ifdef").unwrap_or(0);
        own[begin..end].trim_end().to_owned()
    }

    #[test]
    fn declarations_say_what_rust_does() {
        let text = "
            /// Scales */ and
            /// adds.
            ///
            /// More.
            #[export(c)]
            pub fn axpy(a: f32, xs: &Vector<f32>, ys: Vector<f32>) -> Vector<f32> {
                xs.zip(ys).map(|(x, y)| a * x + y)
            }
            #[export(c)]
            pub fn both(m: &Matrix<usize>, result: u8, device: char) -> (Vector<u64>, (usize, bool)) {
                (m.map(|x| x as u64).sum(), (m.len(), result == 0 && device == 'x'))
            }
            #[export(c)]
            pub fn r#half(signed: i64) -> i64 { signed / 2 }
            pub fn kept(x: f32) -> f32 { x }";
        assert_eq!(
            functions(text),
            "/* Scales * / and\n   adds.\n   `xs`: `float` of rank 1.\n   `ys`: `float` of rank 1, which the call empties.\n   \
             `result`: `float` of rank 1. */\n\
             int axpy(const accelerate_device *device, float a, const accelerate_array *xs, accelerate_array *ys, \
             accelerate_array **result);\n\n\
             /* `m`: `size_t` of rank 2.\n   `result_0`: `uint64_t` of rank 1. */\n\
             int both(const accelerate_device *device, const accelerate_array *m, uint8_t result, uint32_t device_2, \
             accelerate_array **result_0, size_t *result_1_0, bool *result_1_1);\n\n\
             /* Takes and gives scalars. */\n\
             int half(int64_t signed_2, int64_t *result);"
        );
    }

    #[test]
    fn no_function_no_header() {
        assert_eq!(functions("pub fn kept(x: f32) -> f32 { x }"), "");
    }
}
