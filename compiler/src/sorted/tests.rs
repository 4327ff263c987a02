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
                5 => assert_eq!(map.pop_first(), tree.pop_first()),
                6 => assert_eq!(map.pop_last(), tree.pop_last()),
                _ => {
                    let mut more = SortedMap::from([(key, 1), (value, 2)]);
                    map.append(&mut more);
                    assert!(more.is_empty());
                    tree.append(&mut BTreeMap::from([(key, 1), (value, 2)]));
                }
            }
            assert!(map.iter().eq(tree.iter()), "{map:?} is not {tree:?}");
            assert_eq!(map.get(&key), tree.get(&key));
            let [low, high] = [key.min(value), key.max(value)];
            assert!(map.range(low..high).eq(tree.range(low..high)));
            assert!(map.range(low..=high).eq(tree.range(low..=high)));
            assert!(map.range(high..).eq(tree.range(high..)));
            assert_eq!(map.first_key_value(), tree.first_key_value());
            assert_eq!(map.last_key_value(), tree.last_key_value());
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
            let [a, b] = [&some, &others].map(|all| all.iter().collect::<SortedSet<_>>());
            let [x, y] = [&some, &others].map(|all| all.iter().collect::<BTreeSet<_>>());
            assert!(a.iter().eq(x.iter()));
            assert!((&a | &b).iter().eq((&x | &y).iter()));
            assert!((&a & &b).iter().eq((&x & &y).iter()));
            assert!((&a - &b).iter().eq((&x - &y).iter()));
            assert!(a.intersection(&b).eq(x.intersection(&y)));
            assert!(a.difference(&b).eq(x.difference(&y)));
            assert_eq!(a.is_subset(&b), x.is_subset(&y));
            assert_eq!(a.is_superset(&b), x.is_superset(&y));
            assert_eq!(a.is_disjoint(&b), x.is_disjoint(&y));
            assert_eq!(a.cmp(&b), x.cmp(&y));
        }
    }
}
