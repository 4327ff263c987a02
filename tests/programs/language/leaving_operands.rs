//! Operands that leave what is around them: what would follow them is neither assigned nor checked.
//!
//! kernels: 1 (elementwise)
//! shapes: xs n
//! values: xs 0..12

accelerate! {
    fn half(x: u32) -> Option<u32> {
        if x % 2 == 0 { Some(x / 2) } else { None }
    }

    fn quotients(x: u32) -> Option<u32> {
        let mut sum = 0;
        for k in 1..4 {
            sum = sum * 3 + 100 / half(x * k)?;
        }
        Some(sum)
    }

    pub fn left(xs: &Vector<u32>) -> Vector<(u32, u32, u32)> {
        xs.map(|x| {
            let mut last = 7;
            let mut k = x;
            loop {
                last = match half(k) {
                    Some(half) if half > 1 => half,
                    Some(_) => break,
                    None => {
                        k += 1;
                        continue;
                    }
                };
                k = last;
            }
            let (mut few, mut many) = (0, 0);
            for k in 0..8 {
                if 24 / (if k == x { continue } else { k.abs_diff(x) }) > 5 {
                    few += 1;
                } else {
                    many += 1;
                }
            }
            let sum = if x == 0 { 0 } else { quotients(x).unwrap_or(1) };
            (last, few * 100 + many, sum)
        })
    }
}
