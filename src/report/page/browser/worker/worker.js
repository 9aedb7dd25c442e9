// In the worker: the program is unpacked, or received as a module, and run for each scenario that arrives.
"use strict";

// The data of a page as the program writes it.
function pageData(bytes) {
  const html = new TextDecoder().decode(bytes), mark = 'id="carom-data">', from = html.indexOf(mark) + mark.length;
  return html.slice(from, html.indexOf("<" + "/script>", from));
}

// -> {code, err, json, data, seconds}. The time is that of the answer; an impact is gone through again for its page,
// a motion has both from one run.
function solveScenario(module, { text, options }) {
  const command = /^simulate:/m.test(text) ? "simulate" : "solve";
  const run = (...more) => {
    const files = {}, done = runCarom(module, [command, "-", "--format", "json", ...options, ...more], text, files);
    return { ...done, data: files["page.html"] ? pageData(files["page.html"]) : null };
  };
  const page = ["--report", "/page.html"], begun = performance.now();
  const first = command === "simulate" ? run(...page) : run();
  const seconds = (performance.now() - begun) / 1000;
  const second = command === "simulate" || !first.out ? first : run(...page);
  return { command, seconds, code: first.code, err: first.err || second.err, json: first.out, data: second.data };
}

let solverModule = null;

// {packed} or {module}, then {text, options}; what was packed is returned as a module, with the list of laws
function answerPage({ data }) {
  if (data.packed) {
    solverModule = new WebAssembly.Module(unpackProgram(data.packed));
    postMessage({ module: solverModule, laws: runCarom(solverModule, ["laws"]).out });
  } else if (data.module) {
    solverModule = data.module;
  } else {
    try {
      postMessage({ ...data, ...solveScenario(solverModule, data) });
    } catch (error) {
      postMessage({ ...data, err: "carom: the solver ended: " + error.message, json: "", data: null });
    }
  }
}

if (typeof WorkerGlobalScope !== "undefined") {
  onmessage = answerPage;
}
