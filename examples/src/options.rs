//! The options that every example takes.

use crate::{Function, measure};
use accelerate::{Device, Error};
use anyhow::{Context, Result, bail};
use std::time::Duration;

/// Options that every example takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Options {
    /// Where to compute: `best`, `cpu`, `cuda` or `cuda:1`
    #[arg(long, default_value = "best")]
    pub device: String,
    /// Compare with another way to compute the same or with known values, and fail if the results differ
    #[arg(long)]
    pub check: bool,
    /// How often to measure
    #[arg(long)]
    pub repeat: Option<u32>,
    /// Only say what each function costs: kernels, bytes read, bytes written
    #[arg(long)]
    pub cost: bool,
    /// Change a constant of what is computed, but not of what it is compared with: `--check` has to fail
    #[arg(long, hide = true)]
    pub perturb: bool,
}

impl Options {
    /// The selected device. With `--cost`, says what the program's functions cost and ends the process.
    pub fn start(&self, functions: &[Function]) -> Result<Device> {
        if self.cost {
            functions.iter().for_each(|function| println!("{function}"));
            std::process::exit(0);
        }
        let device = match self.device.as_str() {
            "best" => Device::best(),
            "cpu" => Ok(Device::cpu()),
            "cuda" => Device::cuda(0),
            other => match other.strip_prefix("cuda:").map(str::parse) {
                Some(Ok(ordinal)) => Device::cuda(ordinal),
                _ => bail!("unknown device `{other}`: write `best`, `cpu`, `cuda` or `cuda:1`"),
            },
        };
        device.with_context(|| format!("no device `{}`", self.device))
    }

    /// [`measure`], as often as the user wants or else `rounds` times.
    pub fn measure<T>(
        &self,
        label: &str,
        rounds: u32,
        work: impl FnMut() -> Result<T, Error>,
    ) -> Result<(T, Duration)> {
        measure(label, self.repeat.unwrap_or(rounds), work)
    }

    /// A constant of the program, for the device alone: another one with `--perturb`, so that one sees the check fail.
    pub fn constant<T: Changed>(&self, constant: T) -> T {
        if self.perturb {
            constant.changed()
        } else {
            constant
        }
    }
}

/// What `--perturb` makes of a number.
pub trait Changed {
    /// One that differs by more than any check lets pass.
    fn changed(self) -> Self;
}

macro_rules! changed {
    ($($number:ty),*; $changed:expr) => { $(
        impl Changed for $number {
            fn changed(self) -> Self {
                let changed: fn($number) -> $number = $changed;
                changed(self)
            }
        }
    )* };
}

changed!(f32, f64; |x| 1.125 * x + 0.125);
changed!(i32, u32, u64, usize; |x| x.wrapping_add(x / 8).wrapping_add(1));
