"""torch, CuPy and JAX on a GPU, timed on request: one line in (`dot torch`), one line out (seconds, or `-`).

Sizes are those of `src/gpu.rs`. Every program runs twice before its first timing, so that compilation does not count.
"""

import sys
import time

N, SIDE, BINS = 64 << 20, 8192, 4_000_000
# Timed together, as on the other side.
CALLS = 10


def torch_():
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.manual_seed(1)
    return torch


def cupy_():
    import cupy

    cupy.random.seed(1)
    return cupy


def repeated(library, wait):
    """Programs of a library: what is timed is so many calls of one, until the device is done."""

    def of(program):
        def build():
            module = library()
            work = program(module)

            def run():
                for _ in range(CALLS):
                    work()
                wait(module)

            return run

        return build

    return of


by_torch = repeated(torch_, lambda torch: torch.cuda.synchronize())
by_cupy = repeated(cupy_, lambda cupy: cupy.cuda.Device().synchronize())


def on(torch, *shape):
    return torch.rand(*shape, device="cuda") * 2 - 1


def smvm_torch(torch):
    offsets, columns, values, x = sparse(torch)
    matrix = torch.sparse_csr_tensor(offsets, columns, values, size=(1 << 20, 1 << 20))
    return lambda: matrix @ x


def sparse(torch):
    rows = 1 << 20
    counts = torch.randint(0, 64, (rows,), device="cuda")
    offsets = torch.zeros(rows + 1, dtype=torch.int32, device="cuda")
    offsets[1:] = torch.cumsum(counts, 0)
    n = int(offsets[-1])
    columns = torch.randint(0, rows, (n,), dtype=torch.int32, device="cuda")
    return offsets, columns, on(torch, n), on(torch, rows)


def smvm_cupy(cupy):
    import cupyx.scipy.sparse as sparse

    rows = 1 << 20
    offsets = cupy.zeros(rows + 1, cupy.int32)
    offsets[1:] = cupy.cumsum(cupy.random.randint(0, 64, rows))
    n = int(offsets[-1])
    columns = cupy.random.randint(0, rows, n).astype(cupy.int32)
    values = cupy.random.random(n, cupy.float32)
    matrix = sparse.csr_matrix((values, columns, offsets), (rows, rows))
    x = cupy.random.random(rows, cupy.float32)
    return lambda: matrix @ x


def two(torch, work, *shape):
    a, b = on(torch, *shape), on(torch, *shape)
    return lambda: work(a, b)


def one(torch, work, *shape):
    a = on(torch, *shape)
    return lambda: work(a)


def keyed(torch, most, work):
    keys = torch.randint(0, most, (N,), dtype=torch.int64, device="cuda")
    return lambda: work(keys)


def sums(torch):
    xs = on(torch, N)
    return keyed(torch, BINS, lambda keys: torch.zeros(BINS, device="cuda").index_add_(0, keys, xs))


def blur(torch):
    image, kernel = on(torch, 1, 1, SIDE, SIDE), torch.full((1, 1, 5, 5), 1 / 25, device="cuda")
    return lambda: torch.nn.functional.conv2d(image, kernel, padding=2)


def random_words(cupy, count):
    return cupy.random.randint(0, 1 << 32, count, dtype=cupy.uint32)


def words(cupy, work, most):
    keys = (random_words(cupy, N) % most).astype(cupy.uint32)
    return lambda: work(keys)


def floats(cupy, work, *shape):
    xs = cupy.random.random(shape, cupy.float32) * 2 - 1
    return lambda: work(xs)


def cupy_dot(cupy):
    xs, ys = (cupy.random.random(N, cupy.float32) for _ in range(2))
    return lambda: xs @ ys


def cupy_sort(cupy):
    keys = random_words(cupy, N // 2)
    return lambda: cupy.sort(keys)


def torch_sort(torch):
    keys = torch.randint(-(1 << 31), 1 << 31, (N // 2,), dtype=torch.int32, device="cuda")
    return lambda: torch.sort(keys)


def jax_black_scholes():
    import jax

    price = jax_price()
    keys = jax.random.split(jax.random.key(1), 3)
    draw = lambda key, low, high: jax.random.uniform(key, (8_000_000,), minval=low, maxval=high)
    columns = draw(keys[0], 5, 30), draw(keys[1], 1, 100), draw(keys[2], 0.25, 10)
    return lambda: jax.block_until_ready([price(*columns) for _ in range(CALLS)])


def jax_nbody():
    import jax
    import jax.numpy as jnp

    @jax.jit
    def forces(p, mass):
        d = p[:, None, :] - p[:, :, None]
        square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01
        inverse = 1 / jnp.sqrt(square)
        pull = mass * inverse * inverse * inverse
        return (d * pull).sum(axis=2)

    keys = jax.random.split(jax.random.key(1), 2)
    p, mass = jax.random.uniform(keys[0], (3, 65_536)), jax.random.uniform(keys[1], (65_536,))
    return lambda: jax.block_until_ready([forces(p, mass) for _ in range(CALLS)])


TORCH = {
    "copy": lambda t: one(t, lambda a: a.clone(), N),
    "saxpy": lambda t: two(t, lambda a, b: t.add(b, a, alpha=2.5), N),
    "dot": lambda t: two(t, t.dot, N),
    "scan": lambda t: one(t, lambda a: t.cumsum(a, 0), N),
    "filter": lambda t: one(t, lambda a: a[a > 0], N),
    "histogram": lambda t: keyed(t, 256, lambda keys: t.bincount(keys, minlength=256)),
    "sums": sums,
    "sort": torch_sort,
    "row_sums": lambda t: one(t, lambda a: a.sum(1), SIDE, SIDE),
    "column_sums": lambda t: one(t, lambda a: a.sum(0), SIDE, SIDE),
    "transpose": lambda t: one(t, lambda a: a.t().contiguous(), SIDE, SIDE),
    "plus_transpose": lambda t: one(t, lambda a: a + a.t(), SIDE, SIDE),
    "blur": blur,
    "softmax": lambda t: one(t, lambda a: t.softmax(a, 1), SIDE * SIDE // 1024, 1024),
    "matmul512": lambda t: two(t, t.matmul, 512, 512),
    "matmul1024": lambda t: two(t, t.matmul, 1024, 1024),
    "matmul4096": lambda t: two(t, t.matmul, 4096, 4096),
    "smvm": smvm_torch,
}
CUPY = {
    "dot": cupy_dot,
    "scan": lambda c: floats(c, c.cumsum, N),
    "filter": lambda c: floats(c, lambda xs: xs[xs > 0], N),
    "histogram": lambda c: words(c, lambda keys: c.bincount(keys, minlength=256), 256),
    "sort": cupy_sort,
    "row_sums": lambda c: floats(c, lambda m: m.sum(axis=1), SIDE, SIDE),
    "column_sums": lambda c: floats(c, lambda m: m.sum(axis=0), SIDE, SIDE),
    "smvm": smvm_cupy,
}
PROGRAMS = {
    **{(name, "torch"): by_torch(program) for name, program in TORCH.items()},
    **{(name, "cupy"): by_cupy(program) for name, program in CUPY.items()},
    ("black_scholes", "jax"): jax_black_scholes,
    ("nbody", "jax"): jax_nbody,
}


def main():
    import os

    # Others take memory too.
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    last, run = None, None
    for line in sys.stdin:
        key = tuple(line.split())
        try:
            if key != last:
                # What the last one holds goes first.
                run, last = None, None
                run, last = PROGRAMS[key](), key
                run()
                run()
            start = time.perf_counter()
            run()
            print(time.perf_counter() - start, flush=True)
        except Exception as error:  # a missing package is an answer, not a crash
            print(f"{key}: {error}", file=sys.stderr)
            print("-", flush=True)


main()
