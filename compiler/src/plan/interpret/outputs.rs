//! The results of a plan.

use super::Machine;
use crate::ir::eval;
use crate::plan::{BufferId, Output};
use crate::scalar::Scalar;

impl Machine<'_, '_> {
    pub(super) fn output(&self, output: &Output) -> eval::Output {
        let elements = |id: &BufferId, count: usize| -> Vec<Scalar> {
            let memory = self.memory(*id);
            let elements = memory.borrow();
            assert_eq!(elements.len(), count, "the size of a result");
            elements.clone()
        };
        match output {
            Output::Host(values) => {
                eval::Output::Scalar(values.iter().map(|&value| self.host.get(value)).collect())
            }
            Output::Device(buffers) => {
                eval::Output::Scalar(buffers.iter().map(|id| elements(id, 1)[0]).collect())
            }
            Output::Array { extents, leaves } => {
                let count = self.size(extents);
                eval::Output::Array {
                    extents: extents.iter().map(|&e| self.host.get(e).bits).collect(),
                    leaves: leaves.iter().map(|id| elements(id, count)).collect(),
                }
            }
        }
    }
}
