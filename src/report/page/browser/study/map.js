// A quantity of a study as a map over two fields: a cell for each pair of values, or, where points do not fill such a
// grid (random fields, thinned studies), cells of equal size with the mean of the points in them.
"use strict";

// -> {count, of(i) the cell of a point, low, high: values at the ends, at(p), show(p), title}
carom.studyCells = function (study, axis, exact, count) {
  const { format } = carom;
  if (exact) {
    const brief = (k) => (axis.texts ? axis.show(axis.distinct[k]).slice(0, 12) : format(axis.distinct[k], 3));
    return { count: axis.distinct.length, of: (i) => axis.index[i], low: -0.5, high: axis.distinct.length - 0.5, brief,
      ticks: (low, high) => carom.ticks(low, high, 8).filter((k) => Number.isInteger(k)),
      describe: (k) => axis.show(axis.distinct[k]) };
  }
  const places = axis.distinct.map((value) => study.place(axis, value)), low = places[0], high = places[places.length - 1];
  const value = (p) => (axis.geometric ? 10 ** p : p), each = (high - low) / count;
  const end = (k) => low + k * each;
  return { count, of: (i) => Math.min(count - 1, Math.floor(((study.place(axis, axis.at[i]) - low) / (high - low)) * count)),
    low: -0.5, high: count - 0.5, brief: (k) => format(value(end(k + 0.5)), 3),
    ticks: (from, to) => carom.ticks(from, to, 6).filter((k) => Number.isInteger(k)),
    describe: (k) => format(value(end(k)), 4) + " to " + format(value(end(k + 1)), 4) };
};

carom.studyMap = function (study, q) {
  const { element, format, data } = carom, { axes, state } = study, { quantities, values, laws } = data;
  const across = axes[state.x], up = axes[state.y], which = study.chosen(state.x, state.y), list = values[q][state.law];
  const numbers = (axis) => axis.distinct.length, exact = numbers(across) * numbers(up) <= 1.5 * which.length;
  // About two points in a cell.
  const side = (axis) => Math.max(2, Math.min(200, numbers(axis), Math.round(Math.sqrt(which.length / 2))));
  const x = carom.studyCells(study, across, exact || across.texts, side(across)), y = carom.studyCells(study, up, exact || up.texts, side(up));
  const cells = Array.from({ length: x.count * y.count }, () => ({ points: 0, sum: 0, count: 0, failed: 0 }));
  for (const i of which) {
    const cell = cells[y.of(i) * x.count + x.of(i)];
    cell.points++;
    cell.failed += study.isUnanswered(state.law, i) ? 1 : 0;
    if (list[i] !== null) {
      cell.sum += list[i];
      cell.count++;
    }
  }
  const mean = (cell) => cell.sum / cell.count;
  let low = Infinity, high = -Infinity;
  cells.filter((cell) => cell.count > 0).forEach((cell) => {
    low = Math.min(low, mean(cell));
    high = Math.max(high, mean(cell));
  });
  const draw = (plane, c) => {
    c.strokeStyle = carom.colour("bad");
    cells.forEach((cell, n) => {
      const k = n % x.count, j = Math.floor(n / x.count);
      const left = Math.floor(plane.px(k - 0.5)), top = Math.floor(plane.py(j + 0.5));
      const w = Math.max(1, Math.floor(plane.px(k + 0.5)) - left), h = Math.max(1, Math.floor(plane.py(j - 0.5)) - top);
      if (cell.count > 0) {
        c.fillStyle = carom.scaleColourText(high > low ? (mean(cell) - low) / (high - low) : 0.5);
        c.fillRect(left, top, w, h);
      } else if (cell.failed > 0) {
        c.beginPath();
        c.moveTo(left, top);
        c.lineTo(left + w, top + h);
        c.moveTo(left, top + h);
        c.lineTo(left + w, top);
        c.stroke();
      }
    });
  };
  const describe = (px, py) => {
    const k = Math.max(0, Math.min(x.count - 1, Math.round(px))), j = Math.max(0, Math.min(y.count - 1, Math.round(py)));
    const cell = cells[j * x.count + k];
    return across.name + " " + x.describe(k) + ", " + up.name + " " + y.describe(j) + ": " +
      (cell.points === 0 ? "not computed" : cell.count > 0 ? format(mean(cell)) + (cell.count > 1 ? ", mean of " + cell.count + " points" : "")
        : cell.failed > 0 ? "no answer" : "not defined");
  };
  const plane = carom.plane({
    id: "map-" + q, draw, describe, label: quantities[q].name + " as a map over " + across.name + " and " + up.name,
    x: { title: across.name, low: x.low, high: x.high, ticks: x.ticks, show: x.brief },
    y: { title: up.name, low: y.low, high: y.high, ticks: y.ticks, show: y.brief },
  });
  plane.stepX = plane.stepY = 1;
  plane.cells = cells;
  carom.charts["map-" + q] = plane;
  const key = carom.colourScale("map-key-" + q, quantities[q].name, () => [low, high], quantities[q].unit || "");
  key.refresh();
  return element("section", { id: "map-part-" + q, "aria-labelledby": "map-part-" + q + "-title", class: "part" },
    element("h3", { id: "map-part-" + q + "-title" }, quantities[q].name + ", by " + laws[state.law]),
    exact ? null : carom.note("The points do not fill a grid: a cell has the mean of the points in it."), plane.holder, key.holder);
};
