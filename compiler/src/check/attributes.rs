//! Attributes of functions: contracts and permissions.

use super::Checker;
use super::paths::segments;
use super::suggest::did_you_mean;
use crate::syntax::span;
use crate::typed::{Attributes, Limited};

/// Attributes of Rust's that pass through to the host function.
const RUST: &[&str] = &[
    "doc",
    "cfg",
    "cfg_attr",
    "allow",
    "expect",
    "warn",
    "deny",
    "forbid",
    "inline",
    "must_use",
    "deprecated",
    "cold",
    "track_caller",
    "rustfmt",
    "clippy",
];

/// Attributes that may stand before a statement, an arm, a closure: they are for rustc and for people.
const STATEMENTS: &[&str] = &[
    "doc", "allow", "expect", "warn", "deny", "forbid", "rustfmt", "clippy",
];

/// The language's own.
const OURS: [&str; 7] = [
    "export",
    "foreign",
    "fused",
    "associative",
    "deterministic",
    "fast_math",
    "instances",
];

impl Checker<'_> {
    /// Those of a function, which is a helper or what the host calls.
    pub(super) fn attributes(&mut self, list: &[syn::Attribute], helper: bool) -> Attributes {
        let mut result = Attributes::default();
        for attribute in list {
            let path = attribute.path();
            let Some(name) = path.segments.first().map(|s| s.ident.to_string()) else {
                continue;
            };
            match &*name {
                "export" => self.export(attribute, helper, &mut result),
                "fused" => self.fused(attribute, &mut result),
                "associative" => {
                    self.no_arguments(attribute);
                    result.associative = true;
                }
                "fast_math" => {
                    self.no_arguments(attribute);
                    if helper {
                        self.error(
                            span(path),
                            "`#[fast_math]` on a helper, which is a part of whatever calls it",
                            "write it on the `pub` function: it holds for all that this one calls",
                        );
                    }
                    result.fast_math = true;
                }
                "deterministic" => {
                    self.no_arguments(attribute);
                    result.deterministic = true;
                }
                "foreign" => self.foreign(attribute, &mut result),
                // `syntax` takes it of those of the block.
                "instances" => self.error(
                    span(path),
                    "`#[instances]` cannot stand here",
                    "write it before a `pub` function of the block",
                ),
                name if RUST.contains(&name) => {}
                name => {
                    let help = did_you_mean(name, OURS.into_iter().chain(RUST.iter().copied()));
                    self.error(
                        span(path),
                        format!("unknown attribute `{name}`"),
                        if help.is_empty() {
                            "the language's are `#[fused(kernels = 1)]`, `#[associative]`, `#[deterministic]` and `#[fast_math]`"
                                .to_string()
                        } else {
                            help
                        },
                    );
                }
            }
        }
        result
    }

    /// Attributes inside a body: the compiler reads none, so only those may stand that tell rustc and people something.
    pub(super) fn attributes_within(&mut self, body: &syn::Expr) {
        struct Found<'b>(Vec<&'b syn::Attribute>);
        impl<'b> syn::visit::Visit<'b> for Found<'b> {
            fn visit_attribute(&mut self, attribute: &'b syn::Attribute) {
                self.0.push(attribute);
            }
        }
        let mut found = Found(Vec::new());
        syn::visit::Visit::visit_expr(&mut found, body);
        for attribute in found.0 {
            self.attribute_of_statement(attribute);
        }
    }

    fn attribute_of_statement(&mut self, attribute: &syn::Attribute) {
        let name = path_text(attribute);
        let first = name.split(' ').next().unwrap_or_default();
        if STATEMENTS.contains(&first) {
            return;
        }
        let known = OURS.contains(&first) || RUST.contains(&first);
        let message = match known {
            true => format!("the attribute `{name}` cannot stand here"),
            false => format!("unknown attribute `{name}`"),
        };
        let help = match first {
            "materialize" => "write `xs.materialize()`",
            name if OURS.contains(&name) => "write it before the function",
            "cfg" | "cfg_attr" => "write it before the function, in a version for each",
            _ => "leave it out",
        };
        self.error(span(attribute.path()), message, help);
    }

    fn no_arguments(&mut self, attribute: &syn::Attribute) {
        if let Err(error) = attribute.meta.require_path_only() {
            self.error(
                error.span(),
                format!("`#[{}]` takes no arguments", path_text(attribute)),
                "",
            );
        }
    }

    /// `#[fused(kernels = n, checks = n, bytes = expression)]`
    fn fused(&mut self, attribute: &syn::Attribute, result: &mut Attributes) {
        const HELP: &str = "write `#[fused(kernels = 1)]`";
        let syn::Meta::List(list) = &attribute.meta else {
            self.error(span(attribute.path()), "`#[fused]` needs a limit", HELP);
            return;
        };
        let parser =
            syn::punctuated::Punctuated::<syn::MetaNameValue, syn::Token![,]>::parse_terminated;
        let pairs = match list.parse_args_with(parser) {
            Ok(pairs) => pairs,
            Err(error) => {
                self.error(error.span(), format!("in `#[fused]`: {error}"), HELP);
                return;
            }
        };
        if pairs.is_empty() {
            self.error(span(list), "`#[fused]` needs a limit", HELP);
        }
        for pair in pairs {
            let name = segments(&pair.path).join("::");
            let limited = match &*name {
                "bytes" => {
                    result.bytes = Some(pair.value);
                    continue;
                }
                "kernels" | "launches" => Limited::Launches,
                "checks" => Limited::Checks,
                "atomics" => Limited::Atomics,
                _ => {
                    self.error(span(&pair.path), format!("no contract `{name}`"), HELP);
                    continue;
                }
            };
            match &pair.value {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(number),
                    ..
                }) if number.base10_parse::<u32>().is_ok() => {
                    let most = number.base10_parse().unwrap_or(0);
                    result.limits.push((limited, most, number.span()));
                }
                other => {
                    let message = format!("the number of {name} must be a literal");
                    self.error(span(other), message, HELP);
                }
            }
        }
    }
}

fn path_text(attribute: &syn::Attribute) -> String {
    let path = attribute.path();
    quote::quote!(#path).to_string()
}
