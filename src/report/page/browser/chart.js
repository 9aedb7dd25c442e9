// Charts: a plane with axes on a canvas (curves, maps, bars), and uPlot for curves in time.
"use strict";

// ---- A canvas as wide as its place ----------------------------------------------------------

// `draw(context, width, height)` in CSS pixels; `height(width)` how high it is to be.
carom.canvas = function (attributes, height, draw) {
  const canvas = carom.element("canvas", { role: "img", tabindex: 0, ...attributes });
  const holder = carom.element("div", { class: "canvas" }, canvas);
  const redraw = () => {
    const width = Math.max(200, Math.floor(holder.clientWidth || 800));
    const high = Math.round(height(width));
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    canvas.width = width * ratio;
    canvas.height = high * ratio;
    canvas.style.width = width + "px";
    canvas.style.height = high + "px";
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "12px system-ui, sans-serif";
    draw(context, width, high);
  };
  carom.redrawers.push(redraw);
  return { canvas, holder, redraw };
};

// ---- The time that the player shows ----------------------------------------------------------

// A line over a chart; `place(time)` in CSS pixels of the holder, null outside of what is seen.
carom.timeLine = function (holder, place) {
  const line = carom.element("div", { class: "time-line", hidden: true });
  holder.append(line);
  return (time) => {
    const x = time === null ? null : place(time);
    line.hidden = x === null;
    line.style.left = (x || 0) + "px";
  };
};

// In every chart that has one.
carom.markTime = function (time) {
  for (const chart of Object.values(carom.charts)) {
    if (chart.mark) {
      chart.mark(time);
    }
  }
};

// ---- The plane ------------------------------------------------------------------------------

// options: id, label, x and y: {title, low, high, ticks?}, draw(plane), describe(x, y), height?, hint?,
// pick(x, y)? at a click or Enter, stepTo(x, by)? where an arrow key goes from there, perSecond? units of x in a
// second of the player
// Drag, or + and -, zoom along x; a double click, or 0, shows all; arrows move the cursor.
carom.plane = function (options) {
  const { element } = carom;
  const margin = { left: 68, right: 14, top: 12, bottom: 42 };
  const plane = {
    ...options, full: { ...options.x }, x: { ...options.x }, y: { ...options.y },
    cursor: null, drag: null,
  };
  plane.px = (x) => margin.left + ((x - plane.x.low) / (plane.x.high - plane.x.low)) * plane.width;
  plane.py = (y) =>
    margin.top + (1 - (y - plane.y.low) / (plane.y.high - plane.y.low)) * plane.height;
  const unpx = (p) => plane.x.low + ((p - margin.left) / plane.width) * (plane.x.high - plane.x.low);
  const unpy = (p) =>
    plane.y.low + (1 - (p - margin.top) / plane.height) * (plane.y.high - plane.y.low);

  const axis = (c) => {
    c.strokeStyle = carom.colour("grid");
    c.fillStyle = carom.colour("text");
    c.lineWidth = 1;
    c.textAlign = "center";
    c.textBaseline = "top";
    const xs = plane.x.ticks ? plane.x.ticks(plane.x.low, plane.x.high)
      : carom.ticks(plane.x.low, plane.x.high, plane.width / 90);
    for (const x of xs) {
      c.beginPath();
      c.moveTo(plane.px(x), margin.top);
      c.lineTo(plane.px(x), margin.top + plane.height + 4);
      c.stroke();
      c.fillText(plane.x.show ? plane.x.show(x) : carom.format(x, 5), plane.px(x), margin.top + plane.height + 7);
    }
    c.textAlign = "right";
    c.textBaseline = "middle";
    const ys = plane.y.ticks ? plane.y.ticks(plane.y.low, plane.y.high)
      : carom.ticks(plane.y.low, plane.y.high, plane.height / 45);
    for (const y of ys) {
      c.beginPath();
      c.moveTo(margin.left - 4, plane.py(y));
      c.lineTo(margin.left + plane.width, plane.py(y));
      c.stroke();
      c.fillText(plane.y.show ? plane.y.show(y) : carom.format(y, 4), margin.left - 7, plane.py(y));
    }
    c.textAlign = "center";
    c.textBaseline = "bottom";
    c.fillText(plane.x.title, margin.left + plane.width / 2, plane.high - 2);
    c.save();
    c.translate(12, margin.top + plane.height / 2);
    c.rotate(-Math.PI / 2);
    c.textBaseline = "middle";
    c.fillText(plane.y.title, 0, 0);
    c.restore();
  };

  const cross = (c) => {
    if (plane.drag) {
      c.fillStyle = carom.colour("grid");
      c.globalAlpha = 0.5;
      c.fillRect(plane.drag[0], margin.top, plane.drag[1] - plane.drag[0], plane.height);
      c.globalAlpha = 1;
    }
    if (plane.cursor) {
      c.strokeStyle = carom.colour("text");
      c.setLineDash([3, 3]);
      c.beginPath();
      c.moveTo(plane.px(plane.cursor.x), margin.top);
      c.lineTo(plane.px(plane.cursor.x), margin.top + plane.height);
      c.moveTo(margin.left, plane.py(plane.cursor.y));
      c.lineTo(margin.left + plane.width, plane.py(plane.cursor.y));
      c.stroke();
      c.setLineDash([]);
    }
  };

  const drawn = carom.canvas({ id: options.id + "-canvas", "aria-label": options.label },
    options.height || ((width) => Math.max(240, Math.min(420, width * 0.5))),
    (c, width, high) => {
      plane.context = c;
      plane.high = high;
      plane.width = width - margin.left - margin.right;
      plane.height = high - margin.top - margin.bottom;
      plane.left = margin.left;
      plane.top = margin.top;
      c.clearRect(0, 0, width, high);
      axis(c);
      c.save();
      c.beginPath();
      c.rect(margin.left, margin.top, plane.width, plane.height);
      c.clip();
      plane.draw(plane, c);
      cross(c);
      c.restore();
    });
  plane.canvas = drawn.canvas;
  plane.redraw = drawn.redraw;
  if (options.perSecond) {
    plane.mark = carom.timeLine(drawn.holder, (time) => {
      const x = time * options.perSecond;
      return x < plane.x.low || x > plane.x.high ? null : plane.px(x);
    });
  }
  plane.readout = element("p", { class: "readout", id: options.id + "-readout", role: "status" });

  plane.zoom = (low, high) => {
    if (high > low) {
      plane.x.low = Math.max(plane.full.low, low);
      plane.x.high = Math.min(plane.full.high, high);
      plane.redraw();
    }
  };
  plane.reset = () => plane.zoom(plane.full.low, plane.full.high);
  plane.point = (x, y) => {
    plane.cursor = {
      x: Math.max(plane.x.low, Math.min(plane.x.high, x)),
      y: Math.max(plane.y.low, Math.min(plane.y.high, y)),
    };
    plane.readout.textContent = plane.describe ? plane.describe(plane.cursor.x, plane.cursor.y) : "";
    plane.redraw();
  };
  carom.handleMouse(plane, unpx, unpy);
  carom.handleKeys(plane);
  plane.holder = element("div", { class: "plane" }, drawn.holder, plane.readout,
    carom.pictureButton(options.id, () => [plane.canvas]), element("p", { class: "hint" }, options.hint || "Drag or press + − to zoom, double-click or " +
      "press 0 to reset, arrow keys to read values."));
  return plane;
};

carom.handleMouse = function (plane, unpx, unpy) {
  const at = (event) => {
    const box = plane.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  plane.canvas.addEventListener("pointerdown", (event) => {
    const [x] = at(event);
    plane.drag = [x, x];
  });
  plane.canvas.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (plane.drag) {
      plane.drag[1] = x;
    }
    plane.point(unpx(x), unpy(y));
  });
  plane.canvas.addEventListener("pointerup", (event) => {
    const [a, b] = (plane.drag || [0, 0]).slice().sort((p, q) => p - q);
    plane.drag = null;
    if (b - a > 8) {
      plane.zoom(unpx(a), unpx(b));
    } else {
      if (plane.pick) {
        const [x, y] = at(event);
        plane.pick(unpx(x), unpy(y));
      }
      plane.redraw();
    }
  });
  plane.canvas.addEventListener("pointerleave", () => {
    plane.drag = null;
    plane.cursor = null;
    plane.redraw();
  });
  plane.canvas.addEventListener("dblclick", plane.reset);
};

// The same keys for every chart.
carom.handleKeys = function (plane) {
  plane.canvas.addEventListener("keydown", (event) => {
    const { low, high } = plane.x;
    const middle = plane.cursor ? plane.cursor.x : (low + high) / 2;
    const at = plane.cursor || { x: middle, y: (plane.y.low + plane.y.high) / 2 };
    const aside = (by) => (plane.stepTo ? plane.stepTo(at.x, by) : at.x + by * dx);
    const dx = plane.stepX || (high - low) / 100, dy = plane.stepY || (plane.y.high - plane.y.low) / 50;
    const act = {
      "+": () => plane.zoom(middle - (middle - low) / 1.5, middle + (high - middle) / 1.5),
      "=": () => plane.zoom(middle - (middle - low) / 1.5, middle + (high - middle) / 1.5),
      "-": () => plane.zoom(middle - (middle - low) * 1.5, middle + (high - middle) * 1.5),
      "0": plane.reset,
      ArrowLeft: () => plane.point(aside(-1), at.y),
      ArrowRight: () => plane.point(aside(1), at.y),
      Enter: plane.pick ? () => plane.pick(at.x, at.y) : null,
      ArrowDown: () => plane.point(at.x, at.y - dy),
      ArrowUp: () => plane.point(at.x, at.y + dy),
    }[event.key];
    if (act && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act();
    }
  });
};

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
      c.lineWidth = 1.8;
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
    list.append(carom.element("li", {}, button));
  });
  return list;
};

// ---- Curves in time, by uPlot ---------------------------------------------------------------

// series: {label, y}; x ascends without repeats. options: id, label, xTitle, yTitle, perSecond? as of a plane,
// pick(x)? at a click
carom.timeChart = function (options, x, series) {
  const holder = carom.element("div", {
    class: "uplot-holder", tabindex: 0, role: "img", "aria-label": options.label,
    id: options.id + "-canvas",
  });
  const chart = { id: options.id, x, series, holder, plot: null };
  const axis = (label) => ({
    label, labelSize: 22, stroke: carom.colour("text"), font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    grid: { stroke: carom.colour("grid"), width: 1 },
    ticks: { stroke: carom.colour("grid"), width: 1 },
    values: (_, list) => list.map((value) => carom.format(value, 5)),
  });
  const size = () => {
    const width = Math.max(200, Math.floor(holder.clientWidth || 800));
    return { width, height: Math.round(Math.max(240, Math.min(400, width * 0.5))) };
  };
  const make = () => {
    const kept = chart.plot ? { ...chart.plot.scales.x } : null;
    if (chart.plot) {
      chart.plot.destroy();
    }
    chart.plot = new uPlot({
      ...size(), pxAlign: 0,
      scales: { x: { time: false } },
      axes: [axis(options.xTitle), { ...axis(options.yTitle), size: 64 }],
      cursor: { drag: { x: true, y: false }, focus: { prox: 30 } },
      legend: { show: false },
      series: [{}, ...series.map((one, i) => ({
        label: one.label, show: !one.hidden, stroke: carom.lineStyle(i).colour, width: 1.8,
        dash: carom.lineStyle(i).dash, points: { show: false }, pxAlign: 0,
      }))],
      hooks: { setCursor: [(plot) => chart.describe(plot.cursor.idx)] },
    }, [x, ...series.map((one) => one.y)], holder);
    if (kept && kept.min !== null && kept.min !== undefined) {
      chart.plot.setScale("x", { min: kept.min, max: kept.max });
    }
    if (options.pick) {
      // uPlot keeps the click that ends a drag to itself.
      chart.plot.over.addEventListener("click", (event) => options.pick(chart.plot.posToVal(event.offsetX, "x")));
    }
  };
  if (options.perSecond) {
    chart.mark = carom.timeLine(holder, (time) => {
      const { min, max } = chart.plot.scales.x, x = time * options.perSecond;
      return x < min || x > max ? null : chart.plot.over.offsetLeft + chart.plot.valToPos(x, "x");
    });
  }
  chart.readout = carom.element("p", { class: "readout", id: options.id + "-readout", role: "status" });
  chart.describe = (k) => {
    chart.index = k;
    chart.readout.textContent = k === null || k === undefined ? ""
      : options.xTitle + " " + carom.format(x[k]) + ": " + series.filter((one) => !one.hidden)
        .slice(0, 12).map((one) => one.label + " " + carom.format(one.y[k], 4)).join(" · ");
  };
  chart.zoom = (low, high) => chart.plot.setScale("x", {
    min: Math.max(x[0], low), max: Math.min(x[x.length - 1], high),
  });
  chart.reset = () => chart.zoom(x[0], x[x.length - 1]);
  holder.addEventListener("keydown", (event) => {
    const { min, max } = chart.plot.scales.x;
    const middle = (min + max) / 2, half = (max - min) / 2;
    const step = (by) => {
      const k = Math.max(0, Math.min(x.length - 1, (chart.index || 0) + by));
      chart.describe(k);
      chart.plot.setCursor({ left: chart.plot.valToPos(x[k], "x"), top: 10 }, false);
    };
    const act = {
      "+": () => chart.zoom(middle - half / 1.5, middle + half / 1.5),
      "=": () => chart.zoom(middle - half / 1.5, middle + half / 1.5),
      "-": () => chart.zoom(middle - half * 1.5, middle + half * 1.5),
      "0": chart.reset,
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
    }[event.key];
    if (act && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act();
    }
  });
  carom.redrawers.push(make);
  chart.whole = carom.element("div", { class: "plane" },
    carom.legend(series, (i) => chart.plot.setSeries(i + 1, { show: !series[i].hidden })),
    holder, chart.readout, carom.pictureButton(options.id, () => [chart.plot.ctx.canvas]),
    carom.element("p", { class: "hint" }, "Drag or press + − to zoom, double-click or press 0 " +
      "to reset, arrow keys to read values."));
  carom.charts[options.id] = chart;
  return chart;
};

// ---- Bars -----------------------------------------------------------------------------------

// groups: {label, values: one for each of `names`}; null: none. Horizontal bars with numbers.
carom.bars = function (options, names, groups) {
  const row = 15, gap = 10, top = 8;
  const height = () => top + groups.length * (names.length * row + gap) + 26;
  const values = groups.flatMap((group) => group.values).filter((v) => v !== null);
  const low = Math.min(0, ...values), high = Math.max(0, ...values);
  const draw = (c, width) => {
    const left = Math.min(150, 0.3 * width), right = 70, room = width - left - right - (low < 0 ? 70 : 0);
    const start = left + (low < 0 ? 70 : 0);
    const scale = room / (high - low || 1);
    const zero = start - low * scale;
    c.clearRect(0, 0, width, height());
    let y = top;
    for (const group of groups) {
      c.fillStyle = carom.colour("text");
      c.textAlign = "right";
      c.textBaseline = "middle";
      carom.fitText(c, group.label, left - 8, y + (names.length * row) / 2, left - 12);
      group.values.forEach((value, i) => {
        const line = carom.lineStyle(i);
        if (value !== null) {
          const x = Math.min(zero, zero + value * scale), w = Math.max(1, Math.abs(value) * scale);
          c.fillStyle = line.colour;
          c.fillRect(x, y + 2, w, row - 4);
          c.strokeStyle = carom.colour("text");
          c.lineWidth = 0.5;
          c.strokeRect(x, y + 2, w, row - 4);
        }
        c.fillStyle = carom.colour("text");
        c.textAlign = value < 0 ? "right" : "left";
        const end = value === null ? zero : zero + value * scale;
        c.fillText(value === null ? "no answer" : carom.format(value, 4),
          end + (value < 0 ? -4 : 4), y + row / 2);
        y += row;
      });
      y += gap;
    }
    c.strokeStyle = carom.colour("text");
    c.beginPath();
    c.moveTo(zero, top - 4);
    c.lineTo(zero, y);
    c.stroke();
    c.textAlign = "center";
    c.fillStyle = carom.colour("text");
    c.fillText(options.title, start + room / 2, y + 8);
  };
  const drawn = carom.canvas({ id: options.id + "-canvas", "aria-label": options.label }, height, draw);
  const chart = { id: options.id, names, groups, redraw: drawn.redraw };
  chart.holder = carom.element("div", { class: "plane" },
    carom.element("ul", { class: "legend" }, names.length > 1 ? names.map((name, i) =>
      carom.element("li", { class: "swatch", style: "--swatch: var(--line-" + (i % 8) + ")" },
        name)) : []),
    drawn.holder, carom.pictureButton(options.id, () => [drawn.canvas]));
  carom.charts[options.id] = chart;
  return chart;
};

// Text cut to fit.
carom.fitText = function (c, text, x, y, most, outline) {
  let shown = text;
  while (shown.length > 1 && c.measureText(shown).width > most) {
    shown = shown.slice(0, Math.min(60, shown.length - 2)) + "…";
  }
  if (outline) {
    c.strokeStyle = outline;
    c.lineWidth = 3;
    c.strokeText(shown, x, y);
  }
  c.fillText(shown, x, y);
};

// A strip of the colours of a scale, with its ends.
carom.colourScale = function (id, words, range, unit) {
  const low = carom.element("span"), high = carom.element("span");
  const strip = carom.canvas({ id, "aria-label": "colours for " + words }, () => 14, (c, width, height) => {
    for (let x = 0; x < width; x++) {
      c.fillStyle = carom.scaleColourText(x / (width - 1));
      c.fillRect(x, 0, 1, height);
    }
  });
  strip.canvas.removeAttribute("tabindex");
  const refresh = () => {
    const [a, b] = range();
    const as = carom.unit(Math.max(Math.abs(a), Math.abs(b)), unit);
    low.textContent = words + " " + carom.format(a * as.factor, 4);
    high.textContent = carom.format(b * as.factor, 4) + " " + as.name;
  };
  return { holder: carom.element("div", { class: "scale" }, low, strip.holder, high), refresh };
};
