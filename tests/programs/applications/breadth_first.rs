//! Breadth-first search in a graph by adjacency lists: each round follows the edges of the nodes that the last one has reached, so
//! that all rounds together look at each edge once.
//!
//! shapes: offsets n, targets m
//! offsets: offsets m
//! values: targets 0..n, start 0..n

accelerate! {
    pub fn levels(offsets: &Vector<u32>, targets: &Vector<u32>, start: u32) -> Vector<u32> {
        let nodes = offsets.skip(1).len();
        let mut levels = generate(nodes, |node| if node == start as usize { 0 } else { u32::MAX });
        let mut frontier = fill(1, start).filter(|node| (node as usize) < nodes);
        let mut level = 1;
        while frontier.len() > 0 {
            let edges = frontier.flat_map(|node| {
                let node = node as usize;
                (offsets[node]..offsets[node + 1]).map(|edge| targets[edge as usize])
            });
            let reached = edges.filter(|node| (node as usize) < nodes && levels[node as usize] == u32::MAX);
            frontier = reached.unique();
            levels = levels.scatter(|old, new| old.min(new), frontier.map(|_| level), |k, _| Some(frontier[k] as usize));
            level += 1;
        }
        levels
    }
}
