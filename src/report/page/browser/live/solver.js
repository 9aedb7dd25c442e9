// The program in a worker: the page stays usable, what takes long can be ended, the last change counts.
"use strict";

// While one runs, the last change waits; one that runs for longer than this is left for a newer one.
const PATIENCE = 1000; // milliseconds

// answered(answer) at the end of each, ready(laws) with what `carom laws` prints. -> {solve(request), stop(), busy, seconds}
carom.live.solver = function (answered, ready) {
  const solver = { worker: null, module: null, busy: false, waiting: null, since: 0, seconds: 0, number: 0 };
  const start = () => {
    const source = document.getElementById("carom-worker").textContent;
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    solver.worker = new Worker(address);
    URL.revokeObjectURL(address);
    solver.worker.onmessage = ({ data }) => (data.module ? keep(data) : take(data));
    solver.worker.postMessage(solver.module ? { module: solver.module }
      : { packed: document.getElementById("carom-solver").textContent });
  };
  // Unpacked once: the next worker is given the module.
  const keep = ({ module, laws }) => {
    solver.module = module;
    document.getElementById("carom-solver").textContent = "";
    ready(laws);
  };
  const take = (answer) => {
    if (answer.number !== solver.number) {
      return; // it was stopped
    }
    Object.assign(solver, { busy: false, seconds: answer.seconds });
    const next = solver.waiting;
    if (next === null) {
      document.body.classList.remove("busy");
    }
    answered(answer);
    if (next !== null) {
      solver.solve(next);
    }
  };
  solver.begin = () => solver.worker || start();
  solver.stop = () => {
    if (solver.module) { // else it is still unpacking
      solver.worker.terminate();
      solver.worker = null;
      start();
    }
    Object.assign(solver, { busy: false, waiting: null, number: solver.number + 1 });
    document.body.classList.remove("busy");
  };
  solver.solve = (request) => {
    solver.begin();
    if (solver.busy && performance.now() - solver.since > PATIENCE) {
      solver.stop();
    }
    if (solver.busy) {
      solver.waiting = request;
      return;
    }
    Object.assign(solver, { busy: true, waiting: null, since: performance.now() });
    document.body.classList.add("busy");
    solver.worker.postMessage({ ...request, number: ++solver.number });
  };
  return solver;
};
