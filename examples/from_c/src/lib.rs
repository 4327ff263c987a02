//! Array programs with symbols for C: `main.c` beside `src` calls them, `tests/c.rs` compiles and runs it.

use accelerate::accelerate;

accelerate! {
    /// The temperatures of a rod after some steps, from those before. Its ends are insulated.
    #[export(c)]
    pub fn diffused(rod: Vector<f64>, steps: usize, rate: f64) -> Vector<f64> {
        let mut rod = rod;
        for _ in 0..steps {
            rod = rod.stencil(Reflect, |w| w[0] + rate * (w[-1] - 2.0 * w[0] + w[1]));
        }
        rod
    }

    /// The mean and the variance of some values.
    #[export(c)]
    pub fn statistics(xs: &Vector<f64>) -> (f64, f64) {
        let mean = xs.sum() / xs.len() as f64;
        (mean, xs.map(|x| (x - mean) * (x - mean)).sum() / xs.len() as f64)
    }

    /// The greatest value of each row, and where it stands.
    #[export(c)]
    pub fn peaks(m: &Matrix<i32>) -> (Vector<i32>, Vector<usize>) {
        (m.max(), m.argmax())
    }

    /// The elements at some places.
    #[export(c)]
    pub fn picked(xs: &Vector<f64>, at: &Vector<usize>) -> Vector<f64> {
        at.map(|i| xs[i])
    }

    /// How many values of each kind there are; `kinds` is how many kinds.
    #[export(c)]
    pub fn counted(values: &Vector<usize>, kinds: usize) -> Vector<u32> {
        values.histogram(kinds)
    }

    /// Degrees of Fahrenheit as degrees of Celsius, but not below the absolute zero.
    #[export(c)]
    pub fn celsius(fahrenheit: f64) -> f64 {
        let degrees = (fahrenheit - 32.0) / 1.8;
        assert!(degrees >= -273.15, "below the absolute zero");
        degrees
    }

    /// The letter that comes some places after another.
    #[export(c)]
    pub fn letter_after(letter: char, places: u32) -> char {
        char::from_u32(letter as u32 + places).unwrap_or('?')
    }
}
