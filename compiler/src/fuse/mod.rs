//! From `ir::Program` to `plan::Plan`: what is stored, what is computed together, and where every expression runs.
//!
//! First the passes of [`PREPARE`], program to program; afterwards an array that is left is stored:
//!
//! - `fuse_compactions` computes the consumers of a compaction over its source, `flatten` makes loops, scatters and sorts of rows
//!   ones of all rows;
//! - `inline` substitutes producers into consumers, but for the arrays that its cost model (`decide`, `frequency`, `recomputation`)
//!   stores, those of a row `expand`ed to one array of all rows;
//! - `demand` tells under which conditions a value is demanded, `speculate` evaluates before that is known, without failures and
//!   within bounds, `hoist` moves checks out of rounds and scalars out of bodies;
//! - `scans` tells which consumers are the epilogue of a scan; all others read it from memory.
//!
//! Then the planner (its state is in `planner`):
//!
//! - `steps` finds the items of a region and their dependences, groups them (results over one domain, and arrays with the
//!   reductions that read them: `multi_output`), writes the host's branches and loops, and finds the live ranges of buffers;
//! - `kernels` gives a group a skeleton, each in its module, and what elements share: tiles, windows, parts of a domain;
//!   `predicate` takes checks out of counted loops;
//! - `body` places expressions as statements in the scopes of a kernel or of the host.
//!
//! What they all ask of expressions is in `analysis`.

mod analysis;
mod body;
mod delinearize;
mod demand;
mod distribute;
mod flatten;
mod fuse_compactions;
mod hoist;
mod inline;
mod item;
mod kernels;
mod passes;
mod planner;
mod propagate_conditions;
mod rewrite;
mod scans;
mod speculate;
mod steps;
mod supported;
mod unroll_sorts;

use crate::ir::{Id, Node, Output, Parameter, Program, walk};
pub use crate::options::{Options, Tiling};
use crate::pass::index::Index;
use crate::pass::{State, Watch};
use crate::plan::{self, Buffer, BufferId, Plan, Step};
use analysis::bounds::Bounds;
use analysis::partial_sorts::partial_sorts;
use body::sources::Sources;
use body::values::Values;
pub use passes::PREPARE;
use planner::Planner;
use std::cell::RefCell;
use steps::control::Found;
use steps::host::is_known;
use steps::needs::Demand;
pub use supported::{Unsupported, supported};

/// The plan of a program.
///
/// # Panics
/// In debug builds, if the plan breaks an invariant.
pub fn fuse(program: &Program, options: &Options) -> Plan {
    fuse_watched(program, options, &mut ())
}

/// See [`fuse`].
///
/// # Panics
/// In debug builds, if a pass breaks an invariant of the program, or the plan one.
pub fn fuse_watched(program: &Program, options: &Options, watch: &mut dyn Watch) -> Plan {
    let mut program = program.clone();
    let mut state = State {
        options: options.clone(),
        copies: true,
        ..State::default()
    };
    for pass in PREPARE {
        state.run(pass, &mut program, watch);
    }
    watch.begin("place");
    let wanted = body::components::wanted(&program, &program.roots(), |_| false);
    for output in program.outputs.clone() {
        let (Output::Scalar(leaves) | Output::Array { leaves, .. }) = output;
        for leaf in leaves {
            let leaf = walk::undemanded(&program, leaf);
            program.name(leaf, "result");
            if let Some(element) = steps::needs::only_element(&program, leaf) {
                program.name(element, "result");
            }
        }
    }
    let index = Index::with_checks(&program);
    let ranges = RefCell::new(Index::with_checks(&program));
    let bounds = Bounds::of(&program);
    let partial_sorts = partial_sorts(&mut program);
    let mut planner = Planner {
        program,
        options,
        sources: Sources {
            index,
            hoisted: state.hoisted,
            wanted: wanted.into_iter().collect(),
            bounds,
            partial_sorts,
            stages: options.vertical,
            ranges,
            ..Sources::default()
        },
        values: Values::default(),
        kernels: Vec::new(),
        around: Vec::new(),
        launched: Vec::new(),
        rooms: Vec::new(),
        notes: state.notes,
    };
    let (scalars, extents) = planner.parameters();
    let on_cuda = planner.on_cuda();
    let mut steps = Vec::new();
    for check in planner.program.checks.clone() {
        let condition = planner.host_value(check.condition, &mut steps);
        let values = check.values.iter();
        let values = values
            .map(|&value| planner.host_value(value, &mut steps))
            .collect();
        steps.push(Step::Check {
            condition,
            site: check.site,
            values,
        });
    }
    let outputs = planner.outputs(&mut steps);
    let mut plan = Plan {
        name: planner.program.name.clone(),
        parameters: planner.program.parameters.clone(),
        scalars,
        extents,
        on_cuda,
        types: planner.values.types,
        names: planner.values.names,
        buffers: planner.sources.buffers,
        kernels: planner.kernels,
        steps,
        outputs,
        sites: planner.program.sites.clone(),
        cost: plan::Cost::default(),
        notes: planner.notes,
    };
    watch.begin("memory");
    steps::liveness::release(&mut plan);
    watch.begin("cost");
    plan.cost = plan.static_cost();
    watch.begin("verify");
    if options.verify
        && let Err(message) = plan.verify()
    {
        panic!("{message}\n{plan}\nthis is a bug in accelerate: please report it");
    }
    plan
}

impl Planner<'_> {
    /// Values and buffers of the parameters.
    fn parameters(&mut self) -> (Vec<plan::Value>, Vec<Vec<plan::Value>>) {
        let (mut scalars, mut extents) = (Vec::new(), Vec::new());
        let (mut scalar, mut array) = (0, 0);
        for parameter in self.program.parameters.clone() {
            match parameter {
                Parameter::Scalars { name, leaves } => {
                    for (leaf_name, leaf) in leaves {
                        let value = self.fresh(leaf);
                        self.plan_name(value, Some(join_names(&name, &leaf_name)));
                        let node = self.program.add(Node::Parameter(scalar));
                        self.sources.host.insert(node, value);
                        scalars.push(value);
                        scalar += 1;
                    }
                }
                Parameter::Array {
                    name, leaves, rank, ..
                } => {
                    let mut values = Vec::new();
                    for axis in 0..rank {
                        let node = self.program.add(Node::Extent { array, axis });
                        let value = self.fresh(crate::scalar::Leaf::U64);
                        let suffix = match rank {
                            1 => "len".to_owned(),
                            _ => format!("shape_{axis}"),
                        };
                        self.plan_name(value, Some(format!("{name}_{suffix}")));
                        self.sources.host.insert(node, value);
                        values.push(value);
                    }
                    for (k, (leaf_name, leaf)) in leaves.iter().enumerate() {
                        let node = self.program.input(array, rank, k as u32);
                        let name = self.unique_buffer(&join_names(&name, leaf_name));
                        let buffer = BufferId(self.sources.buffers.len() as u32);
                        self.sources.buffers.push(Buffer {
                            name,
                            leaf: *leaf,
                            extents: values.clone(),
                        });
                        self.sources.slots.insert(node, buffer);
                    }
                    extents.push(values);
                    array += 1;
                }
            }
        }
        (scalars, extents)
    }

    /// The value of whether it runs on a CUDA device, if anything asks.
    fn on_cuda(&mut self) -> Option<plan::Value> {
        let node = self.program.find(&Node::OnCuda)?;
        let value = self.fresh(crate::scalar::Leaf::Bool);
        self.plan_name(value, Some("on_cuda".to_owned()));
        self.sources.host.insert(node, value);
        Some(value)
    }

    fn outputs(&mut self, steps: &mut Vec<Step>) -> Vec<plan::Output> {
        let outputs = self.program.outputs.clone();
        let mut demands = Vec::new();
        for output in &outputs {
            match output {
                Output::Scalar(leaves) => {
                    let known = |&leaf: &Id| is_known(&self.program, &self.sources, leaf);
                    let host = leaves.iter().all(known);
                    demands.extend(leaves.iter().map(|&leaf| match host {
                        true => Demand::Host(leaf),
                        false => Demand::Device(leaf),
                    }));
                }
                Output::Array { extents, leaves } => {
                    demands.extend(extents.iter().map(|&extent| Demand::Host(extent)));
                    demands.extend(leaves.iter().map(|&leaf| Demand::Device(leaf)));
                }
            }
        }
        let all = self.region(&demands, steps);
        let mut at = 0;
        let mut next = |count: usize| {
            at += count;
            &all[at - count..at]
        };
        outputs
            .iter()
            .map(|output| match output {
                Output::Scalar(leaves) => {
                    let found = next(leaves.len());
                    match found.first() {
                        Some(Found::Buffer(_)) => plan::Output::Device(buffers_of(found)),
                        _ => plan::Output::Host(values_of(found)),
                    }
                }
                Output::Array { extents, leaves } => plan::Output::Array {
                    extents: values_of(next(extents.len())),
                    leaves: buffers_of(next(leaves.len())),
                },
            })
            .collect()
    }
}

fn values_of(found: &[Found]) -> Vec<plan::Value> {
    let value = |found: &Found| match found {
        Found::Value(value) => Some(*value),
        Found::Buffer(_) => None,
    };
    found.iter().filter_map(value).collect()
}

fn buffers_of(found: &[Found]) -> Vec<BufferId> {
    let buffer = |found: &Found| match found {
        Found::Buffer(buffer) => Some(*buffer),
        Found::Value(_) => None,
    };
    found.iter().filter_map(buffer).collect()
}

fn join_names(name: &str, leaf: &str) -> String {
    match leaf {
        "" => name.to_owned(),
        leaf => format!("{name}_{}", leaf.replace('.', "_")),
    }
}
