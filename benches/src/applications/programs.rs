//! Programs as their authors would write them: iterations to a tolerance, searches, hash functions, random numbers.

use accelerate::accelerate;

accelerate! {
    /// Conjugate gradients for a sparse matrix by rows.
    pub fn conjugate_gradients(
        offsets: &Vector<u32>,
        columns: &Vector<u32>,
        values: &Vector<f64>,
        b: &Vector<f64>,
        tolerance: f64,
    ) -> Vector<f64> {
        let mut x = b.map(|_| 0.0);
        let mut r = b;
        let mut p = b;
        let mut rr = b.dot(&b);
        while rr > tolerance {
            let terms = columns.zip_with(values, |column, value| value * p[column as usize]);
            let ap = terms.sum_segmented(Offsets::new(offsets));
            let alpha = rr / p.dot(&ap);
            x = x + alpha * p;
            r = r - alpha * ap;
            let next = r.dot(&r);
            p = r + (next / rr) * p;
            rr = next;
        }
        x
    }

    /// Samples of a distribution by bisection in its running sums.
    pub fn inverse_cdf(weights: &Vector<f32>, ids: &Vector<u32>, us: &Vector<f32>) -> Vector<u32> {
        let cdf = ids.map(|i| weights[i as usize]).cumsum();
        us.map(|u| {
            let mut low = 0usize;
            let mut high = cdf.len();
            while low < high {
                let middle = (low + high) / 2;
                if cdf[middle] < u {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low as u32
        })
    }

    /// Two loops, one after the other.
    #[fused(kernels = 1)]
    pub fn loops_in_turn(xs: &Vector<u32>) -> Vector<u32> {
        xs.map(|x| {
            let mut w = 0u32;
            for i in 0..100 {
                w = w.wrapping_mul(31) ^ x;
            }
            let mut s = 0u32;
            for i in 0..100 {
                s = s.rotate_left(3) ^ w;
            }
            s
        })
    }

    const K: [u32; 64] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ];
    const START: [u32; 8] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ];

    /// SHA-256's function for each block.
    #[fused(kernels = 1)]
    pub fn sha256(blocks: &Vector<[u32; 16]>) -> Vector<[u32; 8]> {
        blocks.map(|block| {
            let mut w = [0u32; 64];
            for i in 0..16 {
                w[i] = block[i];
            }
            for i in 16..64 {
                let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
                let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
                w[i] = w[i - 16].wrapping_add(s0).wrapping_add(w[i - 7]).wrapping_add(s1);
            }
            let mut h = START;
            for i in 0..64 {
                let s1 = h[4].rotate_right(6) ^ h[4].rotate_right(11) ^ h[4].rotate_right(25);
                let choice = (h[4] & h[5]) ^ (!h[4] & h[6]);
                let t1 = h[7].wrapping_add(s1).wrapping_add(choice).wrapping_add(K[i]).wrapping_add(w[i]);
                let s0 = h[0].rotate_right(2) ^ h[0].rotate_right(13) ^ h[0].rotate_right(22);
                let majority = (h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]);
                h = [
                    t1.wrapping_add(s0).wrapping_add(majority), h[0], h[1], h[2], h[3].wrapping_add(t1), h[4], h[5], h[6],
                ];
            }
            let mut sums = START;
            for i in 0..8 {
                sums[i] = sums[i].wrapping_add(h[i]);
            }
            sums
        })
    }

    const T: [u32; 64] = [
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
        0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
        0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
        0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
        0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
        0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
        0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
    ];
    const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

    fn mixed(round: usize, b: u32, c: u32, d: u32) -> (u32, usize) {
        match round / 16 {
            0 => ((b & c) | (!b & d), round),
            1 => ((d & b) | (!d & c), (5 * round + 1) % 16),
            2 => (b ^ c ^ d, (3 * round + 5) % 16),
            _ => (c ^ (b | !d), (7 * round) % 16),
        }
    }

    /// MD5's function for each block.
    #[fused(kernels = 1)]
    pub fn md5(blocks: &Vector<[u32; 16]>) -> Vector<[u32; 4]> {
        blocks.map(|block| {
            let start = [0x67452301_u32, 0xefcdab89, 0x98badcfe, 0x10325476];
            let [mut a, mut b, mut c, mut d] = start;
            for round in 0..64 {
                let (f, place) = mixed(round, b, c, d);
                let sum = a.wrapping_add(f).wrapping_add(T[round]).wrapping_add(block[place]);
                let turned = sum.rotate_left(TURNS[round / 16][round % 4]);
                (a, d, c, b) = (d, c, b, b.wrapping_add(turned));
            }
            [
                start[0].wrapping_add(a), start[1].wrapping_add(b), start[2].wrapping_add(c), start[3].wrapping_add(d),
            ]
        })
    }

    fn halves(a: u32, b: u32) -> (u32, u32) {
        let product = a as u64 * b as u64;
        ((product >> 32) as u32, product as u32)
    }

    /// Philox 4x32 with ten rounds (Salmon et al., SC 2011, section 4): the numbers of one counter each.
    #[fused(kernels = 1)]
    pub fn philox(n: usize, key: [u32; 2]) -> Vector<[u32; 4]> {
        generate(n, |i| {
            let mut counter = [i as u32, (i as u64 >> 32) as u32, 0u32, 0u32];
            let mut key = key;
            for _ in 0..10 {
                let (high_0, low_0) = halves(0xd2511f53, counter[0]);
                let (high_1, low_1) = halves(0xcd9e8d57, counter[2]);
                counter = [high_1 ^ counter[1] ^ key[0], low_1, high_0 ^ counter[3] ^ key[1], low_0];
                key = [key[0].wrapping_add(0x9e3779b9), key[1].wrapping_add(0xbb67ae85)];
            }
            counter
        })
    }

    /// Rounds of Lloyd's algorithm in the plane; a centre without points stays.
    pub fn k_means(points: &Vector<(f32, f32)>, start: &Vector<(f32, f32)>, rounds: usize) -> Vector<(f32, f32)> {
        let mut centres = start;
        for _ in 0..rounds {
            let nearest = points.map(|(x, y)| centres.map(|(a, b)| (x - a) * (x - a) + (y - b) * (y - b)).argmin());
            let terms = points.map(|(x, y)| (x, y, 1.0));
            let sums = nearest.reduce_by_index(
                terms, centres.len(), (0.0, 0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2),
            );
            centres = sums.zip_with(centres, |(x, y, count), old| {
                if count > 0.0 { (x / count, y / count) } else { old }
            });
        }
        centres
    }

    /// How bodies `(x, y, z, mass)` pull at each of them, softened.
    pub fn n_body(bodies: &Vector<(f32, f32, f32, f32)>) -> Vector<(f32, f32, f32)> {
        bodies.map(|(x, y, z, _)| {
            let pulls = bodies.map(|(a, b, c, mass)| {
                let (dx, dy, dz) = (a - x, b - y, c - z);
                let d = dx * dx + dy * dy + dz * dz + 0.01;
                let pull = mass / (d * d.sqrt());
                (dx * pull, dy * pull, dz * pull)
            });
            pulls.fold((0.0, 0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2))
        })
    }

    /// The same as a compiler may compute it that takes floats for real numbers.
    #[fast_math]
    pub fn n_body_fast(bodies: &Vector<(f32, f32, f32, f32)>) -> Vector<(f32, f32, f32)> {
        bodies.map(|(x, y, z, _)| {
            let pulls = bodies.map(|(a, b, c, mass)| {
                let (dx, dy, dz) = (a - x, b - y, c - z);
                let d = dx * dx + dy * dy + dz * dz + 0.01;
                let pull = mass / (d * d.sqrt());
                (dx * pull, dy * pull, dz * pull)
            });
            pulls.fold((0.0, 0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2))
        })
    }

    /// For each row the number of the nearest of the others.
    pub fn nearest(points: &Matrix<f32>, others: &Matrix<f32>) -> Vector<usize> {
        points.rows().map(|a| {
            others.rows().map(|b| a.zip_with(b, |p, q| (p - q) * (p - q)).sum()).argmin()
        })
    }
}
