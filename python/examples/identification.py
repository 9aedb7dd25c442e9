"""Coefficients of restitution from rebound heights, by scipy's least squares.

A tennis ball on a basketball, dropped together, and the other way round (P0, section 8.3): the heights to
which they rebound tell e between the balls and e of the basketball on the floor. The data here are made
with known coefficients and noise, so that one sees whether they are found again. The program does
this by `carom fit`; here any optimizer that calls a function will do.
"""

import numpy as np
from scipy.optimize import least_squares

import carom

G, DROP = 9.8, 1.5
MASSES = [0.058, 0.580]                     # tennis ball, basketball
E_TENNIS_FLOOR = 0.55                       # known from drops of the tennis ball alone
RATIO_BASKET, RATIO_TENNIS = 1 + 38 / 3.25, 1 + 3.25 / 38    # K of the floor to K between the balls


def heights(between, basket_floor):
    """Of both balls, in both orders: four heights in metres."""
    speed = np.sqrt(2 * G * DROP)
    result = []
    for masses, ratio, floor in [(MASSES, RATIO_BASKET, basket_floor), (MASSES[::-1], RATIO_TENNIS, E_TENNIS_FLOOR)]:
        balls = carom.chain(mass=masses, velocity=speed, exponent=1, stiffness=1, restitution=between,
                            wall={"side": "right", "stiffness": ratio, "restitution": floor})
        up = -balls.solve().velocity        # the floor is on the right
        result += list(np.sign(up) * up**2 / (2 * G))
    return np.array(result)


TRUE, SIGMA = np.array([0.5, 0.8]), 0.01    # heights are read to a centimetre
measured = heights(*TRUE) + SIGMA * np.random.default_rng(8).standard_normal(4)

found = least_squares(lambda e: (heights(*e) - measured) / SIGMA, x0=[0.7, 0.7], bounds=([0.1, 0.1], [1, 1]),
                      diff_step=1e-6)
covariance = np.linalg.inv(found.jac.T @ found.jac)
error = np.sqrt(np.diag(covariance))
for name, e, sigma, true in zip(["between the balls", "basketball on the floor"], found.x, error, TRUE):
    print(f"e {name}: {e:.4f} +- {sigma:.4f} (made with {true:g})")
print(f"correlation {covariance[0, 1] / error.prod():+.2f}, chi^2 {2 * found.cost:.2f} of 2 degrees of freedom")
assert np.all(np.abs(found.x - TRUE) < 4 * error)

# With one exponent everywhere, K moves nothing but time: velocities cannot tell it.
softer = carom.chain(mass=MASSES, velocity=1, exponent=1, stiffness=0.1, restitution=0.5,
                     wall={"side": "right", "stiffness": 0.1 * RATIO_BASKET, "restitution": 0.8}).solve().velocity
harder = carom.chain(mass=MASSES, velocity=1, exponent=1, stiffness=10, restitution=0.5,
                     wall={"side": "right", "stiffness": 10 * RATIO_BASKET, "restitution": 0.8}).solve().velocity
assert np.allclose(softer, harder, atol=1e-8)
