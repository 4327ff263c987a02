//! Statements over lanes: the emitter and what it knows of each value.

use super::names::{Names, constant, scalar, vector};
use super::uniform::Analysis;
use crate::codegen::names::rust;
use crate::plan::body::{Op, Statement, Value};
use crate::plan::uses;
use crate::scalar::Leaf;
use crate::sorted::{SortedMap, SortedSet};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// How a value is held.
#[derive(Clone, Debug)]
pub(super) enum Held {
    /// The same in all lanes: a scalar expression, free of effects.
    Uniform(TokenStream),
    /// `first + lane * stride`, wrapping; integers of 32 or 64 bits. No stride is a stride of 1.
    Affine {
        first: TokenStream,
        stride: Option<TokenStream>,
    },
    /// A vector.
    Lanes(TokenStream),
}

/// What a body that takes indices as straight, or all lanes as of one segment, knows: see `straight.rs` and `search.rs`.
#[derive(Clone, Default)]
pub(super) struct Straight {
    /// Values that are constants.
    pub(super) constants: SortedSet<Value>,
    /// Comparisons of indices: what holds in all lanes if the comparison is what it is away from borders, and which.
    pub(super) compared: SortedMap<Value, (bool, TokenStream)>,
    /// First states of searches that find one segment for all lanes.
    pub(super) shared: SortedSet<Value>,
    /// Whether anything has been assumed.
    pub(super) assumed: bool,
    /// Whether anything has been assumed of indices near borders, not of searches only.
    pub(super) bent: bool,
    /// Nothing is assumed: lanes are masked, from `done` on until `until`, where their segment ends.
    pub(super) in_turn: bool,
}

impl Straight {
    /// What may be assumed in a body that has been written without assumptions.
    pub(super) fn after(emitter: &Emitter<'_>) -> Straight {
        Straight {
            shared: emitter.near.clone(),
            ..Straight::default()
        }
    }
}

/// The stores of a body that come in pairs: see `turns.rs`.
#[derive(Default)]
pub(super) struct Turns {
    /// By buffer and index: which of the two it is.
    pub(super) places: SortedMap<(usize, Value), usize>,
    /// By buffer: the index and the value of one whose neighbour is not known yet.
    pub(super) waiting: SortedMap<usize, (Value, Value)>,
}

/// Emits statements for the lanes of `lanes` (a type: `L`, or `One` where all is uniform).
pub(super) struct Emitter<'k> {
    pub(super) names: Names<'k>,
    pub(super) analysis: Analysis,
    pub(super) held: SortedMap<Value, Held>,
    pub(super) lanes: TokenStream,
    /// Where failures go: an expression of type `&Failure`.
    pub(super) failures: TokenStream,
    /// The mask of lanes that have failed, if loops must watch it.
    pub(super) failed: Option<Ident>,
    /// The mask of the lanes that are live; all of them if absent.
    pub(super) live: Option<Ident>,
    /// How often each value is used in the whole method, to see which states are read after their loops.
    pub(super) uses: SortedMap<Value, usize>,
    /// Whether something is read from anywhere in memory.
    pub(super) gathers: bool,
    /// Whether the method has an argument `past`: neighbours are stored past the caches if it says so.
    pub(super) past: bool,
    /// What is assumed of indices near borders, where it may be.
    pub(super) straight: Option<Straight>,
    /// Stores that come in pairs.
    pub(super) turns: Turns,
    /// Constants so far, as bits.
    pub(super) constants: SortedMap<Value, u64>,
    /// Searches for segments so far.
    pub(super) searches: usize,
    /// First states of those that lanes make together, one index after the other.
    pub(super) near: SortedSet<Value>,
    /// Loads that have been made for a block of points, and which they are there.
    pub(super) blocks: SortedMap<Value, usize>,
    /// Of the scope, if it has one declaration for all.
    declared: Option<Vec<(Ident, TokenStream)>>,
    fresh: u32,
}

/// Statements of a scope, at most. Each `let` is a scope within the one before it; of thousands, one in the other, rustc's stack
/// has no room for the debugger's information.
const SCOPES: usize = 128;

impl<'k> Emitter<'k> {
    pub(super) fn new(
        names: Names<'k>,
        analysis: Analysis,
        lanes: TokenStream,
        failures: TokenStream,
    ) -> Self {
        Emitter {
            names,
            analysis,
            held: SortedMap::new(),
            lanes,
            failures,
            failed: None,
            live: None,
            uses: SortedMap::new(),
            gathers: false,
            past: false,
            straight: None,
            turns: Turns::default(),
            constants: SortedMap::new(),
            searches: 0,
            near: SortedSet::new(),
            blocks: SortedMap::new(),
            declared: None,
            fresh: 0,
        }
    }

    /// Declares the mask of failed lanes, if `statements` have both checks and loops.
    pub(super) fn watch(&mut self, statements: &[Statement]) -> TokenStream {
        if !(uses::checks(statements) && uses::loops(statements)) {
            return TokenStream::new();
        }
        let (failed, lanes) = (
            format_ident!("failed", span = Span::mixed_site()),
            &self.lanes,
        );
        let declaration =
            quote!(let mut #failed = <<#lanes as Lanes>::Mask as Value>::splat(false););
        self.failed = Some(failed);
        declaration
    }

    pub(super) fn temporary(&mut self, stem: &str) -> Ident {
        self.fresh += 1;
        rust::temporary(stem, self.fresh)
    }

    pub(super) fn leaf(&self, value: Value) -> Leaf {
        self.names.leaf(value)
    }

    /// `value` is the variable of its name, a scalar.
    pub(super) fn bind_uniform(&mut self, value: Value) -> Ident {
        let name = self.names.value(value);
        self.held.insert(value, Held::Uniform(quote!(#name)));
        name
    }

    /// `value` is the variable of its name, a vector.
    pub(super) fn bind_lanes(&mut self, value: Value) -> Ident {
        let name = self.names.value(value);
        self.held.insert(value, Held::Lanes(quote!(#name)));
        name
    }

    /// `value` goes up by one from lane to lane, from `first`.
    pub(super) fn bind_progression(&mut self, value: Value, first: TokenStream) {
        let stride = None;
        self.held.insert(value, Held::Affine { first, stride });
    }

    pub(super) fn held(&self, value: Value) -> Held {
        match self.held.get(&value) {
            Some(held) => held.clone(),
            // Bound at the start of the method: a kernel scalar, or what an earlier phase computed.
            None => {
                let name = self.names.value(value);
                Held::Uniform(quote!(#name))
            }
        }
    }

    pub(super) fn is_uniform(&self, value: Value) -> bool {
        matches!(self.held(value), Held::Uniform(_))
    }

    /// The vector type of a leaf.
    pub(super) fn vector(&self, leaf: Leaf) -> TokenStream {
        let (lanes, vector) = (&self.lanes, vector(leaf));
        quote!(<#lanes as Lanes>::#vector)
    }

    /// As a scalar expression; the value must be uniform.
    pub(super) fn scalar(&self, value: Value) -> TokenStream {
        match self.held(value) {
            Held::Uniform(x) => x,
            Held::Affine { .. } | Held::Lanes(_) => {
                panic!("{value:?} varies where a uniform value is needed")
            }
        }
    }

    /// As a vector expression.
    pub(super) fn vectors(&self, value: Value) -> TokenStream {
        let vector = self.vector(self.leaf(value));
        match self.held(value) {
            Held::Uniform(x) => quote!(<#vector as Value>::splat(#x)),
            Held::Affine { first, stride } => match stride {
                None => {
                    let one = constant(crate::scalar::Scalar {
                        leaf: self.leaf(value),
                        bits: 1,
                    });
                    quote!(progression::<#vector>(#first, #one))
                }
                Some(stride) => quote!(progression::<#vector>(#first, #stride)),
            },
            Held::Lanes(x) => x,
        }
    }

    /// As a vector, or as a scalar if `uniform`.
    pub(super) fn as_held(&self, value: Value, uniform: bool) -> TokenStream {
        if uniform {
            self.scalar(value)
        } else {
            self.vectors(value)
        }
    }

    /// The type of a value held as a vector, or as a scalar if `uniform`.
    pub(super) fn type_of(&self, value: Value, uniform: bool) -> TokenStream {
        let leaf = self.leaf(value);
        if uniform {
            let scalar = scalar(leaf);
            quote!(#scalar)
        } else {
            self.vector(leaf)
        }
    }

    /// Lets `value`, a uniform scalar or a vector, be `expression`.
    pub(super) fn bind(
        &mut self,
        value: Value,
        uniform: bool,
        expression: TokenStream,
    ) -> TokenStream {
        let ty = self.type_of(value, uniform);
        let name = if uniform {
            self.bind_uniform(value)
        } else {
            self.bind_lanes(value)
        };
        match &mut self.declared {
            Some(declared) => {
                declared.push((name.clone(), ty));
                quote!(#name = #expression;)
            }
            None => quote!(let #name: #ty = #expression;),
        }
    }

    pub(super) fn block(&mut self, statements: &[Statement]) -> TokenStream {
        if statements.len() <= SCOPES {
            let tokens = statements.iter().map(|statement| self.statement(statement));
            return tokens.collect();
        }
        let scopes = statements.chunks(SCOPES);
        scopes.map(|scope| self.one_scope(scope)).collect()
    }

    /// Statements whose values are declared together.
    fn one_scope(&mut self, statements: &[Statement]) -> TokenStream {
        let outer = self.declared.take();
        let mut declared = Vec::new();
        let mut body = TokenStream::new();
        for statement in statements {
            let is_straight = match statement {
                Statement::Let { .. }
                | Statement::Load { .. }
                | Statement::Store { .. }
                | Statement::Check { .. } => true,
                Statement::If { .. } | Statement::Loop { .. } | Statement::Fold { .. } => false,
            };
            self.declared = is_straight.then(Vec::new);
            body.extend(self.statement(statement));
            declared.extend(self.declared.take().into_iter().flatten());
        }
        self.declared = outer;
        let (names, types): (Vec<Ident>, Vec<TokenStream>) = declared.into_iter().unzip();
        match names.is_empty() {
            true => body,
            false => quote!(let (#(#names,)*): (#(#types,)*); #body),
        }
    }

    fn statement(&mut self, statement: &Statement) -> TokenStream {
        match statement {
            Statement::Let { value, op } => self.operation(*value, op),
            Statement::Load {
                value,
                buffer,
                index,
                guard,
            } => self.load(*value, *buffer, *index, *guard),
            Statement::Store {
                buffer,
                index,
                value,
            } => self.store(*buffer, *index, *value),
            Statement::Check {
                condition,
                site,
                values,
            } => self.check(*condition, *site, values),
            Statement::If {
                condition,
                then,
                otherwise,
                results,
            } => self.branch(*condition, then, otherwise, results),
            Statement::Loop {
                state,
                test,
                condition,
                body,
            } => self.a_loop(state, test, *condition, body),
            Statement::Fold {
                extents,
                vars,
                body,
                folds,
            } => self.fold(extents, vars, body, folds),
        }
    }

    fn operation(&mut self, value: Value, op: &Op) -> TokenStream {
        if let Op::Constant(x) = op {
            self.held.insert(value, Held::Uniform(constant(*x)));
            self.constants.insert(value, x.bits);
            if let Some(straight) = &mut self.straight {
                straight.constants.insert(value);
            }
            return TokenStream::new();
        }
        if op
            .operands()
            .iter()
            .all(|&operand| self.is_uniform(operand))
        {
            let expression = self.apply(op, true);
            return self.bind(value, true, expression);
        }
        if let Some(tokens) = self.unbent(value, op).or_else(|| self.strided(value, op)) {
            return tokens;
        }
        let expression = self.apply(op, false);
        self.bind(value, false, expression)
    }
}
