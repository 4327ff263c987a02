//! Where integers of 128 bits may not stand.

accelerate! {
    pub fn parameter(x: u128) -> u64 {
        x as u64
    }

    pub fn part_of_parameter(pair: (i128, f32)) -> f32 {
        pair.1
    }

    pub fn result(x: u64) -> (u128, u64) {
        (x as u128, x)
    }

    pub fn array(xs: &Vector<u128>) -> u64 {
        xs.len() as u64
    }

    pub struct Seen {
        pub name: u32,
        pub value: Option<u128>,
    }

    pub enum Either { Small(u64), Large(i128) }

    pub fn element(n: usize) -> Vector<u64> {
        let squares = generate(n, |i| i as u128 * i as u128);
        squares.map(|square| square as u64)
    }

    pub fn part_of_element(xs: &Vector<u64>) -> Vector<u64> {
        xs.map(|x| (x as u128 * 3, x)).map(|(y, x)| x + y as u64)
    }

    pub fn filled(n: usize, x: u64) -> u64 {
        let y = x as i128;
        fill(n, y)[0] as u64
    }

    pub fn folded(xs: &Vector<u64>) -> u64 {
        xs.fold(0u128, |sum, x| sum + x as u128) as u64
    }

    pub fn scanned(xs: &Vector<u64>) -> Vector<u64> {
        xs.scan(0u128, |sum, x| sum + x as u128).map(|x| x as u64)
    }

    pub fn key(xs: &Vector<u64>) -> Vector<u64> {
        xs.sort_by_key(|x| x as u128 * 5 % 7)
    }

    pub fn state(xs: &Vector<u64>) -> Vector<u64> {
        let mut ys = xs.materialize();
        let mut factor = 1u128;
        for _ in 0..9 {
            ys = ys.map(|y| y * factor as u64);
            factor *= 3;
        }
        ys
    }

    pub fn range(x: u64) -> u64 {
        let small = 0..x as u128;
        x
    }

    pub fn count(xs: &Vector<u64>) -> Vector<u64> {
        xs << 3u128
    }

    pub fn is_fine(xs: &Vector<u64>) -> Vector<u64> {
        let mut factor = 1u128;
        for k in 1..xs.len() as u128 {
            factor *= k;
        }
        xs.map(|x| (x as u128 * factor >> 64) as u64)
    }
}
