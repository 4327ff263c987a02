//! The condition under which something is written is read from memory, and used for the target too.
//!
//! kernels: 1 (scatter)
//! shapes: defaults n, flags m
//! work: fails

accelerate! {
    pub fn moved(defaults: &Vector<u16>, flags: &Vector<bool>) -> Vector<u16> {
        defaults.scatter(|a, b| a + b as u16, flags, |i, flag| if flag { Some(i + 3) } else { None })
    }
}
