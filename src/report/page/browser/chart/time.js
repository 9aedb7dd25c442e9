// Curves in time, by uPlot.
"use strict";

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
      hooks: {
        setCursor: [(plot) => chart.describe(plot.cursor.idx)],
        setSeries: [(_, k, { focus }) => {
          const item = focus && k !== null ? carom.itemOf(series[k - 1]) : null;
          if (focus !== undefined && series.some(carom.itemOf)) {
            carom.link(item);
          }
        }],
      },
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
  chart.showLink = () => {
    const items = series.map(carom.itemOf);
    if (!items.some(Boolean)) {
      return;
    }
    items.forEach((item, k) => {
      const on = !carom.anyLinked() || !item || carom.isLinked(item);
      Object.assign(chart.plot.series[k + 1], { alpha: on ? 1 : 0.25, width: on && carom.anyLinked() ? 3 : 1.8 });
    });
    chart.plot.redraw(true, false);
  };
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
