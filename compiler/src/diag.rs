//! Diagnostics: the user's errors, collected through a phase and reported together.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// One error of the user's. Wording: lower case, no full stop, code in backticks, what was found, what was expected.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The token to underline.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// One line that says what to write instead.
    pub help: Option<String>,
    /// A warning: the program is compiled all the same.
    pub warning: bool,
}

impl Diagnostic {
    /// An error at a token.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            span,
            message: message.into(),
            help: None,
            warning: false,
        }
    }

    /// A warning at a token: where rustc warns too.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            warning: true,
            ..Diagnostic::new(span, message)
        }
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// As an invocation of `compile_error!` at the token; a warning as the use of a deprecated constant, which is
    /// the only way for a stable macro to warn.
    pub fn to_tokens(&self) -> TokenStream {
        let text = match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        };
        if self.warning {
            return quote_spanned! {self.span=>
                const _: () = {
                    #[deprecated(note = #text)]
                    #[allow(non_upper_case_globals)]
                    const accelerate_warning: () = ();
                    accelerate_warning
                };
            };
        }
        quote_spanned!(self.span=> ::core::compile_error! { #text })
    }
}

/// The errors of a phase.
#[derive(Debug, Default)]
pub struct Errors {
    list: Vec<Diagnostic>,
}

impl Errors {
    /// Records an error.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Records an error, unless it has been recorded.
    pub fn push_new(&mut self, diagnostic: Diagnostic) {
        let key = |one: &Diagnostic| {
            let start = one.span.start();
            (start.line, start.column, one.message.clone())
        };
        if self.list.iter().all(|one| key(one) != key(&diagnostic)) {
            self.push(diagnostic);
        }
    }

    /// Records an error at a token; `help` may be empty.
    pub fn error(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        let (message, help) = (message.into(), help.into());
        self.push(Diagnostic {
            span,
            message,
            help: Some(help).filter(|help| !help.is_empty()),
            warning: false,
        });
    }

    /// Whether there are none; warnings do not count.
    pub fn is_empty(&self) -> bool {
        self.list.iter().all(|diagnostic| diagnostic.warning)
    }

    /// The errors, in order.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}
