"""JAX, numba, numpy and scipy on the CPU, timed on request: one line in (`black_scholes jax`), one line out (seconds, or `-`).

Every program runs once before its first timing, so that compilation does not count. One that has something to prepare for each run
returns how long the rest has taken.
"""

import sys
import time

import numpy as np


def inputs(n):
    rng = np.random.default_rng(1)
    draw = lambda low, high: rng.uniform(low, high, n).astype(np.float32)
    return draw(5, 30), draw(1, 100), draw(0.25, 10)


def jax_black_scholes():
    import jax
    import jax.numpy as jnp

    price = jax_price()
    columns = [jnp.asarray(column) for column in inputs(8_000_000)]
    return lambda: jax.block_until_ready(price(*columns))


def numba_mandelbrot():
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def draw(width, height, limit, out):
        sx, sy = np.float32(3.2 / width), np.float32(2.4 / height)
        for row in numba.prange(height):
            for column in range(width):
                cx = np.float32(-2.1) + np.float32(column) * sx
                cy = np.float32(-1.2) + np.float32(row) * sy
                x, y, rounds = cx, cy, 0
                while rounds < limit and x * x + y * y < np.float32(4.0):
                    x, y = cx + (x * x - y * y), cy + np.float32(2.0) * x * y
                    rounds += 1
                out[row, column] = rounds

    out = np.empty((768, 1024), np.int32)
    return lambda: draw(1024, 768, 255, out)


def numba_running_sums():
    import numba

    @numba.njit
    def scan(xs, out):
        total = np.float32(0)
        for k in range(xs.size):
            total += xs[k]
            out[k] = total

    xs = np.random.default_rng(1).uniform(-1, 1, 32_000_000).astype(np.float32)
    out = np.empty_like(xs)
    return lambda: scan(xs, out)


def numba_blur():
    import numba

    @numba.njit(fastmath=True)
    def clamped(image, i, j):
        height, width = image.shape
        total = np.float32(0)
        for di in range(-2, 3):
            for dj in range(-2, 3):
                total += image[min(max(i + di, 0), height - 1), min(max(j + dj, 0), width - 1)]
        return total * np.float32(1 / 25)

    @numba.njit(parallel=True, fastmath=True)
    def blur(image, out):
        height, width = image.shape
        for i in numba.prange(height):
            if 2 <= i < height - 2:
                for j in range(2, width - 2):
                    total = np.float32(0)
                    for di in range(-2, 3):
                        for dj in range(-2, 3):
                            total += image[i + di, j + dj]
                    out[i, j] = total * np.float32(1 / 25)
                for j in (0, 1, width - 2, width - 1):
                    out[i, j] = clamped(image, i, j)
            else:
                for j in range(width):
                    out[i, j] = clamped(image, i, j)

    image = np.random.default_rng(1).uniform(-1, 1, (2048, 2048)).astype(np.float32)
    out = np.empty_like(image)
    return lambda: blur(image, out)


def numpy_matmul():
    rng = np.random.default_rng(1)
    a, b = (rng.uniform(-1, 1, (1024, 1024)).astype(np.float32) for _ in range(2))
    out = np.empty_like(a)
    return lambda: np.matmul(a, b, out=out)


def uniform(*shape):
    return np.random.default_rng(1).uniform(-1, 1, shape).astype(np.float32)


def numpy_dot():
    x, y = uniform(32_000_000), uniform(32_000_000)
    return lambda: np.dot(x, y)


def jax_saxpy():
    import jax
    import jax.numpy as jnp

    x, y = (jnp.asarray(uniform(32_000_000)) for _ in range(2))
    saxpy = jax.jit(lambda x, y: 2.5 * x + y)
    return lambda: jax.block_until_ready(saxpy(x, y))


def numpy_row_sums():
    m = uniform(8192, 4096)
    return lambda: m.sum(axis=1)


def numpy_transpose():
    m = uniform(4096, 4096)
    out = np.empty_like(m)
    return lambda: np.copyto(out, m.T)


def jax_softmax():
    import jax
    import jax.numpy as jnp

    m = jnp.asarray(uniform(8192, 1000))
    softmax = jax.jit(lambda m: jax.nn.softmax(m, axis=1))
    return lambda: jax.block_until_ready(softmax(m))


def words(count, most):
    return np.random.default_rng(1).integers(0, most, count, np.uint32)


def numpy_histogram():
    keys = words(32_000_000, 256)
    return lambda: np.bincount(keys, minlength=256)


def numpy_sort():
    keys = words(16_000_000, 1 << 32)

    def run():
        own = keys.copy()
        start = time.perf_counter()
        own.sort()
        return time.perf_counter() - start

    return run


def scipy_smvm():
    import scipy.sparse

    rows = 262_144
    offsets = np.zeros(rows + 1, np.int32)
    offsets[1:] = np.cumsum(words(rows, 64))
    n = int(offsets[-1])
    matrix = scipy.sparse.csr_matrix((uniform(n), words(n, rows).astype(np.int32), offsets), (rows, rows))
    x = uniform(rows)
    return lambda: matrix @ x


def numba_n_body():
    import numba

    @numba.njit(parallel=True, fastmath=True)
    def pulls(x, y, z, mass, out):
        for i in numba.prange(x.size):
            a, b, c = np.float32(0), np.float32(0), np.float32(0)
            for j in range(x.size):
                dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
                d = dx * dx + dy * dy + dz * dz + np.float32(0.01)
                pull = mass[j] / (d * np.sqrt(d))
                a += dx * pull
                b += dy * pull
                c += dz * pull
            out[0, i], out[1, i], out[2, i] = a, b, c

    bodies = np.random.default_rng(1).uniform(0, 1, (4, 16_384)).astype(np.float32)
    out = np.empty((3, 16_384), np.float32)
    return lambda: pulls(*bodies, out)


PROGRAMS = {
    ("black_scholes", "jax"): jax_black_scholes,
    ("mandelbrot", "numba"): numba_mandelbrot,
    ("running_sums", "numba"): numba_running_sums,
    ("blur", "numba"): numba_blur,
    ("matmul", "numpy"): numpy_matmul,
    ("dot", "numpy"): numpy_dot,
    ("saxpy", "jax"): jax_saxpy,
    ("row_sums", "numpy"): numpy_row_sums,
    ("transpose", "numpy"): numpy_transpose,
    ("softmax", "jax"): jax_softmax,
    ("histogram", "numpy"): numpy_histogram,
    ("sort", "numpy"): numpy_sort,
    ("smvm", "scipy"): scipy_smvm,
    ("n_body", "numba"): numba_n_body,
}


def main():
    ready = {}
    for line in sys.stdin:
        key = tuple(line.split())
        try:
            if key not in ready:
                ready[key] = PROGRAMS[key]()
                ready[key]()
            start = time.perf_counter()
            took = ready[key]()
            all_of_it = time.perf_counter() - start
            print(took if type(took) is float else all_of_it, flush=True)
        except Exception as error:  # a missing package is an answer, not a crash
            print(f"{key}: {error}", file=sys.stderr)
            print("-", flush=True)


main()
