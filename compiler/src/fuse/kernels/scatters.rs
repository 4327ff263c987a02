//! Kernels of scatters: the source is computed where its elements go.
//!
//! In: a scatter whose defaults are stored or a constant. Out: steps that make its results start as the defaults, in the
//! defaults' own memory where nobody else has it, and the kernel that combines into them.

use crate::fuse::analysis::indices::{self, Poly};
use crate::fuse::body::collapse::{self, Domain};
use crate::fuse::body::control::known_operator;
use crate::fuse::body::{Body, Kind};
use crate::fuse::kernels::Built;
use crate::fuse::planner::Planner;
use crate::ir::{Id, Node, Program, Var};
use crate::plan::{Buffer, BufferId, Meeting, Skeleton, Step};
use crate::scalar::{Binary, Leaf, Scalar};

/// At most so many locks, each for the elements whose positions have one remainder.
const LOCKS: u64 = 1 << 16;

/// The value of all defaults, if memory can be filled with it byte by byte.
pub(in crate::fuse) fn filling(program: &Program, defaults: Id) -> Option<Scalar> {
    let Node::Materialize(generate) = *program.node(defaults) else {
        return None;
    };
    let Node::Generate { element, .. } = *program.node(generate) else {
        return None;
    };
    match *program.node(element) {
        Node::Constant(scalar) if scalar.repeated_byte().is_some() => Some(scalar),
        _ => None,
    }
}

/// Whether every element of the target is written, so that nobody asks what it was.
pub(in crate::fuse) fn covers(program: &Program, bundle: Id) -> bool {
    let Node::Scatter {
        defaults,
        extents,
        vars,
        condition,
        at,
        right,
        combined,
        ..
    } = program.node(bundle)
    else {
        return false;
    };
    let size = |extents: &[Id]| {
        let extents = extents.iter().map(|&extent| indices::poly(program, extent));
        extents.fold(Poly::constant(1), |size, extent| size.times(&extent))
    };
    let always = matches!(program.node(*condition), Node::Constant(scalar) if scalar.is_true());
    always
        && replaces(program, right, combined)
        && size(extents) == size(program.extents(defaults[0]))
        && injective(program, vars, extents, at)
}

/// Whether what was there is forgotten.
fn replaces(program: &Program, right: &[Var], combined: &[Id]) -> bool {
    let reads = right.iter().map(|&var| program.find(&Node::Variable(var)));
    combined.iter().copied().map(Some).eq(reads)
}

impl Planner<'_> {
    /// The kernel of a scatter; its components have slots afterwards.
    pub(in crate::fuse) fn scatter(&mut self, bundle: Id, steps: &mut Vec<Step>) -> Built {
        let Node::Scatter {
            defaults,
            extents,
            vars,
            condition,
            at,
            elements,
            left,
            right,
            combined,
            once,
        } = self.program.node(bundle).clone()
        else {
            unreachable!("no scatter: {:?}", self.program.node(bundle));
        };
        let targets: Vec<BufferId> = (0..defaults.len())
            .map(|k| self.started(bundle, k, defaults[k], steps))
            .collect();
        let shape = self.program.extents(defaults[0]).to_vec();
        let size = indices::size(&mut self.program, &mut self.sources.index, &shape);
        let size = indices::build(&mut self.program, &size);
        let once = once.filter(|_| !injective(&self.program, &vars, &extents, &at));
        let index = indices::flat(&mut self.program, &mut self.sources.index, &shape, &at);
        let mut values = [&[condition, index][..], &elements].concat();
        let mut domain = self.own_domain(extents, vars, &mut values);
        if self.options.collapse {
            let (program, sources) = (&mut self.program, &mut self.sources);
            collapse::collapse(program, sources, &mut domain, &mut values, &mut Vec::new());
        }
        let replaces = replaces(&self.program, &right, &combined);
        let scratch = match once {
            Some(_) => Some(("met", self.words(size))),
            None if replaces || elements.len() == 1 => None,
            None if self.is_leafwise(&left, &right, &combined) => None,
            None => {
                let most = self.program.usize(LOCKS);
                Some(("locks", self.program.binary(Binary::Min, size, most)))
            }
        };
        let scratch = scratch.map(|(name, count)| (self.zeros(name, count, steps), count));
        let name = self.unique_kernel("scatter");
        let mut body = Body::new(&mut self.program, &mut self.sources, self.options);
        body.want(&values);
        body.want(&combined);
        let certain = [&values[..], &combined].concat();
        body.open(Kind::Root, Vec::new(), &certain);
        let extents = body.extents(&domain.extents);
        let size = body.extent(size);
        let vars = domain.vars.iter().map(|&var| body.bind(var)).collect();
        let values = body.values(&values);
        let mut fold = body.operator(&left, &right, &combined);
        fold.elements = values[2..].to_vec();
        fold.commutes = true;
        fold.results = (elements.iter())
            .map(|&element| body.fresh(body.program.leaf(element)))
            .collect();
        let names: Vec<String> = (targets.iter())
            .map(|&target| body.sources.buffer(target).0)
            .collect();
        let targets = (targets.into_iter())
            .map(|target| body.access(target, true))
            .collect();
        let meeting = match (once, scratch) {
            (Some(site), Some((met, _))) => Meeting::Once {
                met: body.access(met, true),
                site,
            },
            (None, Some((locks, count))) => Meeting::Locked {
                locks: body.access(locks, true),
                count: body.extent(count),
            },
            _ if replaces => Meeting::Never,
            _ => Meeting::Apart,
        };
        let skeleton = Skeleton::Scatter {
            extents,
            vars,
            body: body.close(),
            condition: values[0],
            index: values[1],
            fold,
            size,
            targets,
            meeting,
        };
        let summary = format!("scatter: {}", names.join(", "));
        body.finish(name, summary, skeleton)
    }

    /// The buffer of a component, which holds the defaults.
    fn started(&mut self, bundle: Id, k: usize, defaults: Id, steps: &mut Vec<Step>) -> BufferId {
        let component = self.program.add(Node::Project(bundle, k as u32));
        let buffer = match filling(&self.program, defaults) {
            _ if covers(&self.program, bundle) => self.allocate(component, steps),
            Some(value) => {
                let buffer = self.allocate(component, steps);
                steps.push(Step::Fill { buffer, value });
                buffer
            }
            None => {
                let of = self.sources.slot(&self.program, defaults);
                let buffer = self.buffer_like(component, steps);
                let last = false;
                steps.push(Step::Copy { buffer, of, last });
                buffer
            }
        };
        self.sources.slots.insert(component, buffer);
        buffer
    }

    /// Fresh variables for the domain, which has to be the kernel's own.
    pub(in crate::fuse) fn own_domain(
        &mut self,
        extents: Vec<Id>,
        own: Vec<Var>,
        values: &mut Vec<Id>,
    ) -> Domain {
        let (vars, reads) = self.domain(&extents, &own);
        let map = own.into_iter().zip(reads).collect();
        *values = self.program.substitute_all(values, &map);
        Domain { extents, vars }
    }

    /// The number of words that have a bit for each of so many elements.
    fn words(&mut self, size: Id) -> Id {
        let (bits, more) = (self.program.usize(32), self.program.usize(31));
        let rounded = self.program.binary(Binary::Add, size, more);
        self.program.binary(Binary::Div, rounded, bits)
    }

    /// A buffer of zeros for the kernel's own use.
    fn zeros(&mut self, name: &str, count: Id, steps: &mut Vec<Step>) -> BufferId {
        let extents = vec![self.host_value(count, steps)];
        let name = self.unique_buffer(name);
        let leaf = Leaf::U32;
        self.sources.buffers.push(Buffer {
            name,
            leaf,
            extents,
        });
        let buffer = BufferId(self.sources.buffers.len() as u32 - 1);
        let value = Scalar::zero(leaf);
        steps.extend([Step::Allocate(buffer), Step::Fill { buffer, value }]);
        buffer
    }

    /// Whether each leaf is combined by a known operator, whatever the others are.
    fn is_leafwise(&self, left: &[Var], right: &[Var], combined: &[Id]) -> bool {
        known_operator(&self.program, left, right, combined).is_some()
    }
}

/// Whether no two points can have one target: each variable, forwards or backwards, is an index by itself.
fn injective(program: &Program, vars: &[Var], extents: &[Id], at: &[Id]) -> bool {
    let one = |id: Id| matches!(program.node(id), Node::Constant(scalar) if scalar.bits == 1);
    let mut free = at.iter().collect::<Vec<_>>();
    vars.iter().zip(extents).all(|(&var, &extent)| {
        let Some(read) = program.find(&Node::Variable(var)) else {
            return one(extent);
        };
        let shows = |&&index: &&Id| {
            let others = vars.iter().filter(|&&other| other != var);
            let slope = indices::poly(program, index).linear(read);
            let unit = [1, -1].map(Poly::constant);
            slope.is_some_and(|(slope, rest)| {
                unit.contains(&slope)
                    && rest.0.keys().flatten().all(|&atom| {
                        let free = program.free(atom);
                        !free.contains(&var) && others.clone().all(|other| !free.contains(other))
                    })
            })
        };
        let found = free.iter().position(shows);
        found.map(|at| free.remove(at)).is_some() || one(extent)
    })
}
