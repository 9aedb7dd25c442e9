"""A parameter study with pandas: how much of the speed arrives at the end of a chain.

The grid is solved on all cores by every law; the table is pandas' from there on.
"""

import numpy as np

import carom

chain = {"laws": ["lzb", "binary"], "chain": {"count": 10, "velocity": [1]}}
table = carom.sweep(chain, grid={"chain.restitution": np.linspace(0.5, 1, 6), "chain.exponent": [1, 1.5]},
                    record=["velocity[-1]", "energy_ratio", "dispersion"])
data = table.to_dataframe()
print(data.pivot_table("velocity[-1]", "chain.restitution", ["law", "chain.exponent"]).round(4))

# With e = 1 all laws keep the energy.
elastic = data[data["chain.restitution"] == 1]
assert np.allclose(elastic["energy_ratio"], 1, atol=1e-9)
best = data.loc[data["velocity[-1]"].idxmax()]
print(f"most arrives with e = {best['chain.restitution']:g}, exponent {best['chain.exponent']:g}, by {best['law']}")

# Random masses: 200 draws around 1, and how far the answers spread.
draws = carom.sweep({"chain": {"count": 10, "velocity": [1]},
                     "sweep": {"sample": {"points": 200, "seed": 1, "of": {"chain.mass": {"normal": [1, 0.05], "each": 10}}},
                               "record": ["velocity[-1]"]}})
speed = draws["velocity[-1]"]
print(f"masses uncertain by 5 %: {speed.mean():.4f} +- {speed.std():.4f} m/s")
