//! The snapshot of resources: the toolkit, a line with the digest of each program's text, and one for each of its entries.

use std::collections::HashMap;
use std::fmt::Write as _;

/// Bytes that a thread may spill for the sake of occupancy, and by which two runs of nvcc may differ.
pub(super) const FEW: u32 = 32;
/// Registers that a thread may have more or fewer than is recorded.
const STEP: u32 = 8;

/// How a snapshot begins.
pub(super) fn head(toolkit: &str) -> String {
    format!("program | entry | registers | spilled bytes | shared bytes\ntoolkit | {toolkit}\n")
}

/// Its lines of a program.
pub(super) fn rows(program: &str, digest: u64, entries: &[Resources]) -> String {
    let mut rows = format!("{program} | {digest:016x}\n");
    for entry in entries {
        let Resources {
            name,
            registers,
            spilled,
            shared,
        } = entry;
        let _ = writeln!(
            rows,
            "{program} | {name} | {registers} | {spilled} | {shared}"
        );
    }
    rows
}

/// What was recorded.
#[derive(Default)]
pub(super) struct Recorded {
    pub(super) toolkit: String,
    programs: HashMap<String, Program>,
}

/// Of a program.
#[derive(Default)]
struct Program {
    /// Of its CUDA C.
    digest: u64,
    entries: Vec<Resources>,
}

impl Recorded {
    /// Of the text of a snapshot.
    pub(super) fn read(text: &str) -> Recorded {
        let mut recorded = Recorded::default();
        for line in text.lines() {
            let fields: Vec<&str> = line.split(" | ").collect();
            match fields[..] {
                ["toolkit", version] => recorded.toolkit = version.to_owned(),
                [program, digest] => {
                    let of = recorded.programs.entry(program.to_owned()).or_default();
                    of.digest = u64::from_str_radix(digest, 16).unwrap_or(0);
                }
                [program, name, registers, spilled, shared] => {
                    let numbers = [registers, spilled, shared].map(|text| text.parse().ok());
                    if let [Some(registers), Some(spilled), Some(shared)] = numbers {
                        let of = recorded.programs.entry(program.to_owned()).or_default();
                        of.entries.push(Resources {
                            name: name.to_owned(),
                            registers,
                            spilled,
                            shared,
                        });
                    }
                }
                _ => {}
            }
        }
        recorded
    }

    /// What was measured of a program, if it had this text.
    pub(super) fn of(&self, program: &str, digest: u64) -> Option<Vec<Resources>> {
        let program = self.programs.get(program)?;
        (program.digest == digest).then(|| program.entries.clone())
    }

    /// What to compare with the record: that itself, if nvcc's choice may be all that has changed. It may be where a thread has
    /// no more than [`STEP`] registers and spills no more than [`FEW`] bytes more or fewer, or as many as it has in
    /// registers instead: nvcc gave one text 56 registers, and 48 with 40 bytes. That no entry needs to spill is tested apart:
    /// see [`super::assemble`].
    pub(super) fn settled(&self, program: &str, mut measured: Resources) -> Resources {
        measured.registers = measured.registers.next_multiple_of(STEP);
        let of = self.programs.get(program);
        let mut entries = of.iter().flat_map(|of| &of.entries);
        match entries.find(|recorded| recorded.name == measured.name) {
            Some(recorded)
                if recorded.registers.abs_diff(measured.registers) <= STEP
                    && (recorded.spilled.abs_diff(measured.spilled) <= FEW
                        || recorded.bytes().abs_diff(measured.bytes()) <= FEW)
                    && recorded.shared == measured.shared =>
            {
                recorded.clone()
            }
            _ => measured,
        }
    }
}

/// What ptxas gives a thread of an entry, and its block.
#[derive(Clone)]
pub(super) struct Resources {
    pub(super) name: String,
    pub(super) registers: u32,
    /// Bytes stored.
    pub(super) spilled: u32,
    /// Bytes of the block.
    pub(super) shared: u32,
}

impl Resources {
    /// What a thread has in registers and spills.
    fn bytes(&self) -> u32 {
        4 * self.registers + self.spilled
    }
}

/// The entries of which ptxas says so.
pub(super) fn resources(messages: &str) -> Vec<Resources> {
    let (mut found, mut name, mut spilled) = (Vec::new(), String::new(), 0);
    for line in messages.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            name = rest.split('\'').next().unwrap_or_default().to_owned();
            spilled = 0;
        } else if line.contains("spill stores") {
            spilled += before(line, " bytes spill stores");
        } else if line.contains("Used ") {
            found.push(Resources {
                name: name.clone(),
                registers: before(line, " registers"),
                spilled,
                shared: before(line, " bytes smem"),
            });
        }
    }
    found
}

/// The number before a text in a line; 0 if it is not there.
fn before(line: &str, text: &str) -> u32 {
    let number = line
        .split_once(text)
        .and_then(|(before, _)| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}
