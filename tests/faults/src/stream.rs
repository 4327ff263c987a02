//! `f::stream`: the order of results, errors among them, how far ahead inputs are pulled, and which copies run beside kernels.

use crate::scenario;
use accelerate::{Device, Error, Matrix, Result, Vector, accelerate};
use emulator::Emulator;
use std::cell::Cell;
use std::thread;

accelerate! {
    /// No parameters.
    pub fn threes() -> Vector<u32> {
        fill(2, 3)
    }

    /// A parameter by value.
    pub fn halved(xs: Vector<u32>) -> Vector<u32> {
        xs.map(|x| x / 2)
    }

    /// Parameters by reference, and a result that the host waits for.
    pub fn dot(xs: &Vector<u32>, ys: &Vector<u32>) -> u32 {
        xs.zip(ys).map(|(x, y)| x * y).sum()
    }

    /// A parameter named like the function, scalars, and a result that the host knows without the device.
    pub fn scaled(scaled: &Matrix<f32>, by: (f32, f32)) -> (Matrix<f32>, Scalar<usize>) {
        let (rows, columns) = scaled.shape();
        (scaled.map(|x| x * by.0 + by.1), rows * columns)
    }

    pub struct Line { pub starts: Vector<f32>, pub slope: f32 }

    /// Bundles.
    pub fn moved(line: Line, by: &Vector<f32>) -> Line {
        Line { starts: line.starts + by, slope: line.slope }
    }
}

fn vector<T: accelerate::Element>(device: &Device, values: &[T]) -> Vector<T> {
    Vector::from_slice(device, values).expect("there is memory")
}

/// All kinds of inputs and results on both devices; a second time nothing is left over. Threads do not disturb each other.
pub fn streams(emulator: &Emulator) {
    let device = Device::cuda(0).expect("the emulated device");
    inputs(&Device::cpu());
    ahead(&Device::cpu(), 0);
    let left = [(); 2].map(|()| {
        inputs(&device);
        ahead(&device, 2);
        device.synchronize().expect("it works");
        let now = emulator.counters();
        (now.live_allocations, now.live_events, now.live_streams)
    });
    assert_eq!(left[0], left[1]);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| inputs(&device));
        }
    });
    println!("end");
}

fn inputs(device: &Device) {
    let halves = halved::stream(device, (0..9).map(|k| vector(device, &[2 * k, 1])));
    // Read in another order than they were computed in.
    let halves: Vec<_> = halves.map(|half| half.expect("it works")).collect();
    for (k, half) in (0..9).zip(&halves).rev() {
        assert_eq!(half.to_vec(), Ok(vec![k, 0]));
    }

    for result in threes::stream(device, [(), ()]) {
        assert_eq!(result.and_then(|xs| xs.to_vec()), Ok(vec![3, 3]));
    }

    // What all inputs share is cloned; an error is that of its input.
    let ys = vector(device, &[1, 2]);
    let lost = Error::Cuda {
        message: "lost".into(),
    };
    let inputs = [
        Ok(vec![3, 4]),
        Err(lost.clone()),
        Ok(vec![5]),
        Ok(vec![6, 7]),
    ]
    .into_iter();
    let inputs = inputs.map(|xs| Ok((Vector::from_vec(device, xs?)?, ys.clone())));
    let dots: Vec<Result<u32>> = dot::stream(device, inputs).collect();
    assert_eq!((&dots[0], &dots[3]), (&Ok(11), &Ok(20)));
    assert_eq!(dots[1], Err(lost));
    assert!(matches!(dots[2], Err(Error::ShapeMismatch { .. })));

    let m = Matrix::from_vec(device, (1, 2), vec![1.0, 2.0]).expect("there is memory");
    let inputs = (0..4).map(|k| (m.clone(), (2.0, k as f32)));
    for (k, result) in (0..).zip(scaled::stream(device, inputs)) {
        let (result, count) = result.expect("it works");
        assert_eq!(count.value(), Ok(2));
        assert_eq!(result.to_vec(), Ok(vec![2.0 + k as f32, 4.0 + k as f32]));
    }

    // The results of one are the inputs of another.
    let line = |k| Line {
        starts: vector(device, &[k as f32]),
        slope: 0.5,
    };
    let by = vector(device, &[1.0]);
    let moved_once = moved::stream(device, (0..5).map(|k| (line(k), by.clone())));
    let inputs = moved_once.map(|line| Ok((line?, by.clone())));
    for (k, line) in (0..).zip(moved::stream(device, inputs)) {
        let line = line.expect("it works");
        assert_eq!(
            line.starts
                .to_device(&Device::cpu())
                .and_then(|xs| xs.get(0)),
            Ok(k as f32 + 2.0)
        );
        assert_eq!(line.slope, 0.5);
    }
}

/// Inputs are pulled so many ahead of the results that were asked for, and none before.
fn ahead(device: &Device, ahead: usize) {
    let pulled = Cell::new(0);
    let mut rest = (0..).inspect(|_| pulled.set(pulled.get() + 1));
    let inputs = rest.by_ref().map(|k| vector(device, &[k]));
    let mut halves = halved::stream(device, inputs);
    assert_eq!(pulled.get(), 0);
    for k in 0..20 {
        let half = halves.next().expect("there is no end");
        assert_eq!(pulled.get(), k + 1 + ahead);
        assert_eq!(half.and_then(|xs| xs.get(0)), Ok(k as u32 / 2));
    }
    assert_eq!(halves.size_hint(), (usize::MAX, None));
    drop(halves);
    assert_eq!(rest.next(), Some(20 + ahead as u32));
    // Nothing is asked of an iterator that has ended.
    let mut two = [4, 6].into_iter();
    let mut ended = false;
    let inputs = std::iter::from_fn(|| {
        assert!(!ended);
        let next = two.next();
        ended = next.is_none();
        next.map(|k| vector(device, &[k]))
    });
    let mut halves = halved::stream(device, inputs);
    assert_eq!(
        format!("{halves:?}"),
        format!("Stream on {device} with 0 results queued")
    );
    assert_eq!(halves.by_ref().count(), 2);
    assert!(halves.next().is_none() && halves.next().is_none());
}

/// What is queued on which stream, with a line for each result that is read.
pub fn overlap(emulator: &Emulator) {
    emulator.delay(true);
    let device = Device::cuda(0).expect("the emulated device");
    let input = |k: f32| Vector::from_vec(&device, vec![k]);
    let read = |result: Result<Vector<f32>>, expected| {
        assert_eq!(result.and_then(|xs| xs.to_vec()), Ok(vec![expected]));
        println!("{}result", emulator.traced());
        emulator.trace(true);
    };
    emulator.trace(true);
    read(
        input(1.0).and_then(|xs| scenario::doubled(&device, &xs)),
        2.0,
    );
    let inputs = [1.0, 2.0, 3.0, 4.0].map(|k| (k, 2.0 * k));
    let results = scenario::doubled::stream(&device, inputs.iter().map(|&(k, _)| input(k)));
    for (result, (_, expected)) in results.zip(inputs) {
        read(result, expected);
    }
}
