//! What programs made the compiler do, counted: nodes of the IR, skeletons and phases of kernels, regimes. What never came
//! up is listed too.

use accelerate_compiler::Compiled;
use accelerate_compiler::codegen::cuda::Regime;
use accelerate_compiler::ir::Node;
use accelerate_compiler::plan::{Meeting, Phase, Skeleton};
use std::collections::BTreeMap;

/// Everything that is counted.
const ALL: [&str; 55] = [
    "node constant",
    "node parameter",
    "node input",
    "node extent",
    "node variable",
    "node unary",
    "node binary",
    "node select",
    "node cast",
    "node bitcast",
    "node math",
    "node index",
    "node guard",
    "node demand",
    "node if",
    "node loop",
    "node generate",
    "node reduce",
    "node scan",
    "node scatter",
    "node compact",
    "node sort",
    "node project",
    "node materialize",
    "skeleton elementwise",
    "skeleton elementwise, in parts",
    "windows near each other",
    "windows shared",
    "windows of several sources",
    "skeleton rowwise",
    "skeleton contraction",
    "skeleton scatter, apart",
    "skeleton scatter, locked",
    "skeleton scatter, stored",
    "skeleton sort",
    "skeleton staged",
    "phase uniform",
    "phase fold",
    "phase each",
    "phase scan",
    "phase scan, reduced",
    "rows kept in registers",
    "regime elementwise",
    "regime tables",
    "regime thread",
    "regime warp",
    "regime block",
    "regime grid",
    "regime chained",
    "regime balanced",
    "regime columns",
    "regime merge",
    "regime sort",
    "regime tiled",
    "regime windows",
];

/// Counts by name.
pub(super) struct Hits(BTreeMap<&'static str, usize>);

impl Hits {
    pub(super) fn new() -> Hits {
        Hits(ALL.into_iter().map(|name| (name, 0)).collect())
    }

    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.0.iter().map(|(name, count)| (*name, *count))
    }

    fn hit(&mut self, name: &'static str) {
        *self.0.entry(name).or_default() += 1;
    }

    /// Counts a plan that takes too long for a question.
    pub(super) fn given_up(&mut self) {
        self.hit("plans given up");
    }

    /// Counts what became of a program, as a plan that is run.
    pub(super) fn plan(&mut self, compiled: &Compiled) {
        for id in compiled.lowered.ids() {
            self.hit(node(compiled.lowered.node(id)));
        }
        for kernel in &compiled.plan.kernels {
            match &kernel.skeleton {
                Skeleton::Elementwise(parts) => {
                    self.hit(match parts.len() {
                        1 => "skeleton elementwise",
                        _ => "skeleton elementwise, in parts",
                    });
                    for windows in parts.iter().filter_map(|part| part.windows.as_ref()) {
                        self.hit(match windows.sources.len() {
                            0 => "windows near each other",
                            1 => "windows shared",
                            _ => "windows of several sources",
                        });
                    }
                }
                Skeleton::Rowwise { phases, tiles, .. } => {
                    self.hit("skeleton rowwise");
                    if tiles.is_some() {
                        self.hit("skeleton contraction");
                    }
                    phases.iter().for_each(|phase| self.hit(of_phase(phase)));
                    let reduced = |phase: &Phase| matches!(phase, Phase::Scan { after, .. } if !after.is_empty());
                    if phases.iter().any(reduced) {
                        self.hit("phase scan, reduced");
                    }
                }
                Skeleton::Scatter { meeting, .. } => self.hit(match meeting {
                    Meeting::Apart => "skeleton scatter, apart",
                    Meeting::Locked { .. } => "skeleton scatter, locked",
                    Meeting::Once { .. } | Meeting::Never => "skeleton scatter, stored",
                }),
                Skeleton::Sort { .. } => self.hit("skeleton sort"),
                Skeleton::Staged { .. } => self.hit("skeleton staged"),
            }
        }
    }

    /// Counts the kernels of a program that the emulated device runs.
    pub(super) fn entries(&mut self, compiled: &Compiled) {
        for entry in compiled.cuda.kernels.iter().flatten() {
            self.hit(regime(&entry.regime));
        }
        if compiled.cuda.own().contains("first_of<") || compiled.cuda.own().contains("read_first<")
        {
            self.hit("rows kept in registers");
        }
    }
}

fn of_phase(phase: &Phase) -> &'static str {
    match phase {
        Phase::Uniform(_) => "phase uniform",
        Phase::Fold { .. } => "phase fold",
        Phase::Each { .. } => "phase each",
        Phase::Scan { .. } => "phase scan",
    }
}

fn regime(regime: &Regime) -> &'static str {
    match regime {
        Regime::Elementwise => "regime elementwise",
        Regime::Tables => "regime tables",
        Regime::Thread => "regime thread",
        Regime::Warp { .. } => "regime warp",
        Regime::Block => "regime block",
        Regime::Grid => "regime grid",
        Regime::Chained => "regime chained",
        Regime::Balanced { .. } => "regime balanced",
        Regime::Columns | Regime::ColumnsGrid => "regime columns",
        Regime::SortRows | Regime::Sort { .. } => "regime sort",
        Regime::Merge => "regime merge",
        Regime::Tiled { .. } => "regime tiled",
        Regime::Windows { .. } => "regime windows",
    }
}

fn node(node: &Node) -> &'static str {
    match node {
        Node::Constant(_) => "node constant",
        Node::Parameter(_) => "node parameter",
        Node::Input { .. } => "node input",
        Node::Extent { .. } => "node extent",
        Node::Variable(_) => "node variable",
        Node::Unary(..) => "node unary",
        Node::Binary(..) => "node binary",
        Node::Select(..) => "node select",
        Node::Cast(..) => "node cast",
        Node::Bitcast(..) => "node bitcast",
        Node::Math(..) => "node math",
        Node::Foreign(..) => "node foreign",
        Node::OnCuda => "node on cuda",
        Node::Routine { .. } => "node routine",
        Node::Index { .. } => "node index",
        Node::Guard { .. } => "node guard",
        Node::Demand { .. } => "node demand",
        Node::If { .. } => "node if",
        Node::Loop { .. } => "node loop",
        Node::Generate { .. } => "node generate",
        Node::Reduce { .. } => "node reduce",
        Node::Scan { .. } => "node scan",
        Node::Scatter { .. } => "node scatter",
        Node::Compact { .. } => "node compact",
        Node::Sort { .. } => "node sort",
        Node::Project(..) => "node project",
        Node::Materialize(_) => "node materialize",
    }
}
