accelerate! {
    pub fn f(xs: &Vector<f32>, ns: &Vector<usize>, m: &Matrix<f32>, s: &Segmented<f32>) -> Vector<f32> {
        let a = (xs.map_indexed(), xs.repeat_each(), xs.zip(), xs.zip_with(), xs.fold(), xs.fold1(), xs.dot());
        let b = (xs.scan(), xs.scan1(), xs.scan_exclusive(), xs.rscan(), xs.rscan1(), xs.rscan_exclusive());
        let c = (xs.scatter_unique(), unsafe { xs.scatter_unique_unchecked() }, ns.histogram(), ns.reduce_by_index());
        let d = (xs.filter(), xs.filter_map(), xs.partition(), xs.sort_by_key(), xs.sort_by(), xs.argsort_by());
        let e = (xs.is_sorted_by(), xs.is_sorted_by_key(), xs.argtop_k(), xs.binary_search());
        let f = (xs.gather(), xs.select(), xs.take(), xs.skip(), xs.slice(), m.row(), m.column(), xs.reshape());
        let g = (xs.rotate_left(), xs.rotate_right(), xs.expand_axis(), xs.concat(), m.concat_axis(), xs.interleave());
        let h = (xs.replicate(), xs.split(), xs.slide(), xs.windows(), xs.chunks(), xs.chunks_exact());
        let i = (m.matmul(), m.matvec(), xs.outer_product(), xs.get(), unsafe { *xs.get_unchecked() }, m.axis());
        let j = (fill(), iota(), linspace(), Offsets::new(), m.map_segments(), m.permute_axes());
        let k = (xs.stencil4(Clamp, |w| w[0]), xs.stencil(Constant(), |w| w[0]), xs.stencil(Function(), |w| w[0]));
        let l = (m.sum_all(1), m.fold_axis(), m.fold_all(), xs.scan_segmented(), xs.scan1_segmented());
        let n = (xs.rscan_exclusive_segmented(), m.argmax_axis(), xs.fold1_segmented(), m.fold1_axis());
        let o = (xs.sort(1), m.transpose(1), m.rows(1), xs.cumsum(1), xs.erf(1), xs.pairs(1), m.unzip(1));
        let p = (s.values(1), s.offsets(1), s.len(1), m.shape(1), xs.materialize(1), m.dot());
        xs
    }

    pub fn g(x: f32, n: u32, o: Option<f32>, z: &Scalar<f32>) -> f32 {
        let a = (x.powf(), x.powi(), x.mul_add(), x.atan2(), x.sqrt(1), n.rotate_left(), n.carrying_add());
        let b = (n.checked_add(), f32::from_bits(), n.pow(), x.total_cmp(), x.to_bits(1), char::from_u32());
        let c = (o.unwrap_or(), o.unwrap(1), o.map(), o.map_or(), o.and_then(), o.filter(), o.or(), o.is_some(1));
        let d = (z.value(1), x.min(), n.cmp(), (n > 1).then());
        x
    }
}
