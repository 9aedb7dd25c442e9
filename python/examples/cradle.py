"""Newton's cradle by several laws: the comparison, the wave, and what friction within the balls does.

Every law below conserves momentum, and with e = 1 energy; they disagree all the same, because with five
balls that does not determine five velocities.
"""

import numpy as np

import carom

steel = {"young": "203 GPa", "poisson": 0.3, "density": 7780}
cradle = carom.chain(count=5, radius="1 cm", material=steel, restitution=1)
strike = np.array([1.0, 0, 0, 0, 0])

# ---- Side by side
outs = cradle.compare(strike, ["lzb", "moreau", "binary"])
print(outs)
for out in outs:
    print(f"{out.label:8} last ball {out.velocity[-1]:.4f} m/s, energy {out.energy_ratio:.6f} of that before")

# ---- Two balls strike: two leave, nearly
two = cradle.solve([1, 1, 0, 0, 0])
print("two balls in:", two.velocity.round(3))

# ---- The wave: forces in time, as arrays
out = cradle.solve(strike, history=True)
h = out.history
print(f"{len(h)} samples; the last contact's force is largest after {h.time[h.force[:, -1].argmax()] * 1e6:.0f} us")

# ---- Figures, where matplotlib is
try:
    outs.plot().figure.savefig("cradle_laws.png")
    out.wave().plot().figure.savefig("cradle_wave.png")
except ImportError as missing:
    print(missing)
