//! Integers of 128 bits in every form of scalar code, against the same of 64 bits.
//!
//! kernels: 1 (elementwise)
//! law: each form gives what narrow integers give
//! shapes: xs n

accelerate! {
    type Word = u128;

    #[derive(Clone, Copy)]
    struct Pair<T> { first: T, second: T }

    enum Step { Up(Word), Down { by: i128 }, Stay }

    fn twice<T: Integer>(x: T, f: impl Fn(T) -> T) -> T {
        f(f(x))
    }

    fn digits<T: Integer>(x: T) -> u32 {
        let (mut rest, mut count) = (x, 0);
        while rest != 0 {
            rest /= 10;
            count += 1;
        }
        count
    }

    fn half(x: Word) -> Option<Word> {
        if x & 1 == 0 { Some(x >> 1) } else { None }
    }

    fn quarter(x: Word) -> Option<Word> {
        half(half(x)?)
    }

    fn moved(x: Word, step: Step) -> Word {
        match step {
            Step::Up(by) => x + by,
            Step::Down { by: by @ 0..=9 } => x - by as Word,
            Step::Down { by } => x.wrapping_add_signed(-by),
            Step::Stay => x,
        }
    }

    pub fn hold(xs: &Vector<u32>) -> Vector<(bool, bool, bool, bool)> {
        xs.map(|x| {
            let (narrow, wide) = (x as u64, u128::from(x));
            let step = match x % 4 {
                0 => Step::Up(7),
                1 => Step::Down { by: 5 },
                2 => Step::Down { by: 1000 },
                _ => Step::Stay,
            };
            let expected = match x % 4 { 0 => narrow + 7, 1 => narrow - 5, 2 => narrow - 1000, _ => narrow };
            let mut table = [0u128; 4];
            for k in 0..4 {
                table[k] = wide * (k as u128 + 3);
            }
            table[x as usize % 4] += 1;
            let mut pair = Pair { first: wide, second: wide as i128 as u128 };
            pair.first += pair.second;
            (pair.first, pair.second) = (pair.second, pair.first);
            let collatz = {
                let mut n = wide | 1;
                let mut rounds = 0;
                let last = loop {
                    if n == 1 || rounds > 40 { break n; }
                    n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                    rounds += 1;
                };
                last
            };
            let collatz_narrow = {
                let mut n = narrow | 1;
                let mut rounds = 0;
                while !(n == 1 || rounds > 40) {
                    n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                    rounds += 1;
                }
                n
            };
            let plus = |y: u128| y * 3 + wide;
            let largest = table[0].max(table[1]).max(u128::MIN);
            (
                moved(wide, step) as u64 == expected && digits(wide) == digits(narrow),
                table[3] - table[2] + 1 >= wide && largest as u64 == (narrow * 3).max(narrow * 4).max(table[0] as u64).max(table[1] as u64)
                    && pair.second == 2 * pair.first && pair == Pair { first: wide, second: wide * 2 },
                collatz as u64 == collatz_narrow && twice(wide, plus) as u64 == twice(narrow, |y| y * 3 + narrow),
                quarter(wide).is_some() == (x % 4 == 0) && quarter(wide * 4) == Some(wide)
                    && wide.cmp(&(1 << 31)) == narrow.cmp(&(1 << 31)) && Some(wide).map_or(0, |w| w + 1) > wide,
            )
        })
    }
}
