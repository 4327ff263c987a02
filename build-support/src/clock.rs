//! Functions that take long to compile, and what of them does.
//!
//! In: the stages as the compiler begins them. Out: a line for each function of more than [`LONG`].

use accelerate_compiler::Observer;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// A function that takes longer says so.
const LONG: Duration = Duration::from_secs(2);

/// The times of a block's functions.
pub(crate) struct Clock<N> {
    now: N,
    open: Option<(String, &'static str, Instant)>,
    /// By function and stage.
    times: BTreeMap<String, BTreeMap<&'static str, Duration>>,
}

impl<N: FnMut() -> Instant + Send> Clock<N> {
    pub(crate) fn new(now: N) -> Clock<N> {
        Clock {
            now,
            open: None,
            times: BTreeMap::new(),
        }
    }

    /// What to tell of the functions that took long.
    pub(crate) fn slow(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (function, stages) in &self.times {
            let all: Duration = stages.values().sum();
            let longest = stages.iter().max_by_key(|&(_, &time)| time);
            if let Some((stage, time)) = longest
                && all > LONG
            {
                lines.push(format!(
                    "`{function}` takes {:.1} s to compile, {:.1} s of them in `{stage}`",
                    all.as_secs_f64(),
                    time.as_secs_f64()
                ));
            }
        }
        lines
    }
}

impl<N: FnMut() -> Instant + Send> Observer for Clock<N> {
    fn begin(&mut self, function: Option<&str>, stage: &'static str) {
        self.end();
        // What belongs to no function is never long.
        if let Some(function) = function {
            self.open = Some((function.to_owned(), stage, (self.now)()));
        }
    }

    fn end(&mut self) {
        if let Some((function, stage, begun)) = self.open.take() {
            let time = (self.now)().duration_since(begun);
            *(self.times.entry(function).or_default())
                .entry(stage)
                .or_default() += time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_takes_long_says_so_and_where() {
        let (start, mut seconds) = (Instant::now(), 0.0);
        let mut steps = [0.0, 0.5, 0.0, 1.2, 0.0, 0.8, 0.0, 0.1].into_iter();
        let mut clock = Clock::new(|| {
            seconds += steps.next().expect("a stage has two ends");
            start + Duration::from_secs_f64(seconds)
        });
        for (function, stage) in [
            (Some("slow"), "index"),
            (Some("slow"), "place"),
            (Some("slow"), "index"),
            (Some("fast"), "index"),
        ] {
            clock.begin(function, stage);
        }
        clock.begin(None, "check");
        clock.end();
        assert_eq!(
            clock.slow(),
            ["`slow` takes 2.5 s to compile, 1.3 s of them in `index`"]
        );
    }
}
