//! Tokens as text, spaced as a person would.

/// The text of tokens with the spaces that a person would write.
pub(super) fn tidy(text: &str) -> String {
    text.replace(" . ", ".")
        .replace(" (", "(")
        .replace("( ", "(")
        .replace(" )", ")")
        .replace(" [", "[")
        .replace("[ ", "[")
        .replace(" ]", "]")
        .replace(" ,", ",")
        .replace(" :: ", "::")
}
