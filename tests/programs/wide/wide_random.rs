//! Random numbers by their indices: the generator PCG XSL-RR 128/64, whose state is moved on at once.
//!
//! kernels: 1 (elementwise)
//! bytes: 16n
//! shapes: ixs n
//! values: ixs 0..5000

accelerate! {
    const MULTIPLIER: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;
    const INCREMENT: u128 = 54 << 1 | 1;

    struct Generator { state: u128 }

    impl Generator {
        fn seeded(seed: u64) -> Generator {
            Generator { state: (INCREMENT + seed as u128) * MULTIPLIER + INCREMENT }
        }

        /// The state after this many steps, by repeated squaring.
        fn after(self, steps: u64) -> Generator {
            let (mut multiplier, mut increment) = (MULTIPLIER, INCREMENT);
            let (mut product, mut sum) = (1, 0);
            let mut rest = steps;
            while rest > 0 {
                if rest & 1 == 1 {
                    product *= multiplier;
                    sum = sum * multiplier + increment;
                }
                increment *= multiplier + 1;
                multiplier *= multiplier;
                rest >>= 1;
            }
            Generator { state: self.state * product + sum }
        }

        fn word(self) -> u64 {
            let folded = (self.state >> 64) as u64 ^ self.state as u64;
            folded.rotate_right((self.state >> 122) as u32)
        }
    }

    pub fn words(ixs: &Vector<u64>, seed: u64) -> Vector<u64> {
        ixs.map(|i| Generator::seeded(seed).after(i + 1).word())
    }
}
