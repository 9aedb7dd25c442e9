"""A double pendulum beside a wall: the motion by scipy, the impacts by carom.

Your own multibody code has M(q), the forces and the gaps. Between impacts scipy's solve_ivp moves it; when
a gap closes, carom.solve takes M and W there and gives the velocities after.

Two rods of length 1 without mass, a mass of 1 at the elbow and at the tip, angles from straight down. The
wall is at x = -0.3; elbow and tip may touch it.
"""

import numpy as np
from scipy.integrate import solve_ivp

import carom

GRAVITY, WALL = 9.81, -0.3


def mass(q):
    c = np.cos(q[0] - q[1])
    return np.array([[2, c], [c, 1]])


def rate(t, state):
    q, v = state[:2], state[2:]
    s = np.sin(q[0] - q[1])
    force = np.array([-s * v[1] ** 2 - 2 * GRAVITY * np.sin(q[0]), s * v[0] ** 2 - GRAVITY * np.sin(q[1])])
    return np.concatenate([v, np.linalg.solve(mass(q), force)])


def gaps(q):
    return np.array([np.sin(q[0]), np.sin(q[0]) + np.sin(q[1])]) - WALL


def gradients(q):
    """W: a column per gap."""
    return np.array([[np.cos(q[0]), np.cos(q[0])], [0, np.cos(q[1])]])


def energy(state):
    q, v = state[:2], state[2:]
    return v @ mass(q) @ v / 2 - GRAVITY * (2 * np.cos(q[0]) + np.cos(q[1]))


def event(k):
    def gap(t, state):
        return gaps(state[:2])[k]

    gap.terminal, gap.direction = True, -1
    return gap


def move(state, end, restitution, law):
    """Until `end`; returns the state and the impacts."""
    t, impacts = 0.0, []
    while t < end:
        run = solve_ivp(rate, (t, end), state, events=[event(0), event(1)], rtol=1e-10, atol=1e-12)
        t, state = run.t[-1], run.y[:, -1]
        if run.status != 1:
            break
        q, v = state[:2], state[2:]
        closed = gaps(q) < 1e-9
        out = carom.solve(mass(q), gradients(q)[:, closed], v, law, restitution=restitution)
        state = np.concatenate([q, out.velocity])
        impacts.append((t, closed, out))
    return state, impacts


start = np.array([1.0, 0.5, 0, 0])
state, impacts = move(start, 4.0, 1.0, "lzb")
for t, closed, out in impacts:
    who = " and ".join(np.array(["elbow", "tip"])[closed])
    print(f"t = {t:.4f} s  {who} leaves at {out.gap_velocity.max():.3f} m/s")
drift = abs(energy(state) - energy(start))
print(f"{len(impacts)} impacts; the energy has changed by {drift:.1e} J")
assert impacts and drift < 1e-6

state, impacts = move(start, 4.0, 0.5, "newton")
lost = sum(out.loss.sum() for _, _, out in impacts)
print(f"with e = 0.5: {lost:.4f} J lost in {len(impacts)} impacts, {energy(start) - energy(state):.4f} J are gone")
assert abs(lost - (energy(start) - energy(state))) < 1e-6
