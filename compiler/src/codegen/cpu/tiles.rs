//! Contractions: an implementation of the driver's trait `Contraction`.

use super::names::{constant, scalar, vector, zero};
use super::part::{Part, attributes, constants, coordinates, cost, imports, product};
use super::statements::Emitter;
use super::uniform::Analysis;
use crate::plan::body::{Fold, Op, Statement, Value};
use crate::plan::tiles::{self, Inner, Tiles};
use crate::plan::uses;
use crate::sorted::SortedSet;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// Columns from which on lanes along them pay.
pub(super) const WIDE: u64 = 32;
/// Rows from which on a tile's packed columns are used often enough.
pub(super) const HIGH: u64 = 6;
/// The most leaves that the runtime's states have.
const LEAVES: usize = 12;

/// A side: its statements, and what they are there for.
struct Side {
    statements: Vec<Statement>,
    values: Vec<Value>,
}

/// What lines have in common is part of the line's side: once packed, it costs a load.
fn side(line: &tiles::Part, inner: &tiles::Part) -> Side {
    let mut values: Vec<Value> = line.values.clone();
    values.extend(&inner.values);
    Side {
        statements: [line.statements.as_slice(), &inner.statements].concat(),
        values,
    }
}

/// Writes the methods of a contraction.
struct Writer<'a, 'k> {
    part: &'a Part<'k>,
    /// The coordinates and values of a batch.
    batch: Vec<Value>,
}

impl<'k> Writer<'_, 'k> {
    /// An emitter for statements in which `varying` differ from lane to lane, and what comes before them.
    fn method(
        &self,
        varying: impl IntoIterator<Item = Value>,
        statements: &[Statement],
        results: &[Value],
    ) -> (Emitter<'k>, TokenStream) {
        let analysis = Analysis::new(varying, statements);
        let mut emitter = Emitter::new(self.part.names, analysis, quote!(L), quote!(failures));
        emitter.uses = uses::counts(statements);
        for &result in results {
            *emitter.uses.entry(result).or_default() += 1;
        }
        let mut start = self.part.bindings();
        let batch = self.batch.iter().map(|&value| self.part.names.value(value));
        start.extend(quote!(let (#(#batch,)*) = batch;));
        start.extend(emitter.watch(statements));
        (emitter, start)
    }

    /// Binds a coordinate, a scalar.
    fn coordinate(
        &self,
        emitter: &mut Emitter<'k>,
        value: Option<Value>,
        name: &str,
    ) -> TokenStream {
        let Some(value) = value else {
            return TokenStream::new();
        };
        let name: TokenStream = name.parse().expect("a name");
        emitter.bind(value, true, name)
    }

    fn types(&self, values: &[Value]) -> (Vec<Ident>, Vec<Ident>) {
        let leaves = values.iter().map(|&value| self.part.names.leaf(value));
        leaves.map(|leaf| (scalar(leaf), vector(leaf))).unzip()
    }
}

/// The vectors of some values.
fn vectors(emitter: &Emitter<'_>, values: &[Value]) -> TokenStream {
    let values = values.iter().map(|&value| emitter.vectors(value));
    quote!((#(#values,)*))
}

/// The implementation for `part`, if the runtime has room for the states.
pub(super) fn contraction(
    part: &Part<'_>,
    extents: &[Value],
    vars: &[Value],
    inner: Inner<'_>,
    tiles: &Tiles,
) -> Option<TokenStream> {
    let names = part.names;
    let row_axis = tiles.row?;
    let (batches, row, column) = tiles.coordinates(vars);
    let left = side(&tiles.of_row, &tiles.left);
    let right = side(&tiles.of_column, &tiles.right);
    let results: Vec<Value> = inner
        .folds
        .iter()
        .flat_map(|fold| fold.results.clone())
        .collect();
    if [&left.values, &right.values, &results]
        .iter()
        .any(|values| values.len() > LEAVES)
    {
        return None;
    }
    let mut batch = batches.clone();
    batch.extend(&tiles.batch.values);
    let writer = Writer { part, batch };

    // A batch.
    let batch_extents: Vec<Value> = (0..vars.len())
        .filter(|&axis| axis != row_axis && axis != tiles.column)
        .map(|axis| extents[axis])
        .collect();
    let mut emitter = Emitter::new(names, Analysis::default(), quote!(One), quote!(failures));
    let mut of_batch = part.bindings();
    of_batch.extend(coordinates(names, &quote!(batch), &batch_extents, &batches));
    of_batch.extend(emitter.block(&tiles.batch.statements));
    of_batch.extend(constants(names, &tiles.batch.statements));
    let of_batch_values = writer.batch.iter().map(|&value| names.value(value));
    of_batch.extend(quote!((#(#of_batch_values,)*)));
    let (batch_types, _) = writer.types(&writer.batch);

    // The sides.
    let (mut emitter, mut of_left) = writer.method([inner.var], &left.statements, &left.values);
    of_left.extend(writer.coordinate(&mut emitter, row, "row"));
    emitter.bind_progression(inner.var, quote!(k));
    of_left.extend(emitter.block(&left.statements));
    of_left.extend(vectors(&emitter, &left.values));
    let (mut emitter, mut of_right) = writer.method([column], &right.statements, &right.values);
    of_right.extend(writer.coordinate(&mut emitter, Some(inner.var), "k"));
    emitter.bind_progression(column, quote!(column));
    of_right.extend(emitter.block(&right.statements));
    of_right.extend(vectors(&emitter, &right.values));

    let start = start(&writer, inner.folds);
    let step = step(
        &writer,
        inner,
        tiles,
        (row, column),
        &left.values,
        &right.values,
    );

    // What follows.
    let varying = results.iter().copied().chain([column]);
    let (mut emitter, mut finish) = writer.method(varying, &tiles.after, &[]);
    finish.extend(writer.coordinate(&mut emitter, row, "row"));
    emitter.bind_progression(column, quote!(column));
    for (k, &result) in results.iter().enumerate() {
        let k = Literal::usize_unsuffixed(k);
        finish.extend(emitter.bind(result, false, quote!(total.#k)));
    }
    finish.extend(emitter.block(&tiles.after));

    let ((left_leaves, left_vectors), (right_leaves, right_vectors)) =
        (writer.types(&left.values), writer.types(&right.values));
    let (leaves, state_vectors) = writer.types(&results);
    let (name, imports, attributes, bindings) =
        (&part.name, imports(), attributes(), part.bindings());
    let cost = cost(&tiles.body);
    let (all, rows, columns) = (
        product(names, &batch_extents),
        names.value(extents[row_axis]),
        names.value(extents[tiles.column]),
    );
    let depth = known_constant(&tiles.batch.statements, inner.extent).unwrap_or_else(|| {
        let depth = names.value(inner.extent);
        quote!(#depth)
    });
    Some(quote! {
        #attributes
        const _: () = {
            #imports
            impl Contraction for #name {
                const COST: u32 = #cost;
                type Batch = (#(#batch_types,)*);
                type Left = (#(#left_leaves,)*);
                type Right = (#(#right_leaves,)*);
                type State = (#(#leaves,)*);
                fn extents(&self) -> Extents {
                    #bindings
                    Extents { batches: #all, rows: #rows, columns: #columns, depth: #depth }
                }
                #[inline(always)]
                fn batch(&self, batch: u64, failures: &::accelerate::rt::Failure) -> Self::Batch {
                    #of_batch
                }
                #[inline(always)]
                fn left<L: Lanes>(
                    &self, batch: Self::Batch, row: u64, k: u64, failures: &::accelerate::rt::Failure,
                ) -> (#(L::#left_vectors,)*) {
                    #of_left
                }
                #[inline(always)]
                fn right<L: Lanes>(
                    &self, batch: Self::Batch, column: u64, k: u64, failures: &::accelerate::rt::Failure,
                ) -> (#(L::#right_vectors,)*) {
                    #of_right
                }
                #[inline(always)]
                fn start<L: Lanes>(&self, batch: Self::Batch) -> (#(L::#state_vectors,)*) {
                    #start
                }
                #[inline(always)]
                fn step<L: Lanes>(
                    &self, batch: Self::Batch, (row, column, k): (u64, u64, u64), left: Self::Left,
                    right: (#(L::#right_vectors,)*), part: (#(L::#state_vectors,)*),
                ) -> (#(L::#state_vectors,)*) {
                    #step
                }
                #[inline(always)]
                fn finish<L: Lanes>(
                    &self, batch: Self::Batch, row: u64, column: u64, total: (#(L::#state_vectors,)*),
                    failures: &::accelerate::rt::Failure,
                ) {
                    #finish
                }
            }
        };
    })
}

/// A constant among these statements.
fn known_constant(statements: &[Statement], value: Value) -> Option<TokenStream> {
    statements.iter().find_map(|statement| match statement {
        Statement::Let {
            value: other,
            op: Op::Constant(x),
        } if *other == value => Some(constant(*x)),
        _ => None,
    })
}

/// The states before the first place.
fn start(writer: &Writer<'_, '_>, folds: &[Fold]) -> TokenStream {
    let (emitter, mut tokens) = writer.method([], &[], &[]);
    let names = writer.part.names;
    let mut fields = Vec::new();
    for fold in folds {
        for (k, &result) in fold.results.iter().enumerate() {
            let leaf = names.leaf(result);
            let vector = emitter.vector(leaf);
            fields.push(match (&fold.initial, &fold.known) {
                (Some(initial), _) => emitter.vectors(initial[k]),
                (None, Some(known)) => {
                    let identity = constant(Fold::identity(known[k], leaf));
                    quote!(<#vector as Value>::splat(#identity))
                }
                (None, None) => {
                    let zero = zero(leaf);
                    quote!(<#vector as Value>::splat(#zero))
                }
            });
        }
    }
    tokens.extend(quote!((#(#fields,)*)));
    tokens
}

/// The states after another place.
fn step(
    writer: &Writer<'_, '_>,
    inner: Inner<'_>,
    tiles: &Tiles,
    (row, column): (Option<Value>, Value),
    left: &[Value],
    right: &[Value],
) -> TokenStream {
    let names = writer.part.names;
    let mut statements = tiles.body.clone();
    let mut varying: SortedSet<Value> = right.iter().copied().collect();
    varying.insert(column);
    let mut results = Vec::new();
    for fold in inner.folds {
        varying.extend(fold.left.iter().chain(&fold.right));
        statements.extend(fold.combine_in_order(&[inner.var]));
        results.extend(fold.elements.iter().chain(&fold.combined));
    }
    let (mut emitter, mut tokens) = writer.method(varying, &statements, &results);
    tokens.extend(writer.coordinate(&mut emitter, row, "row"));
    tokens.extend(writer.coordinate(&mut emitter, Some(inner.var), "k"));
    emitter.bind_progression(column, quote!(column));
    for (k, &value) in left.iter().enumerate() {
        let k = Literal::usize_unsuffixed(k);
        tokens.extend(emitter.bind(value, true, quote!(left.#k)));
    }
    for (k, &value) in right.iter().enumerate() {
        let k = Literal::usize_unsuffixed(k);
        tokens.extend(emitter.bind(value, false, quote!(right.#k)));
    }
    tokens.extend(emitter.block(&tiles.body));
    let (mut next, mut at) = (Vec::new(), 0);
    for fold in inner.folds {
        let elements: Vec<TokenStream> = fold
            .elements
            .iter()
            .map(|&element| emitter.vectors(element))
            .collect();
        for (k, &parameter) in fold.left.iter().enumerate() {
            let field = Literal::usize_unsuffixed(at + k);
            tokens.extend(emitter.bind(parameter, false, quote!(part.#field)));
            tokens.extend(emitter.bind(fold.right[k], false, elements[k].clone()));
        }
        tokens.extend(emitter.block(&fold.combine_in_order(&[inner.var])));
        for (k, &combined) in fold.combined.iter().enumerate() {
            let (combined, element) = (emitter.vectors(combined), &elements[k]);
            let product = fold.factors(k, names.leaf(fold.results[k]).is_float(), &tiles.body);
            next.push(match product {
                Some((a, b)) => {
                    let (a, b) = (emitter.vectors(a), emitter.vectors(b));
                    let field = Literal::usize_unsuffixed(at + k);
                    quote!(Float::fused(#a, #b, part.#field))
                }
                None if fold.initial.is_none() && fold.known.is_none() => {
                    quote!(if k == 0 { #element } else { #combined })
                }
                None => combined,
            });
        }
        at += fold.results.len();
    }
    tokens.extend(quote!((#(#next,)*)));
    tokens
}
