//! What the array operations come in: one row of the table in `check/operations_table.rs` each.

/// What is kept of a vector, in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compaction {
    /// The elements for which the closure holds.
    Filter,
    /// What the closure gives, where it gives something.
    FilterMap,
    /// A pair: the elements for which the closure holds, and the others.
    Partition,
    /// The indices of the elements for which the closure holds.
    Indices,
    /// The first of each run of equal elements.
    Dedup,
    /// The first of all equal elements: equal where a sort finds no order.
    Unique,
}

/// What a stencil finds beyond the edges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Boundary {
    /// The nearest element.
    Clamp,
    /// Mirrored at the outermost element, which is not repeated.
    Mirror,
    /// Mirrored at the edge: the outermost element is repeated.
    Reflect,
    /// From the other end.
    Wrap,
    /// A value.
    Constant,
    /// The value of a closure of the index, of `isize`.
    Function,
}

/// Which axes a reduction takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axes {
    /// The innermost.
    Last,
    /// All of them: the result is a scalar.
    All,
    /// One, counted from the outermost.
    Axis(usize),
    /// The innermost in parts: lengths, or `Type::Offsets`, stand before the other arguments.
    Segments,
}

/// The scans.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scan {
    /// `scan`: one result more than elements.
    Whole,
    /// `scan1`.
    Inclusive,
    /// `scan_exclusive`: a pair of the results before each element and the total.
    Exclusive,
    /// `cumsum`.
    Sum,
    /// `cumprod`.
    Product,
    /// `cummax`.
    Max,
    /// `cummin`.
    Min,
}

/// The scatters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scatter {
    /// `scatter`: the operator, the source, and the closure that says where each element goes.
    Combine,
    /// `scatter_unique`: the source and the closure.
    Once,
    /// `scatter_unique_unchecked`: the same.
    Unchecked,
    /// `histogram`: the number of bins.
    Histogram,
    /// `reduce_by_index`: the values, the number of bins, `init`, and the operator.
    ReduceByIndex,
}

impl Scatter {
    /// As the user writes it.
    pub fn name(self) -> &'static str {
        match self {
            Scatter::Combine => "scatter",
            Scatter::Once => "scatter_unique",
            Scatter::Unchecked => "scatter_unique_unchecked",
            Scatter::Histogram => "histogram",
            Scatter::ReduceByIndex => "reduce_by_index",
        }
    }
}

/// What the order of elements decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// `sort`.
    Elements,
    /// `sort_by_key`: the closure.
    ByKey,
    /// `sort_by`: the closure of two elements.
    By,
    /// `argsort`.
    Places,
    /// `argsort_by`: the closure of two elements.
    PlacesBy,
    /// `top_k`: how many.
    Top,
    /// `argtop_k`: how many.
    TopPlaces,
    /// `is_sorted`.
    IsSorted,
    /// `is_sorted_by`: the closure of an element and the next one.
    IsSortedBy,
    /// `is_sorted_by_key`: the closure.
    IsSortedByKey,
    /// `binary_search`: the element.
    Search,
    /// `partition_point`: the closure.
    PartitionPoint,
}

/// The reductions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the names are the language's")]
pub enum Reduction {
    Fold,
    Fold1,
    Sum,
    Product,
    Min,
    Max,
    All,
    Any,
    Argmin,
    Argmax,
    Mean,
    Dot,
}
