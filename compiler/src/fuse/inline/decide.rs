//! Which arrays are stored: the one fusion decision, per producer.
//!
//! In: a `Program` whose arrays are anything. Out: the generates whose elements are loaded from a buffer where they
//! are read; all others are computed again at each read. Counted are executions of the reads, not their occurrences,
//! against the bytes that a buffer costs. A producer with one consumer that demands each element at most once is
//! never stored; one whose every use is a read may be inlined everywhere.

use crate::fuse::Options;
use crate::fuse::analysis::control::closed;
use crate::fuse::analysis::estimate::{self, Binder, LOAD, OPS_PER_BYTE};
use crate::fuse::analysis::reads;
use crate::fuse::demand::conditions::Fact;
use crate::fuse::demand::regions::{Around, reached};
use crate::fuse::inline::arithmetic::{plain_reads, trivial};
use crate::fuse::inline::compactions;
use crate::fuse::inline::epilogues::scanned_bytes;
use crate::fuse::inline::frequency::{
    Where, calls_functions, demand, element_cost, in_branches, read_besides, together,
};
use crate::fuse::inline::length;
use crate::fuse::inline::recomputation::Recomputation;
use crate::fuse::inline::rows::{demanded_again, folds_of_rows, gathers_rows, scanned};
use crate::fuse::inline::users::{readers, users, whole};
use crate::ir::walk;
use crate::ir::{Id, IdSet, Node, Program, QuickMap, Var};
use crate::pass::index::Index;
use crate::plan::Note;
use crate::sorted::{SortedMap, SortedSet};
use std::borrow::Cow;
use std::cell::LazyCell;

/// Reads of each element from which on a row that is folded first is stored, however little its elements are.
const OFTEN: f64 = 8.0;

/// How often a mathematical function may be called for each time that the program does.
const MOST_CALLS: f64 = 4.0;

/// The outcome for the arrays whose readers are all decided.
#[derive(Debug, Default)]
pub(in crate::fuse) struct Decisions {
    /// Computed again at each read.
    pub(in crate::fuse) inlined: SortedSet<Id>,
    /// Those of them that are plain arithmetic: what their elements read is decided, too.
    pub(in crate::fuse) plain: SortedSet<Id>,
    /// Read from a buffer. Those that can fail, or read what only a condition keeps in bounds, only where these hold.
    pub(in crate::fuse) stored: SortedMap<Id, Vec<Fact>>,
    /// Those of a row that a branch of the row evaluates: stored, if the branch tells where.
    pub(in crate::fuse) branched: SortedSet<Id>,
    /// Why those are stored.
    pub(in crate::fuse) reasons: Vec<(Id, String)>,
    /// Why others are not, where it was a question.
    pub(in crate::fuse) notes: Vec<(Id, Note)>,
}

impl Decisions {
    /// Decides for those that a branch evaluates, of which it is known now where.
    pub(in crate::fuse) fn decide_branched(&mut self, branched: &QuickMap<Id, Vec<Fact>>) {
        for id in std::mem::take(&mut self.branched) {
            match branched.get(&id) {
                Some(facts) => {
                    self.stored.insert(id, facts.clone());
                    self.notes.retain(|(of, _)| *of != id);
                }
                None => _ = self.inlined.insert(id),
            }
        }
    }
}

/// Decides for the generates that are read, but by no generate that is still to be decided itself.
pub(in crate::fuse) fn decide(program: &Program, options: &Options) -> Decisions {
    let live = walk::reachable(program, program.roots());
    let readers = readers(program, &live);
    let whole = whole(program, &live);
    let mut decider = Decider {
        program: Cow::Borrowed(program),
        options,
        binders: estimate::binders(program),
        compactions: compactions::written(program, &live, &whole, &readers),
        whole,
        users: users(program, &live),
        recomputation: Recomputation::new(program, &readers),
        readers,
        arithmetic: IdSet::default(),
        reached: LazyCell::new(|| reached(program)),
        ranges: LazyCell::new(|| Index::with_checks(program)),
        decisions: Decisions::default(),
        notes: Vec::new(),
    };
    // Which arrays stand around a node, and whether one does that is not decided.
    let mut levels = vec![Level::default(); program.ids().len()];
    let (mut waiting, mut moving) = (IdSet::default(), IdSet::default());
    for &id in live.iter().rev() {
        let open =
            matches!(program.node(id), Node::Generate { .. }) && decider.readers.contains_key(&id);
        let mut waits = waiting.contains(id);
        let mut moves = moving.contains(id);
        let mut level = levels[id.0 as usize];
        if open {
            if !waits {
                match decider.one(level, id, moves) {
                    Inside::Known => {}
                    Inside::Stays => {
                        level.stored += 1;
                        level.inlined = 0;
                    }
                    Inside::Moves => moves = true,
                    Inside::Waits => waits = true,
                }
            }
            level.inlined += 1;
        }
        program.node(id).operands(|operand| {
            let below = &mut levels[operand.0 as usize];
            *below = level.max(*below);
            if waits {
                waiting.insert(operand);
            }
            if moves {
                moving.insert(operand);
            }
        });
    }
    let Decider {
        mut decisions,
        mut notes,
        ..
    } = decider;
    notes.sort_by_key(|&(at, _)| at);
    decisions.notes = notes
        .into_iter()
        .map(|((_, id), note)| (id, note))
        .collect();
    decisions
}

/// How many decided arrays stand one in the other around a node.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Level {
    /// Those that are stored.
    stored: u32,
    inlined: u32,
}

/// What a decision about an array leaves of the reads inside its elements.
enum Inside {
    /// They are known, in the places where the array is read.
    Known,
    /// They are known: they stay in the elements, which are stored.
    Stays,
    /// They move to the one place where it is read, and run as often there.
    Moves,
    /// They are known when the program has been rewritten.
    Waits,
}

struct Decider<'a, R: FnOnce() -> QuickMap<Id, Around>, I: FnOnce() -> Index> {
    /// With what is read once arrays are inlined.
    program: Cow<'a, Program>,
    options: &'a Options,
    binders: QuickMap<Var, Binder>,
    whole: SortedSet<Id>,
    /// Compactions of which more is used than how many elements they keep.
    compactions: IdSet,
    /// Arrays that something uses that is no read.
    users: IdSet,
    readers: SortedMap<Id, SortedSet<Id>>,
    recomputation: Recomputation,
    /// Indices that no data say.
    arithmetic: IdSet,
    reached: LazyCell<QuickMap<Id, Around>, R>,
    ranges: LazyCell<Index, I>,
    decisions: Decisions,
    /// By how many arrays are around them.
    notes: Vec<((Level, Id), Note)>,
}

impl<R: FnOnce() -> QuickMap<Id, Around>, I: FnOnce() -> Index> Decider<'_, R, I> {
    /// Decides for one array whose readers are known. Where these move, nothing but an array that is read in one place is decided:
    /// what else there is to know of the place is not.
    fn one(&mut self, level: Level, id: Id, moves: bool) -> Inside {
        let (program, options, binders) = (&*self.program, self.options, &self.binders);
        let Node::Generate { vars, element, .. } = program.node(id) else {
            unreachable!("only generates are decided");
        };
        let element = *element;
        let reads: Vec<Id> = self.readers[&id].iter().copied().collect();
        let mut owners = together(program, &demand(program, binders, &reads, options.tiles));
        if !self.reached.contains_key(&id)
            && walk::inside(program, element)
                .any(|id| matches!(program.node(id), Node::Reduce { .. }))
            && !reads::is_speculatable(program, &mut self.ranges, element)
        {
            in_branches(program, binders, &mut owners);
        }
        let size = estimate::runs(program.free(id).iter().chain(vars), binders);
        let mut ratio = owners.values().sum::<f64>() / size;
        let arithmetic = &mut self.arithmetic;
        let gathers = |&read: &Id| match program.node(read) {
            Node::Index { indices, .. } => {
                reads::is_gather_but(program, binders, indices, arithmetic)
            }
            _ => false,
        };
        let gathered = reads.iter().any(gathers);
        if gathered {
            ratio = ratio.max(1.0);
        }
        // One that evaluates few of the elements reads little, too.
        let part = |runs: &f64| (runs / size).min(1.0);
        let kernels = match gathered {
            true => owners.len() as f64,
            false => owners.values().map(part).sum(),
        };
        let bytes_out = program.leaf(element).bytes() as f64;
        let forced = self.whole.contains(&id);
        // What elements of a row share is repeated where they are read in another order, or in a branch that keeps it in bounds.
        let own: SortedSet<Var> = program.free(id).iter().chain(vars).copied().collect();
        let shared = folds_of_rows(program, binders, &own, element);
        let demanded = demanded_again(program, &owners, &reads, element);
        let apart = demanded || scanned(program, binders, &owners, (&own, element), &shared);
        // What keeps failures and reads of rows in bounds is found out when arrays around have been inlined.
        if level.stored > 0 && !(shared.is_empty() && closed_and_total(program, id)) {
            return Inside::Waits;
        }
        let of_row = |var: &Var| shared.iter().any(|&fold| program.free(fold).contains(var));
        let own_row = |&read: &Id| match program.node(read) {
            Node::Index { indices, .. } if vars.len() > 1 => {
                let index = |var| binders.get(var).is_some_and(|by| by.extent.is_some());
                let mut rows = vars.iter().zip(indices).filter(|(var, _)| of_row(var));
                rows.all(|(_, &at)| matches!(program.node(at), Node::Variable(var) if index(var)))
            }
            _ => true,
        };
        // Where the row depends on all that the index does, as in a flattened array, or on one of the axes that a reduction goes
        // through together, no other read shares it.
        let of_many = |var: &Var| {
            let by = binders.get(var).map(|by| program.node(by.node));
            matches!(by, Some(Node::Reduce { vars, .. }) if vars.len() > 1)
        };
        let alone = |&read: &Id| match program.node(read) {
            Node::Index { indices, .. } if vars.len() > 1 => {
                let index = |var: &&Var| binders.get(var).is_some_and(|by| by.extent.is_some());
                let axes = vars.iter().zip(indices);
                let of_rows = axes.filter(|(var, _)| of_row(var)).map(|(_, &at)| at);
                let of_rows: SortedSet<Var> = of_rows
                    .flat_map(|at| program.free(at).iter().copied())
                    .collect();
                let mut all = indices
                    .iter()
                    .flat_map(|&at| program.free(at))
                    .filter(index);
                !of_rows.is_empty()
                    && (of_rows.iter().any(of_many) || all.all(|var| of_rows.contains(var)))
            }
            _ => false,
        };
        let own_rows = shared.is_empty() || reads.iter().all(own_row);
        let read = match shared.is_empty() || self.reached.contains_key(&id) {
            true if shared.is_empty() => Where::Inlined,
            // Each read folds its row.
            true if (shared.iter())
                .any(|&fold| gathers_rows(program, binders, (&reads, vars), fold))
                || reads.iter().any(alone) =>
            {
                Where::Branched
            }
            true => Where::ByRows,
            false => {
                let in_bounds = |&fold: &Id| reads::in_bounds(program, &mut self.ranges, fold);
                match own_rows && shared.iter().all(in_bounds) {
                    true => Where::ByRows,
                    false => Where::Branched,
                }
            }
        };
        let free_of_charge = trivial(program, element)
            || (matches!(program.node(element), Node::Index { .. }) && !forced && own_rows);
        let none = SortedSet::new();
        let cost_at = |element, place, besides: &SortedSet<Id>| {
            let parts = (&vars[..], element);
            element_cost(
                program,
                binders,
                parts,
                size,
                (place, besides),
                &self.readers,
            )
        };
        let cost = LazyCell::new(|| {
            let reader = (&owners, element);
            let besides = read_besides(program, binders, &self.readers, reader, options.tiles);
            cost_at(element, read, &besides)
        });
        let stored = LazyCell::new(|| match shared.is_empty() {
            true => *cost,
            false => cost_at(element, Where::Stored, &none),
        });
        // The reader folds a row more often than a kernel of the array's own would.
        let refolds = LazyCell::new(|| {
            let work = |fold, place| cost_at(fold, place, &none).0;
            (shared.iter()).any(|&fold| work(fold, read) > 2.0 * work(fold, Where::Stored))
        });
        // What goes through rows so often is a contraction, whose tiles a fold of the row would rule out.
        let contracted = !shared.is_empty() && ratio >= OFTEN;
        let scanned = scanned_bytes(program, &self.readers, &self.whole, id);
        let elsewhere = || !reads.iter().all(|&read| pointwise(program, read, id));
        let compacted = LazyCell::new(|| {
            compactions::takes(program, &self.compactions, &owners)
                && compactions::costs_more(program, binders, element, *cost)
        });
        // Any number of reads repeat it.
        let often = LazyCell::new(|| gathered && cost.0 > estimate::REPEATED);
        let keep = if free_of_charge {
            false
        } else if !options.vertical {
            true
        } else if forced {
            // The buffer exists anyway; reading it costs its bytes, computing again costs the inputs'.
            let (work, bytes_in) = *cost;
            let again = ratio * work + kernels * bytes_in * OPS_PER_BYTE;
            let load = ratio * LOAD + kernels * bytes_out * OPS_PER_BYTE;
            again > load && !(reads.len() == 1 && pointwise(program, reads[0], id))
        } else if ratio <= 1.0 && owners.len() <= 1 && !*refolds {
            apart || *often || *compacted || scanned > bytes_out && elsewhere()
        } else {
            let (work, bytes_in) = *cost;
            // Reads of elements that are anywhere bring each its own bytes.
            let random = |&read: &Id| reads::is_random(program, binders, read);
            let random = gathered && reads.iter().any(random);
            let times = if random { ratio.max(kernels) } else { kernels };
            let inline = ratio * work + (scanned + times * bytes_in) * OPS_PER_BYTE;
            let (work, bytes_in) = *stored;
            let bytes_in = (bytes_in - scanned).max(0.0);
            let store =
                work + ratio * LOAD + (bytes_in + bytes_out + times * bytes_out) * OPS_PER_BYTE;
            apart || *often || *compacted || contracted || inline > store
        };
        let reads_of_all = (&self.readers, options.tiles);
        let common = !(keep || forced || free_of_charge)
            && self
                .recomputation
                .costs_more(program, binders, reads_of_all, id);
        let calls = options.vertical
            && !free_of_charge
            && ratio > MOST_CALLS
            && calls_functions(program, element);
        let keep = keep || common || calls;
        let keep = match options.seed {
            Some(seed) if !free_of_charge && options.vertical => by_chance(seed, id, keep, ratio),
            _ => keep,
        };
        let region = |owner: &Id| {
            matches!(
                program.node(*owner),
                Node::Generate { .. } | Node::Reduce { .. }
            )
        };
        let once = !keep
            && !forced
            && reads.len() == 1
            && ratio <= 1.0
            && shared.is_empty()
            && owners.keys().all(region);
        if moves {
            if !once {
                return Inside::Waits;
            }
            self.decisions.inlined.insert(id);
            return Inside::Moves;
        }
        // Reads of single elements run once each, but each is written out.
        let long =
            reads.len() > 1 && reads.len() * length::written(program, element) > length::LONGEST;
        // A reduction's kernels hold what they combine several times: for each variant and for what is left at the ends.
        let large = !free_of_charge && length::is_large(program, binders, id, &reads);
        let keep = keep || large || (long && !free_of_charge);
        let per = || reads_per_element(ratio, owners.len());
        // Storing is speculative: a buffer holds all elements, also those that are not demanded and fail.
        let around = if !keep {
            None
        } else if forced || !walk::fallible(program, element) {
            // In a branch, its condition may be what keeps reads in bounds; those of closed arrays are guarded then.
            let stays = self.reached.contains_key(&id)
                || closed(program, binders, id)
                || reads::is_speculatable(program, &mut self.ranges, element);
            stays.then(Vec::new)
        } else {
            let around = self.reached.get(&id);
            let extents = around.and_then(|around| around.extents(program, id));
            extents.map(|extents| extents.into_iter().map(Fact::NotZero).collect())
        };
        let branched = keep && around.is_none() && !program.free(id).is_empty();
        if around.is_some() || branched {
            let reason = match (options.vertical, forced) {
                (false, _) => "fusion is switched off".to_owned(),
                (_, false) if demanded => {
                    "each element of a row would ask again for a reduction that can fail: the row may have none"
                        .to_owned()
                }
                (_, false) if apart => {
                    "a reduction, scan, scatter or sort takes its elements one by one, each of which is a reduction"
                        .to_owned()
                }
                _ if long => format!("{}, each written out, would be long code", per()),
                _ if large => "its elements are long code, which each variant of a reduction would hold".to_owned(),
                _ if common => {
                    "work that its elements have in common with those of others, which are read at other indices, would be repeated"
                        .to_owned()
                }
                _ if !forced && *compacted => format!(
                    "a compaction would evaluate {:.0} operations twice, to count and to write",
                    cost.0
                ),
                _ if !forced && *often => format!(
                    "it is read where data say, and each read would repeat {:.0} operations",
                    cost.0
                ),
                _ if calls => format!("{} would call mathematical functions again", per()),
                (_, true) => {
                    "it is needed as a whole, and reading it costs less than computing it again"
                        .to_owned()
                }
                _ => format!("{} would repeat {:.0} operations", per(), cost.0),
            };
            self.decisions.reasons.push((id, reason));
        }
        let inlined = around.is_none() && !free_of_charge && !forced;
        if inlined && (ratio > 1.0 || owners.len() > 1) {
            let name = match program.names.get(&id) {
                Some(name) => format!("`{name}`"),
                None => "an array".to_owned(),
            };
            let note = Note {
                text: format!(
                    "inlined {name}: {}, but only {:.0} operations are repeated",
                    per(),
                    cost.0
                ),
                span: program.spans.get(&id).copied(),
                barrier: false,
            };
            self.notes.push(((level, id), note));
        }
        match around {
            Some(extents) => {
                let stays = extents.is_empty() && closed_and_total(&self.program, id);
                self.decisions.stored.insert(id, extents);
                match stays {
                    true => Inside::Stays,
                    false => Inside::Waits,
                }
            }
            None if branched => {
                self.decisions.branched.insert(id);
                Inside::Waits
            }
            None => {
                self.decisions.inlined.insert(id);
                match self.substituted(id, &reads) {
                    true => Inside::Known,
                    false if once => Inside::Moves,
                    false => Inside::Waits,
                }
            }
        }
    }

    /// Finds what is read once an array is inlined, if its elements are plain arithmetic; whether they are.
    fn substituted(&mut self, id: Id, reads: &[Id]) -> bool {
        let direct = |read: &Id| matches!(self.program.node(*read), Node::Index { array, .. } if *array == id);
        if self.users.contains(id) || !reads.iter().all(direct) {
            return false;
        }
        let Node::Generate { vars, element, .. } = self.program.node(id).clone() else {
            unreachable!("only generates are decided");
        };
        let Some(own) = plain_reads(&self.program, &vars, element) else {
            return false;
        };
        let array_of = |program: &Program, read: Id| match program.node(read) {
            Node::Index { array, .. } => *array,
            other => unreachable!("no read: {other:?}"),
        };
        let own: Vec<Id> = own
            .into_iter()
            .filter(|&read| {
                let array = array_of(&self.program, read);
                matches!(self.program.node(array), Node::Generate { .. })
            })
            .collect();
        if !self.whole.contains(&id) {
            for &read in &own {
                let array = array_of(&self.program, read);
                self.readers.get_mut(&array).map(|of| of.remove(&read));
            }
        }
        for &read in reads.iter().filter(|_| !own.is_empty()) {
            let Node::Index { indices, .. } = self.program.node(read) else {
                unreachable!("a read");
            };
            let map = vars.iter().copied().zip(indices.iter().copied()).collect();
            for made in self.program.to_mut().substitute_all(&own, &map) {
                let array = array_of(&self.program, made);
                self.readers.entry(array).or_default().insert(made);
            }
        }
        self.decisions.plain.insert(id);
        true
    }
}

/// Whether an array depends on no variable, and nothing in it may fail.
fn closed_and_total(program: &Program, id: Id) -> bool {
    program.free(id).is_empty() && !program.guards(id) && !program.loops(id)
}

/// What [`Options::seed`] decides. Work that would be repeated very often is stored all the same: tests must end.
fn by_chance(seed: u64, id: Id, keep: bool, ratio: f64) -> bool {
    let mixed = (seed << 32 | u64::from(id.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let stores = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1;
    stores || (keep && ratio > MOST_REPEATED)
}

/// Chance inlines no producer that is read more often than this per element.
const MOST_REPEATED: f64 = 64.0;

fn reads_per_element(ratio: f64, kernels: usize) -> String {
    let times = if ratio >= 1000.0 {
        "very many".to_owned()
    } else {
        format!("about {:.0}", ratio.max(1.0))
    };
    match kernels {
        0 | 1 => format!("{times} reads of each element"),
        _ => format!("{times} reads of each element, in {kernels} kernels"),
    }
}

/// Whether the read stands where the reader's own element does: `ys[i]` in `generate(extents of ys, |i| ..)`.
fn pointwise(program: &Program, read: Id, array: Id) -> bool {
    let Node::Index { indices, .. } = program.node(read) else {
        return false;
    };
    let vars: Vec<Option<Var>> = indices
        .iter()
        .map(|&index| match program.node(index) {
            Node::Variable(var) => Some(*var),
            _ => None,
        })
        .collect();
    program.ids().any(|id| match program.node(id) {
        Node::Generate {
            extents, vars: own, ..
        } => {
            own.iter().copied().map(Some).eq(vars.iter().copied())
                && extents == program.extents(array)
        }
        _ => false,
    })
}
