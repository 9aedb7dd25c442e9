// Curves over anything, and their legend.
"use strict";

// ---- Curves over anything -------------------------------------------------------------------

carom.range = function (series, pick) {
  let low = Infinity, high = -Infinity;
  for (const one of series) {
    for (const value of one[pick]) {
      if (value !== null && Number.isFinite(value)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
  }
  if (!(high >= low)) {
    return { low: 0, high: 1 };
  }
  // Below a millionth it is constant: labels could not tell its values apart.
  const size = Math.max(Math.abs(low), Math.abs(high)), spread = high - low > 1e-6 * size ? high - low : 0;
  const pad = pick === "y" ? 0.05 * spread || size || 1 : high > low ? 0 : 0.5;
  return { low: low - pad, high: high + pad };
};

// A logarithmic axis: positions of values on it, ticks and their labels.
carom.logAxis = {
  place: (value) => (value === null ? null : Math.log10(value)),
  show: (p) => carom.format(10 ** p),
  ticks: (low, high) => carom.ticks(low, high, 5).filter((k) => Number.isInteger(k) || high - low < 2),
};

// series: {label, x, y, points?}; a null in y leaves a gap. options as of a plane, titles in
// xTitle and yTitle.
carom.curves = function (options, series) {
  const draw = (plane, c) => {
    series.forEach((one, i) => {
      if (one.hidden) {
        return;
      }
      const line = carom.lineStyle(one.style === undefined ? i : one.style);
      c.strokeStyle = line.colour;
      c.fillStyle = line.colour;
      const item = carom.itemOf(one), apart = carom.anyLinked() && item;
      c.lineWidth = apart && carom.isLinked(item) ? 3.5 : 1.8;
      c.globalAlpha = apart && !carom.isLinked(item) ? 0.25 : 1;
      c.setLineDash(line.dash);
      c.beginPath();
      let on = false;
      for (let k = 0; k < one.x.length; k++) {
        const good = one.y[k] !== null && Number.isFinite(one.y[k]);
        if (good && !one.noLine) {
          c[on ? "lineTo" : "moveTo"](plane.px(one.x[k]), plane.py(one.y[k]));
        }
        on = good;
      }
      c.stroke();
      c.setLineDash([]);
      for (let k = 0; one.points && k < one.x.length; k++) {
        if (one.y[k] !== null) {
          c.fillRect(plane.px(one.x[k]) - 2, plane.py(one.y[k]) - 2, 4, 4);
        }
      }
      if (one.marks) {
        one.marks(plane, c);
      }
      c.globalAlpha = 1;
    });
  };
  const nearest = (one, x) => {
    let best = -1;
    for (let k = 0; k < one.x.length; k++) {
      if (best < 0 || Math.abs(one.x[k] - x) < Math.abs(one.x[best] - x)) {
        best = k;
      }
    }
    return best;
  };
  const describe = (x) => {
    const shown = series.filter((one) => !one.hidden).slice(0, 8);
    return shown.map((one) => {
      const k = nearest(one, x);
      const at = options.x && options.x.show ? options.x.show(one.x[k]) : carom.format(one.x[k]);
      const value = options.y && options.y.show && one.y[k] !== null ? options.y.show(one.y[k]) : carom.format(one.y[k]);
      return one.label + ": " + value + " at " + at;
    }).join(" · ");
  };
  const plane = carom.plane({
    draw, describe, ...options,
    x: { title: options.xTitle, ...carom.range(series, "x"), ...options.x },
    y: { title: options.yTitle, ...carom.range(series, "y"), ...options.y },
  });
  plane.series = series;
  plane.showLink = () => series.some(carom.itemOf) && plane.redraw();
  plane.holder.prepend(carom.legend(series, plane.redraw));
  carom.charts[options.id] = plane;
  return plane;
};

// Names of lines, each with a sample of it; a button shows and hides it.
carom.legend = function (series, redraw) {
  const list = carom.element("ul", { class: "legend" });
  series.forEach((one, i) => {
    const sample = carom.element("canvas", { width: 56, height: 16, "aria-hidden": "true" });
    const draw = () => {
      const c = sample.getContext("2d");
      const line = carom.lineStyle(one.style === undefined ? i : one.style);
      c.setTransform(2, 0, 0, 2, 0, 0);
      c.clearRect(0, 0, 28, 8);
      c.strokeStyle = line.colour;
      c.setLineDash(line.dash);
      c.lineWidth = 2;
      c.beginPath();
      c.moveTo(0, 4);
      c.lineTo(28, 4);
      c.stroke();
    };
    const button = carom.element("button", {
      type: "button", "aria-pressed": String(!one.hidden),
      click: () => {
        one.hidden = !one.hidden;
        button.setAttribute("aria-pressed", String(!one.hidden));
        redraw(i);
      },
    }, sample, " " + one.label);
    carom.redrawers.push(draw);
    if (carom.itemOf(one)) {
      carom.linkElement(button, carom.itemOf(one));
    }
    list.append(carom.element("li", {}, button));
  });
  return list;
};
