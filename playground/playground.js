// The playground: a scenario as text and as sliders, solved in a worker at every change.
"use strict";

// ---- Scenarios to start from ------------------------------------------------------------------

const PRESETS = {
  "Newton's cradle": "title: Newton's cradle\nlaws: [lzb, moreau, binary]\nchain:\n  count: 5\n  radius: 0.01\n  material: steel\n  velocity: [1]\n  restitution: 0.97\n",
  "two balls strike": "title: Two balls come in\nlaws: [lzb, moreau]\nchain:\n  count: 5\n  radius: 0.01\n  material: steel\n  velocity: [1, 1]\n  restitution: 1\n",
  "a column on a wall": "title: A column on a wall\nlaws: [lzb, poisson, moreau]\nchain:\n  count: 4\n  mass: 1\n  velocity: [1, 1, 1, 1]\n  restitution: 0.8\n  exponent: 1.5\n  wall: right\n",
  "a wave in 40 beads": "title: A wave in 40 beads\nlaws: [lzb, moreau]\nchain:\n  count: 40\n  mass: 1\n  velocity: [1]\n  restitution: 1\n  exponent: 1.5\n",
  "a decorated chain": "title: Small beads between large ones\nlaws: [lzb, binary]\nchain:\n  count: 11\n  mass: [1, 0.2, 1, 0.2, 1, 0.2, 1, 0.2, 1, 0.2, 1]\n  velocity: [1]\n  restitution: 1\n",
  "Bernoulli's problem": "title: Bernoulli's problem\nlaws: [lzb, moreau, binary]\nbodies:\n  - {name: cue, radius: 1, mass: 1, position: [0, 0], velocity: [1, 0]}\n  - {name: upper, radius: 1, mass: 1, position: [sqrt(3), 1]}\n  - {name: lower, radius: 1, mass: 1, position: [sqrt(3), -1]}\ncontacts:\n  restitution: 1\n",
  "the break": "title: The break\nlaws: [lzb, moreau, binary]\nbodies:\n  - {name: cue, radius: 1, mass: 1, position: [-2, 0], velocity: [1, 0]}\n  - {name: one, radius: 1, mass: 1, position: [0, 0]}\n  - {name: two, radius: 1, mass: 1, position: [sqrt(3), 1]}\n  - {name: three, radius: 1, mass: 1, position: [sqrt(3), -1]}\n  - {name: four, radius: 1, mass: 1, position: [2*sqrt(3), 2]}\n  - {name: five, radius: 1, mass: 1, position: [2*sqrt(3), 0]}\n  - {name: six, radius: 1, mass: 1, position: [2*sqrt(3), -2]}\ncontacts:\n  restitution: 0.95\n",
  "a rocking block": "title: A block rocks to rest\nlaws: [poisson]\nbodies:\n  - {name: block, shape: box, size: [0.4, 1], mass: 1, position: [0, 0.53], angle: 0.1, velocity: [0, 0], spin: 0}\nwalls:\n  - {name: floor, point: [0, 0], normal: [0, 1]}\ncontacts:\n  restitution: 0.3\nsimulate:\n  duration: 2\n  gravity: [0, -9.81]\n  stop: {at_rest: true}\n",
  "a bouncing ball": "title: A ball bounces to rest\nlaws: [lzb]\nbodies:\n  - {name: ball, radius: 0.1, mass: 1, position: [0, 1.1], velocity: [0.5, 0]}\nwalls:\n  - {name: floor, point: [0, 0], normal: [0, 1]}\ncontacts:\n  restitution: 0.8\nsimulate:\n  duration: 5\n  gravity: [0, -9.81]\n  stop: {at_rest: true}\n",
};

const LAWS = ["lzb", "moreau", "newton", "poisson", "binary", "sequential", "icr", "compliant"];

// Fields with a slider: the first place in the text where one stands as a number.
const FIELDS = [
  { name: "count", from: 2, to: 60, step: 1 }, { name: "restitution", from: 0, to: 1, step: 0.01 },
  { name: "exponent", from: 1, to: 3, step: 0.05 }, { name: "mass", from: 0.1, to: 10, step: 0.1 },
  { name: "stiffness", from: 0.1, to: 10, step: 0.1 }, { name: "angle", from: -0.5, to: 0.5, step: 0.01 },
];

// ---- The text ---------------------------------------------------------------------------------

const placeOf = (text, field) => {
  const found = new RegExp("(^|[\\s{,])(" + field.name + ":\\s*)(-?[\\d.]+(?:e[-+]?\\d+)?)(?=\\s*([,}\\n]|$))").exec(text);
  return found && { start: found.index + found[1].length + found[2].length, number: found[3] };
};

const withNumber = (text, field, value) => {
  const place = placeOf(text, field);
  return place ? text.slice(0, place.start) + value + text.slice(place.start + place.number.length) : text;
};

// The laws of a flow list in one line; null where they are written in another way.
const lawsOf = (text) => {
  const found = /^laws:\s*\[([\w\s,-]*)\]\s*$/m.exec(text);
  return found && found[1].split(",").map((name) => name.trim()).filter(Boolean);
};

const withLaws = (text, laws) => text.replace(/^laws:.*$/m, "laws: [" + laws.join(", ") + "]");

// ---- Solving ----------------------------------------------------------------------------------

const solver = { worker: null, module: null, busy: false, waiting: null, since: 0, seconds: 0 };

const decodeModule = async () => {
  const text = document.getElementById("carom-wasm").textContent;
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
};

const startWorker = () => {
  const source = document.getElementById("carom-host").textContent + `
    let module = null;
    onmessage = ({ data }) => {
      if (data.module) {
        module = data.module;
        return;
      }
      const files = {}, command = /^simulate:/m.test(data.text) ? "simulate" : "solve";
      const begun = performance.now();
      try {
        const json = runCarom(module, [command, "-", "--format", "json"], data.text);
        const seconds = (performance.now() - begun) / 1000;
        const page = json.out ? runCarom(module, [command, "-", "--report", "/page.html", "--quiet"], data.text, files) : json;
        const html = files["page.html"] ? new TextDecoder().decode(files["page.html"]) : "";
        const from = html.indexOf('id="carom-data">') + 'id="carom-data">'.length;
        postMessage({ text: data.text, command, seconds, json: json.out, code: json.code, err: json.err || page.err,
          data: html ? html.slice(from, html.indexOf("<\\/script>", from)) : null });
      } catch (error) {
        postMessage({ text: data.text, command, err: "carom: the solver ended: " + error.message, data: null });
      }
    };`;
  solver.worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  solver.worker.postMessage({ module: solver.module });
  solver.worker.onmessage = ({ data }) => {
    Object.assign(solver, { busy: false, seconds: data.seconds });
    show(data);
    if (solver.waiting !== null) {
      solve(solver.waiting);
    }
  };
};

const stop = () => {
  solver.worker.terminate();
  solver.busy = false;
  startWorker();
};

// While one runs, the last change waits; one that runs for longer than this is left for a newer one.
const PATIENCE = 1000;

const solve = (text) => {
  if (solver.busy) {
    solver.waiting = text;
    if (performance.now() - solver.since > PATIENCE) {
      stop();
    } else {
      return;
    }
  }
  Object.assign(solver, { busy: true, waiting: null, since: performance.now() });
  document.body.classList.add("busy");
  solver.worker.postMessage({ text });
};

// ---- What is shown ----------------------------------------------------------------------------

const control = (id) => document.getElementById(id);

// Where the player was, and by which laws.
const kept = () => {
  const { player } = carom.charts;
  return player && player.laws ? {
    part: player.transport.part(), playing: player.transport.playing, labels: player.laws.map((k) => k >= 0 && carom.data.results[k].label),
  } : null;
};

const restore = (before) => {
  const { player } = carom.charts;
  if (!before || !player || !player.laws) {
    return;
  }
  ["law", "beside"].forEach((id, place) => {
    const k = carom.data.results.findIndex((result) => result.label === before.labels[place]);
    if (k >= 0 && control(id) && player.laws[place] !== k) {
      control(id).selectedIndex = place === 0 ? k : k + 1;
      control(id).dispatchEvent(new Event("change"));
    }
  });
  player.show(before.part);
  if (before.playing) {
    player.transport.start();
  }
};

const fingerprint = async (text) => {
  if (!crypto.subtle) {
    return "";
  }
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

const show = async (answer) => {
  document.body.classList.remove("busy");
  // The program names its input; here it is the text beside.
  control("message").textContent = (answer.err || "").trim().replaceAll("-:", "line ");
  if (!answer.data) {
    return;
  }
  const before = kept();
  carom.open(JSON.parse(answer.data));
  restore(before);
  const hash = await fingerprint(answer.json);
  control("bits").textContent = "Solved in " + carom.format(1000 * answer.seconds, 2) + " ms by carom " + carom.data.carom +
    (hash ? ". SHA-256 of the JSON: " + hash + "…, as of carom " + answer.command + " FILE --format json" : "");
};

// ---- Controls ---------------------------------------------------------------------------------

const scenario = () => control("text").value;

const change = (text, byTyping = false) => {
  if (!byTyping) {
    control("text").value = text;
  }
  refreshControls();
  history.replaceState(null, "", "#scenario=" + encodeURIComponent(text));
  solve(text);
};

const refreshControls = () => {
  const text = scenario(), laws = lawsOf(text);
  for (const field of FIELDS) {
    const place = placeOf(text, field), row = control("row-" + field.name), slider = control("field-" + field.name);
    row.hidden = !place;
    if (place) {
      const value = Number(place.number);
      slider.min = Math.min(field.from, value);
      slider.max = Math.max(field.to, value);
      slider.value = value;
      control("value-" + field.name).textContent = place.number;
    }
  }
  control("laws-row").hidden = !laws;
  for (const name of LAWS) {
    control("law-" + name).checked = Boolean(laws && laws.includes(name));
  }
};

const makeControls = () => {
  const { element } = carom;
  control("controls").append(
    element("label", { class: "select" }, "start from ", element("select", { id: "preset",
      change: () => change(PRESETS[control("preset").value]) }, Object.keys(PRESETS).map((name) => element("option", {}, name)))),
    ...FIELDS.map((field) => element("label", { class: "field", id: "row-" + field.name }, field.name + " ",
      element("input", { type: "range", id: "field-" + field.name, step: field.step, min: field.from, max: field.to,
        input: () => change(withNumber(scenario(), field, control("field-" + field.name).value)) }),
      element("output", { id: "value-" + field.name }))),
    element("fieldset", { class: "choice", id: "laws-row" }, element("legend", {}, "laws"),
      LAWS.map((name) => element("label", {}, element("input", { type: "checkbox", id: "law-" + name, change: () => {
        const now = LAWS.filter((one) => control("law-" + one).checked);
        change(withLaws(scenario(), now.length ? now : ["lzb"]));
      } }), element("span", {}, name)))),
    element("details", { id: "scenario-part", open: window.innerWidth > 900 }, element("summary", {}, "scenario"),
      element("textarea", { id: "text", rows: 14, spellcheck: "false", "aria-label": "the scenario, as YAML",
        input: () => change(scenario(), true) })),
    element("p", { class: "tools" },
      element("button", { type: "button", id: "stop", click: () => {
        solver.waiting = null;
        stop();
        document.body.classList.remove("busy");
        control("message").textContent = "Stopped.";
      } }, "Stop"),
      element("button", { type: "button", id: "copy", click: () => navigator.clipboard && navigator.clipboard.writeText(location.href) },
        "Copy a link")),
    element("pre", { id: "message", role: "status" }));
};

(async () => {
  carom.address.own = true; // for the scenario
  makeControls();
  solver.module = await decodeModule();
  startWorker();
  const given = /^#scenario=(.*)$/.exec(location.hash);
  change(given ? decodeURIComponent(given[1]) : PRESETS["Newton's cradle"]);
  carom.playground = { change, stop, solver };
})();
