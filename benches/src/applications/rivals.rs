//! The same by hand with rayon: each pass over memory does all that it can, what is hashed stays in registers.

use rayon::prelude::*;

const CHUNK: usize = 1 << 14;

/// A sparse matrix by rows.
pub(crate) struct Sparse<'a> {
    pub(crate) offsets: &'a [u32],
    pub(crate) columns: &'a [u32],
    pub(crate) values: &'a [f64],
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 16];
    for (a, b) in a.chunks(16).zip(b.chunks(16)) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    lanes.iter().sum()
}

/// Conjugate gradients: three passes a round.
pub(crate) fn conjugate_gradients(a: &Sparse<'_>, b: &[f64], tolerance: f64) -> Vec<f64> {
    let mut x = vec![0.0; b.len()];
    let (mut r, mut p, mut ap) = (b.to_vec(), b.to_vec(), vec![0.0; b.len()]);
    let mut rr: f64 = dot(b, b);
    while rr > tolerance {
        let p_ap: f64 = (ap.par_chunks_mut(CHUNK).enumerate())
            .map(|(chunk, ap)| {
                let mut sum = 0.0;
                for (k, ap) in ap.iter_mut().enumerate() {
                    let row = chunk * CHUNK + k;
                    let entries = a.offsets[row] as usize..a.offsets[row + 1] as usize;
                    let columns = a.columns[entries.clone()].iter();
                    let terms = columns.zip(&a.values[entries]);
                    *ap = terms
                        .map(|(&column, value)| value * p[column as usize])
                        .sum();
                    sum += *ap * p[row];
                }
                sum
            })
            .sum();
        let alpha = rr / p_ap;
        let states = x.par_chunks_mut(CHUNK).zip(r.par_chunks_mut(CHUNK));
        let steps = p.par_chunks(CHUNK).zip(ap.par_chunks(CHUNK));
        let next: f64 = (states.zip(steps))
            .map(|((x, r), (p, ap))| {
                for (((x, r), p), ap) in x.iter_mut().zip(&mut *r).zip(p).zip(ap) {
                    *x += alpha * p;
                    *r -= alpha * ap;
                }
                dot(r, r)
            })
            .sum();
        let beta = next / rr;
        let directions = p.par_chunks_mut(CHUNK).zip(r.par_chunks(CHUNK));
        directions.for_each(|(p, r)| {
            for (p, r) in p.iter_mut().zip(r) {
                *p = r + beta * *p;
            }
        });
        rr = next;
    }
    x
}

/// Bisection in running sums.
pub(crate) fn inverse_cdf(weights: &[f32], ids: &[u32], us: &[f32], out: &mut [u32]) {
    let mut cdf = vec![0.0; ids.len()];
    let sums: Vec<f32> = (ids.par_chunks(CHUNK).zip(cdf.par_chunks_mut(CHUNK)))
        .map(|(ids, cdf)| {
            let mut sum = 0.0;
            for (&id, cdf) in ids.iter().zip(cdf) {
                sum += weights[id as usize];
                *cdf = sum;
            }
            sum
        })
        .collect();
    let mut sum = 0.0;
    let starts: Vec<f32> = sums
        .iter()
        .map(|own| {
            let start = sum;
            sum += own;
            start
        })
        .collect();
    let chunks = cdf.par_chunks_mut(CHUNK).zip(&starts);
    chunks.for_each(|(cdf, start)| cdf.iter_mut().for_each(|cdf| *cdf += start));
    let results = out.par_iter_mut().zip(us);
    results.for_each(|(out, u)| *out = cdf.partition_point(|cdf| cdf < u) as u32);
}

/// Two loops, one after the other.
pub(crate) fn loops_in_turn(xs: &[u32], out: &mut [u32]) {
    out.par_iter_mut().zip(xs).for_each(|(out, &x)| {
        let mut w = 0u32;
        for _ in 0..100 {
            w = w.wrapping_mul(31) ^ x;
        }
        let mut s = 0u32;
        for _ in 0..100 {
            s = s.rotate_left(3) ^ w;
        }
        *out = s;
    });
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

fn sha256_of(block: &[u32; 16]) -> [u32; 8] {
    let mut w = [0u32; 64];
    w[..16].copy_from_slice(block);
    for i in 16..64 {
        let s0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let s1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16]
            .wrapping_add(s0)
            .wrapping_add(w[i - 7])
            .wrapping_add(s1);
    }
    let mut h = START;
    for i in 0..64 {
        let s1 = h[4].rotate_right(6) ^ h[4].rotate_right(11) ^ h[4].rotate_right(25);
        let choice = (h[4] & h[5]) ^ (!h[4] & h[6]);
        let t1 = h[7]
            .wrapping_add(s1)
            .wrapping_add(choice)
            .wrapping_add(K[i])
            .wrapping_add(w[i]);
        let s0 = h[0].rotate_right(2) ^ h[0].rotate_right(13) ^ h[0].rotate_right(22);
        let majority = (h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]);
        h = [
            t1.wrapping_add(s0).wrapping_add(majority),
            h[0],
            h[1],
            h[2],
            h[3].wrapping_add(t1),
            h[4],
            h[5],
            h[6],
        ];
    }
    std::array::from_fn(|i| START[i].wrapping_add(h[i]))
}

/// SHA-256's function for each block.
pub(crate) fn sha256(blocks: &[[u32; 16]], out: &mut [[u32; 8]]) {
    let results = out.par_iter_mut().zip(blocks);
    results.for_each(|(out, block)| *out = sha256_of(block));
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
const TURNS: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

fn md5_of(block: &[u32; 16]) -> [u32; 4] {
    let start = [0x67452301_u32, 0xefcdab89, 0x98badcfe, 0x10325476];
    let [mut a, mut b, mut c, mut d] = start;
    for round in 0..64 {
        let (f, place) = match round / 16 {
            0 => ((b & c) | (!b & d), round),
            1 => ((d & b) | (!d & c), (5 * round + 1) % 16),
            2 => (b ^ c ^ d, (3 * round + 5) % 16),
            _ => (c ^ (b | !d), (7 * round) % 16),
        };
        let sum = a
            .wrapping_add(f)
            .wrapping_add(T[round])
            .wrapping_add(block[place]);
        let transposed = sum.rotate_left(TURNS[round / 16][round % 4]);
        (a, d, c, b) = (d, c, b, b.wrapping_add(transposed));
    }
    let end = [a, b, c, d];
    std::array::from_fn(|i| start[i].wrapping_add(end[i]))
}

/// MD5's function for each block.
pub(crate) fn md5(blocks: &[[u32; 16]], out: &mut [[u32; 4]]) {
    let results = out.par_iter_mut().zip(blocks);
    results.for_each(|(out, block)| *out = md5_of(block));
}

/// Philox 4x32 with ten rounds.
pub(crate) fn philox(key: [u32; 2], out: &mut [[u32; 4]]) {
    let halves = |a: u32, b: u32| {
        let product = u64::from(a) * u64::from(b);
        ((product >> 32) as u32, product as u32)
    };
    out.par_iter_mut().enumerate().for_each(|(i, out)| {
        let mut counter = [i as u32, (i as u64 >> 32) as u32, 0, 0];
        let mut key = key;
        for _ in 0..10 {
            let (high_0, low_0) = halves(0xd251_1f53, counter[0]);
            let (high_1, low_1) = halves(0xcd9e_8d57, counter[2]);
            counter = [
                high_1 ^ counter[1] ^ key[0],
                low_1,
                high_0 ^ counter[3] ^ key[1],
                low_0,
            ];
            key = [
                key[0].wrapping_add(0x9e37_79b9),
                key[1].wrapping_add(0xbb67_ae85),
            ];
        }
        *out = counter;
    });
}

/// Rounds of Lloyd's algorithm; eight points at a time, each core's sums its own.
pub(crate) fn k_means(
    points: &[(f32, f32)],
    start: &[(f32, f32)],
    rounds: usize,
) -> Vec<(f32, f32)> {
    const LANES: usize = 8;
    let mut centres = start.to_vec();
    for _ in 0..rounds {
        let sums = (points.par_chunks(CHUNK))
            .map(|points| {
                let mut sums = vec![(0.0f32, 0.0f32, 0.0f32); centres.len()];
                for points in points.chunks(LANES) {
                    let mut best = [f32::INFINITY; LANES];
                    let mut nearest = [0usize; LANES];
                    for (k, (a, b)) in centres.iter().enumerate() {
                        for (lane, (x, y)) in points.iter().enumerate() {
                            let distance = (x - a) * (x - a) + (y - b) * (y - b);
                            if distance < best[lane] {
                                (best[lane], nearest[lane]) = (distance, k);
                            }
                        }
                    }
                    for ((x, y), &k) in points.iter().zip(&nearest) {
                        let sum = &mut sums[k];
                        *sum = (sum.0 + x, sum.1 + y, sum.2 + 1.0);
                    }
                }
                sums
            })
            .reduce(
                || vec![(0.0, 0.0, 0.0); centres.len()],
                |mut a, b| {
                    for (a, b) in a.iter_mut().zip(b) {
                        *a = (a.0 + b.0, a.1 + b.1, a.2 + b.2);
                    }
                    a
                },
            );
        for (centre, (x, y, count)) in centres.iter_mut().zip(sums) {
            if count > 0.0 {
                *centre = (x / count, y / count);
            }
        }
    }
    centres
}

/// How bodies `(x, y, z, mass)` pull at each of them; eight at a time.
pub(crate) fn n_body(bodies: &[(f32, f32, f32, f32)], out: &mut [(f32, f32, f32)]) {
    const LANES: usize = 8;
    let chunks = out.par_chunks_mut(LANES).zip(bodies.par_chunks(LANES));
    chunks.for_each(|(out, here)| {
        let mut places = [[0.0f32; LANES]; 3];
        for (lane, &(x, y, z, _)) in here.iter().enumerate() {
            [places[0][lane], places[1][lane], places[2][lane]] = [x, y, z];
        }
        let mut sums = [[0.0f32; LANES]; 3];
        for &(a, b, c, mass) in bodies {
            for lane in 0..LANES {
                let [dx, dy, dz] = [
                    a - places[0][lane],
                    b - places[1][lane],
                    c - places[2][lane],
                ];
                let d = dx * dx + dy * dy + dz * dz + 0.01;
                let pull = mass / (d * d.sqrt());
                sums[0][lane] += dx * pull;
                sums[1][lane] += dy * pull;
                sums[2][lane] += dz * pull;
            }
        }
        for (lane, out) in out.iter_mut().enumerate() {
            *out = (sums[0][lane], sums[1][lane], sums[2][lane]);
        }
    });
}

/// For each row of `width` numbers the number of the nearest of the others: these are transposed, and 64 distances at a time are
/// accumulated side by side.
pub(crate) fn nearest(points: &[f32], others: &[f32], width: usize, out: &mut [usize]) {
    const LANES: usize = 64;
    let mut transposed = vec![[0.0f32; LANES]; others.len() / width / LANES * width];
    for (other, place) in others.chunks_exact(width).enumerate() {
        for (k, x) in place.iter().enumerate() {
            transposed[other / LANES * width + k][other % LANES] = *x;
        }
    }
    let rows = out.par_iter_mut().zip(points.par_chunks_exact(width));
    rows.for_each(|(out, point)| {
        let mut best = (f32::INFINITY, 0);
        for (block, lines) in transposed.chunks_exact(width).enumerate() {
            let mut sums = [0.0f32; LANES];
            for (x, line) in point.iter().zip(lines) {
                for (sum, y) in sums.iter_mut().zip(line) {
                    *sum += (x - y) * (x - y);
                }
            }
            for (lane, sum) in sums.into_iter().enumerate() {
                if sum < best.0 {
                    best = (sum, block * LANES + lane);
                }
            }
        }
        *out = best.1;
    });
}
