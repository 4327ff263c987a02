//! More folds of one row than one state holds: they are done in two phases.
//!
//! kernels: 1 (reduce)
//! shapes: m (p, n)

accelerate! {
    pub fn mixed(m: &Matrix<u64>) -> Vector<u64> {
        m.rows().map(|r| {
            let s0 = r.map(|x| x.rotate_left(0)).sum();
            let s1 = r.map(|x| x.rotate_left(1)).sum();
            let s2 = r.map(|x| x.rotate_left(2)).sum();
            let s3 = r.map(|x| x.rotate_left(3)).sum();
            let s4 = r.map(|x| x.rotate_left(4)).sum();
            let s5 = r.map(|x| x.rotate_left(5)).sum();
            let s6 = r.map(|x| x.rotate_left(6)).sum();
            let s7 = r.map(|x| x.rotate_left(7)).sum();
            let s8 = r.map(|x| x.rotate_left(8)).sum();
            let s9 = r.map(|x| x.rotate_left(9)).sum();
            let s10 = r.map(|x| x.rotate_left(10)).sum();
            let s11 = r.map(|x| x.rotate_left(11)).sum();
            let s12 = r.map(|x| x.rotate_left(12)).sum();
            let s13 = r.map(|x| x.rotate_left(13)).sum();
            let s14 = r.map(|x| x.rotate_left(14)).sum();
            let s15 = r.map(|x| x.rotate_left(15)).sum();
            let s16 = r.map(|x| x.rotate_left(16)).sum();
            let s17 = r.map(|x| x.rotate_left(17)).sum();
            let s18 = r.map(|x| x.rotate_left(18)).sum();
            let s19 = r.map(|x| x.rotate_left(19)).sum();
            let s20 = r.map(|x| x.rotate_left(20)).sum();
            let s21 = r.map(|x| x.rotate_left(21)).sum();
            let s22 = r.map(|x| x.rotate_left(22)).sum();
            let s23 = r.map(|x| x.rotate_left(23)).sum();
            let s24 = r.map(|x| x.rotate_left(24)).sum();
            let s25 = r.map(|x| x.rotate_left(25)).sum();
            let s26 = r.map(|x| x.rotate_left(26)).sum();
            let s27 = r.map(|x| x.rotate_left(27)).sum();
            let s28 = r.map(|x| x.rotate_left(28)).sum();
            let s29 = r.map(|x| x.rotate_left(29)).sum();
            let s30 = r.map(|x| x.rotate_left(30)).sum();
            let s31 = r.map(|x| x.rotate_left(31)).sum();
            let s32 = r.map(|x| x.rotate_left(32)).sum();
            let s33 = r.map(|x| x.rotate_left(33)).sum();
            let s34 = r.map(|x| x.rotate_left(34)).sum();
            let s35 = r.map(|x| x.rotate_left(35)).sum();
            let s36 = r.map(|x| x.rotate_left(36)).sum();
            let s37 = r.map(|x| x.rotate_left(37)).sum();
            let s38 = r.map(|x| x.rotate_left(38)).sum();
            let s39 = r.map(|x| x.rotate_left(39)).sum();
            let low = s0.rotate_left(0) ^ s1.rotate_left(1) ^ s2.rotate_left(2) ^ s3.rotate_left(3) ^ s4.rotate_left(4)
                ^ s5.rotate_left(5) ^ s6.rotate_left(6) ^ s7.rotate_left(7) ^ s8.rotate_left(8) ^ s9.rotate_left(9)
                ^ s10.rotate_left(10) ^ s11.rotate_left(11) ^ s12.rotate_left(12) ^ s13.rotate_left(13) ^ s14.rotate_left(14)
                ^ s15.rotate_left(15) ^ s16.rotate_left(16) ^ s17.rotate_left(17) ^ s18.rotate_left(18) ^ s19.rotate_left(19);
            let high = s20.rotate_left(20) ^ s21.rotate_left(21) ^ s22.rotate_left(22) ^ s23.rotate_left(23) ^ s24.rotate_left(24)
                ^ s25.rotate_left(25) ^ s26.rotate_left(26) ^ s27.rotate_left(27) ^ s28.rotate_left(28) ^ s29.rotate_left(29)
                ^ s30.rotate_left(30) ^ s31.rotate_left(31) ^ s32.rotate_left(32) ^ s33.rotate_left(33) ^ s34.rotate_left(34)
                ^ s35.rotate_left(35) ^ s36.rotate_left(36) ^ s37.rotate_left(37) ^ s38.rotate_left(38) ^ s39.rotate_left(39);
            low ^ high
        })
    }
}
