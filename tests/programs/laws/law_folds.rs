//! Folds and scans of affine maps, whose order matters.
//!
//! kernels: 11
//! law: maps fuse, scans end in folds, from the right is the reverse, one segment is the whole
//! shapes: xs n

accelerate! {
    fn then(f: (i32, i32), g: (i32, i32)) -> (i32, i32) {
        (f.0 * g.0, f.1 * g.0 + g.1)
    }

    fn same(xs: &Vector<(i32, i32)>, ys: &Vector<(i32, i32)>) -> bool {
        xs.zip_with(ys, |x, y| x.0 == y.0 && x.1 == y.1).all()
    }

    pub fn hold(xs: &Vector<(i32, i32)>) -> (bool, bool, bool, bool, bool, bool, bool) {
        let start = (3, 1);
        let whole = xs.scan(start, |f, g| then(f, g));
        let folded = xs.fold(start, |f, g| then(f, g));
        let (before, total) = xs.scan_exclusive(start, |f, g| then(f, g));
        let right = xs.rscan1(|f, g| then(f, g));
        let turned = xs.reverse().scan1(|f, g| then(g, f)).reverse();
        let (behind, _) = xs.rscan_exclusive(start, |f, g| then(f, g));
        let one = fill(1, xs.len());
        let last = whole.last();
        (
            same(&xs.map(|f| then(f, start)).materialize().map(|f| then(start, f)), &xs.map(|f| then(start, then(f, start)))),
            last.0 == folded.0 && last.1 == folded.1 && total.0 == folded.0 && total.1 == folded.1,
            same(&before, &whole.init()),
            same(&right, &turned),
            same(&behind, &xs.rscan(start, |f, g| then(f, g)).tail()),
            same(&xs.scan1_segmented(&one, |f, g| then(f, g)), &xs.scan1(|f, g| then(f, g))),
            same(&xs.fold_segmented(&one, start, |f, g| then(f, g)), &fill(1, folded)),
        )
    }
}
