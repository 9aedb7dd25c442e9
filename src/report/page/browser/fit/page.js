// The page of a fit: measured and fitted values, residuals, parameters and their correlation.
"use strict";

carom.pages.fit = () => {
  const { data, element, format } = carom;
  const { parameters, residuals, correlation } = data;

  // "chain.restitution is 0.5500 ± 0.0005 (95 %: 0.5489 to 0.5511)."
  const headline = () => parameters.slice(0, 4).map((p) => {
    // The ends of the interval to a tenth of the uncertainty.
    const end = (value) => format(value, Math.max(2, Math.ceil(Math.log10(Math.abs(value) / p.uncertainty)) + 2));
    return p.name + (p.determined ? " is " + carom.withUncertainty(p.value, p.uncertainty) +
      (p.interval ? " (95 %: " + end(p.interval[0]) + " to " + end(p.interval[1]) + ")" : "") : " is not determined by the data") + ".";
  }).join(" ") + (parameters.length > 4 ? " …" : "");

  // A measurement by its number and what it is of; the chart has them below its axis.
  const nameOf = (k) => k + 1 + ": " + residuals[k].what;

  const head = () => {
    const title = data.title || "A fit";
    document.title = title.slice(0, 120) + " – carom";
    const count = (n, word) => n + " " + word + (n === 1 ? "" : "s");
    document.getElementById("page").append(element("header", {},
      element("h1", { id: "title" }, title),
      element("p", { class: "about" }, count(parameters.length, "parameter") + " from " + count(residuals.length, "measurement") +
        ", by " + data.law + ". carom " + data.carom + "."),
      element("p", { id: "headline" }, headline()),
      data.converged ? null : element("p", { class: "warning" }, "The fit did not converge."),
      (data.notes || []).map((note) => element("p", { class: "warning" }, note)),
      carom.themeButton()));
  };

  // ---- Parameters ---------------------------------------------------------------------------

  const summary = () => {
    const free = data.degrees_of_freedom;
    carom.section("summary", "Summary",
      carom.table("Parameters, with one standard deviation and the 95 % interval",
        ["", "", "value", "uncertainty", "from", "to", "start", ""], parameters.map((p) => [p.name, carom.withUncertainty(p.value, p.uncertainty), p.value, p.uncertainty,
          p.interval ? p.interval[0] : null, p.interval ? p.interval[1] : null, p.start,
          !p.determined ? "not determined by the data" : p.at_bound ? "at its bound" : "determined"]), { id: "parameters-table" }),
      carom.table("Goodness of fit", ["", ""], [["chi squared", data.chi2], ["degrees of freedom", free],
        ["chi squared per degree of freedom", free > 0 ? data.chi2 / free : null], ["starts", data.starts],
        ["minima found", data.minima.length]], { id: "quality-table" }));
  };

  // ---- Measurements -------------------------------------------------------------------------

  const whole = (low, high) => carom.ticks(low, high, 10).filter(Number.isInteger);
  const describeRow = (k, x) => {
    const row = residuals[k];
    return x + ": " + row.what + " measured " + format(row.measured) + " ± " + format(row.uncertainty, 3) + ", fitted " + format(row.fitted);
  };
  const bar = (c, x, low, high) => {
    c.beginPath();
    c.moveTo(x, low);
    c.lineTo(x, high);
    for (const y of [low, high]) {
      c.moveTo(x - 4, y);
      c.lineTo(x + 4, y);
    }
    c.stroke();
  };
  const FEW = 8; // of so many there is room for names
  // A plane over measurements, by their numbers.
  const over = (id, which, options) => {
    const at = (x) => which.reduce((best, k) => (Math.abs(k + 1 - x) < Math.abs(best + 1 - x) ? k : best));
    const plane = carom.plane({
      id, ...options, stepX: 1, describe: (x) => describeRow(at(x), at(x) + 1),
      x: { title: "measurement", low: which[0] + 0.5, high: which[which.length - 1] + 1.5, ticks: whole,
        show: (x) => (which.length <= FEW && which.includes(x - 1) ? nameOf(x - 1).slice(0, 22) : format(x)) },
    });
    carom.charts[id] = plane;
    plane.which = which;
    return plane;
  };

  // One chart for each kind of quantity: others have other units.
  const measuredSection = () => {
    const kinds = [...new Set(residuals.map((row) => row.what.split("[")[0]))];
    const charts = kinds.map((kind, n) => {
      const which = residuals.map((_, k) => k).filter((k) => residuals[k].what.split("[")[0] === kind);
      const ends = which.flatMap((k) => [residuals[k].fitted, residuals[k].measured - residuals[k].uncertainty,
        residuals[k].measured + residuals[k].uncertainty]).filter(Number.isFinite);
      const low = Math.min(...ends), high = Math.max(...ends), pad = 0.08 * (high - low) || Math.abs(high) || 1;
      const draw = (plane, c) => {
        which.forEach((k) => {
          const { measured, uncertainty, fitted } = residuals[k], x = plane.px(k + 1);
          c.lineWidth = 1.6;
          c.strokeStyle = c.fillStyle = carom.colour("line-0");
          bar(c, x, plane.py(measured - uncertainty), plane.py(measured + uncertainty));
          c.fillRect(x - 3, plane.py(measured) - 3, 6, 6);
          c.strokeStyle = carom.colour("line-1");
          c.beginPath();
          c.arc(x, plane.py(fitted), 6, 0, 2 * Math.PI);
          c.stroke();
        });
      };
      const plane = over("measured-" + n, which, {
        label: kind + ": measured with its uncertainty, and fitted; the table below has the numbers", draw,
        y: { title: kind + ", SI", low: low - pad, high: high + pad },
      });
      return [element("h3", {}, kind), plane.holder];
    });
    carom.section("measured", "Measured and fitted",
      carom.note("Squares: measured, with bars of one standard deviation. Circles: fitted."), charts,
      carom.tableDetails("measured-table", "measured and fitted", () => ({
        columns: ["", "measured", "uncertainty", "fitted", "fitted − measured", "in standard deviations"],
        count: residuals.length,
        row: (k) => [nameOf(k), residuals[k].measured, residuals[k].uncertainty, residuals[k].fitted,
          residuals[k].deviation, residuals[k].deviation === null ? null : residuals[k].deviation / residuals[k].uncertainty],
      })));
  };

  const residualSection = () => {
    const which = residuals.map((_, k) => k);
    const sizes = residuals.map((row) => (row.deviation === null ? null : row.deviation / row.uncertainty));
    const most = Math.max(2.5, 1.1 * carom.largest(sizes.filter(Number.isFinite)));
    const draw = (plane, c) => {
      c.fillStyle = carom.colour("grid");
      for (const band of [2, 1]) {
        c.globalAlpha = 0.4;
        c.fillRect(plane.left, plane.py(band), plane.width, plane.py(-band) - plane.py(band));
      }
      c.globalAlpha = 1;
      c.strokeStyle = carom.colour("line-1");
      c.lineWidth = 2;
      which.forEach((k) => {
        const x = plane.px(k + 1), y = plane.py(sizes[k] || 0);
        c.beginPath();
        c.moveTo(x, plane.py(0));
        c.lineTo(x, y);
        c.stroke();
        c.beginPath();
        c.arc(x, y, 4, 0, 2 * Math.PI);
        c.stroke();
      });
    };
    const plane = over("residuals", which, {
      label: "Residuals in standard deviations; the table above has the numbers", draw,
      y: { title: "standard deviations", low: -most, high: most },
    });
    plane.sizes = sizes;
    carom.section("residuals", "Residuals",
      carom.note("Fitted minus measured, in standard deviations of each measurement; the bands are one and two standard " +
        "deviations. About two thirds of sound measurements lie within the inner band."), plane.holder);
  };

  // ---- Correlation --------------------------------------------------------------------------

  const correlationSection = () => {
    const n = parameters.length, high = 34, MOST = 20;
    if (n < 2) {
      return;
    }
    const shown = Math.min(n, MOST);
    const drawn = carom.canvas({
      id: "correlation-canvas", "aria-label": "Correlations of the parameters as shades; the table below has the numbers",
    }, () => shown * high + 8, (c, width) => {
      const left = Math.min(260, 0.4 * width), wide = Math.min(80, (width - left) / shown);
      c.clearRect(0, 0, width, shown * high + 8);
      c.textBaseline = "middle";
      for (let i = 0; i < shown; i++) {
        c.fillStyle = carom.colour("text");
        c.textAlign = "right";
        carom.fitText(c, parameters[i].name, left - 8, (i + 0.5) * high, left - 12);
        for (let j = 0; j < shown; j++) {
          const r = correlation[i][j];
          const size = r === null ? 0 : Math.abs(r);
          c.fillStyle = carom.scaleColourText(size);
          c.fillRect(left + j * wide, i * high, wide - 1, high - 1);
          c.fillStyle = size > 0.6 ? "#000" : "#fff";
          c.textAlign = "center";
          c.fillText(r === null ? "–" : format(r, 2), left + (j + 0.5) * wide, (i + 0.5) * high);
        }
      }
    });
    carom.section("correlation", "Correlation of the parameters",
      carom.note("1 or −1: only a combination of the two is determined. 0: they are independent." +
        (shown < n ? " The first " + shown + " of " + n + "." : "")), drawn.holder,
      carom.tableDetails("correlation-table", "correlations", () => ({
        columns: ["", ...parameters.map((p) => p.name)],
        count: n,
        row: (i) => [parameters[i].name, ...correlation[i]],
      })));
  };

  head();
  summary();
  measuredSection();
  residualSection();
  correlationSection();
  carom.sourceSection();
  carom.redraw();
  carom.redrawOnResize();
  carom.ready = true;
};
