//! Integers of 128 bits on the host: in a loop, and in what a kernel reads.
//!
//! kernels: 1 (elementwise)
//! bytes: 16n
//! shapes: xs n

accelerate! {
    const BASIS: u128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D;
    pub const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013B;

    pub fn keyed(xs: &Vector<u64>, seed: u64) -> Vector<u64> {
        let mut key = BASIS;
        for round in 0..xs.len() {
            key = (key ^ (seed >> (round & 7)) as u128) * PRIME;
            if key % 3 == 0 {
                key /= 5;
            }
        }
        let odd = key | 1;
        xs.map(|x| ((x as u128 ^ odd) * key >> 61) as u64)
    }
}
