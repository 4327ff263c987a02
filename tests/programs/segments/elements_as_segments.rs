//! Closures of the elements of a vector that give vectors of any length make segments; the edges of a frontier of nodes.
//!
//! shapes: offsets n, frontier m
//! values: offsets 0..12, frontier 0..n

accelerate! {
    pub fn edges(offsets: &Vector<u32>, frontier: &Vector<u32>) -> (Segmented<u32>, Vector<u32>) {
        let edges = frontier.map_segments(|node| {
            let begin = offsets[node as usize];
            (begin..begin + node % 4).map(|edge| edge * 10 + node)
        });
        (edges, edges.map_segments(|of| of.sum()))
    }
}
