// The page of a parameter study: quantities against fields, maps over two of them, how random ones are spread.
"use strict";

carom.pages.sweep = () => {
  const { data, element, format, withUnit } = carom;
  const { report, fields, laws, quantities, inputs, values, points } = data;
  const FEW = 60, MOST = 2000; // values of a field that one can choose from: always, and where they come again

  // ---- Fields -------------------------------------------------------------------------------

  // The value of a field at each point as a number; of a text its index among the distinct ones.
  const read = (field, f) => {
    const texts = field.numeric ? null : [...new Set(field.texts)];
    const at = field.numeric ? inputs[f] : field.texts.map((text) => texts.indexOf(text));
    const distinct = [...new Set(at)].sort((a, b) => a - b);
    const show = texts ? (k) => texts[k] ?? "" : (value) => format(value);
    const steps = distinct.slice(1).map((value, i) => value / distinct[i]);
    const geometric = !texts && distinct.length > 2 && distinct[0] > 0 &&
      distinct[distinct.length - 1] > 10 * distinct[0] &&
      steps.every((ratio) => Math.abs(ratio / steps[0] - 1) < 1e-6);
    const order = new Map(distinct.map((value, k) => [value, k]));
    const index = at.map((value) => order.get(value)); // among the distinct ones
    return { name: field.name, at, distinct, index, show, geometric, texts };
  };
  const axes = fields.map(read);
  const chooseable = (axis) => axis.distinct.length <= FEW || (axis.distinct.length <= MOST && 2 * axis.distinct.length <= points.length);
  const wide = axes.map((_, f) => f).sort((a, b) => axes[b].distinct.length - axes[a].distinct.length);
  const state = {
    x: wide[0], y: wide.length > 1 ? wide[1] : -1, law: 0,
    fixed: axes.map((axis) => axis.distinct[0]),
  };
  // Points at which all fields but these have the chosen values; those drawn at random may be any.
  const chosen = (...free) => points.map((_, i) => i).filter((i) => axes.every((axis, f) =>
    free.includes(f) || !chooseable(axis) || axis.at[i] === state.fixed[f]));

  const study = { axes, state, place: (axis, value) => (axis.geometric ? carom.logAxis.place(value) : value),
    chosen: (...free) => chosen(...free), isUnanswered: (law, i) => isUnanswered(law, i) };

  const { place } = study;
  const words = (axis, p) => axis.show(axis.geometric ? 10 ** p : p);
  const ticks = (axis) => (axis.texts
    ? (low, high) => axis.distinct.filter((k) => k >= low && k <= high).slice(0, 20)
    : axis.geometric ? carom.logAxis.ticks : undefined);

  // ---- The head -----------------------------------------------------------------------------

  // "velocity[1], m/s: from −1.25 to −1.06 by bi; from −1.24 to −1.06 by mono."
  const headline = () => withUnit(quantities[0].name, quantities[0].unit) + ": " + laws.slice(0, 4).map((law, k) => {
    const known = values[0][k].filter((value) => value !== null);
    const [low, high] = known.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
    return (known.length === 0 ? "no value" : low === high ? format(low, 3) : "from " + format(low, 3) + " to " + format(high, 3)) + " by " + law.slice(0, 60);
  }).join("; ") + (laws.length > 4 ? "; …" : ".");

  const head = () => {
    const title = data.title || "A parameter study";
    document.title = title.slice(0, 120) + " – carom";
    document.getElementById("page").append(element("header", {},
      element("h1", { id: "title" }, title), element("p", { id: "headline" }, headline()),
      element("p", { class: "about" }, report.points + " points, " + laws.length +
        (laws.length === 1 ? " law: " : " laws: ") + laws.map((law) => law.slice(0, 60)).join(", ") +
        "; varied: " + axes.map((axis) => axis.name + " (" + axis.distinct.length + " values)").join(", ") +
        ". carom " + data.carom + "."),
      points.length < report.points ? element("p", { class: "note", id: "thinned" },
        "This page shows " + points.length + " of " + report.points + " points: evenly spread, and those at " +
        "which a quantity is largest or least.") : null,
      report.digits < 17 ? element("p", { class: "note" }, "Numbers are rounded to " + report.digits + " digits here.") : null,
      report.failed > 0 ? element("p", { class: "warning", id: "failed" }, report.failed + " of " +
        report.points * laws.length + " rows have no answer; they are marked ✗ below the axis of the charts and listed at the end.") : null,
      carom.themeButton()));
  };

  // ---- Curves -------------------------------------------------------------------------------

  // A row without an answer has no value at all; one with an answer lacks what its law does not define.
  const isUnanswered = (law, i) => report.failed > 0 && values.every((one) => one[law][i] === null);
  const lacks = (q, law) => values[q][law].some((value, i) => value === null && !isUnanswered(law, i));
  const random = () => axes.some((axis, f) => f !== state.x && !chooseable(axis));

  // Crosses below the axis where a law has no answer, a row for each; null: there are none.
  const failedUnder = (axis, which) => {
    const rows = laws.map((_, law) => which.filter((i) => isUnanswered(law, i)));
    return rows.every((row) => row.length === 0) ? null : { rows: laws.length, draw: (plane, c, top) => rows.forEach((row, law) => {
      c.strokeStyle = carom.lineStyle(law).colour;
      c.lineWidth = 1.5;
      c.beginPath();
      for (const i of row) {
        const px = plane.px(place(axis, axis.at[i])), py = top + 9 * law;
        if (px >= plane.left && px <= plane.left + plane.width) {
          c.moveTo(px - 3.5, py - 3.5);
          c.lineTo(px + 3.5, py + 3.5);
          c.moveTo(px - 3.5, py + 3.5);
          c.lineTo(px + 3.5, py - 3.5);
        }
      }
      c.stroke();
    }) };
  };

  const curve = (q) => {
    const axis = axes[state.x];
    const which = chosen(state.x).sort((a, b) => axis.at[a] - axis.at[b]);
    const scatter = random();
    const x = which.map((i) => place(axis, axis.at[i]));
    const series = laws.map((label, law) => ({
      label, x, y: which.map((i) => values[q][law][i]), points: scatter || which.length <= FEW, noLine: scatter,
    }));
    const { name, unit } = quantities[q];
    const chart = carom.curves({
      id: "curve-" + q, xTitle: axis.name, yTitle: withUnit(name, unit),
      label: name + " against " + axis.name + ", a line for each law",
      x: { ticks: ticks(axis), show: (p) => words(axis, p) }, under: failedUnder(axis, which),
    }, series);
    chart.which = which;
    return element("section", { id: "quantity-" + q, "aria-labelledby": "quantity-" + q + "-title", class: "part" },
      element("h3", { id: "quantity-" + q + "-title" }, name), carom.note(quantities[q].text),
      carom.note(carom.relativeUnitNote(unit)),
      carom.note(laws.filter((_, law) => lacks(q, law)).map((law) => "Not defined by " + law.slice(0, 60) + ".").join(" ")), chart.holder,
      carom.tableDetails("curve-table-" + q, name + " against " + axis.name, () => ({
        columns: [axis.name, ...laws.map((law) => withUnit(law, unit))],
        count: which.length,
        row: (k) => [axis.texts ? axis.show(axis.at[which[k]]) : axis.at[which[k]],
          ...laws.map((_, law) => values[q][law][which[k]])],
      })));
  };

  // ---- What is shown ------------------------------------------------------------------------

  let body = null, drawers = [];
  const show = () => {
    carom.redrawers = carom.redrawers.filter((draw) => !drawers.includes(draw));
    const before = carom.redrawers.length;
    body.replaceChildren();
    axes.forEach((_, f) => {
      const select = document.getElementById("fixed-" + f);
      if (select) {
        select.disabled = f === state.x; // all its values are shown
      }
    });
    const two = state.y >= 0 && axes[state.x].distinct.length > 1 && axes[state.y].distinct.length > 1;
    const maps = two ? [element("h3", { class: "maps" }, "Maps over " + axes[state.x].name + " and " + axes[state.y].name),
      ...quantities.map((_, q) => carom.studyMap(study, q))] : [];
    const curves = quantities.map((_, q) => curve(q));
    // Of many values of both fields a map says more than a line at one of them.
    const MANY = 8, first = two && axes[state.y].distinct.length >= MANY;
    if (axes.some((axis) => !chooseable(axis))) {
      body.append(element("h3", { class: "maps" }, "How the values are spread"), ...quantities.map((_, q) => carom.studySpread(study, q)));
    }
    body.append(...(first ? [...maps, element("h3", { class: "maps" }, "Against " + axes[state.x].name), ...curves] : [...curves, ...maps]));
    drawers = carom.redrawers.slice(before);
    drawers.forEach((draw) => draw());
  };
  carom.sweepShow = (change) => {
    Object.assign(state, change);
    show();
  };

  const controls = () => {
    const names = axes.map((axis) => axis.name);
    const list = element("p", { class: "tools" },
      carom.select("x-field", "x axis", names, (f) => {
        state.x = f;
        state.y = state.y === f ? wide.find((g) => g !== f) ?? -1 : state.y;
        show();
      }, state.x),
      axes.length > 1 ? carom.select("y-field", "y axis of maps", names, (f) => {
        if (f !== state.x) {
          carom.sweepShow({ y: f });
        }
      }, state.y) : null,
      laws.length > 1 && axes.length > 1 ? carom.select("map-law", "law of maps", laws, (law) => carom.sweepShow({ law })) : null,
      axes.length > 1 ? axes.map((axis, f) => (chooseable(axis) ? carom.select("fixed-" + f, axis.name + " =",
        axis.distinct.map(axis.show), (k) => {
          state.fixed[f] = axis.distinct[k];
          show();
        }) : null)) : null);
    return list;
  };

  // ---- Failures and source ------------------------------------------------------------------

  const failures = () => {
    if (report.failed === 0) {
      return;
    }
    carom.section("failures", "Points without an answer",
      carom.note(data.failures.length < report.failed ? "The first " + data.failures.length + " of " + report.failed + "." : ""),
      carom.table("Points without an answer", ["point", "law", "status", "reason"],
        data.failures.map((one) => [String(one.point), laws[one.law], one.status.replace("_", " "), one.reason]),
        { id: "failures-table" }));
  };

  head();
  carom.section("study", "Quantities", controls());
  body = element("div", {});
  document.getElementById("study").append(body);
  failures();
  carom.sourceSection();
  carom.redraw();
  show();
  carom.redrawOnResize();
  carom.ready = true;
};
