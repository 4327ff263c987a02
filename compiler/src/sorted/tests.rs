//! The sorted vectors beside `std`'s B-trees.

use super::{SortedMap, SortedSet};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers below 24, by xorshift (Marsaglia 2003).
fn numbers(seed: u64) -> impl Iterator<Item = u8> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 24) as u8
    })
}

#[test]
fn maps_are_as_trees_are() {
    for seed in 1..200 {
        let mut drawn = numbers(seed);
        let mut draw = || drawn.next().expect("without end");
        let (mut map, mut tree) = (SortedMap::new(), BTreeMap::new());
        for _ in 0..60 {
            let (key, value) = (draw(), draw());
            match draw() % 8 {
                0..3 => assert_eq!(map.insert(key, value), tree.insert(key, value)),
                3 => assert_eq!(map.remove(&key), tree.remove(&key)),
                4 => {
                    let one = |own: &mut u8| {
                        *own = own.wrapping_add(value);
                        *own
                    };
                    let found = one(map.entry(key).or_insert(3));
                    assert_eq!(found, one(tree.entry(key).or_insert(3)));
                }
                5 if value == 0 => {
                    map.retain(|key, own| (*key ^ *own) & 1 == 0);
                    tree.retain(|key, own| (*key ^ *own) & 1 == 0);
                }
                5 => assert_eq!(map.get(&value), tree.get(&value)),
                _ => {
                    let more = [(key, 1), (value, 2)];
                    let other = (SortedMap::from(more), BTreeMap::from(more));
                    assert_eq!(map.cmp(&other.0), tree.cmp(&other.1));
                    map.extend(other.0);
                    tree.extend(other.1);
                }
            }
            assert!(map.iter().eq(tree.iter()), "{map:?} is not {tree:?}");
            assert_eq!(map.get(&key), tree.get(&key));
        }
        assert!(map.into_iter().eq(tree));
    }
}

#[test]
fn sets_are_as_trees_are() {
    for seed in 1..200 {
        let mut drawn = numbers(seed);
        let mut draw = |count: u8| -> Vec<u8> { drawn.by_ref().take(count.into()).collect() };
        for count in 0..12 {
            let [some, others] = [(); 2].map(|()| draw(count));
            let [a, b] = [&some, &others].map(|all| all.iter().copied().collect::<SortedSet<u8>>());
            let [x, y] = [&some, &others].map(|all| all.iter().copied().collect::<BTreeSet<u8>>());
            assert!(a.iter().eq(x.iter()));
            assert!((&a | &b).iter().eq((&x | &y).iter()));
            assert!((&a & &b).iter().eq((&x & &y).iter()));
            assert!((&a - &b).iter().eq((&x - &y).iter()));
            assert!(a.intersection(&b).eq(x.intersection(&y)));
            assert!(a.difference(&b).eq(x.difference(&y)));
            assert_eq!(a.is_subset(&b), x.is_subset(&y));
            let (low, high) = (count, count + 9);
            assert!(a.range(low..high).eq(x.range(low..high)));
            assert!(a.range(low..=high).eq(x.range(low..=high)));
            assert!(a.range(low..).eq(x.range(low..)));
            assert_eq!(a.is_disjoint(&b), x.is_disjoint(&y));
            assert_eq!(a.cmp(&b), x.cmp(&y));
        }
    }
}
