"""The Black-Scholes formula in JAX, for the scripts of both kinds of device, before which it stands."""


def jax_price():
    import jax
    import jax.numpy as jnp

    def cnd(d):
        k = 1 / (1 + 0.2316419 * jnp.abs(d))
        poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
        tail = 0.3989422804 * jnp.exp(-0.5 * d * d) * poly
        return jnp.where(d > 0, 1 - tail, tail)

    @jax.jit
    def price(s, k, t):
        r, v = 0.02, 0.3
        spread = v * jnp.sqrt(t)
        d1 = (jnp.log(s / k) + (r + 0.5 * v * v) * t) / spread
        d2 = d1 - spread
        discounted = k * jnp.exp(-r * t)
        c1, c2 = cnd(d1), cnd(d2)
        return s * c1 - discounted * c2, discounted * (1 - c2) - s * (1 - c1)

    return price


