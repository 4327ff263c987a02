//! `cargo xtask cuda`: finds nvcc, or fetches it from the Python wheels into `.cuda/`. Nothing found is no error: the build
//! then leaves PTX out, and says so.

use crate::command::{command, root, succeeds};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The wheels that nvcc needs even for PTX; pinned, since each minor version raises the driver that users need.
const WHEELS: [&str; 4] = [
    "nvidia-cuda-nvcc",
    "nvidia-nvvm",
    "nvidia-cuda-crt",
    "nvidia-cuda-runtime",
];
const VERSION: &str = "13.0.*";
/// What shows the instructions of a cubin. There is none of the toolkit's version; this one reads what its ptxas writes.
const NVDISASM: [&str; 1] = ["nvidia-cuda-nvdisasm"];
const NVDISASM_VERSION: &str = "13.2.78";
/// NVIDIA's CUB, headers only, of the toolkit's version.
const CCCL: [&str; 1] = ["nvidia-cuda-cccl"];
/// For machines whose Python has neither pip nor venv.
const FETCH: &str = include_str!("fetch.py");

/// Finds nvcc, or fetches it.
pub(crate) fn run() -> Result<()> {
    match find_or_fetch()? {
        Some(nvcc) => println!("nvcc: {}", nvcc.display()),
        None => {
            println!("no nvcc: kernels will not be compiled to PTX, and programs run on the CPU")
        }
    }
    Ok(())
}

/// The nvcc that works, fetched if none is found; `None` if that fails, too.
pub(crate) fn find_or_fetch() -> Result<Option<PathBuf>> {
    if let Some(nvcc) = find() {
        return Ok(Some(nvcc));
    }
    println!("no nvcc found; fetching nvcc {VERSION} from the Python wheels into .cuda/ (105 MB)");
    if !fetch(&root().join(".cuda"), &WHEELS, VERSION)? {
        return Ok(None);
    }
    let nvcc = fetched();
    if compiles(&nvcc) {
        return Ok(Some(nvcc));
    }
    println!(
        "{} does not compile an empty kernel: it needs gcc and g++",
        nvcc.display()
    );
    Ok(None)
}

/// The first nvcc that compiles an empty kernel, in the order in which a build looks for it.
pub(crate) fn find() -> Option<PathBuf> {
    let mut candidates = Vec::new();
    for variable in ["ACCELERATE_NVCC", "NVCC"] {
        candidates.extend(std::env::var_os(variable).map(PathBuf::from));
    }
    for variable in ["CUDA_HOME", "CUDA_PATH"] {
        candidates.extend(std::env::var_os(variable).map(|home| Path::new(&home).join("bin/nvcc")));
    }
    for folder in std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()) {
        candidates.push(folder.join("nvcc"));
    }
    candidates.push(PathBuf::from("/usr/local/cuda/bin/nvcc"));
    candidates.push(fetched());
    candidates
        .into_iter()
        .find(|nvcc| nvcc.is_file() && compiles(nvcc))
}

fn fetched() -> PathBuf {
    root().join(".cuda/nvidia/cu13/bin/nvcc")
}

/// Whether this nvcc and its host compiler work: the file alone says nothing.
fn compiles(nvcc: &Path) -> bool {
    let folder = root().join("target/xtask");
    let source = folder.join("empty.cu");
    let written = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(&source, "__global__ void f() {}\n"));
    let mut compile = Command::new(nvcc);
    compile
        .args(["-ptx", "-arch=compute_80", "-o"])
        .arg(folder.join("empty.ptx"))
        .arg(source);
    let status = compile.stdout(Stdio::null()).stderr(Stdio::null()).status();
    written.is_ok() && status.is_ok_and(|status| status.success())
}

/// The nvdisasm of the wheel, fetched if it is not there.
pub(crate) fn nvdisasm() -> Result<PathBuf> {
    // By itself: an installer takes the toolkit's folder away for another one of that name.
    let folder = root().join(".cuda/nvdisasm");
    let nvdisasm = folder.join("nvidia/cu13/bin/nvdisasm");
    if !nvdisasm.is_file() {
        println!("fetching nvdisasm {NVDISASM_VERSION} from its Python wheel into .cuda/ (5 MB)");
        if !fetch(&folder, &NVDISASM, NVDISASM_VERSION)? {
            bail!("no nvdisasm");
        }
    }
    Ok(nvdisasm)
}

/// The folder with CUB's headers, fetched if it is not there.
pub(crate) fn cub() -> Result<PathBuf> {
    // By itself, as nvdisasm.
    let folder = root().join(".cuda/cccl");
    let include = folder.join("nvidia/cu13/include/cccl");
    if !include.join("cub/cub.cuh").is_file() {
        println!("fetching CUB {VERSION} from its Python wheel into .cuda/ (3 MB)");
        if !fetch(&folder, &CCCL, VERSION)? {
            bail!("no CUB, which `--against cub` needs");
        }
    }
    Ok(include)
}

/// Fetches wheels into a folder by the first way that works.
fn fetch(target: &Path, wheels: &[&str], version: &str) -> Result<bool> {
    std::fs::create_dir_all(target)?;
    let python = ["python3", "python"]
        .into_iter()
        .find(|python| quiet(command(python).arg("--version")));
    let Some(python) = python else {
        println!("no Python found");
        return Ok(false);
    };
    let pinned: Vec<String> = wheels
        .iter()
        .map(|wheel| format!("{wheel}=={version}"))
        .collect();
    let install = |python: &Path| {
        let mut pip = command(python);
        pip.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--upgrade",
            "--target",
        ]);
        pip.arg(target).args(&pinned);
        quiet(command(python).args(["-m", "pip", "--version"]))
            && succeeds(&mut pip).unwrap_or(false)
    };
    let environment = target.join("venv");
    let in_environment = || {
        quiet(command(python).args(["-m", "venv"]).arg(&environment))
            && install(&environment.join("bin/python"))
    };
    let by_hand = || {
        let mut fetch = command(python);
        fetch
            .args(["-c", FETCH])
            .arg(target)
            .arg(version.trim_end_matches('*'))
            .args(wheels);
        succeeds(&mut fetch).unwrap_or(false)
    };
    if !(install(Path::new(python)) || in_environment() || by_hand()) {
        println!("the wheels cannot be fetched (no network?)");
        return Ok(false);
    }
    let toolkit = target.join("nvidia/cu13");
    for folder in [toolkit.join("bin"), toolkit.join("nvvm/bin")] {
        make_executable(&folder)?;
    }
    Ok(true)
}

fn quiet(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Installers that ignore modes lose the executable bit.
fn make_executable(folder: &Path) -> Result<()> {
    #[cfg(unix)]
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        use std::os::unix::fs::PermissionsExt;
        let path = entry?.path();
        if path.is_file() {
            let mode = path.metadata()?.permissions().mode();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode | 0o755))?;
        }
    }
    Ok(())
}
