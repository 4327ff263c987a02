//! The versions of PTX: what a text bears, and what a driver reads.

use crate::error::Error;
use crate::program::Program;
use std::ffi::{CStr, CString};

/// The PTX version that the portable target needs.
pub(super) const LEAST: i32 = 7000;

/// The first toolkit that wrote each PTX version, as 1000 * major + 10 * minor of both.
const TOOLKITS: &[(i32, i32)] = &[
    (7000, 11000),
    (7010, 11010),
    (7020, 11020),
    (7030, 11030),
    (7040, 11040),
    (7050, 11050),
    (7060, 11060),
    (7070, 11070),
    (7080, 11080),
    (8000, 12000),
    (8010, 12010),
    (8020, 12020),
    (8030, 12030),
    (8040, 12040),
    (8050, 12050),
    (8060, 12070),
    (8070, 12080),
    (8080, 12090),
    (9000, 13000),
    (9010, 13010),
];

/// What follows the first line of the PTX that begins so.
fn directive<'a>(image: &'a CStr, name: &str) -> Option<&'a str> {
    let head = &image.to_bytes()[..image.to_bytes().len().min(4096)];
    let lines = head.split(|&b| b == b'\n');
    let rest = |line: &'a [u8]| line.strip_prefix(name.as_bytes());
    let found = lines.into_iter().find_map(rest)?;
    std::str::from_utf8(found).ok().map(str::trim)
}

/// `.version 9.0` as 9000.
fn ptx_version(image: &CStr) -> Option<i32> {
    let (major, minor) = directive(image, ".version ")?.split_once('.')?;
    Some(major.parse::<i32>().ok()? * 1000 + minor.parse::<i32>().ok()? * 10)
}

/// The newest PTX version that a driver reads, if it is not older than the table.
pub(super) fn newest_read(driver: i32) -> Option<i32> {
    let read = TOOLKITS.iter().rfind(|(_, toolkit)| *toolkit <= driver);
    read.map(|(version, _)| *version)
}

/// That the PTX is newer than what the driver reads, if it is: the driver itself would answer with a bare number.
pub(super) fn newer(program: &Program, image: &CStr, driver: i32) -> Option<Error> {
    let ptx = ptx_version(image)?;
    // Versions newer than the table are left to the driver.
    let &(_, toolkit) = TOOLKITS.iter().find(|(version, _)| *version >= ptx)?;
    if toolkit <= driver {
        return None;
    }
    let show = |version: i32| format!("{}.{}", version / 1000, version % 1000 / 10);
    Some(Error::Cuda {
        message: format!(
            "`{}` needs CUDA {} (PTX {}); the driver supports {} (PTX {}): update the driver or build with an older \
             toolkit",
            program.name,
            show(toolkit),
            show(ptx),
            show(driver),
            newest_read(driver).map_or_else(|| "unknown".into(), show),
        ),
    })
}

/// The same PTX as a text of another version.
pub(super) fn with_version(image: &CStr, version: i32) -> CString {
    let line = format!(".version {}.{}", version / 1000, version % 1000 / 10);
    let mut written = false;
    let lines = image.to_bytes().split(|&b| b == b'\n').map(|old| {
        if written || !old.starts_with(b".version ") {
            return old;
        }
        written = true;
        line.as_bytes()
    });
    let text = lines.collect::<Vec<_>>().join(&b'\n');
    CString::new(text).expect("there was no NUL before")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_line_is_found() {
        let ptx = c"// accelerate-module: 12\n//\n.version 9.0\n.target sm_80\n";
        assert_eq!(ptx_version(ptx), Some(9000));
        assert_eq!(ptx_version(c""), None);
    }

    #[test]
    fn the_version_line_alone_is_lowered() {
        let ptx = c"// accelerate-module: 12\n.version 9.0\n.target sm_80\n// .version 9.0\n.version 9.0\n";
        let lowered = c"// accelerate-module: 12\n.version 7.1\n.target sm_80\n// .version 9.0\n.version 9.0\n";
        assert_eq!(with_version(ptx, 7010).as_c_str(), lowered);
    }

    #[test]
    fn drivers_read_the_versions_of_their_toolkits() {
        assert_eq!(newest_read(10020), None);
        assert_eq!(newest_read(11000), Some(7000));
        assert_eq!(newest_read(12040), Some(8040));
        assert_eq!(newest_read(12060), Some(8050));
        assert_eq!(newest_read(13050), Some(9010));
    }
}
