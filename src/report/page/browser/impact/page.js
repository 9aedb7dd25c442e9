// The page of one impact: the answer of each law, and the impact in time.
"use strict";

carom.pages.solve = () => {
  const { data, element, format, withUnit } = carom;
  const { report } = data;
  const results = data.results;
  const names = results.map((result) => result.label);
  const unit = carom.unitName;
  const contactName = (j) => data.contact_names[j];
  const answered = (result) => result.velocity !== null;
  const spins = report.coordinates.some((name) => name.endsWith(" spin"));
  const LINES_MOST = 8, BARS_MOST = 24;

  // Sizes by which rounding is judged: the available energy, the speeds it allows, and their impulses.
  const energySize = Math.max(data.energy_before, ...results.map((r) => Math.max(r.stored_before || 0, Math.abs(r.boundary_work || 0))));
  const energySpeed = Math.sqrt((2 * energySize) / data.mass.reduce((most, m) => Math.max(most, m), 0)) || 0;
  const largestOf = (name) => results.reduce((most, r) => Math.max(most, r[name] ? carom.largest(r[name]) : 0), 0);
  const speedSize = Math.max(energySpeed, carom.largest(data.velocity_before), largestOf("velocity"));
  const impulseSize = Math.max(largestOf("impulse"), data.mass.reduce((least, m) => Math.min(least, m), Infinity) * energySpeed);
  const energyCell = (value) => carom.roundedCell(value, energySize, carom.ROUNDING.energy);
  const speedCell = (value) => carom.roundedCell(value, speedSize);
  const impulseCell = (value) => carom.roundedCell(value, impulseSize);

  // ---- Words --------------------------------------------------------------------------------

  const NOTHING = "No contact is closing or stores energy: nothing happens, and there is nothing to check.";
  const verdicts = (result) => (answered(result) ? carom.verdicts(result)
    : [[false, "No answer (" + (carom.statusWords[result.status] || result.status) + "): " + (result.reason || "")]]);

  // ---- The first screen -----------------------------------------------------------------------

  let chosen = 0, player = null;
  const head = () => {
    const title = data.title || "An impact";
    document.title = title.slice(0, 120) + " – carom";
    player = report.scene ? carom.player((law) => carom.chooseLaw(law)) : null;
    chosen = player ? player.laws[0] : Math.max(0, results.findIndex(answered));
    document.getElementById("page").append(...[element("header", {},
      element("h1", { id: "title" }, title), carom.themeButton()),
    element("p", { id: "headline" }, carom.headline()),
    player && player.holder, carom.checkMatrix()].filter(Boolean));
    carom.charts.player = player;
  };

  // What this page is about, and what it does not show.
  const about = () => {
    const whole = report.sizes;
    document.getElementById("page").append(element("section", { id: "about", "aria-label": "about this page" },
      element("p", { class: "about" }, "One multiple impact by " + results.length +
        (results.length === 1 ? " law" : " laws") + ": " + whole.bodies +
        (report.generalized ? " coordinates, " : " bodies, ") + whole.contacts + " contacts. carom " + data.carom + ".",
      player ? " Positions do not change during the impact, which is shown in slow motion; colours show speeds, " +
        "lines between bodies show forces." : null),
      player ? null : carom.note("A system given by its matrices has no geometry to draw; its coordinates are in the charts below."),
      whole.whole ? null : element("p", { class: "note", id: "thinned" },
        "This page shows " + data.bodies.length + " of " + whole.bodies + " bodies and " +
        data.contacts.length + " of " + whole.contacts + " contacts: those nearest to the impact, " +
        "counted in contacts. Energies and checks are those of the whole system."),
      (data.notes || []).map((note) => element("p", { class: "warning" }, note)),
      velocityTable()));
  };

  const velocityTable = () => carom.tableDetails("scene-table", "velocities before and after", () => ({
    columns: ["", withUnit("before", unit("m/s")), ...names.map((name) => withUnit(name, unit("m/s")))],
    count: report.coordinates.length,
    item: (i) => ({ coordinate: i }),
    row: (i) => [report.coordinates[i], speedCell(data.velocity_before[i]),
      ...results.map((result) => (result.velocity ? speedCell(result.velocity[i]) : null))],
  }));

  // "lzb: tolerance 1e-8, stiffness_model bi"
  const settingsOf = (result) => {
    const options = Object.entries(result.options || {}).filter(([, value]) => value !== null && !Array.isArray(value))
      .map(([name, value]) => name + " " + (typeof value === "number" ? format(value) : value));
    return result.law + (options.length ? ": " + options.join(", ") : "");
  };

  // What is not explained elsewhere on the page.
  const legend = () => [
    carom.relativeUnitNote(),
    results.some((result) => result.options && result.options.stiffness_model)
      ? "stiffness_model: with bi, a contact loses energy throughout expansion, by a different stiffness; with mono, at the end of it."
      : null,
  ].filter(Boolean);

  const summary = () => {
    const sum = (list) => (list === null ? null : list.reduce((total, value) => total + value, 0));
    const whole = report.sizes.whole;
    const columns = ["law", withUnit("kinetic energy after", unit("J")), "ratio to before"];
    columns.push(...(whole ? [withUnit("lost", unit("J"))] : []), withUnit("duration", unit("s")), "steps", "checks");
    const rows = results.map((result) => {
      const bad = verdicts(result).filter(([good]) => !good);
      return [result.label, energyCell(result.energy_after), result.energy_ratio,
        ...(whole ? [energyCell(sum(result.loss))] : []), result.duration, result.steps || null,
        bad.length ? bad.map(([, text]) => text).join(" ") : report.nothing_happens ? "nothing to check" : "all passed"];
    });
    carom.section("summary", "Summary",
      element("p", {}, "Kinetic energy before: " + format(data.energy_before) + " " + unit("J") + "."),
      legend().map((text) => carom.note(text)),
      carom.table("Energies and checks, by law", columns, rows, { id: "summary-table" }),
      element("div", { class: "cards" }, results.map((result, k) =>
        element("article", {},
          element("h3", {}, result.label),
          carom.note(report.laws[k] + "."),
          element("p", { class: "note" }, settingsOf(result)),
          report.nothing_happens && verdicts(result).every(([good]) => good)
            ? carom.note(NOTHING) : carom.verdictList(verdicts(result)),
          result.note ? element("p", { class: "note" }, result.note) : null))));
  };

  // ---- Laws side by side --------------------------------------------------------------------

  const compare = () => {
    const title = results.length > 1 ? "Laws side by side" : "Velocities after";
    if (report.nothing_happens) {
      carom.section("compare", title, carom.note(NOTHING.replace("check", "compare") +
        " Velocities do not change."));
      return;
    }
    const which = carom.indicesOfLargest(report.coordinates.length, BARS_MOST,
      (i) => carom.largest(results.map((result) => (result.velocity ? result.velocity[i] : 0))));
    const chart = carom.bars({
      id: "compare", title: withUnit("velocity after", unit(spins ? "m/s; spins in rad/s" : "m/s")),
      label: "Velocities after the impact as bars, one for each law",
    }, names, which.map((i) => ({
      label: report.coordinates[i], coordinate: i,
      values: results.map((result) => (result.velocity ? carom.roundToZero(result.velocity[i], speedSize) : null)),
    })));
    const measures = [["energy_ratio", "kinetic energy after / before", (r) => r.energy_ratio],
      ["dispersion", "dispersion", (r) => r.measures && r.measures.dispersion],
      ["difference_percent", "difference from first law, %", (r) => r.measures && r.measures.difference_percent]];
    const table = carom.tableDetails("compare-table", "impulses of the contacts", () => ({
      columns: ["", ...names.map((name) => withUnit(name, unit("N s")))],
      count: data.contacts.length,
      item: (contact) => ({ contact }),
      row: (j) => [contactName(j), ...results.map((r) => (r.impulse ? impulseCell(r.impulse[j]) : null))],
    }));
    carom.section("compare", title,
      carom.note(which.length < report.coordinates.length ? which.length + " of " +
        report.coordinates.length + " coordinates are shown: those with the largest velocity by any law." : ""),
      chart.holder,
      carom.table("Measures, by law", ["law", ...measures.map(([, words]) => words)],
        results.map((r) => [r.label, ...measures.map(([, , of]) => of(r) ?? null)]), { id: "measures-table" }),
      carom.note("Dispersion: standard deviation over mean of the kinetic energies of the bodies; 0 where all are equal."),
      table);
  };

  // ---- The impact in time ---------------------------------------------------------------------------

  let history = null;

  // A chart in time shows where the player is, and moves it at a click.
  const goTo = (time) => player && player.go(time);
  const linked = (factor) => ({ perSecond: factor, pick: (x) => goTo(x / factor) });

  // The contacts that are drawn: evenly spread, or those with the highest peaks.
  const pick = (frames, name, how, count) => {
    const size = frames[name].width;
    if (how === 0 || size <= count) {
      return carom.evenlySpread(size, count);
    }
    const peaks = Float64Array.from({ length: size }, (_, j) => carom.extremeOf(frames, name, j)[1]);
    return Array.from(peaks.keys()).sort((a, b) => peaks[b] - peaks[a]).slice(0, count).sort((a, b) => a - b);
  };
  let howForces = 0;

  const forces = (frames, parent) => {
    const t = carom.unit(frames.time[frames.count - 1], "s"), n = carom.unit(frames.largest.force, "N");
    const which = pick(frames, "force", howForces, LINES_MOST);
    const { times, values } = carom.commonCurves(frames, "force", which, n.factor);
    const x = times.map((time) => time * t.factor);
    const chart = carom.timeChart({
      id: "forces", xTitle: withUnit("time", t.name), yTitle: withUnit("force", n.name),
      label: "Forces of contacts against time", ...linked(t.factor),
    }, x, which.map((j, k) => ({ label: contactName(j), contact: j, y: values[k] })));
    parent.append(carom.subsection("forces", "Forces against time",
      which.length < frames.force.width ? carom.select("forces-pick", which.length + " of " +
        frames.force.width + " contacts:", ["evenly spread", "with the highest peaks"], (how) => {
        howForces = how;
        showHistory();
      }, howForces) : null,
      chart.whole,
      carom.tableDetails("forces-table", "forces against time", () => ({
        columns: [withUnit("time", t.name), ...which.map((j) => withUnit(contactName(j), n.name))],
        count: x.length,
        row: (k) => [x[k], ...chart.series.map((one) => one.y[k])],
      })),
      carom.tableDetails("peaks-table", "peak forces given by the law", () => ({
        columns: ["contact", withUnit("peak force", unit("N"))],
        count: data.contacts.length,
        item: (contact) => ({ contact }),
        row: (j) => [contactName(j), results[chosen].peak_force ? results[chosen].peak_force[j] : null],
      }))));
  };

  const wave = (frames, parent) => {
    const map = carom.map(frames, goTo);
    parent.append(carom.subsection("map", "Wave: stored energy by contact against time", map.holder,
      carom.tableDetails("map-table", "largest stored energy of each contact, and its time", () => ({
        columns: ["contact", withUnit("time", unit("s")), withUnit("energy", unit("J"))],
        count: frames.energy.width,
        item: (contact) => ({ contact }),
        row: (j) => [contactName(j), ...carom.extremeOf(frames, "energy", j)],
      }))));
  };

  const phase = (frames, parent) => {
    const p = carom.unit(carom.largest(frames.primary_impulse), "N s");
    const which = pick(frames, "velocity", 0, LINES_MOST);
    if (frames.primary_impulse.includes(null)) {
      return;
    }
    const { times, values } = carom.commonCurves(frames, "velocity", which);
    const x = carom.interpolate(frames.primary_impulse.map((value, k) => [frames.time[k], value * p.factor]), times);
    const chart = carom.curves({
      id: "phase", xTitle: withUnit("impulse of the primary contact", p.name),
      yTitle: withUnit("velocity", unit("m/s")),
      label: "Velocities against the impulse of the contact that stores most energy",
    }, which.map((i, k) => ({ label: report.coordinates[i], coordinate: i, x, y: values[k] })));
    parent.append(carom.subsection("phase", "Velocities against the primary impulse",
      carom.note("The primary contact is the one that stores the most energy at the time; its impulse " +
        "is the integration variable." + (which.length < frames.velocity.width ? " " + which.length + " of " +
        frames.velocity.width + " coordinates, evenly spread." : "")),
      chart.holder,
      carom.tableDetails("phase-table", "velocities against the primary impulse", () => ({
        columns: [withUnit("impulse", p.name), ...which.map((i) => report.coordinates[i])],
        count: x.length,
        row: (k) => [x[k], ...chart.series.map((one) => one.y[k])],
      }))));
  };

  const energies = (frames, parent) => {
    const all = data.energy_before + (results[chosen].stored_before || 0);
    const t = carom.unit(frames.time[frames.count - 1], "s"), e = carom.unit(all, "J");
    const x = frames.time.map((time) => time * t.factor);
    const moved = Math.abs(results[chosen].boundary_work || 0) > 1e-9 * all;
    const series = [
      { label: "kinetic", y: frames.kinetic.map((value) => value * e.factor) },
      { label: "stored in contacts", y: frames.stored.map((value) => value * e.factor) },
    ];
    if (!moved) { // of a moving wall the work up to a time is not known
      series.push({ label: "lost (cumulative)", y: frames.kinetic.map((value, k) => (all - value - frames.stored[k]) * e.factor) });
    }
    const chart = carom.timeChart({
      id: "energies", xTitle: withUnit("time", t.name), yTitle: withUnit("energy", e.name),
      label: "Kinetic, stored and lost energy against time", ...linked(t.factor),
    }, x, series);
    parent.append(carom.subsection("energies", "Energy against time", chart.whole,
      carom.tableDetails("energies-table", "energies against time", () => ({
        columns: [withUnit("time", t.name), ...series.map((one) => withUnit(one.label, e.name))],
        count: frames.count,
        row: (k) => [x[k], ...series.map((one) => one.y[k])],
      }))));
  };

  // The largest losses by contact, and the sum of the others.
  const losses = (parent) => {
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
      ...shown.map((j) => ({ label: "lost: " + contactName(j), contact: j, values: [loss[j] * e.factor] })),
      ...(order.length > shown.length && Math.abs(rest) > 1e-9 * total
        ? [{ label: "lost in other contacts", values: [rest * e.factor] }] : [])];
    const chart = carom.bars({
      id: "losses", title: withUnit("energy", e.name), label: "Energy balance as bars",
    }, [names[chosen]], groups);
    parent.append(carom.subsection("losses", "Energy balance", chart.holder,
      carom.tableDetails("losses-table", "energy lost, by contact", () => ({
        columns: ["contact", withUnit("lost", unit("J"))],
        count: loss.length,
        item: (contact) => ({ contact }),
        row: (j) => [contactName(j), energyCell(loss[j])],
      }))));
  };

  // All that depends on the selected law is made again.
  const showHistory = () => {
    const frames = carom.frames(chosen);
    document.getElementById("history-title").textContent = "The impact in time, by " + names[chosen];
    for (const id of ["forces", "map", "phase", "energies"]) {
      delete carom.charts[id];
    }
    carom.rebuild(history, () => {
      losses(history);
      if (frames && frames.count > 1) {
        history.append(carom.note(carom.framesNote(frames)));
        forces(frames, history);
        wave(frames, history);
        phase(frames, history);
        energies(frames, history);
      } else {
        history.append(element("p", { class: "note", id: "no-history" }, "The law " + names[chosen] +
          " gives the velocities after the impact directly: there is no history to show."));
      }
    });
  };

  carom.chooseLaw = (index) => {
    chosen = index;
    showHistory();
  };

  // ---- Together -----------------------------------------------------------------------------

  head();
  about();
  summary();
  compare();
  history = carom.section("history", "The impact in time");
  const body = element("div", {});
  history.append(body);
  history = body;
  carom.sourceSection();
  showHistory();
  if (player) {
    player.update();
    player.show(player.asked === null ? 1 : player.asked);
    if (!report.nothing_happens && player.asked === null) {
      player.transport.start();
    }
  } else {
    carom.redraw();
  }
  carom.redrawOnResize();
  carom.ready = true;
};
