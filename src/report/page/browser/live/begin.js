// A live page: its panel, what it shows of an answer, and the address that carries its scenario.
"use strict";

carom.live = { text: {} };

// ---- What stays from answer to answer -----------------------------------------------------------

// Where the player was, and by which laws.
carom.live.kept = function () {
  const { player } = carom.charts;
  return player && player.laws ? { part: player.transport.part(), playing: player.transport.playing,
    labels: player.laws.map((k) => k >= 0 && carom.data.results[k].label) } : null;
};

carom.live.restore = function (before) {
  const { player } = carom.charts;
  if (!before || !player || !player.laws) {
    return;
  }
  ["law", "beside"].forEach((id, place) => {
    const k = carom.data.results.findIndex((result) => result.label === before.labels[place]), list = document.getElementById(id);
    if (k >= 0 && list && player.laws[place] !== k) {
      list.selectedIndex = place === 0 ? k : k + 1;
      list.dispatchEvent(new Event("change"));
    }
  });
  player.show(before.part);
  if (before.playing) {
    player.transport.start();
  }
};

carom.live.fingerprint = async function (text) {
  if (!crypto.subtle) {
    return "";
  }
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
};

// ---- Words of a command line --------------------------------------------------------------------

carom.live.quote = (word) => (/^[\w.,:=@%+/-]+$/.test(word) ? word : "'" + word.replaceAll("'", "") + "'");
carom.live.words = (text) => (text.match(/'[^']*'|\S+/g) || []).map((word) => word.replace(/^'(.*)'$/, "$1"));

// ---- The page -----------------------------------------------------------------------------------

carom.live.begin = function () {
  const { element, live } = carom, control = (id) => document.getElementById(id);
  const given = /^#scenario=([^&]*)(?:&options=(.*))?$/.exec(location.hash);
  const source = carom.data ? carom.data.report.source : { scenario: "", arguments: [] };
  const arguments_ = () => live.words(control("options").value);

  const show = async (answer) => {
    // The program names its input; here it is the text beside.
    tell((answer.err || "").trim().replaceAll("-:", "line "));
    if (!answer.data) {
      return;
    }
    const before = live.kept();
    carom.open(JSON.parse(answer.data));
    live.restore(before);
    body.refresh();
    const hash = await live.fingerprint(answer.json);
    control("bits").textContent = "Solved in " + carom.format(1000 * answer.seconds, 2) + " ms by carom " + carom.data.carom +
      (hash ? ". SHA-256 of the JSON: " + hash + "…, as of carom " + answer.command + " FILE --format json" : "");
  };
  const solver = live.solver(show, (list) => laws.fill(list));
  const tell = (text) => {
    control("message").textContent = text;
  };
  const solve = () => {
    carom.address.own = true; // for the scenario
    [fields, laws].forEach(({ refresh }) => refresh());
    const options = control("options").value.trim();
    history.replaceState(null, "", "#scenario=" + encodeURIComponent(control("text").value) +
      (options ? "&options=" + encodeURIComponent(options) : ""));
    solver.solve({ text: control("text").value, options: arguments_() });
  };
  const change = (text, options = "") => {
    control("text").value = text;
    if (options !== null) {
      control("options").value = options;
    }
    solve();
  };
  const access = {
    text: () => control("text").value, change: (text) => change(text, null), options: () => control("options").value,
    changeOptions: (options) => change(control("text").value, options), tell,
  };
  const fields = live.fieldRows(access), laws = live.lawRow(access), body = live.bodyRow(access);

  const presets = live.PRESETS ? element("label", { class: "select" }, "start from ", element("select", { id: "preset",
    change: () => change(live.PRESETS[control("preset").value]) }, Object.keys(live.PRESETS).map((name) => element("option", {}, name)))) : null;
  const panel = element("aside", { id: "panel", "aria-label": "the scenario" },
    ...[element("h2", {}, live.PRESETS ? "Playground" : "Change it"), presets, ...fields.rows, laws.row, body.row,
      element("p", { class: "note" }, "In the picture: drag a ball to strike it."),
      element("details", { id: "scenario-part", open: window.innerWidth > 900 }, element("summary", {}, "scenario"),
        element("textarea", { id: "text", rows: 14, spellcheck: "false", "aria-label": "the scenario, as YAML", input: solve }),
        element("label", { class: "field" }, element("span", {}, "options"),
          element("input", { id: "options", type: "text", spellcheck: "false", placeholder: "--set chain.restitution=0.9", change: solve }))),
      element("p", { class: "tools" },
        element("button", { type: "button", id: "stop", click: () => {
          solver.stop();
          tell("Stopped.");
        } }, "Stop"),
        element("button", { type: "button", id: "copy", click: () => navigator.clipboard && navigator.clipboard.writeText(location.href) },
          "Copy a link")),
      element("pre", { id: "message", role: "status" }), element("p", { id: "bits" })].filter(Boolean));
  const page = control("page");
  const frame = element("div", { class: "live" }, panel, element("div", {}));
  page.replaceWith(frame);
  frame.lastChild.append(page);
  carom.redraw(); // in the room that is left

  live.change = change;
  live.stop = solver.stop;
  live.running = solver;
  if (given || !carom.data) {
    change(given ? decodeURIComponent(given[1]) : Object.values(live.PRESETS)[0],
      given && given[2] ? decodeURIComponent(given[2]) : "");
  } else {
    control("text").value = source.scenario;
    control("options").value = source.arguments.map(live.quote).join(" ");
    [fields, laws, body].forEach(({ refresh }) => refresh());
    (window.requestIdleCallback || setTimeout)(solver.begin);
  }
};
