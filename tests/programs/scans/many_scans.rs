//! More scans of one array than one kernel does.
//!
//! kernels: 3 (scan, scan, elementwise)
//! shapes: xs n

accelerate! {
    pub fn mixed(xs: &Vector<u32>) -> Vector<u32> {
        let s0 = xs.map(|x| x.rotate_left(0)).cumsum();
        let s1 = xs.map(|x| x.rotate_left(1)).cumsum();
        let s2 = xs.map(|x| x.rotate_left(2)).cumsum();
        let s3 = xs.map(|x| x.rotate_left(3)).cumsum();
        let s4 = xs.map(|x| x.rotate_left(4)).cumsum();
        let s5 = xs.map(|x| x.rotate_left(5)).cumsum();
        let s6 = xs.map(|x| x.rotate_left(6)).cumsum();
        let s7 = xs.map(|x| x.rotate_left(7)).cumsum();
        let s8 = xs.map(|x| x.rotate_left(8)).cumsum();
        let s9 = xs.map(|x| x.rotate_left(9)).cumsum();
        let s10 = xs.map(|x| x.rotate_left(10)).cumsum();
        let s11 = xs.map(|x| x.rotate_left(11)).cumsum();
        let s12 = xs.map(|x| x.rotate_left(12)).cumsum();
        let s13 = xs.map(|x| x.rotate_left(13)).cumsum();
        let s14 = xs.map(|x| x.rotate_left(14)).cumsum();
        let s15 = xs.map(|x| x.rotate_left(15)).cumsum();
        let s16 = xs.map(|x| x.rotate_left(16)).cumsum();
        let s17 = xs.map(|x| x.rotate_left(17)).cumsum();
        let s18 = xs.map(|x| x.rotate_left(18)).cumsum();
        let s19 = xs.map(|x| x.rotate_left(19)).cumsum();
        let s20 = xs.map(|x| x.rotate_left(20)).cumsum();
        let s21 = xs.map(|x| x.rotate_left(21)).cumsum();
        let s22 = xs.map(|x| x.rotate_left(22)).cumsum();
        let s23 = xs.map(|x| x.rotate_left(23)).cumsum();
        let s24 = xs.map(|x| x.rotate_left(24)).cumsum();
        let s25 = xs.map(|x| x.rotate_left(25)).cumsum();
        let s26 = xs.map(|x| x.rotate_left(26)).cumsum();
        let s27 = xs.map(|x| x.rotate_left(27)).cumsum();
        let s28 = xs.map(|x| x.rotate_left(28)).cumsum();
        let s29 = xs.map(|x| x.rotate_left(29)).cumsum();
        let s30 = xs.map(|x| x.rotate_left(30)).cumsum();
        let s31 = xs.map(|x| x.rotate_left(31)).cumsum();
        let s32 = xs.map(|x| x.rotate_left(32)).cumsum();
        let s33 = xs.map(|x| x.rotate_left(33)).cumsum();
        let s34 = xs.map(|x| x.rotate_left(34)).cumsum();
        let s35 = xs.map(|x| x.rotate_left(35)).cumsum();
        generate(xs.len(), |i| {
            s0[i] ^ s1[i] ^ s2[i] ^ s3[i] ^ s4[i] ^ s5[i]
                ^ s6[i] ^ s7[i] ^ s8[i] ^ s9[i] ^ s10[i] ^ s11[i]
                ^ s12[i] ^ s13[i] ^ s14[i] ^ s15[i] ^ s16[i] ^ s17[i]
                ^ s18[i] ^ s19[i] ^ s20[i] ^ s21[i] ^ s22[i] ^ s23[i]
                ^ s24[i] ^ s25[i] ^ s26[i] ^ s27[i] ^ s28[i] ^ s29[i]
                ^ s30[i] ^ s31[i] ^ s32[i] ^ s33[i] ^ s34[i] ^ s35[i]
        })
    }
}
