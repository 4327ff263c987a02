//! A loop on the host whose rounds fail in two places: the first round that fails decides, though a later one meets a
//! check that comes before in the program.
//!
//! kernels: 1
//! shapes: table n, start m
//! values: table 0..12, start 0..3, rounds 0..6
//! work: table 0..3, rounds 0..3

accelerate! {
    pub fn walked(table: &Vector<u32>, start: Vector<u32>, rounds: u32) -> Vector<u32> {
        let mut at = start;
        for round in 0..rounds {
            at = at.map(|x| {
                let next = table[(x + round) as usize];
                assert!(next < 11, "too far");
                next
            });
        }
        at
    }
}
