//! Helps about values that may be missing.

// help: use `unwrap_or(..)` or `if let Some(x)`
// help: use `unwrap_or` or `if let Some(x)`
accelerate! {
    pub fn replaced(xs: &Vector<Option<f32>>) -> f32 {
        xs.map(|x| x.unwrap_or(0.0)).sum()
    }

    pub fn bound(xs: &Vector<f32>) -> f32 {
        if let Some(x) = xs.get(0) { x } else { 0.0 }
    }
}

// help: write the type: `let x: f32 = ..`
accelerate! {
    pub fn f(y: f32) -> bool {
        let x: f32 = y;
        let nothing: Option<f32> = None;
        nothing == Some(x)
    }
}

// help: the value is no `Option`: an element that may be missing is `xs.get(i)`
accelerate! {
    pub fn f(xs: &Vector<f32>, i: usize) -> f32 {
        xs.get(i).unwrap_or(0.0)
    }
}

// help: there is no `Result`: `binary_search` gives an `Option`, so write `Some(..)` and `None`; where an element would stand is `xs.partition_point(|x| x < y)`
accelerate! {
    fn found(place: Option<usize>) -> usize {
        match place {
            Some(i) => i,
            None => 0,
        }
    }

    pub fn f(xs: &Vector<i32>, y: i32) -> (usize, usize) {
        (found(xs.binary_search(&y)), xs.partition_point(|x| x < y))
    }
}

// help: there is no `Result`: write `assert!`, or keep the `Option`
accelerate! {
    pub fn asserted(xs: &Vector<f32>) -> f32 {
        assert!(xs.len() > 0, "an element");
        xs[0]
    }

    pub fn kept(xs: &Vector<f32>) -> Option<f32> {
        xs.get(0)
    }
}

// help: write a `match` that gives arrays
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        let ys = match xs.get(0) {
            Some(x) => xs.map(|y| x + y),
            None => xs,
        };
        ys.sum()
    }
}

// help: write `let .. else { .. }`, `if let` or `match`
// help: write `let Some(x) = .. else { .. }`
accelerate! {
    pub fn left(xs: &Vector<f32>) -> f32 {
        let Some(x) = xs.get(0) else { return 0.0 };
        x + 1.0
    }

    pub fn bound(xs: &Vector<f32>) -> f32 {
        if let Some(x) = xs.get(0) { x } else { 0.0 }
    }

    pub fn matched(xs: &Vector<f32>) -> f32 {
        match xs.get(0) {
            Some(x) => x,
            None => 0.0,
        }
    }
}

// help: write `Some(..)`, or `None` where there is no value
accelerate! {
    fn next(xs: &Vector<f32>, i: usize) -> Option<f32> {
        let x = xs.get(i)?;
        if x > 0.0 { Some(x + 1.0) } else { None }
    }

    pub fn f(xs: &Vector<f32>) -> Vector<f32> {
        iota(9).map(|i| next(xs, i).unwrap_or(0.0))
    }
}

// help: store an index into a `Vector` instead
accelerate! {
    struct List {
        x: f32,
        rest: Option<usize>,
    }

    pub fn f(lists: &Vector<List>) -> Vector<f32> {
        lists.map(|list| match list.rest {
            Some(i) => list.x + lists[i].x,
            None => list.x,
        })
    }
}

// help: write `expect("text")`
accelerate! {
    pub fn f(xs: &Vector<f32>) -> f32 {
        xs.get(0).expect("text")
    }
}
