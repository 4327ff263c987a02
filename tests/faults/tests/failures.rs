//! Programs that fail while they run: the error's kind, place and values, the same on the CPU and on the emulated
//! device; what depends on a failed call, and what does not.

use accelerate::{Device, Error, Matrix, Result, Scalar, Vector, accelerate};
use faults::Tier;
use std::process::ExitCode;

accelerate! {
    pub fn zipped(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> { xs.zip(ys).map(|(x, y)| x + y) }
    pub fn subtracted(a: &Matrix<i32>, b: &Matrix<i32>) -> Matrix<i32> { a - b }
    pub fn multiplied(a: &Matrix<f32>, b: &Matrix<f32>) -> Matrix<f32> { a.matmul(b) }
    pub fn applied(a: &Matrix<f32>, x: &Vector<f32>) -> Vector<f32> { a.matvec(x) }
    pub fn reshaped(xs: &Vector<f32>, rows: usize) -> Matrix<f32> { xs.reshape((rows, 3)) }
    pub fn widened(xs: &Vector<f32>, n: usize) -> Vector<f32> { xs.broadcast_to(n) }

    pub fn read(xs: &Vector<f32>, at: &Vector<usize>) -> Vector<f32> { at.map(|i| xs[i] + 1.0) }
    pub fn read_signed(xs: &Vector<f32>, at: &Vector<i32>) -> Vector<f32> { at.map(|i| xs[i as usize] * 2.0) }
    pub fn read_matrix(m: &Matrix<f32>, at: &Vector<(usize, usize)>) -> Vector<f32> { at.map(|(i, j)| m[(i, j)]) }
    pub fn selected(xs: &Vector<f32>, at: &Vector<usize>) -> Vector<f32> { xs.select(at) }
    pub fn gathered(xs: &Vector<f32>, by: usize) -> Vector<f32> { xs.gather(xs.len(), |i| i + by) }
    pub fn sliced(xs: &Vector<f32>, a: usize, b: usize) -> Vector<f32> { xs.slice(a..b) }
    pub fn one_row(m: &Matrix<f32>, i: usize) -> Vector<f32> { m.row(i) }
    pub fn one_column(m: &Matrix<f32>, j: usize) -> f32 { m.column(j).sum() }
    pub fn taken(xs: &Vector<f32>, n: usize) -> Vector<f32> { xs.take(n) }
    pub fn skipped(xs: &Vector<f32>, n: usize) -> Vector<f32> { xs.skip(n) }
    pub fn rotated(xs: &Vector<f32>, n: usize) -> Vector<f32> { xs.rotate_left(n) }
    pub fn ends(xs: &Vector<f32>) -> f32 { xs.first() }

    pub fn quotients(xs: &Vector<i32>, ys: &Vector<i32>) -> Vector<i32> { zip((xs, ys)).map(|(x, y)| x / y) }
    #[instances(u8, i64)] pub fn remainders<T: Integer>(xs: &Vector<T>, by: T) -> Vector<T> { xs.map(|x| x % by) }
    pub fn logarithms(xs: &Vector<u32>) -> Vector<u32> { xs.map(|x| x.ilog10()) }

    pub fn smallest(xs: &Vector<f64>) -> f64 { xs.min() }
    pub fn greatest_of_rows(m: &Matrix<i32>) -> Vector<i32> { m.rows().map(|row| row.max()) }
    pub fn folded(xs: &Vector<i32>) -> i32 { xs.fold1(|a, b| a + b) }
    pub fn where_least(m: &Matrix<f32>) -> Vector<usize> { m.argmin() }

    pub fn by_lengths(xs: &Vector<f32>, lengths: &Vector<u32>) -> Vector<f32> { xs.sum_segmented(lengths) }
    pub fn by_offsets(xs: &Vector<f32>, at: &Vector<u32>) -> Vector<f32> { xs.cumsum_segmented(Offsets::new(at)) }
    pub fn greatest_of_segments(xs: &Vector<f32>, lengths: &Vector<u32>) -> Vector<f32> { xs.max_segmented(lengths) }

    pub fn counts(keys: &Vector<i32>, bins: usize) -> Vector<u32> { keys.histogram(bins) }
    pub fn scattered(keys: &Vector<u32>) -> Matrix<u32> {
        fill((2, 3), 0).scatter(|a, b| a + b, keys, |i, key| Some((i % 2, key as usize)))
    }
    pub fn placed_once(keys: &Vector<u32>) -> Matrix<u32> {
        fill((2, 3), 0).scatter_unique(keys, |i, key| Some((i % 2, key as usize)))
    }
    pub fn in_parts(xs: &Vector<f32>, n: usize) -> Vector<f32> { xs.chunks(n).map(|part| part.sum()) }

    pub fn roots(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| {
            assert!(x >= 0.0, "a negative number");
            x.sqrt()
        })
    }
    pub fn scaled(xs: &Vector<f32>, k: f32) -> Vector<f32> {
        assert!(k > 0.0, "no scale");
        xs.map(|x| x * k)
    }
    pub fn halves(xs: &Vector<f32>) -> Matrix<f32> { xs.split(2) }

    pub fn several(xs: &Vector<i32>, at: &Vector<usize>) -> Vector<i32> {
        at.map(|i| {
            let read = xs[i];
            12 / (read + 1)
        })
    }
    pub fn two_results(xs: &Vector<i32>, at: &Vector<usize>) -> (Vector<i32>, i32) {
        (at.map(|i| xs[i] - 1), xs.sum())
    }
    pub fn as_scalar(xs: &Vector<f32>, at: usize) -> Scalar<f32> { fill((), xs[at] + xs.sum()) }
    pub fn consumed(xs: Vector<f32>, at: usize) -> Vector<f32> { xs.map(|x| x + xs[at]) }

    pub fn stepped(m: &Matrix<i32>) -> Matrix<i32> {
        m.rows().map(|row| {
            let step = 12 / row.sum();
            row.map(|x| {
                let mut k = 0;
                while k < 100 { k += step; }
                k + x
            })
        })
    }
    pub fn counted(xs: &Vector<i32>) -> Vector<i32> {
        xs.map(|x| {
            let step = 12 / x;
            let mut k = 0;
            while k < 100 { k += step; }
            k
        })
    }
    pub fn rounds(start: &Vector<i32>, steps: &Vector<i32>) -> Vector<i32> {
        let mut xs = start.clone();
        while xs.sum() < 100 { xs = zip((&xs, steps)).map(|(x, y)| x + 12 / y); }
        xs
    }
    pub fn same(xs: &Vector<f32>) -> Vector<f32> { xs.map(|x| x + 0.5) }
    pub fn total(xs: &Vector<f32>) -> f32 { xs.sum() }
    pub fn filled(n: usize) -> Vector<f32> { fill(n, 1.5) }
    pub fn extent(m: &Matrix<f32>) -> usize { m.shape().1 + m.len() }
}

/// The programs: the text up to here.
fn programs() -> &'static str {
    let text = include_str!("failures.rs");
    &text[..text.find("/// The programs:").expect("this line")]
}

/// `file:line:column: ` of the marked token: `xs.«zip»(ys)`.
fn place(marked: &str) -> String {
    let (before, rest) = marked.split_once('«').expect("a mark");
    let plain = marked.replace(['«', '»'], "");
    let at = programs()
        .find(&plain)
        .unwrap_or_else(|| panic!("no `{plain}`"))
        + before.len();
    assert!(!rest.is_empty());
    let line = programs()[..at].lines().count();
    let column = programs()[..at]
        .lines()
        .last()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    format!("{}:{line}:{column}: ", file!())
}

fn vector<T: accelerate::Element>(device: &Device, values: &[T]) -> Vector<T> {
    Vector::from_slice(device, values).expect("memory")
}

fn matrix<T: accelerate::Element + Default>(device: &Device, shape: (usize, usize)) -> Matrix<T> {
    Matrix::from_fn(device, shape, |_| T::default()).expect("memory")
}

/// A call, its marked token, and the rest of the text.
type Failing = (&'static str, &'static str, fn(&Device) -> Result<()>);

/// Calls with the marked token and the text after it, `Kind: message`.
const FAILING: &[Failing] = &[
    (
        "xs.«zip»(ys).map(|(x, y)| x + y)",
        "ShapeMismatch: `zip` of arrays of lengths 3 and 2",
        |d| zipped(d, &vector(d, &[1.0; 3]), &vector(d, &[1.0; 2])).map(drop),
    ),
    (
        "a «-» b",
        "ShapeMismatch: `-` of arrays of extents 3 and 2 along axis 1",
        |d| subtracted(d, &matrix(d, (4, 3)), &matrix(d, (4, 2))).map(drop),
    ),
    (
        "a.«matmul»(b)",
        "ShapeMismatch: `matmul` of matrices of 3 columns and 4 rows",
        |d| multiplied(d, &matrix(d, (4, 3)), &matrix(d, (4, 2))).map(drop),
    ),
    (
        "a.«matvec»(x)",
        "ShapeMismatch: `matvec` of a matrix of 3 columns and a vector of length 4",
        |d| applied(d, &matrix(d, (4, 3)), &vector(d, &[0.0; 4])).map(drop),
    ),
    (
        "xs.«reshape»((rows, 3))",
        "ShapeMismatch: `reshape` of 10 elements to 9",
        |d| reshaped(d, &vector(d, &[0.0; 10]), 3).map(drop),
    ),
    (
        "xs.«broadcast_to»(n)",
        "ShapeMismatch: broadcast of an axis of 2 to 5",
        |d| widened(d, &vector(d, &[0.0; 2]), 5).map(drop),
    ),
    (
        "at.map(|i| «xs[i] + 1.0»",
        "OutOfBounds: index 12 of an axis of 10 in `xs[i]`",
        |d| {
            read(d, &vector(d, &[0.0; 10]), &vector(d, &[3, 13, 12, 14]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "at.map(|i| «xs[i as usize]",
        "OutOfBounds: index 18446744073709551615 of an axis of 10 in `xs[..]`",
        |d| {
            read_signed(d, &vector(d, &[0.0; 10]), &vector(d, &[3, -1]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "|(i, j)| «m[(i, j)]",
        "OutOfBounds: index 2 of an axis of 2 in `m[(i, j)]`",
        |d| {
            read_matrix(d, &matrix(d, (2, 3)), &vector(d, &[(1, 3), (2, 1)]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "|(i, j)| «m[(i, j)]",
        "OutOfBounds: index 5 of an axis of 3 in `m[(i, j)]`",
        |d| {
            read_matrix(d, &matrix(d, (2, 3)), &vector(d, &[(1, 5), (0, 7)]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "xs.«sum_segmented»(lengths)",
        "SegmentMismatch: lengths add up to 9 in `sum_segmented` of an axis of 10",
        |d| {
            by_lengths(d, &vector(d, &[0.0; 10]), &vector(d, &[3, 0, 6]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "xs.«sum_segmented»(lengths)",
        "SegmentMismatch: no segments in `sum_segmented` of an axis of 10",
        |d| {
            by_lengths(d, &vector(d, &[0.0; 10]), &vector(d, &[]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "xs.«cumsum_segmented»(Offsets::new(at))",
        "SegmentMismatch: a segment in `cumsum_segmented` goes from 7 to 4",
        |d| {
            by_offsets(d, &vector(d, &[0.0; 10]), &vector(d, &[0, 7, 4, 10]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "xs.«cumsum_segmented»(Offsets::new(at))",
        "SegmentMismatch: offsets begin at 1 in `cumsum_segmented`, not at 0",
        |d| {
            by_offsets(d, &vector(d, &[0.0; 10]), &vector(d, &[1, 4, 10]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "xs.«cumsum_segmented»(Offsets::new(at))",
        "SegmentMismatch: offsets end at 12 in `cumsum_segmented` of an axis of 10",
        |d| {
            by_offsets(d, &vector(d, &[0.0; 10]), &vector(d, &[0, 12]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "xs.«cumsum_segmented»(Offsets::new(at))",
        "SegmentMismatch: no offsets in `cumsum_segmented`: there is one more than segments",
        |d| {
            by_offsets(d, &vector(d, &[0.0; 10]), &vector(d, &[]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "xs.«max_segmented»(lengths)",
        "EmptyReduction: `max` of an empty axis",
        |d| {
            greatest_of_segments(d, &vector(d, &[0.0; 10]), &vector(d, &[3, 0, 7]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "keys.«histogram»(bins)",
        "OutOfBounds: index 7 of an axis of 7 in `histogram`",
        |d| counts(d, &vector(d, &[6, 7, 0]), 7)?.to_vec().map(drop),
    ),
    (
        "keys.«histogram»(bins)",
        "OutOfBounds: index 18446744073709551615 of an axis of 7 in `histogram`",
        |d| counts(d, &vector(d, &[6, -1, 0]), 7)?.to_vec().map(drop),
    ),
    (
        "fill((2, 3), 0).«scatter»(",
        "OutOfBounds: index 3 of an axis of 3 in `scatter`",
        |d| scattered(d, &vector(d, &[0, 0, 2, 3]))?.to_vec().map(drop),
    ),
    (
        "fill((2, 3), 0).«scatter_unique»(",
        "OutOfBounds: index 3 of an axis of 3 in `scatter_unique`",
        |d| {
            placed_once(d, &vector(d, &[0, 0, 2, 3]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "fill((2, 3), 0).«scatter_unique»(",
        "AssertionFailed: `scatter_unique` writes to an element more than once: the 5th in memory",
        |d| {
            placed_once(d, &vector(d, &[0, 2, 1, 2]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "xs.«chunks»(n)",
        "Indivisible: `chunks` of 5 elements into parts of 2",
        |d| in_parts(d, &vector(d, &[1.0; 5]), 2).map(drop),
    ),
    (
        "xs.«chunks»(n)",
        "Indivisible: `chunks` of 5 elements into parts of 0",
        |d| in_parts(d, &vector(d, &[1.0; 5]), 0).map(drop),
    ),
    (
        "xs.«select»(at)",
        "OutOfBounds: index 4 of an axis of 4 in `select`",
        |d| {
            selected(d, &vector(d, &[0.0; 4]), &vector(d, &[0, 4]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "xs.«gather»(xs.len(), |i| i + by)",
        "OutOfBounds: index 4 of an axis of 4 in `gather`",
        |d| gathered(d, &vector(d, &[0.0; 4]), 2)?.to_vec().map(drop),
    ),
    (
        "xs.slice(«a..b»)",
        "OutOfBounds: slice from 3 to 2",
        |d| sliced(d, &vector(d, &[0.0; 4]), 3, 2).map(drop),
    ),
    (
        "xs.slice(«a..b»)",
        "OutOfBounds: slice up to 5 of an axis of 4",
        |d| sliced(d, &vector(d, &[0.0; 4]), 3, 5).map(drop),
    ),
    ("m.«row»(i)", "OutOfBounds: row 2 of 2", |d| {
        one_row(d, &matrix(d, (2, 3)), 2).map(drop)
    }),
    ("m.«column»(j)", "OutOfBounds: column 3 of 3", |d| {
        one_column(d, &matrix(d, (2, 3)), 3).map(drop)
    }),
    (
        "xs.«take»(n)",
        "OutOfBounds: `take` of 3 of an axis of 2",
        |d| taken(d, &vector(d, &[0.0; 2]), 3).map(drop),
    ),
    (
        "xs.«skip»(n)",
        "OutOfBounds: `skip` of 3 of an axis of 2",
        |d| skipped(d, &vector(d, &[0.0; 2]), 3).map(drop),
    ),
    (
        "xs.«rotate_left»(n)",
        "OutOfBounds: rotation by 3 of an axis of 2",
        |d| rotated(d, &vector(d, &[0.0; 2]), 3).map(drop),
    ),
    (
        "xs.«first»()",
        "OutOfBounds: `first` of an empty axis",
        |d| ends(d, &vector(d, &[])).map(drop),
    ),
    ("x «/» y)", "DivisionByZero: division by zero", |d| {
        quotients(d, &vector(d, &[1, 2, 3]), &vector(d, &[1, 0, 0]))?
            .to_vec()
            .map(drop)
    }),
    ("x «%» by", "DivisionByZero: remainder by zero", |d| {
        remainders_u8(d, &vector(d, &[1, 2]), 0)?.to_vec().map(drop)
    }),
    (
        "x.«ilog10»()",
        "AssertionFailed: `ilog10` of a number that is not positive",
        |d| logarithms(d, &vector(d, &[1, 0]))?.to_vec().map(drop),
    ),
    (
        "xs.«min»()",
        "EmptyReduction: `min` of an empty axis",
        |d| smallest(d, &vector(d, &[])).map(drop),
    ),
    (
        "row.«max»()",
        "EmptyReduction: `max` of an empty axis",
        |d| greatest_of_rows(d, &matrix(d, (2, 0))).map(drop),
    ),
    (
        "xs.«fold1»(|a, b| a + b)",
        "EmptyReduction: `fold1` of an empty axis",
        |d| folded(d, &vector(d, &[])).map(drop),
    ),
    (
        "m.«argmin»()",
        "EmptyReduction: `argmin` of an empty axis",
        |d| where_least(d, &matrix(d, (2, 0))).map(drop),
    ),
    (
        "«assert»!(x >= 0.0",
        "AssertionFailed: a negative number",
        |d| roots(d, &vector(d, &[1.0, -1.0]))?.to_vec().map(drop),
    ),
    ("«assert»!(k > 0.0", "AssertionFailed: no scale", |d| {
        scaled(d, &vector(d, &[1.0]), -1.0).map(drop)
    }),
    (
        "xs.«split»(2)",
        "Indivisible: `split` of 5 elements into parts of 2",
        |d| halves(d, &vector(d, &[1.0; 5])).map(drop),
    ),
    // The first place in program order, whichever element meets it; there the least values.
    (
        "let read = «xs[i];",
        "OutOfBounds: index 3 of an axis of 3 in `xs[i]`",
        |d| {
            several(d, &vector(d, &[-1, 0, 1]), &vector(d, &[0, 0, 9, 3]))?
                .to_vec()
                .map(drop)
        },
    ),
    (
        "12 «/» (read + 1)",
        "DivisionByZero: division by zero",
        |d| {
            several(d, &vector(d, &[-1, 0, 1]), &vector(d, &[1, 1, 0, 2]))?
                .to_vec()
                .map(drop)
        },
    ),
    // Loops of an element whose step is lost end all the same.
    (
        "let step = 12 «/» row.sum()",
        "DivisionByZero: division by zero",
        |d| stepped(d, &matrix(d, (3, 40)))?.to_vec().map(drop),
    ),
    (
        "let step = 12 «/» x;",
        "DivisionByZero: division by zero",
        |d| counted(d, &vector(d, &[1, 0, 3]))?.to_vec().map(drop),
    ),
    ("x + 12 «/» y", "DivisionByZero: division by zero", |d| {
        rounds(d, &vector(d, &[1, 2]), &vector(d, &[1, 0]))?
            .to_vec()
            .map(drop)
    }),
];

/// `Kind: text`.
fn shown(error: &Error) -> String {
    let kind = format!("{error:?}");
    let kind = kind.split([' ', '{']).next().unwrap_or_default().to_owned();
    format!("{kind}: {error}")
}

fn equal<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> std::result::Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{found:?} instead of {expected:?}")),
    }
}

/// What a failure leaves: everything that depends on it has the same error, all else works.
fn poisoned(device: &Device) -> std::result::Result<(), String> {
    let text = |error: Error| error.to_string();
    let (xs, ints) = (vector(device, &[1.0, 2.0, 3.0]), vector(device, &[1, 2, 3]));
    let bad = read(device, &xs, &vector(device, &[0, 7])).map_err(text)?;
    let error = bad.to_vec().expect_err("index 7");
    equal(bad.to_vec(), Err(error.clone()))?;
    equal(bad.get(0), Err(error.clone()))?;
    equal(bad.clone().get(1), Err(error.clone()))?;
    equal(
        bad.to_device(&Device::cpu()).and_then(|bad| bad.to_vec()),
        Err(error.clone()),
    )?;
    let next = same(device, &bad)
        .and_then(|next| same(device, &next))
        .map_err(text)?;
    equal(next.to_vec(), Err(error.clone()))?;
    equal(total(device, &bad), Err(error.clone()))?;
    equal(total(device, &next), Err(error.clone()))?;
    // The earlier of two failed calls.
    let later = read(device, &xs, &vector(device, &[9])).map_err(text)?;
    equal(
        zipped(device, &next, &same(device, &bad).map_err(text)?).and_then(|both| both.to_vec()),
        Err(error.clone()),
    )?;
    equal(later.to_vec().is_err(), true)?;
    // All results of a call, a scalar among them or not.
    equal(
        two_results(device, &ints, &vector(device, &[3usize]))
            .map(drop)
            .is_err(),
        true,
    )?;
    let scalar = as_scalar(device, &xs, 5).and_then(|scalar| scalar.value());
    equal(matches!(scalar, Err(Error::OutOfBounds { .. })), true)?;
    // By value: the array that was passed is gone, its clones are not.
    let clone = xs.clone();
    let lost = consumed(device, xs.clone(), 3).and_then(|lost| lost.to_vec());
    equal(matches!(lost, Err(Error::OutOfBounds { .. })), true)?;
    equal(clone.to_vec(), Ok(vec![1.0, 2.0, 3.0]))?;
    // The inputs, other results and the device.
    equal(xs.to_vec(), Ok(vec![1.0, 2.0, 3.0]))?;
    equal(
        same(device, &xs).and_then(|good| good.to_vec()),
        Ok(vec![1.5, 2.5, 3.5]),
    )?;
    equal(
        read(device, &xs, &vector(device, &[2])).and_then(|good| good.to_vec()),
        Ok(vec![4.0]),
    )?;
    equal(device.synchronize(), Ok(()))
}

/// Errors without a line of a program.
fn without_place(device: &Device) -> std::result::Result<(), String> {
    let name = device.name();
    let text = |result: Result<()>| result.expect_err("an error").to_string();
    let xs = vector(device, &[1.0, 2.0, 3.0]);
    equal(
        text(xs.get(3).map(drop)),
        "index 3 of an array of shape 3".into(),
    )?;
    equal(
        text(Matrix::from_vec(device, (2, 3), vec![0u8; 5]).map(drop)),
        "5 values do not fill the shape [2, 3]".into(),
    )?;
    equal(
        filled(device, 1 << 46).map(drop),
        Err(Error::OutOfMemory {
            bytes: 1 << 48,
            device: name.clone(),
        }),
    )?;
    equal(
        matches!(filled(device, 1 << 63), Err(Error::OutOfMemory { .. })),
        true,
    )?;
    let wide =
        Matrix::<f32>::from_vec(device, (0, 1 << 60), vec![]).map_err(|error| error.to_string())?;
    equal(
        text(extent(device, &wide).map(drop)),
        format!(
            "`m` has the shape [0, {}]: more than 2^48 elements cannot be passed to `extent`",
            1u64 << 60
        ),
    )?;
    equal(
        filled(device, 3).and_then(|good| good.to_vec()),
        Ok(vec![1.5; 3]),
    )
}

/// Arrays of two devices.
fn two_devices(device: &Device) -> std::result::Result<(), String> {
    let (here, there) = (vector(device, &[1.0]), vector(&Device::cpu(), &[2.0]));
    let error = zipped(device, &here, &there)
        .map(drop)
        .expect_err("an error");
    equal(matches!(error, Error::WrongDevice { .. }), true)?;
    equal(
        error.to_string(),
        "`ys` is on cpu, the call of `zipped` on cuda:0".into(),
    )?;
    let moved = there.to_device(device).map_err(|error| error.to_string())?;
    equal(
        zipped(device, &here, &moved).and_then(|sum| sum.to_vec()),
        Ok(vec![3.0]),
    )
}

fn main() -> ExitCode {
    let mut tier = Tier::new("failing programs");
    let emulated = faults::emulated();
    let devices = match &emulated {
        Ok(_) => vec![Device::cpu(), Device::cuda(0).expect("the emulated device")],
        Err(_) => vec![Device::cpu()],
    };
    for device in &devices {
        for &(marked, expected, call) in FAILING {
            let (kind, message) = expected.split_once(": ").expect("a kind");
            let expected = format!("{kind}: {}{message}", place(marked));
            tier.case(&format!("{device}: {marked}: {kind}"), || {
                equal(shown(&call(device).expect_err("a failure")), expected)
            });
        }
        tier.case(&format!("{device}: what depends on a failure"), || {
            poisoned(device)
        });
        tier.case(&format!("{device}: errors without a place"), || {
            without_place(device)
        });
    }
    match emulated {
        Ok(_) => tier.case("two devices", || two_devices(&devices[1])),
        Err(reason) => tier.skip(FAILING.len() + 3, &reason),
    }
    tier.finish()
}
