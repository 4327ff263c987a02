//! A package with SASS beside its PTX, where ptxas works, is missing, or refuses what is generated.

use crate::{Outcome, Package, executable, run, succeeds, target, workspace, write};
use faults::Tier;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// Its source.
pub(super) const PROGRAM: &str = include_str!("program.rs");

/// What a tool is called with goes to a file beside it.
const LOGGING: &str = r#"#!/bin/sh
echo "$@" >> "LOG"
exec "TOOL" "$@"
"#;

/// A ptxas that works, but takes nothing of ours.
const REFUSING: &str = r#"#!/bin/sh
for argument in "$@"; do
    case "$argument" in --version) echo "a ptxas that refuses"; exit 0 ;; esac
done
while [ $# -gt 0 ]; do
    case "$1" in
        -o) output=$2; shift ;;
        *.ptx) input=$1 ;;
    esac
    shift
done
if ! grep -q 'accelerate_module_' "$input"; then echo "nothing" > "$output"; exit 0; fi
echo "ptxas $input, line 7; error   : Arguments mismatch for instruction 'mov'" >&2
exit 255
"#;

/// Both calls by the cubin, which has all kernels; by PTX, each kernel of which is loaded by itself.
const BY_CUBIN: &str = "1 of 1 loads: [3.0, 7.0, 8.0]\n1 of 1 loads: [3.0, 7.0, 8.0]\n";
const BY_PTX: &str = "0 of 3 loads: [3.0, 7.0, 8.0]\n0 of 3 loads: [3.0, 7.0, 8.0]\n";

pub(super) fn cases(tier: &mut Tier, package: &Package) {
    let cases = 3;
    let toolkit = match toolkit() {
        Some(toolkit) if emulator::library().is_ok() => toolkit,
        Some(_) => return tier.skip(cases, "no emulated device: g++ is missing"),
        None => {
            return tier.skip(
                cases,
                "no nvcc with a ptxas: `cargo xtask cuda` fetches them",
            );
        }
    };
    tier.case("SASS beside PTX", || package.sass(&toolkit));
    tier.case("SASS that ptxas refuses", || {
        package.refused_by_ptxas(&toolkit)
    });
    if path_without_ptxas().is_some() {
        tier.case("SASS without ptxas", || package.without_ptxas(&toolkit));
    } else {
        tier.skip(1, "there is a ptxas beside other tools in PATH");
    }
}

impl Package {
    fn build(&self, nvcc: &Path) -> Command {
        let mut build = self.cargo(&["build", "--package=images"]);
        build
            .env("ACCELERATE_ARCH", "sm_80,sm_90")
            .env("ACCELERATE_NVCC", nvcc);
        build
    }

    fn sass(&self, toolkit: &Path) -> Outcome {
        let (folder, log) = (self.folder.join("logging"), self.folder.join("logging/log"));
        for tool in ["nvcc", "ptxas"] {
            link(&folder, toolkit, tool)?;
        }
        let nvcc = folder.join("nvcc");
        let (_, text) = succeeds(&mut self.build(&nvcc))?;
        if text.contains("warning") {
            return Err(text);
        }
        let neither = "centred` was built for compute_80, sm_80, sm_90; Emulated CUDA device is sm_75: build with \
                       `ACCELERATE_ARCH=75`\n";
        for (arguments, expected) in [
            (["80", "0"], BY_CUBIN),
            (["87", "0"], BY_CUBIN),
            (["90", "0"], BY_CUBIN),
            // Of another major version.
            (["100", "0"], BY_PTX),
            // CUDA_ERROR_NO_BINARY_FOR_GPU, CUDA_ERROR_INVALID_IMAGE: never again.
            (["80", "209"], &BY_PTX.replace("3 loads", "4 loads")),
            (["80", "200"], &BY_PTX.replace("3 loads", "4 loads")),
            // CUDA_ERROR_OUT_OF_MEMORY: the next call tries again.
            (
                ["80", "2"],
                "0 of 1 loads: the cubin of `centred` cannot be loaded: CUDA_ERROR_OUT_OF_MEMORY: out of memory\n\
                 1 of 2 loads: [3.0, 7.0, 8.0]\n",
            ),
        ] {
            says(&arguments, expected)?;
        }
        let text = said(&["75", "0"])?;
        if text.matches(neither).count() != 2 {
            return Err(text);
        }
        let [no_other, no_binary] = ["gives 500", "gives 209: the cubin is for sm_"];
        let expected = [no_other, no_other, no_binary, no_binary];
        let expected = [expected, [no_binary, no_binary, no_other, no_binary]].concat();
        let text = said(&[])?;
        let lines: Vec<&str> = text.lines().collect();
        let right = |(line, part): (&&str, &&str)| line.contains(part);
        if lines.len() != 8 || !lines.iter().zip(&expected).all(right) {
            return Err(text);
        }
        // Again, since a file is younger: everything is in the cache.
        fs::write(&log, "").map_err(|error| error.to_string())?;
        let source = self.folder.join("images/src/main.rs");
        let source = fs::File::options().append(true).open(source);
        (source.and_then(|source| source.set_modified(SystemTime::now())))
            .map_err(|error| error.to_string())?;
        succeeds(&mut self.build(&nvcc))?;
        let calls = fs::read_to_string(&log).map_err(|error| error.to_string())?;
        match !calls.is_empty() && calls.lines().all(|line| line == "--version") {
            true => Ok(()),
            false => Err(format!("not all in the cache: {calls}")),
        }
    }

    /// A bug of ours is told as one; what runs is the PTX.
    fn refused_by_ptxas(&self, toolkit: &Path) -> Outcome {
        let folder = self.folder.join("refusing");
        link(&folder, toolkit, "nvcc")?;
        write(&folder.join("ptxas"), REFUSING);
        executable(&folder.join("ptxas"))?;
        let nvcc = folder.join("nvcc");
        let (_, text) = succeeds(&mut self.build(&nvcc))?;
        let error = "ptxas kernels.ptx, line 7; error   : Arguments mismatch for instruction 'mov'";
        for told in [
            &*format!(
                "ptxas refuses the PTX of `centred` for sm_80, for which no SASS is embedded: {error}"
            ),
            "ptxas refuses the PTX of `centred` for sm_90",
            "this is a bug of accelerate",
        ] {
            let mut warnings = text.lines().filter(|line| line.contains("warning"));
            if !warnings.any(|line| line.contains(told)) {
                return Err(format!("not {told:?}: {text}"));
            }
        }
        says(&["80", "0"], BY_PTX)?;
        let (output, text) = run(self.build(&nvcc).env("ACCELERATE_CUDA", "require"))?;
        match !output.status.success() && text.contains(error) {
            true => Ok(()),
            false => Err(format!("SASS is required: {}\n{text}", output.status)),
        }
    }

    fn without_ptxas(&self, toolkit: &Path) -> Outcome {
        let folder = self.folder.join("without-ptxas");
        link(&folder, toolkit, "nvcc")?;
        let path = path_without_ptxas().ok_or("the suite has asked before")?;
        let build = || {
            let mut build = self.build(&folder.join("nvcc"));
            build.env("PATH", &path);
            build
        };
        let (_, text) = succeeds(&mut build())?;
        let warnings: Vec<&str> = (text.lines())
            .filter(|line| line.contains("warning"))
            .collect();
        let told = "ptxas not found (tried beside nvcc, PATH); no SASS is embedded, and drivers will compile the PTX";
        // Cargo counts them in a line of its own.
        if !warnings[..].iter().any(|line| line.contains(told))
            || warnings
                .iter()
                .filter(|line| line.contains("images@"))
                .count()
                != 1
        {
            return Err(format!("not one warning: {text}"));
        }
        says(&["80", "0"], BY_PTX)?;
        let (output, text) = run(build().env("ACCELERATE_CUDA", "require"))?;
        match !output.status.success() && text.contains("CUDA is required: ptxas not found") {
            true => Ok(()),
            false => Err(format!("SASS is required: {}\n{text}", output.status)),
        }
    }
}

/// What the program says.
fn said(arguments: &[&str]) -> Result<String, String> {
    let binary = target()
        .join("debug")
        .join(format!("images{}", std::env::consts::EXE_SUFFIX));
    let mut program = Command::new(binary);
    program.env_remove("ACCELERATE_DEVICE");
    let (output, _) = succeeds(program.args(arguments))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn says(arguments: &[&str], expected: &str) -> Outcome {
    let said = said(arguments)?;
    match said == expected {
        true => Ok(()),
        false => Err(format!("{arguments:?}: {said}instead of {expected}")),
    }
}

/// A tool in a folder that writes what it is called with to `log` there.
fn link(folder: &Path, toolkit: &Path, tool: &str) -> Outcome {
    let path = folder.join(tool);
    let log = folder.join("log").display().to_string();
    let tool = toolkit.join(tool).display().to_string();
    write(&path, &LOGGING.replace("LOG", &log).replace("TOOL", &tool));
    executable(&path)
}

/// The folder of an nvcc with its ptxas.
fn toolkit() -> Option<PathBuf> {
    let mut folders = vec![
        workspace().join(".cuda/nvidia/cu13/bin"),
        "/usr/local/cuda/bin".into(),
    ];
    folders.extend(path());
    let both = |folder: &PathBuf| {
        let mut tools = ["nvcc", "ptxas"].iter();
        tools.all(|tool| folder.join(tool).is_file())
    };
    folders.into_iter().find(both)
}

fn path() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).collect()
}

/// The folders of PATH without those of toolkits, if a compiler for the host is among them.
fn path_without_ptxas() -> Option<OsString> {
    let mut folders = path();
    folders.retain(|folder| !folder.join("ptxas").is_file());
    let complete = folders.iter().any(|folder| folder.join("g++").is_file());
    complete
        .then(|| std::env::join_paths(folders).ok())
        .flatten()
}
