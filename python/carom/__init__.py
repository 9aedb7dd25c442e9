"""carom: multiple impacts by every law, side by side.

    out = carom.solve(M, W, v, law="lzb", restitution=0.97)
    model = carom.chain(count=5, restitution=0.97)
    outs = model.compare([1, 0, 0, 0, 0], ["lzb", "moreau", "binary"])
    print(outs)

SI units, indices of messages from 1, of arrays from 0. See python/README.md.
"""

from ._admissible import Admissible, admissible
from ._batch import Batch, solve_batch
from ._coulomb import Coulomb, coulomb
from ._inverse import Fit, Sensitivity, fit, sensitivity
from ._laws import Law, Laws, Option, OwnLaw, choice, law, laws, number, register, unregister
from ._library import Error, NoAnswer, lib as _lib, text as _text
from ._model import Model, bodies, chain, load, packing, solve, system
from ._motion import Impact, Motion, simulate
from ._outcome import History, Outcome, Outcomes, Wave
from ._study import Sweep, sweep

__version__ = _text(_lib.crm_version())

__all__ = [
    "Admissible", "Batch", "Coulomb", "Error", "Fit", "History", "Impact", "Law", "Laws", "Model", "Motion",
    "NoAnswer", "Option", "Outcome", "Outcomes", "OwnLaw", "Sensitivity", "Sweep", "Wave", "admissible", "bodies",
    "chain", "choice", "coulomb", "fit", "law", "laws", "load", "number", "packing", "register", "sensitivity",
    "simulate", "solve", "solve_batch", "sweep", "system", "unregister",
]
