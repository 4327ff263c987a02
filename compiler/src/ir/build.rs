//! Construction: every node comes from [`Program::add`], which gives equal expressions one id.

use super::{Id, Node, Program, QuickHasher, Routine, Type, Var};
use crate::scalar::{Binary, Leaf, Math, Scalar, Unary};
use crate::sorted::SortedSet;
use crate::visits;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock};

/// Shared by all nodes without free variables.
static EMPTY: LazyLock<Arc<SortedSet<Var>>> = LazyLock::new(Arc::default);

pub(super) fn hash_of(node: &Node) -> u64 {
    let mut hasher = QuickHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}

/// Adds the members of a set to one that may be shared.
fn unite(all: &mut Arc<SortedSet<Var>>, set: &Arc<SortedSet<Var>>) {
    if !Arc::ptr_eq(all, set) && !set.is_subset(all) {
        Arc::make_mut(all).extend(set.iter());
    }
}

impl Program {
    /// The node with this id.
    pub fn node(&self, id: Id) -> &Node {
        visits::count();
        &self.nodes[id.0 as usize]
    }

    /// Its type.
    pub fn ty(&self, id: Id) -> &Type {
        &self.types[id.0 as usize]
    }

    /// Its leaf type; of an array that of its elements.
    ///
    /// # Panics
    /// For a bundle.
    pub fn leaf(&self, id: Id) -> Leaf {
        match self.ty(id) {
            Type::Scalar(leaf) | Type::Array(leaf, _) => *leaf,
            Type::Bundle(_) => panic!("{id:?} is a bundle"),
        }
    }

    /// The extents of an array.
    ///
    /// # Panics
    /// For anything but an array.
    pub fn extents(&self, id: Id) -> &[Id] {
        match self.ty(id) {
            Type::Array(_, extents) => extents,
            other => panic!("{id:?} is no array but {other:?}"),
        }
    }

    /// A value without the checks and demands that come before it.
    pub(crate) fn unguarded(&self, id: Id) -> Id {
        match *self.node(id) {
            Node::Guard { value, .. } | Node::Demand { value, .. } => self.unguarded(value),
            _ => id,
        }
    }

    /// The type of a bound variable.
    pub fn var_type(&self, var: Var) -> &Type {
        &self.vars[var.0 as usize]
    }

    /// The variables that occur free in an expression.
    pub fn free(&self, id: Id) -> &SortedSet<Var> {
        &self.free[id.0 as usize]
    }

    /// All ids, operands before users.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Id> + DoubleEndedIterator + use<> {
        self.ids_from(0)
    }

    /// Those of the nodes that came after so many others.
    pub(crate) fn ids_from(
        &self,
        first: usize,
    ) -> impl ExactSizeIterator<Item = Id> + DoubleEndedIterator + use<> {
        (first as u32..self.nodes.len() as u32).map(Id)
    }

    /// The id of a node that has been added before, without regard to the names of bound variables.
    pub fn find(&self, node: &Node) -> Option<Id> {
        self.find_hashed(node, hash_of(node))
    }

    /// A node that [`Program::add_extents`] has added.
    fn known(&self, node: &Node) -> Id {
        self.find(node).expect("an extent")
    }

    fn find_hashed(&self, node: &Node, hash: u64) -> Option<Id> {
        let same = |id: Id| self.hashes[id.0 as usize] == hash && self.node(id) == node;
        let found = self.interned.find(hash, same);
        // What binds nothing has no other names.
        let renamed = || self.renamed.get(node).copied();
        found.or_else(|| node.binds().then(renamed)?)
    }

    /// Room for so many nodes.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.nodes.reserve(count);
        self.types.reserve(count);
        self.free.reserve(count);
        self.keys.reserve(count);
        self.contents.reserve(count);
        self.shapes.reserve(count);
        self.hashes.reserve(count);
        self.interned.reserve(count, &self.hashes);
    }

    /// A fresh variable.
    pub fn var(&mut self, ty: Type) -> Var {
        self.vars.push(ty);
        Var(self.vars.len() as u32 - 1)
    }

    /// A fresh variable that the rounds of a loop change.
    pub fn state_var(&mut self, ty: Type) -> Var {
        let var = self.var(ty);
        self.states.insert(var);
        var
    }

    /// A fresh index variable (`U64`) and the node that reads it.
    pub fn index_var(&mut self) -> (Var, Id) {
        let var = self.var(Type::Scalar(Leaf::U64));
        (var, self.add(Node::Variable(var)))
    }

    /// Gives a node a name for readable output; the first one stays.
    pub fn name(&mut self, id: Id, name: &str) {
        self.names.entry(id).or_insert_with(|| name.to_owned());
    }

    /// Gives a node a place in the source; the first one stays.
    pub fn place(&mut self, id: Id, span: crate::spans::SpanId) {
        self.spans.entry(id).or_insert(span);
    }

    /// What is told about one node holds for another one that has taken its place.
    pub(crate) fn keep_labels(&mut self, from: Id, to: Id) {
        if from == to {
            return;
        }
        if let Some(name) = self.names.get(&from).cloned() {
            self.name(to, &name);
        }
        if let Some(&span) = self.spans.get(&from) {
            self.place(to, span);
        }
        if let Some(reason) = self.reasons.get(&from).cloned() {
            self.reasons.entry(to).or_insert(reason);
        }
    }

    /// Gives a variable a name for readable output.
    pub fn name_var(&mut self, var: Var, name: &str) {
        self.var_names.entry(var).or_insert_with(|| name.to_owned());
    }

    /// Leaves the source's names out of the text.
    pub fn forget_names(&mut self) {
        self.names.clear();
        self.var_names.clear();
    }

    /// The node of a literal, if there is one.
    pub fn find_constant(&self, scalar: Scalar) -> Option<Id> {
        self.find(&Node::Constant(scalar))
    }

    /// A literal.
    pub fn constant(&mut self, scalar: Scalar) -> Id {
        self.add(Node::Constant(scalar))
    }

    /// A length or an index.
    pub fn usize(&mut self, value: u64) -> Id {
        self.constant(Scalar {
            leaf: Leaf::U64,
            bits: value,
        })
    }

    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> Id {
        self.constant(Scalar {
            leaf: Leaf::Bool,
            bits: value.into(),
        })
    }

    /// A unary operation.
    pub fn unary(&mut self, op: Unary, a: Id) -> Id {
        match self.leaf(a).is_half() {
            true => self.unary_of_halves(op, a),
            false => self.add(Node::Unary(op, a)),
        }
    }

    /// A binary operation.
    pub fn binary(&mut self, op: Binary, a: Id, b: Id) -> Id {
        match self.leaf(a).is_half() {
            true => self.binary_of_halves(op, a, b),
            false => self.add(Node::Binary(op, a, b)),
        }
    }

    /// A mathematical function.
    pub fn math(&mut self, function: Math, arguments: Vec<Id>) -> Id {
        match self.leaf(arguments[0]).is_half() {
            true => self.math_of_halves(function, &arguments),
            false => self.add(Node::Math(function, arguments)),
        }
    }

    /// Rust's `as`.
    pub fn cast(&mut self, to: Leaf, a: Id) -> Id {
        match (self.leaf(a), to) {
            (from, to) if from == to => a,
            (from, to) if from.is_half() || to.is_half() => self.cast_of_halves(to, a),
            _ => self.add(Node::Cast(to, a)),
        }
    }

    /// `extents` with one fresh index variable each, and the element made from their nodes.
    pub fn generate(
        &mut self,
        extents: Vec<Id>,
        element: impl FnOnce(&mut Program, &[Id]) -> Id,
    ) -> Id {
        let (vars, indices): (Vec<_>, Vec<_>) = extents.iter().map(|_| self.index_var()).unzip();
        let element = element(self, &indices);
        self.add(Node::Generate {
            extents,
            vars,
            element,
        })
    }

    /// Adds a node, or finds the one equal to it up to the names of its bound variables.
    pub fn add(&mut self, node: Node) -> Id {
        let hash = hash_of(&node);
        if let Some(id) = self.find_hashed(&node, hash) {
            return id;
        }
        let (shape, free) = (self.shape(&node), self.free_of(&node));
        if node.binds() {
            // Copies for other values of the variables around have the same shape: there may be many.
            let equal =
                |id: &Id| *self.free_shared(*id) == free && self.alpha_equal(&node, self.node(*id));
            let mut found = self.binders.get(&shape).into_iter().flatten().copied();
            if let Some(id) = found.find(equal) {
                self.renamed.insert(node, id);
                return id;
            }
        }
        self.add_extents(&node);
        let ty = self.type_of(&node);
        let id = Id(self.nodes.len() as u32);
        self.keys.push(self.key(&node));
        self.contents.push(self.contents_of(&node));
        self.shapes.push(shape);
        if node.binds() {
            self.binders.entry(shape).or_default().push(id);
        }
        self.nodes.push(node);
        self.types.push(ty);
        self.free.push(free);
        self.hashes.push(hash);
        self.interned.push(&self.hashes);
        id
    }

    /// The variables that are free in some of these.
    pub(crate) fn free_in_any(&self, ids: &[Id]) -> Arc<SortedSet<Var>> {
        let largest = ids.iter().map(|&id| self.free_shared(id));
        let mut free = Arc::clone(largest.max_by_key(|set| set.len()).unwrap_or(&EMPTY));
        for &id in ids {
            unite(&mut free, self.free_shared(id));
        }
        free
    }

    pub(crate) fn free_shared(&self, id: Id) -> &Arc<SortedSet<Var>> {
        &self.free[id.0 as usize]
    }

    /// The variables that are free in a node that is being added: mostly those of one of its operands, whose set it shares.
    fn free_of(&self, node: &Node) -> Arc<SortedSet<Var>> {
        if let Node::Variable(var) = node {
            return Arc::new(SortedSet::from([*var]));
        }
        let mut largest = &*EMPTY;
        node.operands(|id| {
            let set = self.free_shared(id);
            if set.len() >= largest.len() {
                largest = set;
            }
        });
        let mut free = Arc::clone(largest);
        if free.is_empty() {
            return free;
        }
        node.operands(|id| unite(&mut free, self.free_shared(id)));
        // Extents and initial values stand outside the region, but cannot mention its variables.
        for var in node.bound() {
            if free.contains(&var) {
                Arc::make_mut(&mut free).remove(&var);
            }
        }
        free
    }

    /// Adds the extents that the type of a node refers to.
    fn add_extents(&mut self, node: &Node) {
        match node {
            Node::Input { array, .. } => {
                for axis in 0..self.input_rank(*array) {
                    let array = *array;
                    self.add(Node::Extent { array, axis });
                }
            }
            Node::Project(bundle, k) => {
                for extent in self.extents_in_bundle(*bundle, *k).into_iter().flatten() {
                    self.add(Node::Project(*bundle, extent));
                }
            }
            _ => {}
        }
    }

    fn type_of(&self, node: &Node) -> Type {
        let scalar = Type::Scalar;
        match node {
            Node::Constant(constant) => scalar(constant.leaf),
            Node::Parameter(k) => scalar(self.parameter_leaf(*k)),
            Node::Input { array, leaf } => self.input_type(*array, *leaf),
            Node::Extent { .. } => scalar(Leaf::U64),
            Node::Variable(var) => self.var_type(*var).clone(),
            Node::Unary(Unary::CountOnes | Unary::LeadingZeros | Unary::TrailingZeros, _) => {
                scalar(Leaf::U32)
            }
            Node::Unary(_, a) => scalar(self.leaf(*a)),
            Node::Binary(Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le, ..) => {
                scalar(Leaf::Bool)
            }
            Node::Binary(_, a, _) => scalar(self.leaf(*a)),
            Node::Select(_, a, _) => scalar(self.leaf(*a)),
            Node::Cast(leaf, _) | Node::Bitcast(leaf, _) => scalar(*leaf),
            Node::Math(_, arguments) => scalar(self.leaf(arguments[0])),
            Node::Foreign(f, _) => scalar(f.result),
            Node::OnCuda => scalar(Leaf::Bool),
            Node::Routine {
                routine, extents, ..
            } => {
                let results = 0..routine.results.len();
                let result = |k| self.routine_result(routine, extents, k);
                Type::Bundle(results.map(result).collect())
            }
            Node::Index { array, .. } => scalar(self.leaf(*array)),
            Node::Guard { value, .. } | Node::Demand { value, .. } => self.ty(*value).clone(),
            Node::Materialize(array) => self.ty(*array).clone(),
            // An array's extents are right in `project_type` only.
            Node::If { then, .. } => {
                Type::Bundle(then.iter().map(|&id| self.ty(id).clone()).collect())
            }
            Node::Loop { state, .. } => Type::Bundle(
                state
                    .iter()
                    .map(|&var| self.var_type(var).clone())
                    .collect(),
            ),
            Node::Generate {
                extents, element, ..
            } => Type::Array(self.leaf(*element), extents.clone()),
            Node::Reduce { elements, .. } => Type::Bundle(
                elements
                    .iter()
                    .map(|&element| scalar(self.leaf(element)))
                    .collect(),
            ),
            Node::Scan {
                extents, elements, ..
            }
            | Node::Sort {
                extents, elements, ..
            } => Type::Bundle(self.scanned(extents, elements)),
            Node::Scatter { defaults, .. } => Type::Bundle(self.scattered(defaults)),
            Node::Compact {
                count, elements, ..
            } => Type::Bundle(self.scanned(&[*count], elements)),
            Node::Project(bundle, k) => self.project_type(*bundle, *k),
        }
    }

    /// The arrays that a scatter gives have the extents of the first of its defaults.
    fn scattered(&self, defaults: &[Id]) -> Vec<Type> {
        let extents = self.extents(defaults[0]);
        let array = |&id: &Id| Type::Array(self.leaf(id), extents.to_vec());
        defaults.iter().map(array).collect()
    }

    /// The k-th array that a routine gives.
    fn routine_result(&self, routine: &Routine, extents: &[Id], k: usize) -> Type {
        Type::Array(routine.results[k].0, extents[routine.axes(k)].to_vec())
    }

    fn scanned(&self, extents: &[Id], elements: &[Id]) -> Vec<Type> {
        let array = |&element: &Id| Type::Array(self.leaf(element), extents.to_vec());
        elements.iter().map(array).collect()
    }

    /// The type of a component of a bundle, extents as seen from inside.
    fn component_type(&self, bundle: Id, k: usize) -> Type {
        match self.node(bundle) {
            Node::If { then, .. } => self.ty(then[k]).clone(),
            Node::Loop { state, .. } => self.var_type(state[k]).clone(),
            Node::Reduce { elements, .. } => self.ty(elements[k]).clone(),
            Node::Scan {
                extents, elements, ..
            }
            | Node::Sort {
                extents, elements, ..
            } => Type::Array(self.leaf(elements[k]), extents.clone()),
            Node::Routine {
                routine, extents, ..
            } => self.routine_result(routine, extents, k),
            Node::Scatter { defaults, .. } => {
                let extents = self.extents(defaults[0]);
                Type::Array(self.leaf(defaults[k]), extents.to_vec())
            }
            Node::Compact {
                count, elements, ..
            } => Type::Array(self.leaf(elements[k]), vec![*count]),
            other => panic!("no component of {other:?}"),
        }
    }

    /// For each extent of component `k`, an array, the component that it is, or else the node that it stays.
    ///
    /// An extent of an array that leaves an `If` is the one both sides have, or the component that chooses between
    /// the two; of one that leaves a `Loop`, the final value of the state variable that it is, or itself.
    fn extents_in_bundle(&self, bundle: Id, k: u32) -> Vec<Result<u32, Id>> {
        let varies = "an extent that varies is a component of the bundle";
        match self.node(bundle) {
            Node::If {
                then, otherwise, ..
            } => {
                let (a, b) = (then[k as usize], otherwise[k as usize]);
                let (Type::Array(_, a), Type::Array(_, b)) = (self.ty(a), self.ty(b)) else {
                    return Vec::new();
                };
                let extents = a.iter().zip(b).map(|(&x, &y)| {
                    if x == y {
                        return Err(x);
                    }
                    let mut sides = then.iter().zip(otherwise);
                    let component = sides.position(|(&p, &q)| (p, q) == (x, y));
                    Ok(component.expect(varies) as u32)
                });
                extents.collect()
            }
            Node::Loop { state, .. } => {
                let Type::Array(_, extents) = self.var_type(state[k as usize]) else {
                    return Vec::new();
                };
                let extents = extents.iter().map(|&extent| match self.node(extent) {
                    Node::Variable(var) => match state.iter().position(|of| of == var) {
                        Some(component) => Ok(component as u32),
                        None => Err(extent),
                    },
                    _ => Err(extent),
                });
                extents.collect()
            }
            Node::Scan { extents, .. } | Node::Sort { extents, .. } => {
                extents.iter().map(|&extent| Err(extent)).collect()
            }
            Node::Routine {
                routine, extents, ..
            } => {
                let extents = extents[routine.axes(k as usize)].iter();
                extents.map(|&extent| Err(extent)).collect()
            }
            Node::Compact { count, .. } => vec![Err(*count)],
            Node::Scatter { defaults, .. } => {
                let extents = self.extents(defaults[0]).iter();
                extents.map(|&extent| Err(extent)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn project_type(&self, bundle: Id, k: u32) -> Type {
        match self.component_type(bundle, k as usize) {
            Type::Array(leaf, _) => {
                let extents = self.extents_in_bundle(bundle, k).into_iter();
                let extent = |extent| match extent {
                    Ok(component) => self.known(&Node::Project(bundle, component)),
                    Err(fixed) => fixed,
                };
                Type::Array(leaf, extents.map(extent).collect())
            }
            other => other,
        }
    }

    /// Projects every component of a bundle.
    pub fn components(&mut self, bundle: Id) -> Vec<Id> {
        let count = match self.node(bundle) {
            Node::If { then, .. } => then.len(),
            Node::Loop { state, .. } => state.len(),
            Node::Reduce { elements, .. }
            | Node::Scan { elements, .. }
            | Node::Scatter { elements, .. }
            | Node::Compact { elements, .. }
            | Node::Sort { elements, .. } => elements.len(),
            Node::Routine { routine, .. } => routine.results.len(),
            other => panic!("{other:?} is no bundle"),
        };
        (0..count as u32)
            .map(|k| self.add(Node::Project(bundle, k)))
            .collect()
    }

    fn parameter_leaf(&self, k: u32) -> Leaf {
        let leaves = self
            .parameters
            .iter()
            .filter_map(|parameter| match parameter {
                super::Parameter::Scalars { leaves, .. } => Some(leaves),
                super::Parameter::Array { .. } => None,
            });
        leaves
            .flatten()
            .nth(k as usize)
            .expect("a scalar parameter")
            .1
    }

    fn array_parameter(&self, array: u32) -> (&[(String, Leaf)], u32) {
        let mut arrays = self
            .parameters
            .iter()
            .filter_map(|parameter| match parameter {
                super::Parameter::Array { leaves, rank, .. } => Some((&leaves[..], *rank)),
                super::Parameter::Scalars { .. } => None,
            });
        arrays.nth(array as usize).expect("an array parameter")
    }

    fn input_rank(&self, array: u32) -> u32 {
        self.array_parameter(array).1
    }

    fn input_type(&self, array: u32, leaf: u32) -> Type {
        let (leaves, rank) = self.array_parameter(array);
        let extent = |axis| self.known(&Node::Extent { array, axis });
        Type::Array(leaves[leaf as usize].1, (0..rank).map(extent).collect())
    }

    /// One leaf of the `array`-th array parameter.
    pub fn input(&mut self, array: u32, rank: u32, leaf: u32) -> Id {
        for axis in 0..rank {
            self.add(Node::Extent { array, axis });
        }
        self.add(Node::Input { array, leaf })
    }
}
