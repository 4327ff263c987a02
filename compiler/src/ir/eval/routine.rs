//! What stands for the results of a function of the user's: no evaluation looks at them.

use super::{Elements, Machine, Manifest, Value};
use crate::ir::{Id, Routine};
use crate::scalar::Scalar;
use std::rc::Rc;

impl Machine<'_> {
    /// Arrays of zeros, as large as the results.
    pub(super) fn zeros(&mut self, routine: &Routine, extents: &[Id]) -> Value {
        let zeros = (0..routine.results.len()).map(|k| {
            let extents = extents[routine.axes(k)].iter();
            let extents: Vec<u64> = extents.map(|&extent| self.scalar(extent).bits).collect();
            let mut elements = Elements::default();
            for _ in 0..extents.iter().product() {
                elements.push(Value::Scalar(Scalar::zero(routine.results[k].0)));
            }
            Value::Array(Rc::new(Manifest { extents, elements }))
        });
        Value::Bundle(zeros.collect::<Vec<Value>>().into())
    }
}
