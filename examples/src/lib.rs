//! What the examples share: the command line, the choice of a device, timing, what functions cost, comparison with other
//! computations, input, and pictures.

mod check;
mod cost;
mod input;
mod options;
mod picture;
mod sparse;
mod timing;

pub use check::{Number, agrees, check, difference, equal, known};
pub use cost::{Function, Sizes};
pub use input::{random, random_integers};
pub use options::{Changed, Options};
pub use picture::{Canvas, animate, grey, heat, rgb, save, spread};
pub use sparse::Rows;
pub use timing::{measure, progress, report};
