//! JSON, as nvdisasm writes it.

use anyhow::{Result, bail};
use std::collections::BTreeMap;

/// A value. Numbers and the three words are not told apart from each other: nobody asks for more than their text.
#[derive(Debug, PartialEq)]
pub(super) enum Json {
    Word(String),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// Reads a text that is one value.
    pub(super) fn parse(text: &str) -> Result<Json> {
        let mut parser = Parser { rest: text };
        let value = parser.value()?;
        parser.space();
        if !parser.rest.is_empty() {
            bail!("something stands behind the value: {}", parser.near());
        }
        Ok(value)
    }

    /// A field of an object.
    pub(super) fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.get(name),
            _ => None,
        }
    }

    /// A text.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a field; nothing if there is none.
    pub(super) fn text_of(&self, name: &str) -> &str {
        self.get(name).and_then(Json::text).unwrap_or_default()
    }

    /// The values of a list; none of anything else.
    pub(super) fn list(&self) -> &[Json] {
        match self {
            Json::List(values) => values,
            _ => &[],
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn near(&self) -> String {
        self.rest.chars().take(40).collect()
    }

    /// Whether this character comes next; then it is passed.
    fn takes(&mut self, wanted: char) -> bool {
        self.space();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn value(&mut self) -> Result<Json> {
        if self.takes('{') {
            let mut fields = BTreeMap::new();
            while !self.takes('}') {
                self.space();
                let name = self.quoted()?;
                if !self.takes(':') {
                    bail!("no value of `{name}`: {}", self.near());
                }
                fields.insert(name, self.value()?);
                self.takes(',');
            }
            return Ok(Json::Object(fields));
        }
        if self.takes('[') {
            let mut values = Vec::new();
            while !self.takes(']') {
                values.push(self.value()?);
                self.takes(',');
            }
            return Ok(Json::List(values));
        }
        if self.rest.starts_with('"') {
            return Ok(Json::Text(self.quoted()?));
        }
        let end = |c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c));
        let end = self.rest.find(end).unwrap_or(self.rest.len());
        if end == 0 {
            bail!("no value: {}", self.near());
        }
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok(Json::Word(word.to_owned()))
    }

    fn quoted(&mut self) -> Result<String> {
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        if characters.next().map(|(_, c)| c) != Some('"') {
            bail!("no text: {}", self.near());
        }
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => match characters.next().map(|(_, c)| c) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(c @ ('"' | '\\' | '/')) => text.push(c),
                    _ => bail!("an escape that nvdisasm does not write: {}", self.near()),
                },
                character => text.push(character),
            }
        }
        bail!("a text without an end: {}", self.near())
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn values_are_read() {
        let text = r#" [{"a":1,"b":[ "x\"y", true, -0.5e+3 ]} , [] ,{}]"#;
        let value = Json::parse(text).unwrap();
        let first = &value.list()[0];
        assert_eq!(first.get("a"), Some(&Json::Word("1".to_owned())));
        assert_eq!(first.get("b").unwrap().list()[0].text(), Some("x\"y"));
        assert_eq!(first.get("b").unwrap().list().len(), 3);
        assert_eq!(first.text_of("c"), "");
        assert_eq!(value.list().len(), 3);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in ["", "[", r#"{"a" 1}"#, r#""a"#, "1 2"] {
            assert!(Json::parse(text).is_err(), "{text}");
        }
    }
}
