"""A law of one's own beside those of carom.

Each contact gets the rebound -e u of its own closing speed at once: p = -(1 + e) D^-1 u. It is a function
of D and u; everything else, velocities, energies and verdicts, follows as for any law. The verdicts tell
that it is no good where contacts do not all close: impulses may pull.
"""

import numpy as np

import carom


@carom.law("all-at-once", summary="every contact rebounds by its own e",
           options={"factor": carom.number(1, 0, 1, "On every e.")})
def all_at_once(D, u, restitution, factor):
    """u+ = -e u- at every contact, by whatever impulses it takes."""
    if np.linalg.matrix_rank(D) < len(u):
        raise carom.NoAnswer("the contacts are dependent")
    return np.linalg.solve(D, -(1 + factor * restitution) * u)


chain = carom.chain(count=3, restitution=0.8)
outs = chain.compare([1, 0, 0], ["lzb", "newton", "all-at-once", {"law": "all-at-once", "label": "half", "factor": 0.5}])
print(outs)
mine = outs["all-at-once"]
assert np.allclose(mine.gap_velocity, -0.8 * chain.gap_velocity([1, 0, 0]))

# It goes wherever a law goes: batches on all cores, studies, motions, scenario files.
v = np.zeros((1000, 3))
v[:, 0] = np.linspace(1, 2, 1000)
batch = chain.solve_batch(v, "all-at-once")
print(batch, "in a batch; energy kept:", (batch.energy_after / batch.energy_before).mean().round(4))

table = carom.sweep({"laws": ["newton", "all-at-once"], "chain": {"count": 3, "velocity": [1]}},
                    grid={"chain.restitution": [0.5, 1]}, record=["velocity[-1]"])
print(table.to_dataframe()[["chain.restitution", "law", "velocity[-1]"]])
