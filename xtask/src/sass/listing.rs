//! Instructions of a cubin, as `nvdisasm -json` lists them.

use super::json::Json;
use anyhow::{Context, Result, bail};

/// Bytes of an instruction.
const BYTES: usize = 16;

/// A function: an entry, or what is called.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) instructions: Vec<Instruction>,
}

/// An instruction.
#[derive(Clone, Debug, Default)]
pub(super) struct Instruction {
    /// `@P0`, `@!UP1`; nothing if it is done in any case.
    pub(super) predicate: String,
    /// With its modifiers: `LDG.E.128`.
    pub(super) opcode: String,
    pub(super) operands: String,
}

/// What comes after an instruction.
#[derive(Debug, PartialEq)]
pub(super) enum Next {
    /// The one behind it.
    Behind,
    /// One that it jumps to; the one behind it, too, if it has a condition.
    Jump { to: usize, conditional: bool },
    /// None; the one behind it if it has a condition.
    End { conditional: bool },
}

impl Instruction {
    /// The opcode without its modifiers.
    pub(super) fn base(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    /// Whether the opcode has a modifier.
    pub(super) fn has(&self, modifier: &str) -> bool {
        self.opcode
            .split('.')
            .skip(1)
            .any(|other| other == modifier)
    }

    /// Bytes that a load or a store moves for a thread.
    pub(super) fn width(&self) -> u32 {
        let widths = [
            ("128", 16),
            ("64", 8),
            ("U8", 1),
            ("S8", 1),
            ("U16", 2),
            ("S16", 2),
        ];
        let found = widths.iter().find(|(modifier, _)| self.has(modifier));
        found.map_or(4, |(_, bytes)| *bytes)
    }

    /// What comes after it. Branches for lanes that do not stand together (`BRA.DIV`) lead to a copy of what follows, out of
    /// line, which a warp that stands together never comes to.
    pub(super) fn next(&self) -> Result<Next> {
        let given = self.operands.split(',').next().unwrap_or_default();
        let given = given.trim_start_matches('!');
        let conditional =
            !self.predicate.is_empty() || given.starts_with('P') || given.starts_with("UP");
        match self.base() {
            "BRA" if self.has("DIV") || self.has("CONV") => Ok(Next::Behind),
            "BRA" => {
                let target = self.operands.rsplit(',').next().unwrap_or_default();
                let target = target.trim().strip_prefix("0x");
                let target = target.and_then(|digits| usize::from_str_radix(digits, 16).ok());
                let to = target.with_context(|| format!("a jump to `{}`", self.operands))?;
                Ok(Next::Jump {
                    to: to / BYTES,
                    conditional,
                })
            }
            "EXIT" | "RET" | "KILL" => Ok(Next::End {
                conditional: !self.predicate.is_empty(),
            }),
            "BRX" | "BRXU" | "JMP" | "JMX" | "JMXU" => {
                bail!("a jump that is not followed: `{}`", self.opcode)
            }
            _ => Ok(Next::Behind),
        }
    }

    /// What it calls.
    pub(super) fn callee(&self) -> Option<&str> {
        (self.base() == "CALL").then(|| self.operands.rsplit(',').next().unwrap_or_default())
    }
}

/// The functions of a listing.
pub(super) fn functions(listing: &str) -> Result<Vec<Function>> {
    let value = Json::parse(listing)?;
    let [_, functions] = value.list() else {
        bail!("nvdisasm's listing has another form");
    };
    let function = |function: &Json| {
        let instructions = function.get("sass-instructions");
        let instructions = instructions.map(Json::list).unwrap_or_default();
        let instruction = |one: &Json| Instruction {
            predicate: one.text_of("predicate").to_owned(),
            opcode: one.text_of("opcode").to_owned(),
            operands: one.text_of("operands").to_owned(),
        };
        Function {
            name: function.text_of("function-name").to_owned(),
            instructions: instructions.iter().map(instruction).collect(),
        }
    };
    Ok(functions.list().iter().map(function).collect())
}

/// Instructions in short: one on a line, `@P0 BRA 0x10`.
#[cfg(test)]
pub(super) fn short(text: &str) -> Vec<Instruction> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let instruction = |line: &str| {
        let (predicate, rest) = match line.strip_prefix('@') {
            Some(_) => line.split_once(' ').unwrap(),
            None => ("", line),
        };
        let (opcode, operands) = rest.split_once(' ').unwrap_or((rest, ""));
        Instruction {
            predicate: predicate.to_owned(),
            opcode: opcode.to_owned(),
            operands: operands.to_owned(),
        }
    };
    lines.map(instruction).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_read() {
        let text = r#"[{"SM":{"version":{"major":9}}},[{"function-name":"f","start":0,"length":32,"other-attributes":[],
            "sass-instructions":[{"opcode":"LDG.E.128.CONSTANT","operands":"R4,desc[UR4][R2.64]"},
            {"predicate":"@P0","opcode":"BRA","operands":"0x10","other-attributes":{"control-flow":"True"}}]}]]"#;
        let functions = functions(text).unwrap();
        assert_eq!(functions[0].name, "f");
        let [load, branch] = &functions[0].instructions[..] else {
            panic!("two instructions");
        };
        assert_eq!((load.base(), load.width()), ("LDG", 16));
        let next = Next::Jump {
            to: 1,
            conditional: true,
        };
        assert_eq!(branch.next().unwrap(), next);
    }

    #[test]
    fn jumps_are_followed_but_for_those_of_lanes_apart() {
        let next = |text| short(text)[0].next();
        let jump = |to, conditional| Next::Jump { to, conditional };
        assert_eq!(next("BRA 0x20").unwrap(), jump(2, false));
        assert_eq!(next("BRA !UP0,0x20").unwrap(), jump(2, true));
        assert_eq!(next("BRA.DIV UR4,0x20").unwrap(), Next::Behind);
        assert_eq!(next("BSSY B0,0x20").unwrap(), Next::Behind);
        assert_eq!(next("@P0 EXIT").unwrap(), Next::End { conditional: true });
        assert!(next("BRX R2,0x20").is_err());
    }
}
