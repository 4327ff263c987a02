//! Crates as users have them, built by cargo outside of this workspace: the README's own, with and without nvcc, and
//! others: with imports, with SASS, with mistakes.
//!
//! They share this workspace's target directory, and with each other all that they are built from.

#[path = "images/mod.rs"]
mod images;

use faults::{Tier, contains};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

type Outcome = Result<(), String>;

/// A crate whose programs have mistakes; `//~ MESSAGE` follows a line with an error, at the token marked above it.
const BROKEN: &[(&str, &str)] = &[
    ("alias", include_str!("broken/alias.rs")),
    ("expression", include_str!("broken/expression.rs")),
    ("items", include_str!("broken/items.rs")),
    ("names", include_str!("broken/names.rs")),
    ("routines", include_str!("broken/routines.rs")),
    ("strict", include_str!("broken/strict.rs")),
    ("syntax", include_str!("broken/syntax.rs")),
];

/// A crate whose blocks import from each other.
const IMPORTS: &[(&str, &str)] = &[
    ("src/lib.rs", include_str!("imports/lib.rs")),
    ("src/geometry.rs", include_str!("imports/geometry.rs")),
    ("src/main.rs", include_str!("imports/program.rs")),
    ("tests/test.rs", include_str!("imports/test.rs")),
];

/// An nvcc that works, but takes nothing of ours.
const REFUSING: &str = r#"#!/bin/sh
for argument in "$@"; do
    case "$argument" in --version) echo "an nvcc that refuses"; exit 0 ;; esac
done
while [ $# -gt 0 ]; do
    case "$1" in
        -o) output=$2; shift ;;
        *.cu) input=$1 ;;
    esac
    shift
done
if grep -q 'void probe()' "$input"; then echo "// nothing" > "$output"; exit 0; fi
echo "$input(7): error: no operator \"-\" matches these operands" >&2
exit 2
"#;

fn main() -> ExitCode {
    let mut tier = Tier::new("packages");
    let built = faults::scenario::doubled::ptx().is_some();
    let package = Package::new();
    if built {
        tier.case("the README's crate with nvcc", || package.with_nvcc());
    } else {
        tier.skip(
            1,
            "no nvcc when this was built: `cargo xtask cuda` fetches it",
        );
    }
    tier.case("the README's crate without nvcc", || package.without_nvcc());
    tier.case("blocks that import from others", || package.imports(built));
    tier.case("nvcc is required", || package.required());
    tier.case("nvcc refuses what is generated", || package.refused());
    images::cases(&mut tier, &package);
    tier.case("mistakes, without nvcc", || package.mistakes(false));
    if built {
        tier.case("mistakes, with nvcc", || package.mistakes(true));
    } else {
        tier.skip(
            1,
            "no nvcc when this was built: `cargo xtask cuda` fetches it",
        );
    }
    tier.finish()
}

fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("tests/faults").to_owned()
}

/// The first block of this language after a heading.
fn block<'a>(text: &'a str, after: &str, language: &str) -> &'a str {
    let from = text.find(after).expect("the README has this line");
    let fence = format!("```{language}\n");
    let start = from + text[from..].find(&fence).expect("a block") + fence.len();
    let end = start + text[start..].find("\n```").expect("its end") + 1;
    &text[start..end]
}

/// Writes a file unless it is as it should be: cargo goes by times.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

fn executable(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;
    let all = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path, all).map_err(|error| error.to_string())
}

fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.args(arguments).arg("--offline").current_dir(folder);
    for name in [
        "CARGO_MAKEFLAGS",
        "MAKEFLAGS",
        "ACCELERATE_CUDA",
        "ACCELERATE_ARCH",
        "NVCC",
        "NVCC_APPEND_FLAGS",
        "NVCC_PREPEND_FLAGS",
        "CLIPPY_ARGS",
        "RUSTC_WORKSPACE_WRAPPER",
    ] {
        cargo.env_remove(name);
    }
    cargo.env("CARGO_TERM_COLOR", "never");
    cargo
}

fn run(command: &mut Command) -> Result<(Output, String), String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((output, text))
}

fn succeeds(command: &mut Command) -> Result<(Output, String), String> {
    let (output, text) = run(command)?;
    match output.status.success() {
        true => Ok((output, text)),
        false => Err(format!("{command:?}: {}\n{text}", output.status)),
    }
}

/// `target` of the workspace: this test lies in `target/<profile>/deps`.
fn target() -> PathBuf {
    let mut path = Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned();
    path.pop();
    path
}

/// The generated workspace: the README's crate, and below it the others.
struct Package {
    folder: PathBuf,
}

impl Package {
    fn new() -> Package {
        let root = workspace();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages");
        let readme = fs::read_to_string(root.join("README.md")).expect("a README");
        let package = |name: &str| {
            format!(
                "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n"
            )
        };
        let own = block(&readme, "`Cargo.toml`", "toml");
        // What is not published yet comes from here.
        let path = |line: &str| match line {
            r#"accelerate-rs = "0.1""# => {
                format!("accelerate-rs.path = {:?}", root.join("runtime"))
            }
            r#"accelerate-rs-build = "0.1""# => {
                format!(
                    "accelerate-rs-build.path = {:?}",
                    root.join("build-support")
                )
            }
            other => other.to_owned(),
        };
        let here: Vec<String> = own.lines().map(path).collect();
        let here = here.join("\n");
        let dependencies = &here[..here.find("\n#").unwrap_or(here.len())];
        let build = block(&readme, "`build.rs`", "rust");
        write(
            &folder.join("Cargo.toml"),
            &format!(
                "{}{here}\n\n[workspace]\nmembers = [\"broken\", \"images\", \"imports\"]\n",
                package("readme")
            ),
        );
        write(&folder.join("build.rs"), build);
        write(
            &folder.join("src/main.rs"),
            block(&readme, "# Accelerate", "rust"),
        );
        write(
            &folder.join("broken/Cargo.toml"),
            &format!("{}{dependencies}\n", package("broken")),
        );
        write(&folder.join("broken/build.rs"), build);
        for (name, text) in BROKEN {
            write(&folder.join(format!("broken/src/bin/{name}.rs")), text);
        }
        write(
            &folder.join("imports/Cargo.toml"),
            &format!("{}{dependencies}\n", package("imports")),
        );
        write(&folder.join("imports/build.rs"), build);
        for (name, text) in IMPORTS {
            write(&folder.join("imports").join(name), text);
        }
        let emulator = format!(
            "[dependencies.accelerate-rs-emulator]\npath = {:?}\n",
            root.join("tests/emulator")
        );
        write(
            &folder.join("images/Cargo.toml"),
            &format!("{}{dependencies}\n\n{emulator}", package("images")),
        );
        write(&folder.join("images/build.rs"), build);
        write(&folder.join("images/src/main.rs"), images::PROGRAM);
        // The versions that are there already.
        if !folder.join("Cargo.lock").exists() {
            let lock = fs::read_to_string(root.join("Cargo.lock")).expect("a lock file");
            write(&folder.join("Cargo.lock"), &lock);
        }
        Package { folder }
    }

    fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = cargo(&self.folder, arguments);
        // With the workspace's debug information, what runs in programs is what it has built. What runs in builds is not
        // optimised, as in any user's crate.
        cargo
            .env("CARGO_TARGET_DIR", target())
            .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
        cargo
    }

    fn binary(&self) -> PathBuf {
        target()
            .join("debug")
            .join(format!("readme{}", std::env::consts::EXE_SUFFIX))
    }

    /// The README's program on a device, which finds libraries in these folders, too.
    fn program(&self, device: &str, folders: &[&Path]) -> Result<Command, String> {
        let mut program = Command::new(self.binary());
        program
            .env("ACCELERATE_DEVICE", device)
            .env_remove("ACCELERATE_CUDA");
        if device == "cuda" {
            let library = emulator::library().map_err(|error| format!("{error:#}"))?;
            let folders = [&[library.parent().expect("a folder")], folders].concat();
            let folders = std::env::join_paths(folders).map_err(|error| error.to_string())?;
            program.env("LD_LIBRARY_PATH", folders);
            program.env("ACCELERATE_EMULATOR_SOURCES", sources()?);
        }
        Ok(program)
    }

    /// Runs the README's program; what it wrote to standard error.
    fn answers(&self, device: &str) -> Result<String, String> {
        let (output, said) = succeeds(&mut self.program(device, &[])?)?;
        right(&output, said)
    }

    fn with_nvcc(&self) -> Outcome {
        let (_, text) = succeeds(&mut self.cargo(&["build"]))?;
        if text.contains("warning") {
            return Err(text);
        }
        let said = self.answers("cpu")?;
        let binary = fs::read(self.binary()).map_err(|error| error.to_string())?;
        if !contains(&binary, b".entry rmse_reduce") || !said.is_empty() {
            return Err(format!("no PTX in the binary, or words: {said}"));
        }
        // What nvcc takes from its environment is in its PTX, and with it no longer.
        for (flags, expected) in [("-lineinfo", true), ("", false)] {
            succeeds(self.cargo(&["build"]).env("NVCC_APPEND_FLAGS", flags))?;
            let binary = fs::read(self.binary()).map_err(|error| error.to_string())?;
            if contains(&binary, b"\t.loc\t") != expected {
                return Err(format!("`NVCC_APPEND_FLAGS={flags}` is not in the PTX"));
            }
        }
        // So with what the build script says.
        let script = self.folder.join("build.rs");
        let plain = fs::read_to_string(&script).map_err(|error| error.to_string())?;
        let other = "accelerate_build::Config::new().nvcc_args([\"-lineinfo\"]).compile()";
        for (call, expected) in [(other, true), ("accelerate_build::compile()", false)] {
            write(&script, &plain.replace("accelerate_build::compile()", call));
            succeeds(&mut self.cargo(&["build"]))?;
            let binary = fs::read(self.binary()).map_err(|error| error.to_string())?;
            if contains(&binary, b"\t.loc\t") != expected {
                return Err(format!("the PTX is not that of `{call}`"));
            }
        }
        // An architecture that runs nowhere else, and a portable one beside it.
        succeeds(self.cargo(&["build"]).env("ACCELERATE_ARCH", "compute_90a"))?;
        let binary = fs::read(self.binary()).map_err(|error| error.to_string())?;
        if ![".target sm_80", ".target sm_90a"]
            .iter()
            .all(|target| contains(&binary, target.as_bytes()))
        {
            return Err("not the PTX of both architectures".to_owned());
        }
        if emulator::library().is_err() {
            return Ok(());
        }
        match self.answers("cuda")? {
            said if said.is_empty() => Ok(()),
            said => Err(format!("words on the device: {said}")),
        }
    }

    fn without_nvcc(&self) -> Outcome {
        let mut build = self.cargo(&["build"]);
        let (_, text) = succeeds(build.env("ACCELERATE_NVCC", "/nowhere/nvcc"))?;
        let warnings: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("warning"))
            .collect();
        if warnings.len() != 1
            || !warnings[0].contains("no working nvcc (tried ACCELERATE_NVCC, NVCC,")
        {
            return Err(format!("not one warning: {warnings:?}"));
        }
        let said = self.answers("cpu")?;
        if !said.is_empty() {
            return Err(format!("words on the CPU: {said}"));
        }
        // A device, but no code for it: the CPU computes, and says so once; unless code is required, or made now.
        if emulator::library().is_err() {
            return Ok(());
        }
        let said = self.answers("cuda")?;
        if said
            .matches("warning: accelerate: no CUDA code was built for `rmse`")
            .count()
            != 1
        {
            return Err(format!("not one warning: {said}"));
        }
        let (output, said) = run(self.program("cuda", &[])?.env("ACCELERATE_CUDA", "require"))?;
        if output.status.success() || !said.contains("NotBuilt") {
            return Err(format!("code is required: {}\n{said}", output.status));
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nvrtc");
        let compiler = faults::run_time_compiler(folder)?;
        let mut program = self.program("cuda", &[&compiler])?;
        let (output, said) = succeeds(program.env("ACCELERATE_EMULATOR_SOURCES", &compiler))?;
        right(&output, said).and_then(|said| match said.is_empty() {
            true => Ok(()),
            false => Err(format!("the run-time compiler: {said}")),
        })
    }

    /// In the library, in a program and in a test of a package.
    fn imports(&self, built: bool) -> Outcome {
        succeeds(&mut self.cargo(&["test", "--package=imports", "--quiet"]))?;
        let (output, _) = succeeds(&mut self.cargo(&["run", "--package=imports", "--quiet"]))?;
        let said = String::from_utf8_lossy(&output.stdout);
        match said.trim() == built.to_string() {
            true => Ok(()),
            false => Err(format!("is there PTX: {said}")),
        }
    }

    fn required(&self) -> Outcome {
        let mut build = self.cargo(&["build"]);
        build
            .env("ACCELERATE_NVCC", "/nowhere/nvcc")
            .env("ACCELERATE_CUDA", "require");
        let (output, text) = run(&mut build)?;
        let tried = [
            "ACCELERATE_NVCC",
            "NVCC",
            "CUDA_HOME",
            "CUDA_PATH",
            "PATH",
            "/usr/local/cuda",
            "Python",
            ".cuda",
        ];
        let named = tried.iter().all(|place| text.contains(place));
        match !output.status.success() && named && text.contains("/nowhere/nvcc") {
            true => Ok(()),
            false => Err(format!("{}\n{text}", output.status)),
        }
    }

    /// A bug of ours is told as one, with function and error: when the crate is built and when the program runs.
    fn refused(&self) -> Outcome {
        let nvcc = self.folder.join("refusing-nvcc");
        write(&nvcc, REFUSING);
        executable(&nvcc)?;
        let (_, text) = succeeds(self.cargo(&["build"]).env("ACCELERATE_NVCC", &nvcc))?;
        let error = "kernels.cu(7): error: no operator \"-\" matches these operands";
        let repository = "https://github.com/accelerate-rs/accelerate-rs";
        let told = [
            "nvcc refuses the CUDA code of `rmse`",
            error,
            "this is a bug of accelerate",
            repository,
        ];
        let warned = |part: &str| {
            let mut lines = text.lines().filter(|line| line.contains("warning"));
            lines.any(|line| line.contains(part))
        };
        if !told.iter().all(|part| warned(part)) {
            return Err(format!("not all of {told:?}: {text}"));
        }
        let mut build = self.cargo(&["build"]);
        build
            .env("ACCELERATE_NVCC", &nvcc)
            .env("ACCELERATE_CUDA", "require");
        let (output, text) = run(&mut build)?;
        if output.status.success() || !text.contains(error) {
            return Err(format!("code is required: {}\n{text}", output.status));
        }
        succeeds(self.cargo(&["build"]).env("ACCELERATE_NVCC", &nvcc))?;
        if emulator::library().is_err() {
            return Ok(());
        }
        let said = self.answers("cuda")?;
        let told = ["nvcc refused the CUDA code of `rmse`", error, repository];
        if !told.iter().all(|part| said.contains(part)) || said.contains("no nvcc") {
            return Err(format!("another cause: {said}"));
        }
        let (output, said) = run(self.program("cuda", &[])?.env("ACCELERATE_CUDA", "require"))?;
        match !output.status.success() && said.contains("NotBuilt") && said.contains("nvcc refused")
        {
            true => Ok(()),
            false => Err(format!("code is required: {}\n{said}", output.status)),
        }
    }

    /// Every mistake is shown once, at its token, and nothing else is.
    fn mistakes(&self, nvcc: bool) -> Outcome {
        let mut check = self.cargo(&[
            "check",
            "--package=broken",
            "--keep-going",
            "--message-format=short",
        ]);
        if !nvcc {
            check.env("ACCELERATE_NVCC", "/nowhere/nvcc");
        }
        let (_, text) = run(&mut check)?;
        let found: BTreeSet<&str> = text
            .lines()
            .filter(|line| line.starts_with("broken/"))
            .collect();
        let expected: BTreeSet<String> = (BROKEN.iter())
            .flat_map(|(name, text)| expected(name, text))
            .collect();
        let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
        let show = |lines: Vec<&&str>| {
            lines
                .iter()
                .map(|line| format!("\n  {line}"))
                .collect::<String>()
        };
        let (more, less) = (
            found.difference(&expected).collect(),
            expected.difference(&found).collect(),
        );
        match found == expected && !found.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "not expected:{}\nmissing:{}\n{text}",
                show(more),
                show(less)
            )),
        }
    }
}

/// Where the builds of the README's crate have left their CUDA C, for the emulated device.
fn sources() -> Result<OsString, String> {
    let built = fs::read_dir(target().join("debug/build")).map_err(|error| error.to_string())?;
    let of_readme = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("readme-")
    };
    let folders = built.filter_map(|entry| Some(entry.ok()?.path()));
    let folders = folders
        .filter(of_readme)
        .map(|path| path.join("out/accelerate"));
    std::env::join_paths(folders).map_err(|error| error.to_string())
}

/// What the README's program said beside the right number.
fn right(output: &Output, said: String) -> Result<String, String> {
    match String::from_utf8_lossy(&output.stdout).trim() {
        "0.40824828" | "0.4082483" => Ok(said),
        other => Err(format!("the program says {other:?}\n{said}")),
    }
}

/// `//~^ error: MESSAGE`: the token above the `^`.
fn expected(name: &str, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut expected = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if let Some((before, message)) = line.split_once("^ ")
            && before.trim_start().starts_with("//~")
        {
            let column = before.chars().count() + 1;
            // Of several notes below a line, each points at the line itself.
            let above =
                (lines[..number].iter()).rposition(|line| !line.trim_start().starts_with("//~"));
            let line = above.expect("a line above") + 1;
            expected.push(format!(
                "broken/src/bin/{name}.rs:{line}:{column}: {message}"
            ));
        }
    }
    expected
}
