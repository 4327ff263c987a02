//! The distinct elements of what is sorted, also of what a condition keeps of it: neighbours tell, without another sort.
//!
//! kernels: 12 (sort, scan, sort, scan, scan)
//! shapes: xs n, ps n
//! values: xs 0..30, ps 0..9

accelerate! {
    pub fn levels(xs: &Vector<u32>, ps: &Vector<(i8, u16)>) -> (Vector<u32>, Vector<(i8, u16)>) {
        (
            xs.map(|x| x / 3).sort().unique(),
            ps.sort().filter(|p| p.0 != 3).unique(),
        )
    }
}
