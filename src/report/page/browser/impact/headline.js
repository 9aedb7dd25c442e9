// What happened in a sentence, and which law passes which check.
"use strict";

// ---- The outcome, body by body --------------------------------------------------------------

// Of an impact: which laws answered, the speeds of bodies (of coordinates, where there is no scene).
carom.outcomes = function () {
  const { data } = carom, { report, results } = data;
  const dimension = report.scene ? report.scene.dimension : 1;
  const translations = (i) => (report.scene ? Math.min(dimension, report.starts[i + 1] - report.starts[i]) : 1);
  const velocityOf = (list, i) => carom.components(list, report.scene ? report.starts[i] : i, translations(i));
  return {
    dimension, velocityOf,
    count: report.scene ? data.bodies.length : report.coordinates.length,
    name: (i) => (report.scene ? data.bodies[i] : report.coordinates[i]),
    answered: results.map((result) => result.velocity !== null),
    speed: (list, i) => Math.hypot(...velocityOf(list, i)),
    available: (result) => data.energy_before + (result.stored_before || 0) + (result.boundary_work || 0),
  };
};

// Of the energy there was, the part in which two outcomes differ: (T of their difference) / T, its root.
carom.disagreement = function (a, b) {
  const { data } = carom, size = carom.outcomes().available(a);
  const square = a.velocity.reduce((sum, v, k) => sum + data.mass[k] * (b.velocity[k] - v) ** 2, 0);
  return size > 0 ? Math.sqrt(square / 2 / size) : 0;
};

// The law that differs most from another one; -1: no other has an answer.
carom.mostDifferent = function (index) {
  const { results } = carom.data;
  let most = -1, size = -1;
  results.forEach((result, k) => {
    const by = k !== index && result.velocity ? carom.disagreement(results[index], result) : -1;
    if (by > size) {
      [most, size] = [k, by];
    }
  });
  return most;
};

// ---- The sentence ---------------------------------------------------------------------------

// Outcomes that differ by less look the same.
const ALIKE = 0.01;

carom.headline = function () {
  const { data, format } = carom, { report, results } = data, all = carom.outcomes();
  const unit = report.generalized ? "" : " " + carom.unitName("m/s");
  const first = all.answered.indexOf(true);
  if (report.nothing_happens) {
    return "No contact is closing or stores energy: nothing happens.";
  }
  if (first < 0) {
    return "No law gives an answer: " + results.map((r) => r.label + ", " + (r.reason || carom.statusWords[r.status])).join("; ") + ".";
  }
  const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
  const largest = (size) => {
    let most = 0;
    for (let i = 1; i < all.count; i++) {
      most = size(i) > size(most) ? i : most;
    }
    return most;
  };
  const before = data.velocity_before, after = results[first].velocity;
  const fastest = Math.max(all.speed(before, largest((i) => all.speed(before, i))),
    all.speed(after, largest((i) => all.speed(after, i))));
  // The way all that moves goes: the direction of momentum.
  const way = Array.from({ length: all.dimension }, () => 0);
  for (let i = 0; i < all.count; i++) {
    all.velocityOf(before, i).forEach((v, d) => {
      way[d] += v * (data.mass[report.scene ? report.starts[i] : i] || 0);
    });
  }
  const motion = (list, i) => {
    const v = all.velocityOf(list, i), speed = Math.hypot(...v), came = all.speed(before, i) > 1e-3 * fastest;
    if (!(speed > 1e-3 * fastest)) {
      return came ? "stops" : "stays at rest";
    }
    const back = came && v.reduce((sum, value, d) => sum + value * way[d], 0) < -1e-3 * speed * Math.hypot(...way);
    return (back ? "bounces back" : report.generalized ? "moves" : "leaves") + " at " + format(speed, 2) + unit;
  };
  const energy = (result) => {
    const part = result.energy_after / all.available(result);
    return !Number.isFinite(part) ? "" : part > 1 + 1e-6 ? " The energy grows to " + format(100 * part, 3) + " %."
      : part > 1 - 1e-6 ? " All of the energy remains." : " " + format(100 * part, 2) + " % of the energy remains.";
  };
  const leader = largest((i) => all.speed(after, i));
  const opening = (all.speed(after, leader) > 1e-3 * fastest ? capital(all.name(leader)) + " " + motion(after, leader)
    : "Everything comes to rest") + (results.length > 1 ? " by " + results[first].label : "") + "." + energy(results[first]);
  const other = carom.mostDifferent(first), others = all.answered.filter(Boolean).length - 1;
  if (other < 0) {
    return opening;
  }
  const by = carom.disagreement(results[first], results[other]), label = results[other].label;
  if (by < ALIKE) {
    return opening + (others === 1 ? " " + capital(label) + " agrees" : " The other laws agree") + " within " +
      (by < 1e-6 ? "rounding" : format(100 * by, 1) + " %") + ".";
  }
  const theirs = results[other].velocity;
  // Of the bodies with about the largest differences, the fastest.
  const apart = (i) => Math.sqrt(data.mass[report.scene ? report.starts[i] : i] || 1) *
    Math.hypot(...all.velocityOf(theirs, i).map((v, d) => v - all.velocityOf(after, i)[d]));
  const most = apart(largest(apart));
  const where = largest((i) => (apart(i) >= 0.7 * most ? all.speed(theirs, i) : -1));
  const same = motion(theirs, where) === motion(after, where);
  return opening + " By " + label + " instead " + all.name(where) + " " +
    (same ? "moves another way at " + format(all.speed(theirs, where), 2) + unit : motion(theirs, where)) + ".";
};

// ---- Laws against checks --------------------------------------------------------------------

// One of several answers is no failure of a law, and has a colour of its own.
carom.checkMatrix = function () {
  const { element, data } = carom, { results, report } = data;
  const checks = [["kinematic", "no contact closing"], ["kinetic", "none pulling"],
    ["energetic", "no energy created"], ["unique", "only answer"]];
  const cell = (result, name) => {
    const value = result[name];
    if (value === null || value === undefined) {
      return element("td", {}, "–");
    }
    const [look, text] = value ? ["good", "✓"] : name === "unique" ? ["open", result.unique_unknown ? "○ not known" : "○ one of several"] : ["bad", "✗ no"];
    return element("td", { class: look }, text);
  };
  const row = (result, k) => element("tr", {}, element("th", { scope: "row", title: report.laws[k] }, result.label),
    result.velocity === null
      ? element("td", { colspan: checks.length, class: "bad" }, "no answer: " + (carom.statusWords[result.status] || result.status))
      : report.nothing_happens ? element("td", { colspan: checks.length }, "nothing to check")
        : [checks.map(([name]) => cell(result, name)),
          result.status === "solved" ? null : element("td", { class: "bad" }, carom.statusWords[result.status] || result.status)]);
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Checks, by law" },
    element("table", { id: "checks" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "law"),
        checks.map(([, words]) => element("th", { scope: "col" }, words)))),
      element("tbody", {}, results.map(row))));
};
