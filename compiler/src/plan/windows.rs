//! Stencils: points whose neighbours read the same elements.
//!
//! An elementwise kernel that reads elements at constant distances from its own point can be worked on in tiles. Far
//! enough from the edges of the domain every test of a boundary is decided, and what two points compute for themselves
//! is often one function of the place, read at several distances. A block computes such a function once for each place
//! of its tile and around it, and all points read what they need from there. [`Windows`] has the statements for tiles
//! that lie within margins; the kernel's body stays what it means, and is right for all others.

use super::{Statement, Value};

/// The statements of a kernel in tiles.
#[derive(Clone, Debug)]
pub struct Windows {
    /// Points of a tile along each axis of the domain, 1 along those that nobody looks along.
    pub tile: Vec<u32>,
    /// The axis along which a block goes plane by plane, so that it has no more of a source at hand than the points of
    /// a plane read.
    pub stream: Option<usize>,
    /// Threads of a block.
    pub threads: u32,
    /// How far from the beginning and from the end of each axis a tile must stay for what follows to hold.
    pub margins: Vec<[u64; 2]>,
    /// What must hold for it besides.
    pub given: Given,
    /// What a block has at hand, in order: a source may read earlier ones. None if neighbours are only to be near each
    /// other, so that they find what they share in a cache.
    pub sources: Vec<Source>,
    /// What the body reads of sources.
    pub reads: Vec<Read>,
    /// Points of the body, by register blocking: one, or several of a thread along [`Windows::outer`], with the coordinates of the first.
    pub register_block: u32,
    /// What a point does. It uses nothing but its own values, its reads, coordinates and the kernel's scalars.
    pub body: Vec<Statement>,
    /// Why: about what a point costs by itself, and in a tile.
    pub cost: [u64; 2],
}

/// Loop invariant conditions of the kernel's checks, hoisted out of the loop over tiles, which is unswitched on them: where they
/// hold, tiles need neither these checks nor the guards of loads that depend on them.
#[derive(Clone, Default, Debug)]
pub struct Given {
    /// They compute the conditions from the kernel's scalars.
    pub statements: Vec<Statement>,
    /// All of them hold.
    pub conditions: Vec<Value>,
}

/// A function of the place, evaluated once for each place of a tile and around it. No place is evaluated where the
/// kernel's body would not have been evaluated for some point of the domain.
#[derive(Clone, Debug)]
pub struct Source {
    /// For readable code.
    pub name: String,
    /// How far it goes beyond the tile, before and after, along each axis.
    pub halo: Vec<[u32; 2]>,
    /// What it reads of earlier sources.
    pub reads: Vec<Read>,
    /// At the place that the kernel's coordinates stand for.
    pub statements: Vec<Statement>,
    /// The element.
    pub value: Value,
}

/// An element of a source at a distance from the place at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// Stands for it.
    pub value: Value,
    /// Position of the source.
    pub source: usize,
    /// Along each axis.
    pub offset: Vec<i64>,
}

impl Source {
    /// Places along each axis.
    pub fn sizes<'a>(&'a self, tile: &'a [u32]) -> impl DoubleEndedIterator<Item = u32> + 'a {
        let with_halo = |(points, [before, after]): (&u32, &[u32; 2])| before + points + after;
        tile.iter().zip(&self.halo).map(with_halo)
    }

    /// Planes along an axis that are at hand: those that the points of one read, and one to be filled meanwhile.
    pub fn ring(&self, axis: usize) -> u32 {
        let [before, after] = self.halo[axis];
        before + after + 2
    }

    /// Elements that are at hand.
    pub fn room(&self, tile: &[u32], stream: Option<usize>) -> u64 {
        let along = self
            .sizes(tile)
            .enumerate()
            .map(|(axis, size)| match stream {
                Some(stream) if stream == axis => self.ring(axis),
                _ => size,
            });
        along.map(u64::from).product()
    }
}

impl Windows {
    /// The axis along which a thread has neighbours, which read much of what it has read, and how many; along memory its
    /// neighbours are other threads.
    pub fn outer(&self) -> Option<(usize, u32)> {
        let mut tile = self.tile.clone();
        if let Some(stream) = self.stream {
            tile[stream] = 1;
        }
        let outer = tile[..tile.len() - 1].iter().position(|&n| n > 1)?;
        Some((outer, tile.iter().product::<u32>() / self.threads))
    }

    /// A line or two on what tiles are like and why, for the printed plan.
    pub fn summary(&self, vars: &[String]) -> String {
        let named = |numbers: Vec<String>| -> String {
            let pairs = numbers.into_iter().zip(vars);
            let pairs: Vec<String> = pairs
                .filter(|(number, _)| !number.is_empty())
                .map(|(number, var)| format!("{number} {var}"))
                .collect();
            pairs.join(", ")
        };
        let along = |n: &u32| if *n > 1 { n.to_string() } else { String::new() };
        let [alone, tiled] = self.cost;
        let plane = |axis: usize| format!(", plane by plane along {}", vars[axis]);
        let stream = self.stream.map_or(String::new(), plane);
        let together = match (self.register_block, self.outer()) {
            (2.., Some((axis, _))) => format!(", {} {} together", self.register_block, vars[axis]),
            _ => String::new(),
        };
        let given = match self.given.conditions.is_empty() {
            true => "",
            false => " where the checks of scalars hold",
        };
        let mut text = format!(
            "    in tiles of {}{stream}{together}{given}: a point costs about {tiled}, not {alone}\n",
            named(self.tile.iter().map(along).collect())
        );
        for (number, source) in self.sources.iter().enumerate() {
            let reads = self
                .reads
                .iter()
                .chain(self.sources.iter().flat_map(|source| &source.reads));
            let places = reads.filter(|read| read.source == number).count();
            let around = source
                .halo
                .iter()
                .map(|[before, after]| match before + after {
                    0 => String::new(),
                    _ => format!("-{before}..={after}"),
                });
            let around = named(around.collect());
            let loaded = |statement: &Statement| matches!(statement, Statement::Load { value, .. } if *value == source.value);
            let work = match source.statements.iter().any(loaded) {
                true => "each place loaded once",
                false => "each place computed once",
            };
            text += &format!(
                "      {} around by {around}: {work}, read {places} times\n",
                source.name
            );
        }
        text
    }
}
