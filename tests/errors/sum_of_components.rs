accelerate! {
    enum Kind {
        Small(f32),
        Large,
    }

    struct Flagged {
        x: f32,
        flags: (bool, u8),
    }

    pub fn flags(xs: &Vector<Flagged>) -> f32 {
        xs.sum().x
    }

    pub fn kinds(xs: &Vector<(f32, Kind)>) -> f32 {
        xs.sum().0
    }

    pub fn means(xs: &Vector<(f32, f32)>) -> (f32, f32) {
        xs.mean()
    }
}
