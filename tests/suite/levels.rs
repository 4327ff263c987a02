//! Every version of a kernel for the CPU: with the instruction sets that this machine has, on one thread and on several.
//! The number of threads changes no bit.

use crate::questions::{Outcome, Question, agree};
use accelerate::Device;
use accelerate::rt::cpu::{Level, choose, level};
use harness::corpus::Driver;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Numbers of threads: on three no part is on the thread that one would expect.
const THREADS: [usize; 2] = [1, 3];

/// Pools of threads.
pub(crate) struct Levels {
    pools: [ThreadPool; THREADS.len()],
}

impl Levels {
    pub(crate) fn open() -> Levels {
        let pool = |threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads can be started")
        };
        Levels {
            pools: THREADS.map(pool),
        }
    }

    /// A program on all questions, in all versions. The one that was chosen before is chosen again.
    pub(crate) fn compare(&self, driver: &Driver, questions: &[Question]) -> Result<(), String> {
        let before = level();
        let run = || {
            for level in Level::ALL.into_iter().filter(|&level| choose(level)) {
                for question in questions {
                    self.same(driver, question, level)?;
                }
            }
            Ok(())
        };
        let result = run();
        choose(before);
        result
    }

    fn same(&self, driver: &Driver, question: &Question, level: Level) -> Result<(), String> {
        let mut first: Option<Outcome> = None;
        for (pool, threads) in self.pools.iter().zip(THREADS) {
            let mut arguments = question.arguments.clone();
            let call = || (driver.call)(&Device::cpu(), &mut arguments);
            let found = pool.install(call).map_err(|error| error.to_string());
            match &first {
                None => {
                    agree(&found, question, &format!("{level:?}, {threads} threads"))?;
                    first = Some(found);
                }
                Some(first) if *first != found => {
                    let title = &question.title;
                    return Err(format!(
                        "{title}: {level:?} has other bits on {threads} threads"
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }
}
