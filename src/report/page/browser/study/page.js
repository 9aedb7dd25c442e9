// The page of a parameter study: quantities against fields, maps over two of them.
"use strict";

carom.pages.sweep = () => {
  const { data, element, format, withUnit } = carom;
  const { report, fields, laws, quantities, inputs, values, points } = data;
  const FEW = 60; // values of a field that one can choose from

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
  const chooseable = (axis) => axis.distinct.length <= FEW;
  const wide = axes.map((_, f) => f).sort((a, b) => axes[b].distinct.length - axes[a].distinct.length);
  const state = {
    x: wide[0], y: wide.length > 1 ? wide[1] : -1, law: 0,
    fixed: axes.map((axis) => axis.distinct[0]),
  };
  // Points at which all fields but these have the chosen values; those drawn at random may be any.
  const chosen = (...free) => points.map((_, i) => i).filter((i) => axes.every((axis, f) =>
    free.includes(f) || !chooseable(axis) || axis.at[i] === state.fixed[f]));

  const brief = (axis, value) => (axis.texts ? axis.show(value).slice(0, 12) : format(value, 3));
  const place = (axis, value) => (axis.geometric ? carom.logAxis.place(value) : value);
  const words = (axis, p) => axis.show(axis.geometric ? 10 ** p : p);
  const ticks = (axis) => (axis.texts
    ? (low, high) => axis.distinct.filter((k) => k >= low && k <= high).slice(0, 20)
    : axis.geometric ? carom.logAxis.ticks : undefined);

  // ---- The head -----------------------------------------------------------------------------

  const head = () => {
    const title = data.title || "A parameter study";
    document.title = title.slice(0, 120) + " – carom";
    document.getElementById("page").append(element("header", {},
      element("h1", { id: "title" }, title),
      element("p", { class: "about" }, report.points + " points, " + laws.length +
        (laws.length === 1 ? " law: " : " laws: ") + laws.map((law) => law.slice(0, 60)).join(", ") +
        "; varied: " + axes.map((axis) => axis.name + " (" + axis.distinct.length + " values)").join(", ") +
        ". carom " + data.carom + "."),
      points.length < report.points ? element("p", { class: "warning", id: "thinned" },
        "This page shows " + points.length + " of " + report.points + " points: evenly spread, and those at " +
        "which a quantity is largest or least.") : null,
      report.digits < 17 ? element("p", { class: "note" }, "Numbers are rounded to " + report.digits + " digits here.") : null,
      report.failed > 0 ? element("p", { class: "warning", id: "failed" }, report.failed + " of " +
        report.points * laws.length + " rows have no answer; they are marked ✗ at the bottom of the charts and listed at the end.") : null,
      carom.themeButton()));
  };

  // ---- Curves -------------------------------------------------------------------------------

  // A row without an answer has no value at all; one with an answer lacks what its law does not define.
  const isUnanswered = (law, i) => report.failed > 0 && values.every((one) => one[law][i] === null);
  const lacks = (q, law) => values[q][law].some((value, i) => value === null && !isUnanswered(law, i));
  const random = () => axes.some((axis, f) => f !== state.x && !chooseable(axis));

  const curve = (q) => {
    const axis = axes[state.x];
    const which = chosen(state.x).sort((a, b) => axis.at[a] - axis.at[b]);
    const scatter = random();
    const x = which.map((i) => place(axis, axis.at[i]));
    const series = laws.map((label, law) => ({
      label, x, y: which.map((i) => values[q][law][i]), points: scatter || which.length <= FEW, noLine: scatter,
      marks: (plane, c) => {
        for (const i of which.filter((one) => isUnanswered(law, one))) {
          const px = plane.px(place(axis, axis.at[i])), py = plane.top + plane.height - 8 - 9 * law;
          c.beginPath();
          c.moveTo(px - 4, py - 4);
          c.lineTo(px + 4, py + 4);
          c.moveTo(px - 4, py + 4);
          c.lineTo(px + 4, py - 4);
          c.stroke();
        }
      },
    }));
    const { name, unit } = quantities[q];
    const chart = carom.curves({
      id: "curve-" + q, xTitle: axis.name, yTitle: withUnit(name, unit),
      label: name + " against " + axis.name + ", a line for each law",
      x: { ticks: ticks(axis), show: (p) => words(axis, p) },
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

  // ---- Maps ---------------------------------------------------------------------------------

  const map = (q) => {
    const across = axes[state.x], up = axes[state.y];
    const which = chosen(state.x, state.y);
    const columns = across.distinct.length, rows = up.distinct.length;
    const list = values[q][state.law];
    const cell = new Int32Array(columns * rows).fill(-1); // the point in it
    let low = Infinity, high = -Infinity;
    for (const i of which) {
      cell[up.index[i] * columns + across.index[i]] = i;
      if (list[i] !== null) {
        low = Math.min(low, list[i]);
        high = Math.max(high, list[i]);
      }
    }
    const draw = (plane, c) => {
      for (let k = 0; k < columns; k++) {
        for (let j = 0; j < rows; j++) {
          const i = cell[j * columns + k];
          const left = Math.floor(plane.px(k - 0.5)), top = Math.floor(plane.py(j + 0.5));
          const w = Math.floor(plane.px(k + 0.5)) - left, h = Math.floor(plane.py(j - 0.5)) - top;
          if (i < 0) {
            continue;
          }
          if (isUnanswered(state.law, i)) {
            c.strokeStyle = carom.colour("bad");
            c.beginPath();
            c.moveTo(left, top);
            c.lineTo(left + w, top + h);
            c.moveTo(left, top + h);
            c.lineTo(left + w, top);
            c.stroke();
          } else if (list[i] !== null) {
            c.fillStyle = carom.scaleColourText(high > low ? (list[i] - low) / (high - low) : 0.5);
            c.fillRect(left, top, w, h);
          }
        }
      }
    };
    const whole = (low_, high_) => carom.ticks(low_, high_, 8).filter((k) => Number.isInteger(k));
    const describe = (x, y) => {
      const k = Math.max(0, Math.min(columns - 1, Math.round(x))), j = Math.max(0, Math.min(rows - 1, Math.round(y)));
      const i = cell[j * columns + k];
      return across.name + " " + across.show(across.distinct[k]) + ", " + up.name + " " + up.show(up.distinct[j]) + ": " +
        (i < 0 ? "not computed" : isUnanswered(state.law, i) ? "no answer" : list[i] === null ? "not defined" : format(list[i]));
    };
    const plane = carom.plane({
      id: "map-" + q, draw, describe, label: quantities[q].name + " as a map over " + across.name + " and " + up.name,
      x: { title: across.name, low: -0.5, high: columns - 0.5, ticks: whole, show: (k) => brief(across, across.distinct[k]) },
      y: { title: up.name, low: -0.5, high: rows - 0.5, ticks: whole, show: (k) => brief(up, up.distinct[k]) },
    });
    plane.stepX = plane.stepY = 1;
    carom.charts["map-" + q] = plane;
    const key = carom.colourScale("map-key-" + q, quantities[q].name, () => [low, high], quantities[q].unit || "");
    key.refresh();
    return element("section", { id: "map-part-" + q, "aria-labelledby": "map-part-" + q + "-title", class: "part" },
      element("h3", { id: "map-part-" + q + "-title" }, quantities[q].name + ", by " + laws[state.law]),
      plane.holder, key.holder);
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
    quantities.forEach((_, q) => body.append(curve(q)));
    if (state.y >= 0 && chooseable(axes[state.y]) && axes[state.x].distinct.length > 1) {
      body.append(element("h3", { class: "maps" }, "Maps over " + axes[state.x].name + " and " + axes[state.y].name));
      quantities.forEach((_, q) => body.append(map(q)));
    }
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
