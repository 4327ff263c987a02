//! MD5 of messages of one block each (RFC 1321): rotations and places in the block come from tables and from the number of
//! the round.
//!
//! kernels: 1 (elementwise)
//! bytes: 80n
//! shapes: blocks n

accelerate! {
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

    pub fn digests(blocks: &Vector<[u32; 16]>) -> Vector<[u32; 4]> {
        blocks.map(|block| {
            let start = [0x67452301_u32, 0xefcdab89, 0x98badcfe, 0x10325476];
            let [mut a, mut b, mut c, mut d] = start;
            for round in 0..64 {
                let (f, place) = mixed(round, b, c, d);
                let sum = a.wrapping_add(f).wrapping_add(T[round]).wrapping_add(block[place]);
                let turned = sum.rotate_left(TURNS[round / 16][round % 4]);
                (a, d, c, b) = (d, c, b, b.wrapping_add(turned));
            }
            let mut sums = start;
            for k in 0..4 {
                sums[k] = sums[k].wrapping_add([a, b, c, d][k]);
            }
            sums
        })
    }
}
