//! The embedded images of a program, and which of them a device takes.

use crate::error::{Error, Result};
use crate::image::{self, Content, Image};
use crate::program::Program;

/// All of them, if they are this program's.
pub(super) fn images<'a>(program: &Program, file: &'a [u8]) -> Result<Vec<Image<'a>>> {
    image::read(file, program.hash).ok_or_else(|| Error::NotBuilt {
        message: format!(
            "the embedded images of `{}` are not of this program ({}), or not whole: are accelerate-rs and accelerate-rs-build \
             of one version?",
            program.name, program.hash
        ),
    })
}

/// The images that a device takes, best first: cubins, which need no compiler, before PTX, and of either that of the highest
/// architecture. PTX of a number is for it and all later ones, a cubin for it and the later ones of its major version; `90a` is for
/// 9.0 alone, `100f` for the later ones of its family.
pub(super) fn best<'a>(images: &[Image<'a>], capability: i32) -> Vec<Image<'a>> {
    let rank = |image: &Image<'_>| -> Option<(bool, i32, bool)> {
        let name = image.architecture;
        let number = name.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let of: i32 = number.parse().ok()?;
        let is_cubin = matches!(image.content, Content::Cubin(_));
        let is_family = of / 10 == capability / 10;
        let fits = match &name[number.len()..] {
            "" => of <= capability && (is_family || !is_cubin),
            "a" => of == capability,
            "f" => of <= capability && is_family,
            _ => false,
        };
        fits.then_some((is_cubin, of, name.len() > number.len()))
    };
    let mut ranked: Vec<_> = (images.iter())
        .filter_map(|image| Some((rank(image)?, *image)))
        .collect();
    ranked.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    ranked.into_iter().map(|(_, image)| image).collect()
}

/// The target's name: the virtual architecture `compute_80` for PTX, the real one `sm_80` for a cubin.
pub(super) fn architecture(image: &Image<'_>) -> String {
    let prefix = match image.content {
        Content::Ptx(_) => "compute_",
        Content::Cubin(_) => "sm_",
    };
    format!("{prefix}{}", image.architecture)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_image_is_taken() {
        let image = |name: &'static str| {
            let (kind, architecture) = name.split_once('_').unwrap();
            let content = match kind {
                "compute" => Content::Ptx(c""),
                _ => Content::Cubin(b""),
            };
            Image {
                architecture,
                content,
            }
        };
        let taken = |names: &[&'static str], capability| {
            let images: Vec<_> = names.iter().map(|name| image(name)).collect();
            let best = best(&images, capability);
            let names: Vec<_> = best.iter().map(architecture).collect();
            names.join(" ")
        };
        let ptx = ["compute_80", "compute_90a", "compute_100f"];
        for (capability, expected) in [
            (75, ""),
            (80, "compute_80"),
            (89, "compute_80"),
            (90, "compute_90a compute_80"),
            (103, "compute_100f compute_80"),
            (120, "compute_80"),
        ] {
            assert_eq!(taken(&ptx, capability), expected, "{capability}");
        }
        let both = [
            "compute_80",
            "compute_90a",
            "sm_75",
            "sm_80",
            "sm_86",
            "sm_90",
            "sm_90a",
            "sm_100",
            "sm_100f",
            "sm_103a",
            "sm_120",
        ];
        for (capability, expected) in [
            (70, ""),
            (75, "sm_75"),
            (80, "sm_80 compute_80"),
            (87, "sm_86 sm_80 compute_80"),
            (90, "sm_90a sm_90 compute_90a compute_80"),
            (100, "sm_100f sm_100 compute_80"),
            (103, "sm_103a sm_100f sm_100 compute_80"),
            (110, "compute_80"),
            (121, "sm_120 compute_80"),
        ] {
            assert_eq!(taken(&both, capability), expected, "{capability}");
        }
    }

    #[test]
    fn images_of_another_program_are_refused() {
        let program = Program {
            name: "f",
            hash: "00ff",
            images: None,
            refused: None,
            cuda: "",
            kernels: &[],
            sites: &[],
        };
        let two = b"// accelerate-images 1 00ff\n// ptx 80 2\n1\0// ptx 90 2\n2\0";
        assert_eq!(images(&program, two).unwrap().len(), 2);
        for other in [
            &b"// accelerate-images 1 00fe\n// ptx 80 2\n1\0"[..],
            b"// accelerate-images 1 00ff\n// ptx 80 2\n1",
            b"",
        ] {
            let error = images(&program, other).unwrap_err();
            assert!(matches!(error, Error::NotBuilt { .. }), "{error}");
            assert!(error.to_string().contains("`f`"), "{error}");
        }
    }
}
