//! Reading a neighbour on a ring is a rotation.
//!
//! law: there and back is the identity
//! kernels: 1 (reduce)
//! shapes: xs n

accelerate! {
    pub fn agree(xs: &Vector<i32>) -> bool {
        let there = xs.stencil(Wrap, |w| w[3]);
        let back = there.stencil(Wrap, |w| w[-3]);
        back.zip_with(xs, |a, b| a == b).all()
    }
}
