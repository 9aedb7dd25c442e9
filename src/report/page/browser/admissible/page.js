// The page of what any law may give: the region in a plane, the extremes, the laws' outcomes.
"use strict";

carom.pages.admissible = () => {
  const { data, element, format } = carom;
  const { quantities, outcomes, picture } = data;

  const head = () => {
    const title = data.title || "What any law may give";
    document.title = title.slice(0, 120) + " – carom";
    const outside = outcomes.filter((o) => o.inside === false).length;
    document.getElementById("page").append(element("header", {},
      element("h1", { id: "title" }, title),
      element("p", { class: "about" }, "All outcomes in which impulses push, no contact closes and no energy is created. carom " +
        data.carom + "."),
      data.kind === "single" ? element("p", { class: "warning" }, "There is one outcome only, whatever the law.") : null,
      data.kind === "empty" ? element("p", { class: "warning" }, "No outcome is admissible.") : null,
      data.pinched > 0 ? element("p", { class: "warning" }, data.pinched +
        " contacts press against each other: their impulses have no upper bound, and they do not open.") : null,
      outside > 0 ? element("p", { class: "warning" }, outside + " of " + outcomes.length + " outcomes are outside.") : null,
      carom.themeButton()));
  };

  // ---- The region ---------------------------------------------------------------------------

  const laws = [...new Set(picture ? picture.curves.map((c) => c.label).filter((label) => label !== "any law") : [])];
  const colourOf = (label) => carom.colour("line-" + ((laws.indexOf(label) + 1) % 8));
  const points = (c) => c.x.map((x, k) => [x, c.y[k]]).filter(([x, y]) => x !== null && y !== null);

  const trace = (plane, c, curve, close) => {
    c.beginPath();
    points(curve).forEach(([x, y], k) => (k ? c.lineTo(plane.px(x), plane.py(y)) : c.moveTo(plane.px(x), plane.py(y))));
    if (close) {
      c.closePath();
    }
  };
  const drawRegion = (plane, c) => {
    c.lineWidth = 1.2;
    picture.curves.forEach((curve) => {
      if (curve.kind === "outline" || curve.kind === "level") {
        trace(plane, c, curve, true);
        c.globalAlpha = 0.12;
        c.fillStyle = carom.colour("line-0");
        c.fill();
        c.globalAlpha = curve.kind === "outline" ? 1 : 0.5;
        c.strokeStyle = carom.colour("line-0");
        c.stroke();
        c.globalAlpha = 1;
      }
    });
    c.lineWidth = 2;
    picture.curves.forEach((curve) => {
      c.strokeStyle = c.fillStyle = colourOf(curve.label);
      if (curve.kind === "locus") {
        trace(plane, c, curve, false);
        c.stroke();
      } else if (curve.kind === "points" || curve.kind === "outcome") {
        points(curve).forEach(([x, y]) => {
          c.beginPath();
          c.arc(plane.px(x), plane.py(y), curve.kind === "outcome" ? 5 : 3, 0, 2 * Math.PI);
          (curve.kind === "outcome" ? c.fill : c.stroke).call(c);
        });
      }
    });
  };
  // What is nearest to the cursor.
  const describe = (x, y, plane) => {
    let best = null;
    picture.curves.forEach((curve) => curve.x.forEach((px, k) => {
      if (px === null || curve.y[k] === null) {
        return;
      }
      const away = Math.hypot((px - x) / plane.wide, (curve.y[k] - y) / plane.tall);
      if (!best || away < best.away) {
        best = { away, curve, k };
      }
    }));
    const { curve, k } = best, value = curve.value[k];
    return curve.label + ", " + curve.kind + (value === null ? "" : ", " + curve.parameter + " " + format(value, 3)) + ": " +
      picture.x + " " + format(curve.x[k], 4) + ", " + picture.y + " " + format(curve.y[k], 4);
  };
  const regionSection = () => {
    if (!picture || picture.curves.length === 0) {
      return;
    }
    const all = picture.curves.flatMap(points);
    const range = (k) => {
      const values = all.map((point) => point[k]), low = Math.min(...values), high = Math.max(...values);
      const pad = 0.06 * (high - low) || 0.5;
      return { low: low - pad, high: high + pad };
    };
    const title = (name, unit) => name + (unit ? ", " + unit : "");
    const x = range(0), y = range(1), size = { wide: x.high - x.low, tall: y.high - y.low };
    const plane = carom.plane({
      id: "region", label: "The admissible region, with the laws' outcomes and loci; the table below has the numbers",
      draw: drawRegion, describe: (px, py) => describe(px, py === undefined ? (y.low + y.high) / 2 : py, size),
      x: { title: title(picture.x, picture.x_unit), ...x }, y: { title: title(picture.y, picture.y_unit), ...y },
    });
    carom.charts.region = plane;
    carom.section("region", "What is possible",
      carom.note("Shaded: outcomes that some law may give; the inner lines hold no more than a share of the kinetic energy. " +
        "Lines: a law's outcomes as its parameter runs. Dots: the outcomes of the scenario's laws."), plane.holder,
      element("ul", { class: "legend", id: "region-legend" }, laws.map((label) =>
        element("li", { class: "swatch", style: "--swatch: var(--line-" + ((laws.indexOf(label) + 1) % 8) + ")" }, label))),
      carom.tableDetails("region-table", "curves", () => {
        const rows = picture.curves.flatMap((curve) => curve.x.map((px, k) =>
          [curve.kind + ": " + curve.label, curve.parameter, curve.value[k], px, curve.y[k]]));
        return { columns: ["", "parameter", "value", picture.x, picture.y], count: rows.length, row: (k) => rows[k] };
      }));
  };

  // ---- Numbers ------------------------------------------------------------------------------

  const summary = () => {
    carom.section("summary", "Extremes",
      carom.note("Attained by impulses that any law may give, and proven: the bounds of the dual problem are beside them."),
      carom.table("Least and greatest values, with their bounds", ["", "unit", "least", "bound", "most", "bound"],
        quantities.map((q) => [q.what, q.unit || "", q.least_unbounded ? "unbounded" : q.least, q.least_bound,
          q.most_unbounded ? "unbounded" : q.most, q.most_bound]), { id: "extremes-table" }),
      carom.table("Outcomes of laws", ["", "", "distance", ...quantities.map((q) => q.what)], outcomes.map((o) => [o.label,
        o.inside === null ? "no answer: " + o.reason : o.inside ? "inside" : "outside", o.distance, ...o.values]),
      { id: "outcomes-table" }));
  };

  head();
  regionSection();
  summary();
  carom.sourceSection();
  carom.redraw();
  carom.redrawOnResize();
  carom.ready = true;
};
