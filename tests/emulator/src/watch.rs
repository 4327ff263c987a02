//! Processes in which ThreadSanitizer watches the kernels of the device (`native/races.h` says what it is told). Its runtime
//! must be the first library of a process, so this is for an executable that starts itself again.

use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a process exits with in which a race was found.
pub const RACE: i32 = 66;

/// How to start such a process.
#[derive(Debug)]
pub struct Watch {
    runtime: PathBuf,
    /// Addresses must not be drawn at random: the runtime wants certain ranges for itself.
    fixed: bool,
}

impl Watch {
    /// Finds the runtime and a way to start this executable with it: with `probe` for arguments, it must succeed.
    ///
    /// # Errors
    /// Why there is none.
    pub fn find(probe: &[&str]) -> Result<Watch> {
        let compiler = std::env::var("CXX").unwrap_or_else(|_| String::from("g++"));
        let found = Command::new(&compiler)
            .arg("-print-file-name=libtsan.so")
            .output()
            .with_context(|| format!("cannot run {compiler}"))?;
        let runtime = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
        // A name without a folder is what it says of a file that it does not have.
        ensure!(runtime.is_absolute(), "{compiler} has no libtsan");
        let mut problem = String::new();
        for fixed in [false, true] {
            let runtime = runtime.clone();
            let watch = Watch { runtime, fixed };
            match watch.run(probe) {
                Ok(output) if output.status.success() => return Ok(watch),
                Ok(output) => {
                    let text = [output.stderr, output.stdout].concat();
                    let text = String::from_utf8_lossy(&text);
                    let line = text.lines().next().unwrap_or_default();
                    problem = format!("{}: {line}", output.status);
                }
                Err(error) => problem = format!("{error:#}"),
            }
        }
        bail!("nothing runs with {}: {problem}", runtime.display())
    }

    /// Runs this executable to its end. It ends at the first race, which it reports to its stderr.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, arguments: &[&str]) -> Result<Output> {
        let own = std::env::current_exe()?;
        let mut command = match self.fixed {
            true => Command::new("setarch"),
            false => Command::new(&own),
        };
        if self.fixed {
            command.arg("--addr-no-randomize").arg(&own);
        }
        let ignored = Path::new(env!("CARGO_MANIFEST_DIR")).join("native/watched.supp");
        let options = [
            format!("suppressions='{}'", ignored.display()),
            format!("exitcode={RACE}"),
            "halt_on_error=1".to_owned(),
            // The threads of a launch stay for the next one, and locks of the device are not looked at.
            "report_thread_leaks=0".to_owned(),
            "report_mutex_bugs=0".to_owned(),
            "atexit_sleep_ms=0".to_owned(),
        ];
        command
            .args(arguments)
            .env("LD_PRELOAD", &self.runtime)
            .env("TSAN_OPTIONS", options.join(" "))
            .env("ACCELERATE_EMULATOR_INSTRUMENT", "1");
        let name = command.get_program().to_string_lossy().into_owned();
        command
            .output()
            .with_context(|| format!("cannot run {name}"))
    }
}
