// The page of one impact: what each law answers, and how the impact went.
"use strict";

(() => {
  const { data, element, format, titled } = carom;
  const { report } = data;
  const results = data.results;
  const names = results.map((result) => result.label);
  const unit = carom.unitName;
  const contactName = (j) => data.contact_names[j];
  const answered = (result) => result.velocity !== null;
  const spins = report.coordinates.some((name) => name.endsWith(" spin"));
  const LINES_MOST = 8, BARS_MOST = 24;

  // What sizes there are: the energy that is there, the speeds it makes, and impulses that make these.
  const energySize = Math.max(data.energy_before, ...results.map((r) => Math.max(r.stored_before || 0, Math.abs(r.boundary_work || 0))));
  const energySpeed = Math.sqrt((2 * energySize) / data.mass.reduce((most, m) => Math.max(most, m), 0)) || 0;
  const largestOf = (name) => results.reduce((most, r) => Math.max(most, r[name] ? carom.largest(r[name]) : 0), 0);
  const speedSize = Math.max(energySpeed, carom.largest(data.velocity_before), largestOf("velocity"));
  const impulseSize = Math.max(largestOf("impulse"), data.mass.reduce((least, m) => Math.min(least, m), Infinity) * energySpeed);
  const energyCell = (value) => carom.near(value, energySize, carom.ROUNDING.energy);
  const speedCell = (value) => carom.near(value, speedSize);
  const impulseCell = (value) => carom.near(value, impulseSize);

  // ---- Words --------------------------------------------------------------------------------

  const NOTHING = "No contact closes or stores energy: nothing happens, and there is nothing to judge.";
  const verdicts = (result) => (answered(result) ? carom.verdicts(result)
    : [[false, "No answer (" + (carom.statusWords[result.status] || result.status) + "): " + (result.reason || "")]]);

  // ---- The head -----------------------------------------------------------------------------

  const head = () => {
    const title = data.title || "An impact";
    document.title = title.slice(0, 120) + " – carom";
    const whole = report.sizes;
    document.getElementById("page").append(element("header", {},
      element("h1", { id: "title" }, title),
      element("p", { class: "about" }, "One multiple impact by " + results.length +
        (results.length === 1 ? " law" : " laws side by side") + ": " + whole.bodies +
        (report.generalized ? " coordinates, " : " bodies, ") + whole.contacts + " contacts. carom " + data.carom + "."),
      whole.whole ? null : element("p", { class: "warning", id: "thinned" },
        "This page has " + data.bodies.length + " of " + whole.bodies + " bodies and " +
        data.contacts.length + " of " + whole.contacts + " contacts: those nearest to the blow, " +
        "counted in contacts. Energies and verdicts are of the whole system."),
      (data.notes || []).map((note) => element("p", { class: "warning" }, note)),
      carom.themeButton()));
  };

  const summary = () => {
    const sum = (list) => (list === null ? null : list.reduce((total, value) => total + value, 0));
    const whole = report.sizes.whole;
    const columns = ["law", titled("kinetic energy after", unit("J")), "of that before"];
    columns.push(...(whole ? [titled("lost", unit("J"))] : []), titled("duration", unit("s")), "steps", "checks");
    const rows = results.map((result) => {
      const bad = verdicts(result).filter(([good]) => !good);
      return [result.label, energyCell(result.energy_after), result.energy_ratio,
        ...(whole ? [energyCell(sum(result.loss))] : []), result.duration, result.steps || null,
        bad.length ? bad.map(([, text]) => text).join(" ") : report.nothing_happens ? "nothing to judge" : "all hold"];
    });
    carom.section("summary", "In short",
      element("p", {}, "Kinetic energy before: " + format(data.energy_before) + " " + unit("J") + "."),
      carom.table("Energies and checks, by law", columns, rows, { id: "summary-table" }),
      element("div", { class: "cards" }, results.map((result) =>
        element("article", {},
          element("h3", {}, result.label),
          report.nothing_happens && verdicts(result).every(([good]) => good)
            ? carom.note(NOTHING) : carom.verdictList(verdicts(result)),
          result.note ? element("p", { class: "note" }, result.note) : null))));
  };

  // ---- The scene ----------------------------------------------------------------------------

  let chosen = Math.max(0, results.findIndex((result, i) => answered(result) && carom.film(i)));
  chosen = results.some(answered) && !answered(results[chosen]) ? results.findIndex(answered) : chosen;

  let scene = null;
  const sceneSection = () => {
    if (!report.scene) {
      carom.section("scene", "The scene", carom.note("A system given by its matrices has no " +
        "shape that could be drawn; its coordinates are in the charts below."));
      return;
    }
    const speed = (list, i) => Math.hypot(...carom.slice(list, report.starts[i], report.scene.dimension));
    const paint = () => {
      const after = results[chosen].velocity;
      return {
        body: () => carom.colour("body"),
        arrows: [
          { velocity: data.velocity_before, colour: carom.colour("before"), lift: 1, width: 3 },
          ...(after ? [{ velocity: after, colour: carom.colour("after"), lift: -1, width: 2 }] : []),
        ],
      };
    };
    scene = carom.scene({
      id: "scene", paint,
      label: "The scene to scale, with velocities before and after the impact as arrows; the " +
        "table beneath has the numbers",
    });
    const fastest = Math.max(...data.bodies.map((_, i) => speed(data.velocity_before, i)), 0);
    const table = carom.details("scene-table", "velocities before and after", () => ({
      columns: ["", titled("before", unit("m/s")), ...names.map((name) => titled(name, unit("m/s")))],
      count: report.coordinates.length,
      row: (i) => [report.coordinates[i], speedCell(data.velocity_before[i]),
        ...results.map((result) => (result.velocity ? speedCell(result.velocity[i]) : null))],
    }));
    carom.section("scene", "The scene",
      element("p", { class: "key" }, element("span", { class: "before" }, "➔ before"), " ",
        element("span", { class: "after" }, "➔ after, by the law chosen"),
        report.scene.dimension === 1 ? " (before above, after below)" : "",
        "; the fastest before: " + format(fastest, 4) + " " + unit("m/s")),
      scene.holder, table);
    carom.charts.scene = scene;
  };

  // ---- Laws side by side --------------------------------------------------------------------

  const compare = () => {
    if (report.nothing_happens) {
      carom.section("compare", "Laws side by side", carom.note(NOTHING.replace("judge", "compare") +
        " Velocities stay as they are."));
      return;
    }
    const which = carom.foremost(report.coordinates.length, BARS_MOST,
      (i) => carom.largest(results.map((result) => (result.velocity ? result.velocity[i] : 0))));
    const chart = carom.bars({
      id: "compare", title: titled("velocity after", unit(spins ? "m/s; spins in rad/s" : "m/s")),
      label: "Velocities after the impact as bars, one for each law",
    }, names, which.map((i) => ({
      label: report.coordinates[i],
      values: results.map((result) => (result.velocity ? carom.beside(result.velocity[i], speedSize) : null)),
    })));
    const measures = [["energy_ratio", "kinetic energy left", (r) => r.energy_ratio],
      ["dispersion", "dispersion of energy", (r) => r.measures && r.measures.dispersion],
      ["difference_percent", "away from the first law, %", (r) => r.measures && r.measures.difference_percent]];
    const table = carom.details("compare-table", "impulses of the contacts", () => ({
      columns: ["", ...names.map((name) => titled(name, unit("N s")))],
      count: data.contacts.length,
      row: (j) => [contactName(j), ...results.map((r) => (r.impulse ? impulseCell(r.impulse[j]) : null))],
    }));
    carom.section("compare", "Laws side by side",
      carom.note(which.length < report.coordinates.length ? which.length + " of " +
        report.coordinates.length + " coordinates are shown: the fastest by any law." : ""),
      chart.holder,
      carom.table("Measures, by law", ["law", ...measures.map(([, words]) => words)],
        results.map((r) => [r.label, ...measures.map(([, , of]) => of(r) ?? null)]), { id: "measures-table" }),
      table);
  };

  // ---- The course ---------------------------------------------------------------------------

  let course = null;

  // The contacts whose lines are drawn: evenly spread, or those with the highest peaks.
  const pick = (film, name, how, count) => {
    const size = film[name].count;
    if (how === 0 || size <= count) {
      return carom.spread(size, count);
    }
    const peaks = Float64Array.from({ length: size }, (_, j) => carom.extremeOf(film, name, j)[1]);
    return Array.from(peaks.keys()).sort((a, b) => peaks[b] - peaks[a]).slice(0, count).sort((a, b) => a - b);
  };
  let howForces = 0;

  const forces = (film, into) => {
    const t = carom.unit(film.time[film.rows - 1], "s"), n = carom.unit(film.top.force, "N");
    const which = pick(film, "force", howForces, LINES_MOST);
    const { times, values } = carom.courses(film, "force", which, n.factor);
    const x = times.map((time) => time * t.factor);
    const chart = carom.inTime({
      id: "forces", xTitle: titled("time", t.name), yTitle: titled("force", n.name),
      label: "Forces of contacts against time",
    }, x, which.map((j, k) => ({ label: contactName(j), contact: j, y: values[k] })));
    into.append(carom.part("forces", "Forces against time",
      which.length < film.force.count ? carom.select("forces-pick", which.length + " of " +
        film.force.count + " contacts:", ["evenly spread", "with the highest peaks"], (how) => {
        howForces = how;
        showCourse();
      }, howForces) : null,
      chart.whole,
      carom.details("forces-table", "forces against time", () => ({
        columns: [titled("time", t.name), ...which.map((j) => titled(contactName(j), n.name))],
        count: x.length,
        row: (k) => [x[k], ...chart.series.map((one) => one.y[k])],
      })),
      carom.details("peaks-table", "peak forces, as the law gives them", () => ({
        columns: ["contact", titled("peak force", unit("N"))],
        count: data.contacts.length,
        row: (j) => [contactName(j), results[chosen].peak_force ? results[chosen].peak_force[j] : null],
      }))));
  };

  const wave = (film, into) => {
    const map = carom.map(film);
    into.append(carom.part("map", "The wave: energy by contact against time", map.holder,
      carom.details("map-table", "when each contact stores most, and how much", () => ({
        columns: ["contact", titled("time", unit("s")), titled("energy", unit("J"))],
        count: film.energy.count,
        row: (j) => [contactName(j), ...carom.extremeOf(film, "energy", j)],
      }))));
  };

  const phase = (film, into) => {
    const p = carom.unit(carom.largest(film.primary_impulse), "N s");
    const which = pick(film, "velocity", 0, LINES_MOST);
    if (film.primary_impulse.includes(null)) {
      return;
    }
    const { times, values } = carom.courses(film, "velocity", which);
    const x = carom.follow(film.primary_impulse.map((value, k) => [film.time[k], value * p.factor]), times);
    const chart = carom.curves({
      id: "phase", xTitle: titled("impulse of the primary contact", p.name),
      yTitle: titled("velocity", unit("m/s")),
      label: "Velocities against the impulse of the contact that stores most energy",
    }, which.map((i, k) => ({ label: report.coordinates[i], coordinate: i, x, y: values[k] })));
    into.append(carom.part("phase", "Velocities against the primary impulse",
      carom.note("The primary contact is the one that stores most energy at the time; its impulse " +
        "is the clock of the equations." + (which.length < film.velocity.count ? " " + which.length + " of " +
        film.velocity.count + " coordinates, evenly spread." : "")),
      chart.holder,
      carom.details("phase-table", "velocities against the primary impulse", () => ({
        columns: [titled("impulse", p.name), ...which.map((i) => report.coordinates[i])],
        count: x.length,
        row: (k) => [x[k], ...chart.series.map((one) => one.y[k])],
      }))));
  };

  const energies = (film, into) => {
    const all = data.energy_before + (results[chosen].stored_before || 0);
    const t = carom.unit(film.time[film.rows - 1], "s"), e = carom.unit(all, "J");
    const x = film.time.map((time) => time * t.factor);
    const moved = Math.abs(results[chosen].boundary_work || 0) > 1e-9 * all;
    const series = [
      { label: "kinetic", y: film.kinetic.map((value) => value * e.factor) },
      { label: "stored in contacts", y: film.stored.map((value) => value * e.factor) },
    ];
    if (!moved) { // with a moving wall what it has done so far is not known
      series.push({ label: "lost so far", y: film.kinetic.map((value, k) => (all - value - film.stored[k]) * e.factor) });
    }
    const chart = carom.inTime({
      id: "energies", xTitle: titled("time", t.name), yTitle: titled("energy", e.name),
      label: "Kinetic, stored and lost energy against time",
    }, x, series);
    into.append(carom.part("energies", "Energy against time", chart.whole,
      carom.details("energies-table", "energies against time", () => ({
        columns: [titled("time", t.name), ...series.map((one) => titled(one.label, e.name))],
        count: film.rows,
        row: (k) => [x[k], ...series.map((one) => one.y[k])],
      }))));
  };

  // By contact, those that lost most by name and the others together.
  const losses = (into) => {
    const result = results[chosen];
    if (!answered(result) || report.nothing_happens) {
      return;
    }
    const most = 12, loss = result.loss || [];
    const order = Array.from(loss.keys()).sort((a, b) => loss[b] - loss[a]);
    const shown = order.slice(0, most).filter((j) => Math.abs(loss[j]) > carom.ROUNDING.energy * energySize);
    const total = data.energy_before + (result.stored_before || 0) + (result.boundary_work || 0);
    const rest = total - result.energy_after - shown.reduce((sum, j) => sum + loss[j], 0);
    const e = carom.unit(total, "J");
    const groups = [{ label: "kinetic after", values: [result.energy_after * e.factor] },
      ...shown.map((j) => ({ label: "lost: " + contactName(j), values: [loss[j] * e.factor] })),
      ...(order.length > shown.length && Math.abs(rest) > 1e-9 * total
        ? [{ label: "lost elsewhere", values: [rest * e.factor] }] : [])];
    const chart = carom.bars({
      id: "losses", title: titled("energy", e.name), label: "Where the energy went, as bars",
    }, [names[chosen]], groups);
    into.append(carom.part("losses", "Where the energy went", chart.holder,
      carom.details("losses-table", "energy lost, by contact", () => ({
        columns: ["contact", titled("lost", unit("J"))],
        count: loss.length,
        row: (j) => [contactName(j), energyCell(loss[j])],
      }))));
  };

  let player = null;
  const playerPart = (film, into) => {
    player = null;
    if (!report.scene) {
      return;
    }
    player = carom.player();
    player.choose(film);
    player.start();
    into.append(carom.part("player", "The impact in its own time", player.holder,
      carom.note("Nothing changes its place during an impact; colours are speeds, lines between " +
        "bodies are forces. " + carom.thinned(film))));
    carom.charts.player = player;
  };

  // All that depends on the law chosen is made anew.
  const showCourse = () => {
    const film = carom.film(chosen);
    document.getElementById("course-title").textContent = "How it went, by " + names[chosen];
    for (const id of ["player", "forces", "map", "phase", "energies"]) {
      delete carom.charts[id];
    }
    carom.anew(course, () => {
      losses(course);
      if (film && film.rows > 1) {
        playerPart(film, course);
        forces(film, course);
        wave(film, course);
        phase(film, course);
        energies(film, course);
      } else {
        course.append(element("p", { class: "note", id: "no-course" }, "The law " + names[chosen] +
          " goes from before to after in one: it has no course to be shown."));
      }
    });
    if (player && film && film.rows > 1) {
      player.show(0);
    }
    if (scene) {
      scene.redraw();
    }
  };

  carom.chooseLaw = (index) => {
    chosen = index;
    showCourse();
  };

  // ---- Together -----------------------------------------------------------------------------

  head();
  summary();
  compare();
  carom.section("laws", "By law", carom.choice("law", "Law shown from here on", names, carom.chooseLaw, chosen));
  sceneSection();
  course = carom.section("course", "How it went");
  const body = element("div", {});
  course.append(body);
  course = body;
  carom.sourceSection();
  carom.redraw();
  showCourse();
  carom.onResize();
  carom.ready = true;
})();
