//! The programs that Python's libraries have, too: JAX, numba, numpy with its OpenBLAS, and scipy. And those of ndarray.

use crate::measure::{Peers, close, time};
use crate::{Arguments, applications, programs, rows, values};
use accelerate::{Device, Matrix, Vector};

/// A program of ours, the name of a library's and who has it, and the ratio that is aimed at.
type Row<'r> = (&'r str, &'r str, &'r str, f64);

/// Rows against libraries of Python, in a process of their own.
struct Libraries<'a> {
    device: &'a Device,
    arguments: &'a Arguments,
    peers: Option<Peers>,
}

impl Libraries<'_> {
    fn row<T>(
        &mut self,
        (name, program, library, aim): Row<'_>,
        run: impl Fn() -> accelerate::Result<T>,
    ) {
        let run = || {
            let result = run().expect("the program runs");
            self.device.synchronize().expect("the program ends");
            drop(result);
        };
        let peers = &mut self.peers;
        let rival = || peers.as_mut().and_then(|peers| peers.run(program, library));
        let shown = match library {
            "jax" => "JAX",
            "numpy" if program == "matmul" => "OpenBLAS",
            library => library,
        };
        self.arguments.row((name, shown, aim), run, rival);
    }
}

/// Sizes are those of `peers.py`.
pub(crate) fn against_python(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let mut libraries = Libraries {
        device,
        arguments,
        peers: Peers::on_cpu(&arguments.python).ok(),
    };
    elements(device, &mut libraries)?;
    matrices(device, &mut libraries)?;
    keys(device, &mut libraries)?;
    pictures(device, &mut libraries)
}

fn elements(device: &Device, libraries: &mut Libraries<'_>) -> anyhow::Result<()> {
    let n = 8_000_000;
    let scaled = |seed, low: f32, high: f32| -> Vec<f32> {
        let scale = |x| low + (high - low) * 0.5 * (x + 1.0);
        values(seed, n).into_iter().map(scale).collect()
    };
    let market = (
        scaled(1, 5.0, 30.0),
        scaled(2, 1.0, 100.0),
        scaled(3, 0.25, 10.0),
    );
    let market = Vector::from_columns(device, market)?;
    let name = format!("Black-Scholes {n}");
    libraries.row((&name, "black_scholes", "jax", 0.3), || {
        programs::black_scholes(device, &market, 0.02, 0.3)
    });

    let n = 32_000_000;
    let xs = Vector::from_vec(device, values(6, n))?;
    let ys = Vector::from_vec(device, values(2, n))?;
    libraries.row((&format!("scan {n}"), "running_sums", "numba", 0.3), || {
        programs::running_sums(device, &xs)
    });
    libraries.row((&format!("dot {n}"), "dot", "numpy", 1.0), || {
        programs::dot(device, &xs, &ys)
    });
    libraries.row((&format!("saxpy {n}"), "saxpy", "jax", 1.0), || {
        programs::saxpy(device, 2.5, &xs, &ys)
    });
    Ok(())
}

fn matrices(device: &Device, libraries: &mut Libraries<'_>) -> anyhow::Result<()> {
    let n = 1024;
    let [a, b] = [4, 5].map(|seed| Matrix::from_vec(device, (n, n), values(seed, n * n)));
    let (a, b) = (a?, b?);
    libraries.row((&format!("matmul {n}"), "matmul", "numpy", 1.1), || {
        programs::matmul(device, &a, &b)
    });
    let m = Matrix::from_vec(device, (8192, 4096), values(3, 8192 * 4096))?;
    libraries.row(("row sums 8192x4096", "row_sums", "numpy", 1.0), || {
        programs::row_sums(device, &m)
    });
    let m = Matrix::from_vec(device, (4096, 4096), values(8, 4096 * 4096))?;
    libraries.row(("transpose 4096x4096", "transpose", "numpy", 1.0), || {
        programs::transpose(device, &m)
    });
    let m = Matrix::from_vec(device, (8192, 1000), values(9, 8192 * 1000))?;
    libraries.row(("softmax 8192x1000", "softmax", "jax", 1.0), || {
        rows::shares(device, &m)
    });
    Ok(())
}

fn keys(device: &Device, libraries: &mut Libraries<'_>) -> anyhow::Result<()> {
    let n = 32_000_000;
    let hash = |k: usize| (k as u32).wrapping_mul(2_654_435_761) >> 7;
    let bins = Vector::from_vec(device, (0..n).map(|k| hash(k) % 256).collect())?;
    let name = format!("histogram {n}, 256 bins");
    libraries.row((&name, "histogram", "numpy", 1.0), || {
        programs::histogram(device, &bins)
    });
    let n = n / 2;
    let mixed = |k: usize| ((k as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32;
    let words = Vector::from_vec(device, (0..n).map(mixed).collect())?;
    libraries.row((&format!("sort {n}"), "sort", "numpy", 1.0), || {
        programs::sorted(device, &words)
    });

    // From none to 63 in a row.
    let rows = 262_144;
    let mut offsets = vec![0u32];
    for row in 0..rows {
        offsets.push(offsets[row] + hash(row) % 64);
    }
    let n = offsets[rows] as usize;
    let columns = Vector::from_vec(device, (0..n).map(|k| hash(k) % rows as u32).collect())?;
    let offsets = Vector::from_vec(device, offsets)?;
    let entries = Vector::from_vec(device, values(4, n))?;
    let x = Vector::from_vec(device, values(5, rows))?;
    libraries.row((&format!("smvm {n}"), "smvm", "scipy", 1.0), || {
        programs::smvm(device, &offsets, &columns, &entries, &x)
    });
    Ok(())
}

fn pictures(device: &Device, libraries: &mut Libraries<'_>) -> anyhow::Result<()> {
    let n = 2048;
    let image = Matrix::from_vec(device, (n, n), values(7, n * n))?;
    libraries.row((&format!("blur 5x5 {n}x{n}"), "blur", "numba", 1.0), || {
        programs::blur(device, &image)
    });
    let (width, height) = (1024, 768);
    let step = (3.2 / width as f32, 2.4 / height as f32);
    let name = format!("Mandelbrot {width}x{height}");
    libraries.row((&name, "mandelbrot", "numba", 0.3), || {
        programs::mandelbrot(device, width, height, (-2.1, -1.2), step, 255)
    });
    let n = 16_384;
    let bodies = Vector::from_vec(device, applications::bodies(n))?;
    // numba has `fastmath`, too.
    let name = format!("n-body, fast math {n}");
    libraries.row((&name, "n_body", "numba", 1.0), || {
        applications::programs::n_body_fast(device, &bodies)
    });
    Ok(())
}

/// Products and sums of ndarray's, with its threads.
pub(crate) fn against_ndarray(device: &Device, arguments: &Arguments) -> anyhow::Result<()> {
    let n = 1024 / arguments.shrink;
    let [left, right] = [4, 5].map(|seed| values(seed, n * n));
    let array = |values: &[f32]| ndarray::Array2::from_shape_vec((n, n), values.to_vec());
    let (a, b) = (array(&left)?, array(&right)?);
    let left = Matrix::from_vec(device, (n, n), left)?;
    let right = Matrix::from_vec(device, (n, n), right)?;
    let ours = programs::matmul(device, &left, &right)?.to_vec()?;
    let theirs = a.dot(&b);
    anyhow::ensure!(
        close(&ours, theirs.as_slice().expect("in order")),
        "matmul: not the same"
    );
    let run = || {
        programs::matmul(device, &left, &right).expect("matmul runs");
        device.synchronize().expect("matmul ends");
    };
    let rival = || Some(time(|| drop(std::hint::black_box(a.dot(&b)))));
    arguments.row((&format!("matmul {n}"), "ndarray", 1.0), run, rival);
    Ok(())
}
