//! Options in structs and enums, of tuples, in fixed arrays and in one another.
//!
//! shapes: hits n
//! values: hits 0..20

accelerate! {
    pub struct Hit {
        at: Option<(u32, f32)>,
        near: [Option<u8>; 2],
    }

    enum Shade {
        Sky(Option<f32>),
        Wall { depth: Option<Option<u8>>, light: f32 },
    }

    fn shade(hit: Hit) -> Shade {
        match hit.at {
            Some((k, light)) if k > 3 => Shade::Wall { depth: Some(hit.near[k as usize % 2]), light },
            Some((_, light)) => Shade::Sky(Some(light)),
            None => Shade::Sky(None),
        }
    }

    pub fn shades(hits: &Vector<Hit>) -> (Vector<f32>, Vector<Hit>, Vector<(usize, Option<u8>)>) {
        let shades = hits.map(shade).materialize();
        let light = shades.map(|shade| match shade {
            Shade::Sky(light) => light.unwrap_or(-1.0),
            Shade::Wall { depth: Some(Some(depth)), light } => light + depth as f32,
            Shade::Wall { depth, light } => if depth.is_some() { light } else { 0.0 },
        });
        let turned = hits.map(|hit| Hit { at: hit.at.map(|(k, x)| (k / 2, x)), near: [hit.near[1], None] });
        let seen = hits.filter(|hit| hit.near[0].is_some()).map_indexed(|i, hit| (i, hit.near[0].or(hit.near[1])));
        (light, turned, seen)
    }
}
