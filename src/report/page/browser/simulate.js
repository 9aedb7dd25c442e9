// The page of a motion: how it went, its impacts, energies and coordinates in time.
"use strict";

(() => {
  const { data, element, format, titled } = carom;
  const { report } = data;
  const { scene } = report;
  const film = carom.motionFilm();
  const { impacts } = film;
  const first = film.time[0], last = film.time[film.rows - 1];
  const t = carom.unit(Math.max(Math.abs(first), Math.abs(last)), "s");
  const numbers = new Map(data.bodies.map((name, i) => [name, i]));
  const energySize = Math.max(...["kinetic", "potential", "lost"].map((name) => carom.largest(film[name])));
  const lossShown = (impact) => carom.beside(impact.lost, energySize, 1e-12);
  const contactName = (name) => name.slice(0, 120);

  // ---- The head -----------------------------------------------------------------------------

  const stops = {
    duration: "its time was over", at_rest: "all was at rest", impacts: "there were as many impacts as it was to have",
    interrupted: "it was interrupted", failed: "it failed",
  };

  const head = () => {
    const title = data.title || "A motion";
    document.title = title.slice(0, 120) + " – carom";
    const count = (n, one, many) => n + " " + (n === 1 ? one : many);
    document.getElementById("page").append(element("header", {},
      element("h1", { id: "title" }, title),
      element("p", { class: "about" }, "Motion in time: " + count(report.bodies, "body", "bodies") + ", " +
        count(scene.walls.length, "wall", "walls") + "; " + data.scheme + ", impacts by " + data.law +
        ". carom " + data.carom + "."),
      report.whole ? null : element("p", { class: "warning", id: "thinned" }, "This page has " + data.bodies.length +
        " of " + report.bodies + " bodies, evenly spread by their numbers. Energies and impacts are those of all."),
      data.reason ? element("p", { class: "warning" }, data.reason) : null,
      (data.notes || []).map((note) => element("p", { class: "warning" }, note)),
      carom.themeButton()));
  };

  // ---- In short -----------------------------------------------------------------------------

  const summary = () => {
    const e = data.energy;
    const size = Math.max(...["kinetic_before", "potential_before", "kinetic_after", "potential_after"].map((name) => Math.abs(e[name])));
    const cell = (value) => carom.near(value, size, 1e-12); // as the table of the program
    const rows = [
      ["time reached, s", data.time], ["it was to last, s", report.duration], ["ended, because", stops[data.stopped] || data.stopped],
      ["impacts", data.impacts], ["at rest since, s", data.at_rest_since], ["deepest overlap, m", data.max_penetration],
    ];
    const change = (a, b) => [cell(a), cell(b), cell(b - a)];
    carom.section("summary", "In short",
      carom.table("How long, and how often", ["", ""], rows, { id: "summary-table" }),
      carom.table("Energy, J", ["", "before", "after", "change"], [
        ["kinetic", ...change(e.kinetic_before, e.kinetic_after)],
        ["potential", ...change(e.potential_before, e.potential_after)],
        ["lost in contacts", null, null, cell(-e.lost)],
        ["work of walls and dampers", null, null, cell(e.work)],
        ["work of position correction", null, null, cell(e.correction)],
        ["left unaccounted for", null, null, cell(e.error)],
      ], { id: "energy-table" }),
      carom.details("end-table", "where all is at the end", () => {
        const list = coordinates();
        return { columns: ["", "position, SI", "velocity, SI"], count: list.length, row: (k) => list[k] };
      }));
  };

  // Every coordinate by its name, with what it is at the end: as JSON has them, body after body.
  const coordinates = () => {
    const list = [], placeSize = carom.largest(data.position);
    const speedSize = Math.max(impacts.length ? top : 0, carom.largest(data.velocity)); // below 1e-9 of it the program says at rest
    let q = 0, v = 0;
    data.bodies.forEach((name, i) => {
      const of = (track) => carom.coordinateNames(film, i, track);
      const positions = [...of("place"), ...of("turn")], rates = [...of("velocity"), ...of("spin")];
      for (let k = 0; k < Math.max(positions.length, rates.length); k++) {
        list.push([name + " " + (positions[k] || rates[k]), k < positions.length ? carom.near(data.position[q++], placeSize) : null,
          k < rates.length ? carom.near(data.velocity[v++], speedSize, 1e-9) : null]);
      }
    });
    return list;
  };

  // ---- The motion ---------------------------------------------------------------------------

  let player = null, line = null, opened = -1;

  const thinned = () => (film.rows < film.samples
    ? "Of " + film.samples + " instants that were looked at " + film.rows + " are kept here: those that the lines " +
      "between the others tell least, and those at which an energy is largest or least. "
    : "All " + film.samples + " instants that were looked at are here. ") +
    "Between them bodies go " + (film.joins.some((join, k) => k > 0 && join !== carom.join.line)
    ? "along curves by their places and velocities, or straight where an impact fell between" : "straight") +
    "; values are rounded to " + (film.part > 1e-5 ? "a ten-thousandth" : "a millionth") + " of their range.";

  const motionSection = () => {
    player = carom.motionPlayer(film, {
      impacts, bodyOf: (name) => numbers.get(name), moved: () => line && line.redraw(),
    });
    carom.section("motion", "The motion", player.holder, carom.note(thinned()));
    carom.charts.player = player;
  };

  // ---- Impacts on the time line -------------------------------------------------------------

  const bad = (impact) => impact.status !== "solved" || !impact.kinematic || !impact.kinetic || !impact.energetic;
  const top = impacts.reduce((most, impact) => Math.max(most, impact.strongest), 0) || 1;
  const speedUnit = carom.unit(top, "m/s");

  const nearestImpact = (time) => {
    let best = -1;
    impacts.forEach((impact, k) => {
      if (best < 0 || Math.abs(impact.time - time) < Math.abs(impacts[best].time - time)) {
        best = k;
      }
    });
    return best;
  };

  const tellImpact = (k) => {
    const impact = impacts[k];
    return "impact " + impact.impact + " at " + format(impact.time * t.factor) + " " + t.name + ": " +
      impact.contact_names.slice(0, 3).map(contactName).join("; ") + (impact.of_contacts > 3 ? " and others" : "") +
      ", at up to " + format(impact.strongest * speedUnit.factor, 4) + " " + speedUnit.name;
  };

  const lineSection = () => {
    const seen = report.impacts_total;
    if (impacts.length === 0) {
      carom.section("impacts", "Impacts", carom.note("There were none."));
      return;
    }
    const draw = (plane, c) => {
      impacts.forEach((impact, k) => {
        const x = plane.px(impact.time * t.factor);
        c.strokeStyle = carom.colour(bad(impact) ? "force" : "line-0");
        c.lineWidth = k === opened ? 3.5 : 1.2;
        c.beginPath();
        c.moveTo(x, plane.py(0));
        c.lineTo(x, Math.min(plane.py(0) - 2, plane.py(impact.strongest * speedUnit.factor)));
        c.stroke();
      });
      c.strokeStyle = carom.colour("text");
      c.lineWidth = 1;
      c.setLineDash([2, 2]);
      c.beginPath();
      c.moveTo(plane.px(player.time * t.factor), plane.top);
      c.lineTo(plane.px(player.time * t.factor), plane.top + plane.height);
      c.stroke();
      c.setLineDash([]);
    };
    const pad = last > first ? 0 : 0.5;
    line = carom.plane({
      id: "timeline", label: "Impacts on the time line, as high as their closing speed; the table beneath has the numbers",
      height: (width) => Math.max(150, Math.min(220, width * 0.25)), draw,
      x: { title: titled("time", t.name), low: first * t.factor - pad, high: last * t.factor + pad },
      y: { title: titled("closing speed", speedUnit.name), low: 0, high: 1.06 * top * speedUnit.factor },
      tell: (x) => tellImpact(nearestImpact(x / t.factor)),
      pick: (x) => openImpact(nearestImpact(x / t.factor), true),
      // From where the cursor is, or from the impact that is open.
      stepTo: (x, by) => {
        const from = line.cursor ? nearestImpact(x / t.factor) : opened - by;
        return impacts[Math.max(0, Math.min(impacts.length - 1, from + by))].time * t.factor;
      },
      hint: "A click or Enter opens the nearest impact, arrow keys go from one to the next; drag or + − to zoom, double " +
        "click or 0 for all.",
    });
    carom.charts.timeline = line;
    carom.section("impacts", "Impacts",
      impacts.length < seen ? element("p", { class: "warning", id: "impacts-thinned" }, "This page has " +
        impacts.length + " of " + seen + " impacts: of every " + impacts[0].among + " in a row the one with the highest closing " +
        "speed, or one with which something is wrong. The strongest of all is among them.") : null,
      seen < data.impacts ? carom.note("Those before " + format(first) + " s, where the run was gone on with, are not here.") : null,
      line.holder,
      carom.details("impacts-table", "impacts", () => ({
        columns: ["impact", "time, s", "contacts", "highest closing speed, m/s", "lost, J", "stands for", "checks"],
        count: impacts.length,
        row: (k) => [String(impacts[k].impact), impacts[k].time, impacts[k].of_contacts, impacts[k].strongest,
          carom.near(impacts[k].lost, energySize, 1e-12), impacts[k].among, bad(impacts[k]) ? "see there" : "all hold"],
      })),
      element("div", { id: "impact", "aria-live": "polite" }));
    openImpact(impacts.reduce((best, impact, k) => (impact.strongest > impacts[best].strongest ? k : best), 0), false);
  };

  // One impact, opened.
  const openImpact = (k, go) => {
    const impact = impacts[k], holder = document.getElementById("impact");
    opened = k;
    const step = (by, words) => element("button", {
      type: "button", id: "impact-" + words, disabled: !impacts[k + by], click: () => {
        openImpact(k + by, true);
        const again = document.getElementById("impact-" + words);
        (again.disabled ? document.getElementById("impact-title") : again).focus();
      },
    }, words === "next" ? "Next" : "Previous");
    holder.replaceChildren(...[
      element("h3", { id: "impact-title", tabindex: -1 }, "Impact " + impact.impact + ", at " +
        format(impact.time * t.factor, 9) + " " + t.name),
      element("p", { class: "tools" }, step(-1, "previous"), step(1, "next")),
      impact.among > 1 ? carom.note("It stands for " + impact.among + " impacts at about this time.") : null,
      element("p", {}, "Lost: " + format(lossShown(impact)) + " J."),
      carom.verdictList(carom.verdicts(impact)),
      carom.table(impact.of_contacts > impact.contacts.length
        ? impact.contacts.length + " of its " + impact.of_contacts + " contacts, those with the largest impulses" : "Its contacts",
      ["contact", "closing speed, m/s", "impulse, N s", titled("peak force", carom.unitName("N"))],
      impact.contact_names.map((name, j) => [contactName(name), carom.near(impact.closing_speed[j], top),
        carom.near(impact.impulse[j], carom.largest(impact.impulse)), impact.peak_force[j]]),
      { id: "impact-contacts" })].filter(Boolean));
    if (go) {
      player.transport.pause();
      player.go(impact.time);
    }
    line.redraw();
  };
  carom.openImpact = openImpact;

  // ---- In time ------------------------------------------------------------------------------

  const x = film.time.map((time) => time * t.factor);

  const energySection = () => {
    const all = ["kinetic", "potential", "lost", "work", "correction"];
    const words = { kinetic: "kinetic", potential: "potential", lost: "lost in contacts so far", work: "work so far",
      correction: "work of position correction so far" };
    const e = carom.unit(Math.max(...all.map((name) => carom.largest(film[name]))), "J");
    const series = all.filter((name) => carom.largest(film[name]) > 0)
      .map((name) => ({ label: words[name], y: film[name].map((value) => value * e.factor) }));
    if (film.rows < 2 || series.length === 0) {
      return;
    }
    const chart = carom.inTime({
      id: "energies", xTitle: titled("time", t.name), yTitle: titled("energy", e.name),
      label: "Kinetic and potential energy, and what was lost, against time",
    }, x, series);
    carom.section("energies", "Energy against time", chart.whole,
      carom.details("energies-table", "energies against time", () => ({
        columns: [titled("time", t.name), ...series.map((one) => titled(one.label, e.name))],
        count: film.rows,
        row: (k) => [x[k], ...series.map((one) => one.y[k])],
      })));
  };

  const KINDS = [["place", "position", "m"], ["velocity", "velocity", "m/s"], ["turn", "angle", "rad"], ["spin", "spin", "rad/s"]];

  const coordinateSection = () => {
    const moving = data.bodies.map((_, i) => i).filter((i) => film.own[i].places + film.own[i].turns > 0);
    if (film.rows < 2 || moving.length === 0) {
      return;
    }
    const kinds = KINDS.filter(([track]) => film[track].count > 0);
    const wanted = { body: 0, kind: 0 };
    const holder = element("div", {});
    const show = () => carom.anew(holder, () => {
      const i = moving[wanted.body], [track, word, unit] = kinds[wanted.kind];
      const names = carom.coordinateNames(film, i, track);
      if (names.length === 0) {
        holder.append(carom.note(data.bodies[i].slice(0, 60) + " has no " + word + " of its own."));
        return;
      }
      const { times, values } = carom.curve(film, track, names.map((_, k) => film.own[i][track] + k));
      const as = unit.startsWith("rad") ? { factor: 1, name: unit } : carom.unit(Math.max(...values.map(carom.largest)), unit);
      const series = names.map((name, k) => ({ label: name, y: values[k].map((value) => value * as.factor) }));
      const chart = carom.inTime({
        id: "coordinates", xTitle: titled("time", t.name), yTitle: titled(word, as.name),
        label: "The coordinates of a body against time",
      }, times.map((time) => time * t.factor), series);
      holder.append(chart.whole, carom.details("coordinates-table", data.bodies[i].slice(0, 60) + ": " + word + " against time", () => ({
        columns: [titled("time", t.name), ...names.map((name) => titled(name, as.name))],
        count: times.length,
        row: (k) => [times[k] * t.factor, ...series.map((one) => one.y[k])],
      })));
    });
    carom.section("coordinates", "A body against time",
      element("p", { class: "tools" },
        carom.select("coordinates-body", "of", moving.map((i) => data.bodies[i].slice(0, 60)), (k) => {
          wanted.body = k;
          show();
        }),
        carom.select("coordinates-kind", "its", kinds.map(([, word]) => word), (k) => {
          wanted.kind = k;
          show();
        })),
      holder);
    show();
  };

  // ---- Together -----------------------------------------------------------------------------

  head();
  summary();
  motionSection();
  lineSection();
  energySection();
  coordinateSection();
  carom.sourceSection();
  carom.redraw();
  player.go(first);
  carom.onResize();
  carom.ready = true;
})();
