//! The package that the helps speak of: what its blocks import, and its foreign functions.

pub mod fast;
pub mod shapes;

#[path = "../../programs"]
pub mod programs {
    pub mod imports {
        pub mod geometry;
    }
}
