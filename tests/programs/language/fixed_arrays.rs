//! Fixed arrays as elements, sorted by exchanges at computed places.
//!
//! kernels: 1 (elementwise)
//! bytes: 36n
//! shapes: triples n

accelerate! {
    pub fn sorted(triples: &Vector<[f32; 3]>) -> Vector<([f32; 3], [[i32; 1]; 3])> {
        triples.map(|triple| {
            let mut values = triple;
            let mut places = [[0], [1], [2]];
            for i in 0..2 {
                for j in 0..2 - i {
                    if values[j] > values[j + 1] {
                        let (value, place) = (values[j], places[j]);
                        values[j] = values[j + 1];
                        values[j + 1] = value;
                        places[j] = places[j + 1];
                        places[j + 1] = place;
                    }
                }
            }
            let [low, ..] = values;
            ([low, values[1], values[2]], places)
        })
    }
}
