//! The images of a program in one file, as the build script writes it (`build-support/src/container.rs`).

use std::ffi::CStr;

// What writes it.
#[cfg(test)]
#[path = "../../../build-support/src/container.rs"]
mod container;

/// What a device can load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Image<'a> {
    /// `80`, `90a`.
    pub(crate) architecture: &'a str,
    pub(crate) content: Content<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content<'a> {
    Ptx(&'a CStr),
    /// An ELF file.
    Cubin(&'a [u8]),
}

/// The images of the program with this hash, in the order of the file. None if it is another program's, of another format, or not whole:
/// a driver reads images without their lengths.
pub(crate) fn read<'a>(file: &'a [u8], hash: &str) -> Option<Vec<Image<'a>>> {
    let (first, mut rest) = line(file)?;
    if first.strip_prefix("// accelerate-images 1 ")? != hash {
        return None;
    }
    let mut images = Vec::new();
    while !rest.is_empty() {
        let (head, behind) = line(rest)?;
        let mut words = head.strip_prefix("// ")?.split(' ');
        let (kind, architecture, length) = (words.next()?, words.next()?, words.next()?);
        let (bytes, behind) = behind.split_at_checked(length.parse().ok()?)?;
        let content = match kind {
            "ptx" => Content::Ptx(CStr::from_bytes_with_nul(bytes).ok()?),
            "cubin" if is_whole(bytes) => Content::Cubin(bytes),
            _ => return None,
        };
        images.push(Image {
            architecture,
            content,
        });
        rest = behind;
    }
    (!images.is_empty()).then_some(images)
}

/// A line of the file, and what is behind it.
fn line(file: &[u8]) -> Option<(&str, &[u8])> {
    let end = file.iter().position(|&byte| byte == b'\n')?;
    Some((std::str::from_utf8(&file[..end]).ok()?, &file[end + 1..]))
}

/// Whether the bytes are an ELF file with all that its header and its sections tell of.
fn is_whole(elf: &[u8]) -> bool {
    let number = |at: usize, bytes: usize| -> Option<u64> {
        let bytes = elf.get(at..at.checked_add(bytes)?)?;
        let digit = |sum, &byte| sum << 8 | u64::from(byte);
        Some(bytes.iter().rev().fold(0, digit))
    };
    let ends_inside = |start: u64, bytes: u64| {
        let end = start
            .checked_add(bytes)
            .filter(|&end| end <= elf.len() as u64);
        end.map(|_| ())
    };
    let check = || {
        let (programs, sections) = (number(32, 8)?, number(40, 8)?);
        ends_inside(programs, number(54, 2)? * number(56, 2)?)?;
        let (size, count) = (number(58, 2)?, number(60, 2)?);
        ends_inside(sections, size * count)?;
        for section in (0..count).map(|index| sections + index * size) {
            let at = usize::try_from(section).ok()?;
            // One of zeros takes no room in the file.
            if number(at + 4, 4)? != 8 {
                ends_inside(number(at + 24, 8)?, number(at + 32, 8)?)?;
            }
        }
        Some(())
    };
    // 64 bits, little-endian.
    elf.starts_with(b"\x7fELF\x02\x01") && check().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ELF file with one section of eight bytes behind its header.
    fn elf() -> Vec<u8> {
        let mut elf = vec![0; 64];
        elf[..6].copy_from_slice(b"\x7fELF\x02\x01");
        elf[40] = 72;
        elf[58] = 64;
        elf[60] = 1;
        elf.extend([7; 8]);
        let mut section = [0; 64];
        (section[4], section[24], section[32]) = (1, 64, 8);
        elf.extend(section);
        elf
    }

    fn written() -> Vec<u8> {
        let image = |architecture: &str, content| container::Image {
            architecture: architecture.into(),
            content,
        };
        container::write(
            "00ff",
            &[
                image("80", container::Content::Ptx(".version 9.0\n".into())),
                image("90a", container::Content::Cubin(elf())),
                image("100f", container::Content::Ptx(String::new())),
            ],
        )
    }

    #[test]
    fn what_the_build_script_writes_is_read() {
        let (file, elf) = (written(), elf());
        let image = |architecture, content| Image {
            architecture,
            content,
        };
        let expected = [
            image("80", Content::Ptx(c".version 9.0\n")),
            image("90a", Content::Cubin(&elf)),
            image("100f", Content::Ptx(c"")),
        ];
        assert_eq!(read(&file, "00ff").as_deref(), Some(&expected[..]));
    }

    #[test]
    fn a_file_of_another_program_is_refused() {
        for hash in ["00fe", "00f", "00fff", ""] {
            assert_eq!(read(&written(), hash), None, "{hash}");
        }
        assert_eq!(
            read(b"// accelerate-images 2 00ff\n// ptx 80 1\n\0", "00ff"),
            None
        );
        assert_eq!(
            read(b"// accelerate-module: 00ff\n.version 9.0\n\0", "00ff"),
            None
        );
    }

    /// Cut off anywhere it holds fewer images, whole ones, or is refused.
    #[test]
    fn a_file_that_is_not_whole_is_refused() {
        let file = written();
        let starts: Vec<usize> = (0..file.len())
            .filter(|&at| {
                [&b"// cubin"[..], b"// ptx 100f"]
                    .iter()
                    .any(|head| file[at..].starts_with(head))
            })
            .collect();
        assert_eq!(starts.len(), 2);
        for end in 0..file.len() {
            let images = read(&file[..end], "00ff").map(|images| images.len());
            let whole = starts.iter().position(|&start| start == end);
            assert_eq!(images, whole.map(|before| before + 1), "{end} bytes");
        }
    }

    #[test]
    fn lengths_that_are_wrong_are_refused() {
        let file = |rest: &str| [b"// accelerate-images 1 00ff\n", rest.as_bytes()].concat();
        assert!(read(&file("// ptx 80 3\nab\0"), "00ff").is_some());
        for wrong in [
            "",
            "// ptx 80 2\nab\0",
            "// ptx 80 4\nab\0",
            "// ptx 80 99999999999999999999\nab\0",
            "// ptx 80 18446744073709551615\nab\0",
            "// ptx 80 -1\nab\0",
            "// ptx 80\nab\0",
            "// ptx 80 3\na\0\0",
            "// sass 80 3\nab\0",
            "// cubin 80 3\nab\0",
        ] {
            assert_eq!(read(&file(wrong), "00ff"), None, "{wrong:?}");
        }
    }

    /// Any byte of the header and the section may be wrong.
    #[test]
    fn a_cubin_that_ends_before_its_sections_is_refused() {
        let whole = elf();
        assert!(is_whole(&whole));
        for end in 0..whole.len() {
            assert!(!is_whole(&whole[..end]), "{end} bytes");
        }
        for at in 0..whole.len() {
            let mut other = whole.clone();
            other[at] = 0xff;
            // It must not panic.
            let _ = is_whole(&other);
        }
        let mut beyond = whole.clone();
        beyond[72 + 32] = 137;
        assert!(!is_whole(&beyond));
        beyond[72 + 4] = 8;
        assert!(is_whole(&beyond));
    }
}
