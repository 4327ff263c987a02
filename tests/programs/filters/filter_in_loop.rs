//! The state of a loop gets shorter: the sieve of Eratosthenes.
//!
//! shapes:
//! values: n 0..200

accelerate! {
    pub fn primes(n: usize) -> (Vector<usize>, usize) {
        let mut left = iota(n).skip(n.min(2));
        let mut primes = 0;
        while left.len() > 0 && left[0] * left[0] < n {
            let prime = left[0];
            left = left.filter(|x| x == prime || x % prime != 0).rotate_left(1);
            primes += 1;
            if left[0] < prime {
                break;
            }
        }
        (left, primes)
    }
}
