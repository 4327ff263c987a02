//! Structs field by field, fixed arrays element by element; and where each one was.
//!
//! shapes: xs n
//! values: xs -2..2

accelerate! {
    pub struct Card {
        pub suit: u8,
        pub rank: [i8; 2],
    }

    pub fn cards(xs: &Vector<i32>) -> (Vector<Card>, Vector<usize>) {
        let cards = xs.map(|x| Card { suit: (x + 2) as u8, rank: [(x * x) as i8, -x as i8] });
        (cards.sort(), cards.argsort())
    }
}
