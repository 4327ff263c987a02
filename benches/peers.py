"""JAX, numba and numpy on the CPU, timed on request: one line in (`black_scholes jax`), one line out (seconds, or `-`).

Every program runs once before its first timing, so that compilation does not count.
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


PROGRAMS = {
    ("black_scholes", "jax"): jax_black_scholes,
    ("mandelbrot", "numba"): numba_mandelbrot,
    ("running_sums", "numba"): numba_running_sums,
    ("blur", "numba"): numba_blur,
    ("matmul", "numpy"): numpy_matmul,
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
            ready[key]()
            print(time.perf_counter() - start, flush=True)
        except Exception as error:  # a missing package is an answer, not a crash
            print(f"{key}: {error}", file=sys.stderr)
            print("-", flush=True)


main()
