//! Helps about segments, scans, stencils and scatters.

// help: apply it to the segment itself: `map_segments(|segment| ..)`
accelerate! {
    pub fn f(rows: &Segmented<i32>) -> Segmented<i32> {
        rows.map_segments(|segment| segment.cumsum())
    }
}

// help: let the elements depend on it: `segment.map(|x| (x, ..)).scan1(|a, b| ..)`
accelerate! {
    pub fn f(rows: &Segmented<i32>) -> Segmented<i32> {
        rows.map_segments(|segment| {
            segment.map(|x| (x, segment.len() as i32)).scan1(|a, b| (a.0.max(b.0), a.1.max(b.1))).map(|(x, n)| x.max(n))
        })
    }
}

// help: the segments are parts of one axis: use `flatten()`
// help: write `Segmented::new(values, &lengths)`
accelerate! {
    pub fn f(m: &Matrix<f32>, lengths: &Vector<usize>) -> Segmented<f32> {
        let values = m.flatten();
        Segmented::new(values, &lengths)
    }
}

// help: write the lengths of the segments, or `Offsets::new(&offsets)`
// help: write `Segmented::new(values, &lengths)`, or with `Offsets::new(&offsets)`
// help: write `Offsets::new(&offsets)`
accelerate! {
    pub fn by_lengths(values: &Vector<f32>, lengths: &Vector<usize>) -> Segmented<f32> {
        Segmented::new(values, &lengths)
    }

    pub fn by_offsets(values: &Vector<f32>, offsets: &Vector<usize>) -> Segmented<f32> {
        Segmented::new(values, Offsets::new(&offsets))
    }
}

// help: write `map_segments(|segment| segment.map(..))` for each of them, or `values().map(..)`
accelerate! {
    pub fn f(rows: &Segmented<f32>) -> (Segmented<f32>, Vector<f32>) {
        (rows.map_segments(|segment| segment.map(|x| x + 1.0)), rows.values().map(|x| x + 1.0))
    }
}

// help: write `map_segments(|segment| segment.sum(..))` for each of them, or `values().sum(..)`
accelerate! {
    pub fn f(rows: &Segmented<f32>) -> (Vector<f32>, f32) {
        (rows.map_segments(|segment| segment.sum()), rows.values().sum())
    }
}

// help: return a vector: use `flatten()`, or reduce the other axes
accelerate! {
    pub fn flat(rows: &Segmented<f32>) -> Segmented<f32> {
        rows.map_segments(|row| row.chunks(2).map(|pair| pair).flatten())
    }

    pub fn reduced(rows: &Segmented<f32>) -> Segmented<f32> {
        rows.map_segments(|row| row.chunks(2).map(|pair| pair.sum()))
    }
}

// help: write `map_segments(|segment| ..)`
accelerate! {
    pub fn f(rows: &Segmented<f32>) -> Segmented<f32> {
        rows.map_segments(|segment| segment.reverse())
    }
}

// help: convert them: `lengths.map(|n| n as usize)`
accelerate! {
    pub fn f(xs: &Vector<f32>, lengths: &Vector<i32>) -> Vector<f32> {
        xs.sum_segmented(lengths.map(|n| n as usize))
    }
}

// help: write `max_segmented(&lengths)`
accelerate! {
    pub fn f(xs: &Vector<f32>, lengths: &Vector<usize>) -> Vector<f32> {
        xs.max_segmented(&lengths)
    }
}

// help: scan the whole array by segments of all rows: `flatten()`, and the lengths of all rows
accelerate! {
    pub fn f(m: &Matrix<f32>, lengths: &Matrix<usize>) -> Vector<f32> {
        m.flatten().scan1_segmented(lengths.flatten(), |a, b| a + b)
    }
}

// help: write `rscan1(|x, acc| x + acc)`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.rscan1(|x, acc| x + acc)
    }
}

// help: write `fold1(|a, b| a + b)`
accelerate! {
    struct Kind {
        x: f32,
    }

    impl Add for Kind {
        type Output = Kind;

        fn add(self, other: Kind) -> Kind {
            Kind { x: self.x + other.x }
        }
    }

    pub fn f(xs: &Vector<Kind>) -> Kind {
        xs.fold1(|a, b| a + b)
    }
}

// help: write `Wrap`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Wrap, |w| w[1])
    }
}

// help: write `stencil2(boundary, &ys, boundary, |w, v| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, ys: &Vector<f32>) -> Vector<f32> {
        xs.stencil2(Clamp, &ys, Wrap, |w, v| w[1] + v[-1])
    }
}

// help: write constants, or counters of `for` loops with constant bounds, added or times a constant
accelerate! {
    const K: isize = 2;

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for d in -1..=1 {
                sum += w[K * d + 1];
            }
            sum
        })
    }
}

// help: write `w[(dy, dx)]`
accelerate! {
    pub fn f(m: &Matrix<f32>) -> Matrix<f32> {
        m.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for dy in -1..=1 {
                for dx in -1..=1 {
                    sum += w[(dy, dx)];
                }
            }
            sum
        })
    }
}

// help: convert with `as isize`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Clamp, |w| {
            let mut sum = 0.0;
            for d in 0..3usize {
                sum += w[d as isize];
            }
            sum
        })
    }
}

// help: a window is read at constant offsets: `w[-1]`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Clamp, |w| w[-1])
    }
}

// help: what meets at an index is combined in any order: use a commutative operator, `scatter_unique` if nothing meets, or put `#[deterministic]` on the function, so that it is combined in order
accelerate! {
    pub fn commutative(xs: &Vector<i32>) -> Vector<i32> {
        xs.scatter(|old, new| old.max(new), xs, |i, _| Some(i / 2))
    }

    pub fn unique(xs: &Vector<i32>) -> Vector<i32> {
        xs.scatter_unique(xs, |i, _| Some(i))
    }

    #[deterministic]
    pub fn in_order(xs: &Vector<i32>) -> Vector<i32> {
        xs.scatter(|old, new| if new == 0 { old } else { new }, xs, |i, _| Some(i / 2))
    }
}

// help: write `b as f32`
accelerate! {
    pub fn f(xs: &Vector<f32>, keys: &Vector<u32>) -> Vector<f32> {
        xs.zip(keys).map(|(a, b)| a + b as f32)
    }
}

// help: write `scatter_unique`, or `unsafe { defaults.scatter_unique_unchecked(..) }`
accelerate! {
    pub fn checked(defaults: &Vector<f32>, src: &Vector<f32>) -> Vector<f32> {
        defaults.scatter_unique(src, |i, _| Some(i))
    }

    pub fn unchecked(defaults: &Vector<f32>, src: &Vector<f32>) -> Vector<f32> {
        unsafe { defaults.scatter_unique_unchecked(src, |i, _| Some(i)) }
    }
}

// help: write `scatter(|x, y| x + y, values, |i, _| Some(places[i]))`
// help: write `scatter(|x, y| x.max(y), values, |i, _| Some(places[i]))`
// help: write `scatter_unique(values, |i, _| Some(keys[i] as usize))`
accelerate! {
    pub fn sums(totals: &Vector<f32>, places: &Vector<usize>, values: &Vector<f32>) -> Vector<f32> {
        totals.scatter(|x, y| x + y, values, |i, _| Some(places[i]))
    }

    pub fn largest(totals: &Vector<f32>, keys: &Vector<u32>, values: &Vector<f32>) -> Vector<f32> {
        let places = keys.map(|k| k as usize % 8);
        totals.scatter(|x, y| x.max(y), values, |i, _| Some(places[i]))
    }

    pub fn unique(totals: &Vector<f32>, keys: &Vector<u32>, values: &Vector<f32>) -> Vector<f32> {
        totals.scatter_unique(values, |i, _| Some(keys[i] as usize))
    }
}

// help: convert them: `src.map(|x| ..)`
accelerate! {
    pub fn f(xs: &Vector<f32>, src: &Vector<u32>) -> Vector<f32> {
        xs.scatter_unique(src.map(|x| x as f32), |i, _| Some(i))
    }
}

// help: write `scatter(op, src, |ix, x| Some(to))`
accelerate! {
    pub fn f(defaults: &Vector<f32>, src: &Vector<f32>, to: usize) -> Vector<f32> {
        let op = |a, b| a + b;
        defaults.scatter(op, src, |ix, x| Some(to))
    }
}

// help: write `values()`: the elements of all segments
accelerate! {
    pub fn f(rows: &Segmented<f32>) -> Vector<f32> {
        rows.values()
    }
}

// help: write `Clamp`, `Mirror`, `Reflect`, `Wrap`, `Constant(v)` or `Function(|ix| v)`
accelerate! {
    pub fn f(xs: &Vector<f32>, v: f32) -> Vector<f32> {
        let a = xs.stencil(Clamp, |w| w[1]) + xs.stencil(Mirror, |w| w[1]);
        let b = xs.stencil(Reflect, |w| w[1]) + xs.stencil(Wrap, |w| w[1]);
        let c = xs.stencil(Constant(v), |w| w[1]) + xs.stencil(Function(|ix| v), |w| w[1]);
        a + b + c
    }
}

// help: write `w[-1]`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        xs.stencil(Clamp, |w| w[-1] + w[0])
    }
}

// help: use an associative operator, write a loop, or, if it is associative on all values that occur, put `#[associative]` on the function
accelerate! {
    #[associative]
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.fold1(|a, b| a - b)
    }
}

// help: hand it to an operation on segments: `xs.sum_segmented(&offsets)`
accelerate! {
    pub fn f(xs: &Vector<f32>, starts: &Vector<usize>) -> Vector<f32> {
        let offsets = Offsets::new(&starts);
        xs.sum_segmented(&offsets)
    }
}

// help: write `map(|row| row.windows(..).map(|part| ..))` for each of them
// help: write `map_segments(|segment| segment.chunks(..).map(|part| ..))` for each of them, or `values().chunks(..).map(|part| ..)`
// help: write `values().split(..)`
accelerate! {
    pub fn rows_of(m: &Matrix<f32>) -> Matrix<f32> {
        m.rows().map(|row| row.windows(2).map(|part| part.sum()))
    }

    pub fn segments(s: &Segmented<f32>) -> (Segmented<f32>, Vector<f32>, Matrix<f32>) {
        (
            s.map_segments(|segment| segment.chunks(2).map(|part| part.sum())),
            s.values().chunks(2).map(|part| part.sum()),
            s.values().split(2),
        )
    }
}
