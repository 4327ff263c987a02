//! One pass through all that the runtime asks of a driver: opening the device, transfers both ways, programs of one and
//! of several kernels, loops that wait for the device, failing programs, many inputs, dropping.

use accelerate::{Device, Error, Result, Vector, accelerate};

accelerate! {
    /// One kernel, without checks.
    pub fn doubled(xs: &Vector<f32>) -> Vector<f32> {
        xs.map(|x| 2.0 * x)
    }

    /// One kernel, with a check.
    pub fn picked(xs: &Vector<f32>, at: &Vector<usize>) -> Vector<f32> {
        at.map(|i| xs[i])
    }

    /// Several kernels.
    pub fn centred(xs: &Vector<f32>) -> Vector<f32> {
        let lowest = xs.map(|x| x + 1.0).fold(0.0, |a, b| a.min(b));
        let shifted = xs.map(|x| x - lowest).materialize();
        shifted.map(|x| x + shifted.last())
    }

    /// Sums of the elements at even and at odd places, in any order.
    pub fn binned(bins: &Vector<f32>, xs: &Vector<f32>) -> Vector<f32> {
        bins.scatter(|sum, x| sum + x, xs, |i, _| Some(i % 2))
    }

    /// The same in one order.
    #[deterministic]
    pub fn binned_in_order(bins: &Vector<f32>, xs: &Vector<f32>) -> Vector<f32> {
        bins.scatter(|sum, x| sum + x, xs, |i, _| Some(i % 2))
    }

    /// A scalar of the host; long enough for several blocks with partial results.
    pub fn total(xs: &Vector<f32>) -> f32 {
        xs.sum()
    }

    /// A loop whose rounds the host counts; its array is consumed.
    pub fn powers(start: Vector<f32>, rounds: u32) -> Vector<f32> {
        let mut xs = start;
        for _ in 0..rounds {
            xs = xs.map(|x| x * 2.0).materialize();
        }
        xs
    }

    /// A loop that asks the device whether to go on.
    pub fn settled(start: Vector<f32>) -> (Vector<f32>, u32) {
        let mut xs = start;
        let mut rounds = 0;
        while xs.max() > 1.0 {
            xs = xs.map(|x| 0.5 * x);
            rounds += 1;
        }
        (xs, rounds)
    }
}

/// An array that was there before something failed, with its elements.
pub type Held = (Vector<f32>, Vec<f32>);

/// The number of elements of the largest array: more than one block shares a sum of them.
pub const MOST: usize = 40_000;

/// Runs everything on `cuda:0`; arrays made by the host go to `held`. Panics if a value is wrong.
///
/// # Errors
/// Of the device; an error that a program is meant to have is none.
pub fn run(held: &mut Vec<Held>) -> Result<()> {
    let device = Device::cuda(0)?;
    assert!(!device.name().is_empty());
    assert!(device.memory()?.total > 0);
    let mut upload = |values: Vec<f32>| -> Result<Vector<f32>> {
        let array = Vector::from_slice(&device, &values)?;
        held.push((array.clone(), values));
        Ok(array)
    };
    let small = upload((0..100).map(|k| k as f32).collect())?;
    let large = upload((0..MOST).map(|k| (k % 3) as f32).collect())?;
    let empty = upload(Vec::new())?;
    let pairs = Vector::from_columns(&device, (vec![1.0f32, 2.0], vec![3u8, 4]))?;
    let at = Vector::from_vec(&device, vec![3usize, 99, 0])?;
    let outside = Vector::from_vec(&device, vec![3usize, 100, 0])?;

    let twice = doubled(&device, &small)?;
    assert_eq!(twice.get(7)?, 14.0);
    assert_eq!(doubled(&device, &twice)?.to_vec()?[99], 396.0);
    assert_eq!(doubled(&device, &empty)?.to_vec()?, []);
    assert_eq!(pairs.to_vec()?, [(1.0, 3), (2.0, 4)]);
    assert_eq!(picked(&device, &small, &at)?.to_vec()?, [3.0, 99.0, 0.0]);
    assert_eq!(centred(&device, &small)?.get(1)?, 100.0);
    assert_eq!(total(&device, &large)?, 39_999.0);
    assert_eq!(powers(&device, doubled(&device, &small)?, 3)?.get(1)?, 16.0);
    let (settled, rounds) = settled(&device, small.clone())?;
    assert_eq!((settled.get(64)?, rounds), (0.5, 7));

    // A function of the user's between two kernels.
    let crossed = crate::foreign::crossed(&device, &small)?;
    assert_eq!(crossed.get(2)?, -6.0);

    // A failing program: its result is lost, and what depends on it.
    let lost = picked(&device, &small, &outside)?;
    let dependent = doubled(&device, &lost)?;
    for array in [&dependent, &lost] {
        match array.to_vec() {
            Err(Error::OutOfBounds { .. }) => {}
            Err(other) => return Err(other),
            Ok(values) => panic!("a result instead of an error: {values:?}"),
        }
    }

    // Many inputs, of which one fails.
    let inputs = [3usize, 100, 7].into_iter();
    let inputs = inputs.map(|at| Ok((small.clone(), Vector::from_vec(&device, vec![at])?)));
    for (result, expected) in picked::stream(&device, inputs).zip([Some(3.0), None, Some(7.0)]) {
        match (result.and_then(|ys| ys.to_vec()), expected) {
            (Err(Error::OutOfBounds { .. }), None) => {}
            (result, expected) => assert_eq!(result?, expected.as_slice()),
        }
    }

    let cpu = small.to_device(&Device::cpu())?;
    assert_eq!(cpu.to_vec()?[5], 5.0);
    assert_eq!(cpu.to_device(&device)?.get(5)?, 5.0);
    device.synchronize()
}
