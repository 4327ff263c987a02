//! What tiles would hold, what they would cost, and the best of that.

use super::Inside;
use super::edges::Axis;
use super::shifts::{Anchor, Kind, Shift, Shifts};
use crate::ir::QuickMap;
use crate::plan::{Op, Statement, Value, uses};
use crate::scalar::Leaf;
use crate::sorted::{SortedMap, SortedSet};

/// Shared memory of a block that lets several blocks be resident, and the most that needs no special request.
const ROOMS: [u64; 2] = [24 << 10, 48 << 10];
/// Functions of the place that are considered.
const CANDIDATES: usize = 32;

/// Points of a tile along the axes that are looked along, and the threads of a block.
type Sizes = (&'static [u32], u32);

/// What things cost, in operations. None of it is measured: loads are taken to hit a cache, and what decides is how
/// often. A stencil of three by three should find its neighbours in a cache, one of five by five in shared memory (see
/// Barracuda, and Futhark's and Lift's experience).
pub(super) struct Weights {
    /// By the number of such axes, and whether there are sources: the best first.
    tiles: fn(axes: usize, sources: bool) -> &'static [Sizes],
    operation: f64,
    load: f64,
    /// A read of shared memory.
    read: f64,
    /// To put an element there.
    fill: f64,
    /// For the threads of a block to wait for each other, per point.
    wait: f64,
    /// A byte from the cache that all blocks share.
    byte: f64,
    /// What is lost with accesses of 16 bytes, per point.
    narrow: f64,
}

impl Weights {
    pub(super) fn of_devices() -> Weights {
        Weights {
            tiles: |axes, sources| match (axes, sources) {
                (1, _) => &[(&[2048], 256), (&[1024], 256)],
                (2, _) => &[
                    (&[32, 64], 256),
                    (&[16, 64], 256),
                    (&[16, 32], 256),
                    (&[8, 32], 256),
                ],
                // Plane by plane.
                (3, true) => &[(&[32, 16, 32], 256), (&[32, 8, 32], 256)],
                (3, false) => &[(&[8, 8, 32], 256)],
                _ => &[],
            },
            operation: 1.0,
            load: 4.0,
            read: 2.0,
            fill: 6.0,
            wait: 5.0,
            byte: 4.0,
            narrow: 10.0,
        }
    }

    /// Little data has several tiles, and all that can be shared is.
    pub(super) fn of_tests() -> Weights {
        Weights {
            tiles: |axes, sources| match (axes, sources) {
                (1, _) => &[(&[64], 32)],
                (2, _) => &[(&[8, 8], 32)],
                (3, _) => &[(&[4, 4, 8], 32)],
                _ => &[],
            },
            operation: 10.0,
            load: 40.0,
            read: 1.0,
            fill: 1.0,
            wait: 1.0,
            byte: 0.0,
            narrow: 0.0,
        }
    }
}

/// What a block would do.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) tile: Vec<u32>,
    pub(super) stream: Option<usize>,
    pub(super) threads: u32,
    /// In order.
    pub(super) sources: Vec<Shared>,
    pub(super) reads: Vec<(Value, Shift)>,
    pub(super) body: Vec<Statement>,
    pub(super) cost: [f64; 2],
}

/// A function of the place that is evaluated once for each.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) kind: Kind,
    /// One of its values.
    pub(super) value: Value,
    /// Where the place of a tile's point lies in it.
    pub(super) origin: Anchor,
    /// Where that value is anchored, seen from there.
    pub(super) anchor: Anchor,
    /// Before and after.
    pub(super) halo: Vec<[u32; 2]>,
    /// What it is made of, and what of that is another source.
    pub(super) parts: SortedSet<Value>,
    pub(super) reads: SortedSet<Value>,
}

/// All that is known before sources are chosen.
pub(super) struct Choice<'a> {
    axes: &'a [Axis],
    inside: &'a Inside,
    shifts: &'a Shifts<'a>,
    weights: &'a Weights,
    types: &'a [Leaf],
    /// Statements that every point gets to.
    certain: SortedMap<Value, &'a Statement>,
    /// What a point costs by itself.
    alone: f64,
    /// Bytes of the values of each kind.
    sizes: QuickMap<Kind, usize>,
}

impl<'a> Choice<'a> {
    /// `tests` are those of edges, of which tiles have none.
    pub(super) fn new(
        types: &'a [Leaf],
        axes: &'a [Axis],
        inside: &'a Inside,
        shifts: &'a Shifts<'a>,
        weights: &'a Weights,
        tests: u32,
    ) -> Choice<'a> {
        let mut certain = SortedMap::new();
        for statement in &inside.statements {
            if let Statement::Let { value, .. }
            | Statement::Load {
                value, guard: None, ..
            } = statement
            {
                certain.insert(*value, statement);
            }
        }
        let sizes = shifts.of.iter().rev();
        let sizes = sizes.map(|(value, shift)| (shift.kind, types[value.0 as usize].bytes()));
        let sizes = sizes.collect();
        let mut choice = Choice {
            axes,
            inside,
            shifts,
            weights,
            types,
            certain,
            alone: 0.0,
            sizes,
        };
        let (body, _) = choice.needed(&SortedSet::new());
        choice.alone = choice.work(&body)
            + f64::from(tests) * weights.operation
            + weights.byte * choice.bytes(&body, rows);
        choice
    }

    /// Whether some array is read at more than two places.
    pub(super) fn is_window(&self) -> bool {
        let mut seen = self.seen(&self.inside.statements).into_values();
        seen.any(|anchors| anchors.len() > 2)
    }

    /// The cheapest tiles, and whether they pay.
    pub(super) fn best(&self) -> (Option<Draft>, bool) {
        let mut candidates: Vec<(usize, Kind)> = (self.shifts.repeated().into_iter())
            .filter(|(kind, _)| self.representative(*kind).is_some())
            .map(|(kind, anchors)| (anchors.len(), kind))
            .collect();
        candidates.sort_by_key(|&(anchors, kind)| (std::cmp::Reverse(anchors), kind));
        candidates.truncate(CANDIDATES);
        let mut chosen = SortedSet::new();
        let mut best = self.draft(&chosen);
        loop {
            // What is only a little better is not worth the room.
            let limit = best
                .as_ref()
                .map_or(f64::INFINITY, |best| 0.9 * best.cost[1]);
            let more = candidates.iter().filter(|(_, kind)| !chosen.contains(kind));
            let drafts = more.filter_map(|&(_, kind)| {
                let mut with = chosen.clone();
                with.insert(kind);
                Some((self.draft(&with)?, kind))
            });
            let next = drafts
                .filter(|(draft, _)| draft.cost[1] < limit)
                .min_by(|(a, _), (b, _)| a.cost[1].total_cmp(&b.cost[1]));
            let Some((draft, kind)) = next else {
                break;
            };
            chosen.insert(kind);
            best = Some(draft);
        }
        let pays = |best: &Draft| best.cost[1] < 0.8 * best.cost[0];
        let pays = best.as_ref().is_some_and(pays);
        (best, pays)
    }

    /// Of the values of a kind that every point computes, the one nearest to it.
    fn representative(&self, kind: Kind) -> Option<(Value, &Anchor)> {
        let of_kind = self.certain.keys().filter_map(|value| {
            let shift = self.shifts.of.get(value)?;
            let anchor = shift.anchor.as_ref().filter(|_| shift.kind == kind)?;
            let is_index = self.shifts.indices.contains(value);
            (!is_index).then_some((*value, anchor))
        });
        of_kind.min_by_key(|(value, anchor)| {
            (anchor.iter().map(|d| d.unsigned_abs()).sum::<u64>(), *value)
        })
    }

    /// The anchor of a value of one of these kinds.
    fn shared(&self, chosen: &SortedSet<Kind>, value: Value) -> Option<&Shift> {
        let shift = self.shifts.of.get(&value)?;
        (chosen.contains(&shift.kind) && shift.anchor.is_some()).then_some(shift)
    }

    /// What is left of the body if these kinds are read, and what it reads.
    fn needed(&self, chosen: &SortedSet<Kind>) -> (Vec<Statement>, SortedSet<Value>) {
        let (mut wanted, mut reads) = (SortedSet::new(), SortedSet::new());
        let body = self.filter(&self.inside.statements, chosen, &mut wanted, &mut reads);
        (body, reads)
    }

    fn filter(
        &self,
        statements: &[Statement],
        chosen: &SortedSet<Kind>,
        wanted: &mut SortedSet<Value>,
        reads: &mut SortedSet<Value>,
    ) -> Vec<Statement> {
        let mut kept = Vec::new();
        for statement in statements.iter().rev() {
            let list = std::slice::from_ref(statement);
            let gives = match statement {
                Statement::Let { value, .. } | Statement::Load { value, .. } => {
                    wanted.contains(value)
                }
                _ => (uses::defined(list).iter()).any(|value| wanted.contains(value)),
            };
            let kept_as = match statement {
                Statement::Let { value, .. } | Statement::Load { value, .. } => {
                    if gives && self.shared(chosen, *value).is_some() {
                        reads.insert(*value);
                        continue;
                    }
                    gives.then(|| statement.clone())
                }
                Statement::If {
                    condition,
                    then,
                    otherwise,
                    results,
                } => {
                    let sides: Vec<_> = (results.iter())
                        .filter(|join| wanted.contains(&join.result))
                        .copied()
                        .collect();
                    wanted.extend(sides.iter().flat_map(|join| [join.then, join.otherwise]));
                    let then = self.filter(then, chosen, wanted, reads);
                    let otherwise = self.filter(otherwise, chosen, wanted, reads);
                    let some = gives || !then.is_empty() || !otherwise.is_empty();
                    some.then_some(Statement::If {
                        condition: *condition,
                        then,
                        otherwise,
                        results: sides,
                    })
                }
                Statement::Loop { .. } | Statement::Fold { .. } => {
                    (gives || uses::checks(list)).then(|| statement.clone())
                }
                Statement::Store { .. } | Statement::Check { .. } => Some(statement.clone()),
            };
            if let Some(statement) = kept_as {
                match &statement {
                    Statement::Let { op, .. } => wanted.extend(op.operands()),
                    other => wanted.extend(uses::free(std::slice::from_ref(other))),
                }
                kept.push(statement);
            }
        }
        kept.reverse();
        kept
    }

    /// What a source is made of: what must be computed, and what is read of other sources.
    fn parts(&self, chosen: &SortedSet<Kind>, root: Value) -> (SortedSet<Value>, SortedSet<Value>) {
        let (mut parts, mut reads) = (SortedSet::new(), SortedSet::new());
        let mut open = vec![root];
        while let Some(value) = open.pop() {
            if value != root && self.shared(chosen, value).is_some() {
                reads.insert(value);
                continue;
            }
            let Some(statement) = self.certain.get(&value) else {
                continue;
            };
            if !parts.insert(value) {
                continue;
            }
            // An index is written anew for its place.
            if !self.shifts.indices.contains(&value) {
                match statement {
                    Statement::Let { op, .. } => open.extend(op.operands()),
                    Statement::Load { index, .. } => open.push(*index),
                    _ => {}
                }
            }
        }
        (parts, reads)
    }

    /// The kernel with these kinds as sources.
    fn draft(&self, chosen: &SortedSet<Kind>) -> Option<Draft> {
        let (body, reads) = self.needed(chosen);
        let mut needed = Needed::default();
        for value in &reads {
            if let Some(Shift {
                kind,
                anchor: Some(anchor),
            }) = self.shared(chosen, *value)
            {
                needed.widen(*kind, anchor.iter().map(|&d| [d, d]));
            }
        }
        let mut sources = Vec::new();
        // Users before what they are made of.
        for &kind in chosen.iter().rev() {
            // Nothing if nobody reads it any more.
            let around = needed.0.get(&kind)?.clone();
            let (value, anchor) = self.representative(kind)?;
            let (parts, reads) = self.parts(chosen, value);
            // A source that is only read on one side lies there.
            let origin: Anchor = around.iter().map(|&[from, to]| 0.clamp(from, to)).collect();
            let anchor: Anchor = anchor
                .iter()
                .zip(&origin)
                .map(|(own, at)| own - at)
                .collect();
            let halo = around.iter().zip(&origin).map(|(&[from, to], at)| {
                let [before, after] = [at - from, to - at].map(u32::try_from);
                Some([before.ok()?, after.ok()?])
            });
            let halo = halo.collect::<Option<Vec<[u32; 2]>>>()?;
            for read in &reads {
                let Some(Shift {
                    kind,
                    anchor: Some(own),
                }) = self.shared(chosen, *read)
                else {
                    continue;
                };
                let distances = own.iter().zip(&anchor).map(|(own, anchor)| own - anchor);
                needed.widen(
                    *kind,
                    distances.zip(&halo).map(|(d, halo)| {
                        let [before, after] = halo.map(i64::from);
                        [d - before, d + after]
                    }),
                );
            }
            sources.push(Shared {
                kind,
                value,
                origin,
                anchor,
                halo,
                parts,
                reads,
            });
        }
        sources.reverse();
        self.scheduled(sources, reads, body)
    }

    /// With the first tile that finds room.
    fn scheduled(
        &self,
        sources: Vec<Shared>,
        reads: SortedSet<Value>,
        body: Vec<Statement>,
    ) -> Option<Draft> {
        let last = self.axes.len() - 1;
        let seen = self.seen(&body);
        let looked = |axis: usize| {
            let halos = sources.iter().any(|source| source.halo[axis] != [0; 2]);
            let spread = |anchors: &SortedSet<Anchor>| {
                anchors
                    .iter()
                    .any(|anchor| anchors.iter().any(|other| other[axis] != anchor[axis]))
            };
            axis == last || halos || seen.values().any(spread)
        };
        let along: Vec<usize> = (0..=last).filter(|&axis| looked(axis)).collect();
        // Without sources there is nothing to be gained along memory.
        if sources.is_empty() && along.len() < 2 {
            return None;
        }
        let stream = (along.len() == 3 && !sources.is_empty()).then(|| along[0]);
        let tiles = (self.weights.tiles)(along.len(), !sources.is_empty())
            .iter()
            .map(|(points, threads)| {
                let mut tile = vec![1; last + 1];
                for (&axis, &points) in along.iter().zip(*points) {
                    tile[axis] = points;
                }
                (tile, *threads)
            });
        let mut fitting = ROOMS.iter().flat_map(|room| {
            tiles
                .clone()
                .filter(|(tile, _)| self.room(&sources, tile, stream) <= *room)
        });
        let (tile, threads) = fitting.next()?;
        let shifted = |value: &Value| (*value, self.shifts.of[value].clone());
        let cost = [self.alone, self.in_tile(&sources, &reads, &body, &tile)];
        Some(Draft {
            tile,
            stream,
            threads,
            reads: reads.iter().map(shifted).collect(),
            sources,
            body,
            cost,
        })
    }

    /// Bytes of shared memory.
    fn room(&self, sources: &[Shared], tile: &[u32], stream: Option<usize>) -> u64 {
        let one = |source: &Shared| {
            let bytes = self.types[source.value.0 as usize].bytes() as u64;
            let mut planes = tile.to_vec();
            // One plane at a time, and one to be filled meanwhile.
            stream.into_iter().for_each(|axis| planes[axis] = 2);
            bytes * places(&planes, &source.halo)
        };
        sources.iter().map(one).sum()
    }

    /// What a point of a tile costs.
    fn in_tile(
        &self,
        sources: &[Shared],
        reads: &SortedSet<Value>,
        body: &[Statement],
        tile: &[u32],
    ) -> f64 {
        let weights = self.weights;
        let points: u64 = tile.iter().map(|&points| u64::from(points)).product();
        let mut cost = self.work(body) + weights.read * reads.len() as f64 + weights.narrow;
        let box_of = |anchors: &SortedSet<Anchor>| {
            let axes = tile.iter().enumerate().map(|(axis, &points)| {
                let along = || anchors.iter().map(|anchor| anchor[axis]);
                let [least, most] = [along().min(), along().max()].map(Option::unwrap_or_default);
                1.0 + (most - least) as f64 / f64::from(points)
            });
            axes.product()
        };
        cost += weights.byte * self.bytes(body, box_of);
        if !sources.is_empty() {
            cost += weights.wait * (1 + sources.len()) as f64;
        }
        for source in sources {
            let ratio = places(tile, &source.halo) as f64 / points as f64;
            let parts = source
                .parts
                .iter()
                .filter_map(|value| self.certain.get(value));
            let parts: Vec<Statement> = parts.map(|&statement| statement.clone()).collect();
            cost += ratio
                * (self.work(&parts)
                    + weights.read * source.reads.len() as f64
                    + weights.fill
                    + weights.byte * self.bytes(&parts, box_of));
        }
        cost
    }

    /// Operations and loads.
    fn work(&self, statements: &[Statement]) -> f64 {
        let one = |statement: &Statement| match statement {
            // Index arithmetic is mostly simplified away.
            Statement::Let { value, .. } if self.shifts.indices.contains(value) => 0.0,
            Statement::Load { .. } => self.weights.load,
            Statement::If {
                then, otherwise, ..
            } => 2.0 * self.weights.operation + self.work(then) + self.work(otherwise),
            Statement::Store { .. } => 0.0,
            Statement::Let {
                op: Op::Constant(_),
                ..
            } => 0.0,
            Statement::Let { .. }
            | Statement::Check { .. }
            | Statement::Loop { .. }
            | Statement::Fold { .. } => {
                uses::cost(std::slice::from_ref(statement)) as f64 * self.weights.operation
            }
        };
        statements.iter().map(one).sum()
    }

    /// Where each array is read.
    fn seen(&self, statements: &[Statement]) -> SortedMap<Kind, SortedSet<Anchor>> {
        let mut seen: SortedMap<Kind, SortedSet<Anchor>> = SortedMap::new();
        for statement in statements {
            match statement {
                Statement::Load { value, .. } => {
                    if let Some(Shift {
                        kind,
                        anchor: Some(anchor),
                    }) = self.shifts.of.get(value)
                    {
                        seen.entry(*kind).or_default().insert(anchor.clone());
                    }
                }
                Statement::If {
                    then, otherwise, ..
                } => {
                    for (kind, anchors) in [then, otherwise]
                        .into_iter()
                        .flat_map(|side| self.seen(side))
                    {
                        seen.entry(kind).or_default().extend(anchors);
                    }
                }
                _ => {}
            }
        }
        seen
    }

    /// Bytes that come from the cache of all blocks, where an array that is read at these places comes so often.
    fn bytes(&self, statements: &[Statement], times: impl Fn(&SortedSet<Anchor>) -> f64) -> f64 {
        let seen = self.seen(statements);
        let size = |kind: &Kind| self.sizes.get(kind).copied().unwrap_or_default() as f64;
        seen.iter()
            .map(|(kind, anchors)| size(kind) * times(anchors))
            .sum()
    }
}

/// From where to where sources are read.
#[derive(Default)]
struct Needed(SortedMap<Kind, Vec<[i64; 2]>>);

impl Needed {
    fn widen(&mut self, kind: Kind, at: impl Iterator<Item = [i64; 2]>) {
        let at: Vec<[i64; 2]> = at.collect();
        let around = self.0.entry(kind).or_insert_with(|| at.clone());
        for (around, at) in around.iter_mut().zip(at) {
            *around = [around[0].min(at[0]), around[1].max(at[1])];
        }
    }
}

/// Places that differ in more than the last axis: blocks of a flat domain have none of them in common.
fn rows(anchors: &SortedSet<Anchor>) -> f64 {
    let outer = |anchor: &Anchor| anchor.split_last().map(|(_, outer)| outer.to_vec());
    anchors.iter().map(outer).collect::<SortedSet<_>>().len() as f64
}

/// Places of a tile and around it.
fn places(tile: &[u32], halo: &[[u32; 2]]) -> u64 {
    let one = |(points, [before, after]): (&u32, &[u32; 2])| u64::from(before + points + after);
    tile.iter().zip(halo).map(one).product()
}
