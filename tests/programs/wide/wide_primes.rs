//! Whether numbers of 64 bits are prime: the test of Miller and Rabin, whose products have 128 bits.
//!
//! kernels: 1 (elementwise)
//! bytes: 9n
//! shapes: xs n

accelerate! {
    fn power(base: u64, exponent: u64, modulus: u64) -> u64 {
        let (mut result, mut base, mut rest) = (1_u64, base % modulus, exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                result = (result as u128 * base as u128 % modulus as u128) as u64;
            }
            base = (base as u128 * base as u128 % modulus as u128) as u64;
            rest >>= 1;
        }
        result
    }

    fn passes(n: u64, base: u64) -> bool {
        let twos = (n - 1).trailing_zeros();
        let mut x = power(base, n - 1 >> twos, n);
        let mut passes = base % n == 0 || x == 1 || x == n - 1;
        for _ in 1..twos {
            x = (x as u128 * x as u128 % n as u128) as u64;
            passes = passes || x == n - 1;
        }
        passes
    }

    pub fn primes(xs: &Vector<u64>) -> Vector<bool> {
        xs.map(|x| {
            let n = x | 1;
            n > 1 && passes(n, 2) && passes(n, 325) && passes(n, 9375) && passes(n, 28178)
                && passes(n, 450775) && passes(n, 9780504) && passes(n, 1795265022)
        })
    }
}
