//! Kernels built by hand.

use crate::plan::body::Fold;
use crate::plan::{Access, Kernel, Op, Phase, Points, Skeleton, Statement, Value};
use crate::scalar::{Binary, Leaf, Scalar, Unary};

/// Builds kernels by hand.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) types: Vec<Leaf>,
    pub(super) names: Vec<Option<String>>,
    pub(super) buffers: Vec<Access>,
    pub(super) scalars: Vec<Value>,
}

impl Builder {
    pub(super) fn value(&mut self, leaf: Leaf, name: &str) -> Value {
        self.types.push(leaf);
        self.names.push((!name.is_empty()).then(|| name.to_owned()));
        Value(self.types.len() as u32 - 1)
    }

    pub(super) fn scalar(&mut self, leaf: Leaf, name: &str) -> Value {
        let value = self.value(leaf, name);
        self.scalars.push(value);
        value
    }

    pub(super) fn buffer(&mut self, leaf: Leaf, name: &str, writes: bool) -> usize {
        self.buffers.push(Access {
            name: name.to_owned(),
            leaf,
            writes,
        });
        self.buffers.len() - 1
    }

    pub(super) fn op(
        &mut self,
        list: &mut Vec<Statement>,
        leaf: Leaf,
        name: &str,
        op: Op,
    ) -> Value {
        let value = self.value(leaf, name);
        list.push(Statement::Let { value, op });
        value
    }

    pub(super) fn binary(
        &mut self,
        list: &mut Vec<Statement>,
        op: Binary,
        a: Value,
        b: Value,
    ) -> Value {
        let leaf = match op {
            Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le => Leaf::Bool,
            _ => self.types[a.0 as usize],
        };
        self.op(list, leaf, "", Op::Binary(op, a, b))
    }

    pub(super) fn constant(&mut self, list: &mut Vec<Statement>, leaf: Leaf, bits: u64) -> Value {
        self.op(list, leaf, "", Op::Constant(Scalar { leaf, bits }))
    }

    pub(super) fn load(
        &mut self,
        list: &mut Vec<Statement>,
        name: &str,
        buffer: usize,
        index: Value,
    ) -> Value {
        let value = self.value(self.buffers[buffer].leaf, name);
        list.push(Statement::Load {
            value,
            buffer,
            index,
            guard: None,
        });
        value
    }

    pub(super) fn kernel(self, name: &str, summary: &str, skeleton: Skeleton) -> Kernel {
        Kernel {
            name: name.to_owned(),
            summary: summary.to_owned(),
            types: self.types,
            places: Default::default(),
            names: self.names,
            buffers: self.buffers,
            scalars: self.scalars,
            skeleton,
        }
    }

    /// A fold of one leaf by a known operator.
    pub(super) fn known(
        &mut self,
        op: Binary,
        element: Value,
        initial: Option<Value>,
        name: &str,
    ) -> Fold {
        let leaf = self.types[element.0 as usize];
        let [left, right] = ["a", "b"].map(|name| self.value(leaf, name));
        let mut combine = Vec::new();
        let combined = self.binary(&mut combine, op, left, right);
        Fold {
            elements: vec![element],
            left: vec![left],
            right: vec![right],
            combine,
            combined: vec![combined],
            initial: initial.map(|initial| vec![initial]),
            known: Some(vec![op]),
            commutes: true,
            contracts: op == Binary::Add,
            results: vec![self.value(leaf, name)],
        }
    }
}

pub(super) fn saxpy() -> Kernel {
    let mut b = Builder::default();
    let n = b.scalar(Leaf::U64, "n");
    let a = b.scalar(Leaf::F32, "a");
    let xs = b.buffer(Leaf::F32, "xs", false);
    let ys = b.buffer(Leaf::F32, "ys", false);
    let out = b.buffer(Leaf::F32, "result", true);
    let i = b.value(Leaf::U64, "i");
    let mut body = Vec::new();
    let x = b.load(&mut body, "x", xs, i);
    let y = b.load(&mut body, "y", ys, i);
    let product = b.binary(&mut body, Binary::Mul, a, x);
    let value = b.binary(&mut body, Binary::Add, product, y);
    body.push(Statement::Store {
        buffer: out,
        index: i,
        value,
    });
    b.kernel(
        "saxpy_map",
        "a * x + y for each element",
        Skeleton::Elementwise(vec![Points {
            extents: vec![n],
            vars: vec![i],
            body,
            windows: None,
        }]),
    )
}

pub(super) fn dotp() -> Kernel {
    let mut b = Builder::default();
    let n = b.scalar(Leaf::U64, "n");
    let xs = b.buffer(Leaf::F32, "xs", false);
    let ys = b.buffer(Leaf::F32, "ys", false);
    let out = b.buffer(Leaf::F32, "result", true);
    let i = b.value(Leaf::U64, "i");
    let mut body = Vec::new();
    let x = b.load(&mut body, "x", xs, i);
    let y = b.load(&mut body, "y", ys, i);
    let product = b.binary(&mut body, Binary::Mul, x, y);
    let mut before = Vec::new();
    let zero = b.constant(&mut before, Leaf::F32, 0x8000_0000);
    let fold = b.known(Binary::Add, product, Some(zero), "sum");
    let sum = fold.results[0];
    let mut after = Vec::new();
    let at = b.constant(&mut after, Leaf::U64, 0);
    after.push(Statement::Store {
        buffer: out,
        index: at,
        value: sum,
    });
    let phases = vec![
        Phase::Uniform(before),
        Phase::Fold {
            extents: vec![n],
            vars: vec![i],
            body,
            folds: vec![fold],
        },
        Phase::Uniform(after),
    ];
    b.kernel(
        "dotp_reduce",
        "the sum of x * y",
        Skeleton::Rowwise {
            extents: vec![],
            vars: vec![],
            phases,
            tiles: None,
            products: None,
        },
    )
}

/// Row sums of squares over `rows` x `n`, the sum over columns if `columns`, normalised rows if `each`.
pub(super) fn rows(columns: bool, each: bool) -> Kernel {
    let mut b = Builder::default();
    let rows = b.scalar(Leaf::U64, "height");
    let n = b.scalar(Leaf::U64, "width");
    let m = b.buffer(Leaf::F32, "m", false);
    let out = b.buffer(Leaf::F32, "result", true);
    let i = b.value(Leaf::U64, "i");
    let j = b.value(Leaf::U64, "j");
    let index = |b: &mut Builder, list: &mut Vec<Statement>, j: Value| {
        let (major, minor, length) = if columns { (j, i, rows) } else { (i, j, n) };
        let start = b.binary(list, Binary::Mul, major, length);
        b.binary(list, Binary::Add, start, minor)
    };
    let mut body = Vec::new();
    let at = index(&mut b, &mut body, j);
    let x = b.load(&mut body, "x", m, at);
    let square = b.binary(&mut body, Binary::Mul, x, x);
    let mut fold = b.known(Binary::Add, square, None, "sum");
    fold.contracts = false;
    let sum = fold.results[0];
    let mut phases = vec![Phase::Fold {
        extents: vec![n],
        vars: vec![j],
        body,
        folds: vec![fold],
    }];
    let mut after = Vec::new();
    let length = b.op(&mut after, Leaf::F32, "length", Op::Unary(Unary::Sqrt, sum));
    if each {
        phases.push(Phase::Uniform(after));
        let k = b.value(Leaf::U64, "k");
        let mut body = Vec::new();
        let at = index(&mut b, &mut body, k);
        let x = b.load(&mut body, "", m, at);
        let value = b.binary(&mut body, Binary::Div, x, length);
        body.push(Statement::Store {
            buffer: out,
            index: at,
            value,
        });
        phases.push(Phase::Each {
            extents: vec![n],
            vars: vec![k],
            body,
        });
    } else {
        after.push(Statement::Store {
            buffer: out,
            index: i,
            value: length,
        });
        phases.push(Phase::Uniform(after));
    }
    let name = match (columns, each) {
        (true, _) => "lengths_of_columns",
        (false, true) => "normalise_rows",
        (false, false) => "lengths_of_rows",
    };
    b.kernel(
        name,
        "the Euclidean length of each",
        Skeleton::Rowwise {
            extents: vec![rows],
            vars: vec![i],
            phases,
            tiles: None,
            products: None,
        },
    )
}

/// For each row the last element that is not zero with its index, by an operator that does not commute and may fail.
pub(super) fn ordered() -> Kernel {
    let mut b = Builder::default();
    let rows = b.scalar(Leaf::U64, "rows");
    let n = b.scalar(Leaf::U64, "n");
    let m = b.buffer(Leaf::I32, "m", false);
    let values = b.buffer(Leaf::I32, "values", true);
    let places = b.buffer(Leaf::U64, "places", true);
    let i = b.value(Leaf::U64, "i");
    let j = b.value(Leaf::U64, "j");
    let mut body = Vec::new();
    let start = b.binary(&mut body, Binary::Mul, i, n);
    let at = b.binary(&mut body, Binary::Add, start, j);
    let x = b.load(&mut body, "x", m, at);
    let mut before = Vec::new();
    let seven = b.constant(&mut before, Leaf::I32, 7);
    let none = b.constant(&mut before, Leaf::U64, u64::MAX);
    let left = [b.value(Leaf::I32, "a"), b.value(Leaf::U64, "at_a")];
    let right = [b.value(Leaf::I32, "b"), b.value(Leaf::U64, "at_b")];
    let mut combine = Vec::new();
    let zero = b.constant(&mut combine, Leaf::I32, 0);
    let ok = b.binary(&mut combine, Binary::Le, zero, right[0]);
    combine.push(Statement::Check {
        condition: ok,
        site: crate::ir::Site(3),
        values: vec![right[0]],
    });
    let taken = b.binary(&mut combine, Binary::Ne, right[0], zero);
    let combined = [0, 1].map(|leaf| {
        let ty = b.types[left[leaf].0 as usize];
        b.op(
            &mut combine,
            ty,
            "",
            Op::Select(taken, right[leaf], left[leaf]),
        )
    });
    let results = vec![b.value(Leaf::I32, "last"), b.value(Leaf::U64, "place")];
    let fold = Fold {
        elements: vec![x, j],
        left: left.to_vec(),
        right: right.to_vec(),
        combine,
        combined: combined.to_vec(),
        initial: Some(vec![seven, none]),
        known: None,
        commutes: false,
        contracts: false,
        results: results.clone(),
    };
    let after = vec![
        Statement::Store {
            buffer: values,
            index: i,
            value: results[0],
        },
        Statement::Store {
            buffer: places,
            index: i,
            value: results[1],
        },
    ];
    let phases = vec![
        Phase::Uniform(before),
        Phase::Fold {
            extents: vec![n],
            vars: vec![j],
            body,
            folds: vec![fold],
        },
        Phase::Uniform(after),
    ];
    b.kernel(
        "last_of_rows",
        "the last element that is not zero",
        Skeleton::Rowwise {
            extents: vec![rows],
            vars: vec![i],
            phases,
            tiles: None,
            products: None,
        },
    )
}

/// Transposed reads, a guarded read by index with its check, a loop, a branch and a fold in one thread.
pub(super) fn mixed() -> Kernel {
    let mut b = Builder::default();
    let rows = b.scalar(Leaf::U64, "rows");
    let columns = b.scalar(Leaf::U64, "columns");
    let n = b.scalar(Leaf::U64, "n");
    let m = b.buffer(Leaf::I32, "m", false);
    let indices = b.buffer(Leaf::U64, "indices", false);
    let out = b.buffer(Leaf::I32, "result", true);
    let [i, j] = ["i", "j"].map(|name| b.value(Leaf::U64, name));
    let mut body = Vec::new();
    let list = &mut body;
    let row = b.binary(list, Binary::Mul, i, columns);
    let flat = b.binary(list, Binary::Add, row, j);
    let column = b.binary(list, Binary::Mul, j, rows);
    let across = b.binary(list, Binary::Add, column, i);
    let x = b.load(list, "x", m, across);
    let at = b.load(list, "at", indices, flat);
    let inside = b.binary(list, Binary::Lt, at, n);
    list.push(Statement::Check {
        condition: inside,
        site: crate::ir::Site(0),
        values: vec![at, n],
    });
    let y = b.value(Leaf::I32, "y");
    list.push(Statement::Load {
        value: y,
        buffer: m,
        index: at,
        guard: Some(inside),
    });
    // Halve x until it is odd or small.
    let [state, count] = [b.value(Leaf::I32, "halved"), b.value(Leaf::U32, "times")];
    let zero = b.constant(list, Leaf::U32, 0);
    let mut test = Vec::new();
    let ten = b.constant(&mut test, Leaf::I32, 10);
    let big = b.binary(&mut test, Binary::Lt, ten, state);
    let mut round = Vec::new();
    let two = b.constant(&mut round, Leaf::I32, 2);
    let half = b.binary(&mut round, Binary::Div, state, two);
    let one = b.constant(&mut round, Leaf::U32, 1);
    let more = b.binary(&mut round, Binary::Add, count, one);
    list.push(Statement::Loop {
        state: vec![
            crate::plan::body::Carry {
                state,
                initial: x,
                next: half,
            },
            crate::plan::body::Carry {
                state: count,
                initial: zero,
                next: more,
            },
        ],
        test,
        condition: big,
        body: round,
    });
    let k = b.value(Leaf::U64, "k");
    let mut inner = Vec::new();
    let start = b.binary(&mut inner, Binary::Mul, i, columns);
    let place = b.binary(&mut inner, Binary::Add, start, k);
    let term = b.load(&mut inner, "", m, place);
    let fold = b.known(Binary::Max, term, None, "largest");
    let largest = fold.results[0];
    list.push(Statement::Fold {
        extents: vec![columns],
        vars: vec![k],
        body: inner,
        folds: vec![fold],
    });
    let positive = b.binary(list, Binary::Lt, y, largest);
    let mut then = Vec::new();
    let product = b.binary(&mut then, Binary::Mul, y, largest);
    let counted = b.op(list, Leaf::I32, "", Op::Cast(Leaf::I32, count));
    let result = b.value(Leaf::I32, "chosen");
    list.push(Statement::If {
        condition: positive,
        then,
        otherwise: Vec::new(),
        results: vec![crate::plan::body::Join {
            result,
            then: product,
            otherwise: state,
        }],
    });
    let value = b.binary(list, Binary::Add, result, counted);
    list.push(Statement::Store {
        buffer: out,
        index: flat,
        value,
    });
    b.kernel(
        "mixed_map",
        "a bit of everything",
        Skeleton::Elementwise(vec![Points {
            extents: vec![rows, columns],
            vars: vec![i, j],
            body,
            windows: None,
        }]),
    )
}
