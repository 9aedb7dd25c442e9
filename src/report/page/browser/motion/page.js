// The page of a motion: its animation, impacts, energies and coordinates in time.
"use strict";

carom.pages.simulate = () => {
  const { data, element, format, withUnit } = carom;
  const { report } = data;
  const { scene } = report;
  const frames = carom.motionFrames(data.histories[0], scene), { impacts } = frames;
  // One motion, or two of the scene by different laws.
  const motions = [{ data, frames, impacts, label: data.beside ? data.law : "" }];
  if (data.beside) {
    const other = carom.motionFrames(data.beside.histories[0], structuredClone(scene));
    motions.push({ data: data.beside, frames: other, impacts: other.impacts, label: data.beside.law });
  }
  const two = motions.length > 1;
  const first = frames.time[0], last = frames.time[frames.count - 1];
  const t = carom.unit(Math.max(Math.abs(first), Math.abs(last)), "s");
  const numbers = new Map(data.bodies.map((name, i) => [name, i]));
  const energySize = Math.max(...["kinetic", "potential", "lost"].map((name) => carom.largest(frames[name])));
  const lossShown = (impact) => carom.roundToZero(impact.lost, energySize, 1e-12);
  const contactName = (name) => name.slice(0, 120);

  // ---- The head -----------------------------------------------------------------------------

  const stops = {
    duration: "the duration was reached", at_rest: "all bodies came to rest", impacts: "the number of impacts was reached",
    interrupted: "it was interrupted", failed: "it failed",
  };

  const count = (n, one, many) => n + " " + (n === 1 ? one : many);

  // "All bodies are at rest after 0.43 s and 117 impacts; contacts dissipated 8.8 J."
  const sentence = (of) => {
    const { stopped, energy } = of, hits = count(of.impacts, "impact", "impacts");
    const rest = of.at_rest_since !== null ? " Everything has been at rest since " + format(of.at_rest_since, 3) + " s." : "";
    const lost = carom.roundToZero(energy.lost, energySize, carom.ROUNDING.energy);
    const energies = lost > 0 ? "; contacts dissipated " + format(lost, 2) + " J" : of.impacts > 0 ? "; no energy was lost" : "";
    if (stopped === "failed") {
      return "The motion failed after " + format(of.time, 3) + " s and " + hits + ": " + (of.reason || "");
    }
    return (stopped === "at_rest" ? "All bodies are at rest after " + format(of.time, 3) + " s and " + hits
      : (of.impacts > 0 ? hits : "No impacts") + " in " + format(of.time, 3) + " s") + energies + "." +
      (stopped === "at_rest" ? "" : rest);
  };
  // Of two motions, when the places of a body begin to differ by more than a hundredth of what is seen.
  const parting = () => {
    const apart = carom.motionsPart(motions.map((motion) => motion.frames), 0.01);
    return apart === null ? "The two motions agree." : apart === first ? "They differ from the start." : "They part at " + format(apart, 2) + " s.";
  };
  const small = (text) => text.slice(0, 1).toLowerCase() + text.slice(1);
  const headline = () => (two
    ? [...motions.map((motion) => "By " + motion.label + " " + small(sentence(motion.data))), parting()].join(" ") : sentence(data));

  const head = () => {
    const title = data.title || "A motion";
    document.title = title.slice(0, 120) + " – carom";
    document.getElementById("page").append(element("header", {}, element("h1", { id: "title" }, title), carom.themeButton()),
      element("p", { id: "headline" }, headline()));
  };

  const about = () => document.getElementById("page").append(element("section", { id: "about", "aria-label": "about this page" },
    element("p", { class: "about" }, "Motion in time: " + count(report.bodies, "body", "bodies") + ", " +
      count(scene.walls.length, "wall", "walls") + "; " + data.scheme + ", impacts by " + motions.map((motion) => motion.data.law).join(", and beside it by ") +
      ". carom " + data.carom + "."),
    report.whole ? null : element("p", { class: "note", id: "thinned" }, "This page shows " + data.bodies.length +
      " of " + report.bodies + " bodies, evenly spread by number. Energies and impacts are those of all bodies."),
    data.reason ? element("p", { class: "warning" }, data.reason) : null,
    (data.notes || []).map((note) => element("p", { class: "warning" }, note))));

  // ---- Summary -----------------------------------------------------------------------------

  const energyRows = (e, cell) => {
    const change = (a, b) => [cell(a), cell(b), cell(b - a)];
    return [
      ["kinetic", ...change(e.kinetic_before, e.kinetic_after)],
      ["potential", ...change(e.potential_before, e.potential_after)],
      ["lost in contacts", null, null, cell(-e.lost)],
      ["work of walls and dampers", null, null, cell(e.work)],
      ["work of position correction", null, null, cell(e.correction)],
      ["unaccounted", null, null, cell(e.error)],
    ];
  };

  const summary = () => {
    const e = data.energy;
    const size = Math.max(...["kinetic_before", "potential_before", "kinetic_after", "potential_after"].map((name) => Math.abs(e[name])));
    const cell = (value) => carom.roundedCell(value, size, 1e-12); // as the table of the program
    const line = (words, of) => [words, ...motions.map((motion) => of(motion.data))];
    const rows = [
      line("time reached, s", (of) => of.time), ["duration, s", ...motions.map(() => report.duration)],
      line("stopped because", (of) => stops[of.stopped] || of.stopped), line("impacts", (of) => of.impacts),
      line("at rest since, s", (of) => of.at_rest_since),
      line("largest overlap, m", (of) => carom.roundedCell(of.max_penetration, carom.largest(of.position))),
    ];
    const beside = !two ? null : carom.table("Energy by " + data.beside.law + ", J", ["", "before", "after", "change"],
      energyRows(data.beside.energy, cell), { id: "energy-beside-table" });
    carom.section("summary", "Summary",
      carom.table("Duration and impacts", two ? ["", ...motions.map((motion) => motion.label)] : ["", ""], rows, { id: "summary-table" }),
      carom.table("Energy" + (two ? " by " + data.law : "") + ", J", ["", "before", "after", "change"], energyRows(e, cell), { id: "energy-table" }),
      ...[beside].filter(Boolean),
      carom.tableDetails("end-table", "final state", () => {
        const list = coordinates();
        return { columns: ["", "position, SI", "velocity, SI"], count: list.length, row: (k) => list[k].row, item: (k) => list[k] };
      }));
  };

  // The final state: every coordinate by its name, in the order of JSON, and its body.
  const coordinates = () => {
    const list = [], placeSize = carom.largest(data.position);
    const speedSize = Math.max(impacts.length ? top : 0, carom.largest(data.velocity)); // below 1e-9 of it the program prints "at rest"
    let q = 0, v = 0;
    data.bodies.forEach((name, i) => {
      const of = (track) => carom.coordinateNames(frames, i, track);
      const positions = [...of("translation"), ...of("rotation")], rates = [...of("velocity"), ...of("spin")];
      for (let k = 0; k < Math.max(positions.length, rates.length); k++) {
        list.push({ body: i, row: [name + " " + (positions[k] || rates[k]), k < positions.length ? carom.roundedCell(data.position[q++], placeSize) : null,
          k < rates.length ? carom.roundedCell(data.velocity[v++], speedSize, 1e-9) : null] });
      }
    });
    return list;
  };

  // ---- The motion ---------------------------------------------------------------------------

  let player = null, line = null, opened = -1;

  const framesNote = () => (frames.count < frames.samples
    ? "This page keeps " + frames.count + " of the " + frames.samples + " sampled instants: those that interpolation " +
      "reproduces worst, and those at which an energy is largest or least. "
    : "All " + frames.samples + " sampled instants are on this page. ") +
    "Between them bodies follow " + (frames.joins.some((join, k) => k > 0 && join !== carom.join.line)
    ? "curves by their positions and velocities, or straight lines where an impact lies in between" : "straight lines") +
    "; values are rounded to " + (frames.resolution > 1e-5 ? "a ten-thousandth" : "a millionth") + " of their range.";

  const motionSection = () => {
    player = carom.motionPlayer(motions, {
      bodyOf: (name) => numbers.get(name), moved: (time) => carom.markTime(time), total: report.impacts_total,
    });
    document.getElementById("page").append(element("section", { id: "motion", "aria-label": "The motion" }, player.holder));
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

  const describeImpact = (k) => {
    const impact = impacts[k];
    return "impact " + impact.impact + " at " + format(impact.time * t.factor) + " " + t.name + ": " +
      impact.contact_names.slice(0, 3).map(contactName).join("; ") + (impact.of_contacts > 3 ? " and others" : "") +
      ", at up to " + format(impact.strongest * speedUnit.factor, 4) + " " + speedUnit.name;
  };

  const lineSection = () => {
    const seen = report.impacts_total;
    if (impacts.length === 0) {
      carom.section("impacts", "Impacts" + (two ? ", by " + data.law : ""), carom.note("There were no impacts."));
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
    };
    const pad = last > first ? 0 : 0.5;
    line = carom.plane({
      id: "timeline", perSecond: t.factor, label: "Impacts on a time line, their height by closing speed; the table below has the numbers",
      height: (width) => Math.max(150, Math.min(220, width * 0.25)), draw,
      x: { title: withUnit("time", t.name), low: first * t.factor - pad, high: last * t.factor + pad },
      y: { title: withUnit("closing speed", speedUnit.name), low: 0, high: 1.06 * top * speedUnit.factor },
      describe: (x) => describeImpact(nearestImpact(x / t.factor)),
      pick: (x) => openImpact(nearestImpact(x / t.factor), true),
      // From the cursor, or from the impact that is open.
      stepTo: (x, by) => {
        const from = line.cursor ? nearestImpact(x / t.factor) : opened - by;
        return impacts[Math.max(0, Math.min(impacts.length - 1, from + by))].time * t.factor;
      },
      hint: "Click or press Enter to open the nearest impact, arrow keys to step; drag or press + − to zoom, double-click " +
        "or press 0 to reset.",
    });
    carom.charts.timeline = line;
    carom.section("impacts", "Impacts" + (two ? ", by " + data.law : ""),
      impacts.length < seen ? element("p", { class: "note", id: "impacts-thinned" }, "This page shows " +
        impacts.length + " of " + seen + " impacts: of every " + impacts[0].represents + " in succession the one with the highest closing " +
        "speed, or one that failed a check. The strongest of all is included.") : null,
      seen < data.impacts ? carom.note("Impacts before " + format(first) + " s, where the run was resumed, are not shown.") : null,
      line.holder,
      carom.tableDetails("impacts-table", "impacts", () => ({
        columns: ["impact", "time, s", "contacts", "highest closing speed, m/s", "lost, J", "represents", "checks"],
        count: impacts.length,
        row: (k) => [String(impacts[k].impact), impacts[k].time, impacts[k].of_contacts, impacts[k].strongest,
          carom.roundedCell(impacts[k].lost, energySize, 1e-12), impacts[k].represents, bad(impacts[k]) ? "failed" : "all passed"],
      })),
      carom.note(carom.relativeUnitNote()), element("div", { id: "impact", "aria-live": "polite" }));
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
      impact.represents > 1 ? carom.note("It represents " + impact.represents + " impacts around this time.") : null,
      element("p", {}, "Lost: " + format(lossShown(impact)) + " J."),
      carom.verdictList(carom.verdicts(impact)),
      carom.table(impact.of_contacts > impact.contacts.length
        ? impact.contacts.length + " of " + impact.of_contacts + " contacts, those with the largest impulses" : "Contacts",
      ["contact", "closing speed, m/s", "impulse, N s", withUnit("peak force", carom.unitName("N"))],
      impact.contact_names.map((name, j) => [contactName(name), carom.roundedCell(impact.closing_speed[j], top),
        carom.roundedCell(impact.impulse[j], carom.largest(impact.impulse)), impact.peak_force[j]]),
      { id: "impact-contacts" }, impact.contacts.map((names) => ({ bodies: names.map((name) => numbers.get(name)).filter((i) => i !== undefined) })))].filter(Boolean));
    if (go) {
      player.transport.pause();
      player.go(impact.time);
    }
    line.redraw();
  };
  carom.openImpact = openImpact;

  // ---- In time ------------------------------------------------------------------------------

  const linked = { perSecond: t.factor, pick: (x) => player.go(x / t.factor) };

  // Of both motions, at common times: `curves` gives one's {times, values}, `names` what its values are.
  const seriesOf = (curves, names, factor) => {
    const all = motions.map((motion) => curves(motion.frames));
    const times = two ? Array.from(Float64Array.from(new Set(all.flatMap((one) => one.times))).sort()) : all[0].times;
    const at = (one, list) => (two ? carom.interpolate(one.times.map((time, k) => [time, list[k]]), times) : list);
    return { times, series: motions.flatMap((motion, m) => names.map((name, k) => ({
      label: name + (two ? ", " + motion.label : ""), y: at(all[m], all[m].values[k]).map((value) => value * factor),
    }))) };
  };

  const energySection = () => {
    const all = ["kinetic", "potential", "lost", "work", "correction"];
    const words = { kinetic: "kinetic", potential: "potential", lost: "lost in contacts (cumulative)", work: "work (cumulative)",
      correction: "work of position correction (cumulative)" };
    const size = (name) => Math.max(...motions.map((motion) => carom.largest(motion.frames[name])));
    const most = Math.max(...all.map(size)), e = carom.unit(most, "J");
    const shown = all.filter((name) => size(name) > carom.ROUNDING.energy * most);
    if (frames.count < 2 || shown.length === 0) {
      return;
    }
    const { times, series: whole } = seriesOf((of) => carom.motionCurves(of, shown, (name, row, part) => carom.energyBetween(of, name, row, part)),
      shown.map((name) => words[name]), e.factor);
    const x = times.map((time) => time * t.factor), holder = element("div", {});
    // Where the potential energy is zero is arbitrary: changes say more.
    const show = (as) => carom.rebuild(holder, () => {
      const series = whole.map((one) => ({ label: one.label, y: one.y.map((value) => value - (as === 0 ? one.y[0] : 0)) }));
      const title = as === 0 ? "change of energy" : "energy";
      const chart = carom.timeChart({
        id: "energies", xTitle: withUnit("time", t.name), yTitle: withUnit(title, e.name),
        label: "Kinetic and potential energy, and what was lost, against time" + (as === 0 ? ", since the beginning" : ""), ...linked,
      }, x, series);
      holder.append(chart.whole, carom.tableDetails("energies-table", title + " against time", () => ({
        columns: [withUnit("time", t.name), ...series.map((one) => withUnit(one.label, e.name))],
        count: x.length,
        row: (k) => [x[k], ...series.map((one) => one.y[k])],
      })));
    });
    carom.section("energies", "Energy against time",
      carom.select("energies-as", "shown:", ["changes since the beginning", "energies"], show), holder);
    show(0);
  };

  const KINDS = [["translation", "position", "m"], ["velocity", "velocity", "m/s"], ["rotation", "angle", "rad"], ["spin", "spin", "rad/s"]];

  const coordinateSection = () => {
    const moving = data.bodies.map((_, i) => i).filter((i) => frames.tracksOf[i].translations + frames.tracksOf[i].rotations > 0);
    if (frames.count < 2 || moving.length === 0) {
      return;
    }
    const kinds = KINDS.filter(([track]) => frames[track].width > 0);
    const wanted = { body: 0, kind: 0 };
    const holder = element("div", {});
    const show = () => carom.rebuild(holder, () => {
      const i = moving[wanted.body], [track, word, unit] = kinds[wanted.kind];
      const names = carom.coordinateNames(frames, i, track);
      if (names.length === 0) {
        holder.append(carom.note(data.bodies[i].slice(0, 60) + " has no " + word + "."));
        return;
      }
      const which = names.map((_, k) => frames.tracksOf[i][track] + k);
      const curves = (of) => carom.motionCurves(of, which, (k, row, part) => carom.valueBetween(of, track, k, row, part));
      const most = Math.max(...curves(frames).values.map(carom.largest));
      const as = unit.startsWith("rad") ? { factor: 1, name: unit } : carom.unit(most, unit);
      const { times, series } = seriesOf(curves, names, as.factor);
      const chart = carom.timeChart({
        id: "coordinates", xTitle: withUnit("time", t.name), yTitle: withUnit(word, as.name),
        label: "The coordinates of a body against time", ...linked,
      }, times.map((time) => time * t.factor), series);
      holder.append(chart.whole, carom.tableDetails("coordinates-table", data.bodies[i].slice(0, 60) + ": " + word + " against time", () => ({
        columns: [withUnit("time", t.name), ...series.map((one) => withUnit(one.label, as.name))],
        count: times.length,
        row: (k) => [times[k] * t.factor, ...series.map((one) => one.y[k])],
      })));
    });
    carom.section("coordinates", "One body against time",
      element("p", { class: "tools" },
        carom.select("coordinates-body", "body", moving.map((i) => data.bodies[i].slice(0, 60)), (k) => {
          wanted.body = k;
          show();
        }),
        carom.select("coordinates-kind", "quantity", kinds.map(([, word]) => word), (k) => {
          wanted.kind = k;
          show();
        })),
      holder);
    show();
  };

  // ---- Together -----------------------------------------------------------------------------

  head();
  motionSection();
  about();
  lineSection();
  energySection();
  coordinateSection();
  summary();
  document.getElementById("summary").append(carom.note(framesNote()));
  carom.sourceSection();
  carom.redraw();
  player.go(first);
  player.transport.start();
  carom.redrawOnResize();
  carom.ready = true;
};
