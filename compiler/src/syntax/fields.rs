//! Fields of structs and of variants.

use crate::diag::Errors;
use quote::format_ident;

/// Refuses fields without a name, and gives them one, so that what is expanded is Rust.
pub(super) fn name_fields(fields: &mut syn::Fields, errors: &mut Errors) {
    for (position, field) in fields.iter_mut().enumerate() {
        if let Some(ident) = &mut field.ident
            && ident == "_"
        {
            errors.error(
                ident.span(),
                "expected a field's name, found `_`",
                "every field has a name, so that it can be read",
            );
            *ident = format_ident!("field_{position}", span = ident.span());
        }
    }
}
