// The page of the published record: items with a filter, each with its rows, charts and reasons.
"use strict";

carom.pages.reproduce = () => {
  const { data, element, format } = carom;
  const { items, report } = data;
  const verdicts = ["matches", "scheme", "erratum", "not explained", "deviates"];
  const BARS_MOST = 12, LINES_MOST = 8, POINTS_MOST = 60;

  const head = () => {
    document.title = "The published record – carom";
    const count = (verdict) => items.filter((item) => item.verdict === verdict).length;
    document.getElementById("page").append(element("header", {},
      element("h1", { id: "title" }, "The published record"),
      element("p", { class: "about" }, items.length + (items.length === 1 ? " table or figure" : " tables and figures") +
        " of the papers, computed again: " +
        verdicts.filter(count).map((verdict) => count(verdict) + " " + verdict).join(", ") + ". carom " + data.carom + "."),
      element("p", { class: "note" }, "Matches: our value rounds to the printed one. Scheme: the printed value contains the " +
        "step error of the paper's scheme. Erratum: an error of print or derivation in the paper; the reason is given."),
      carom.themeButton()));
  };

  // ---- One item -----------------------------------------------------------------------------

  // Whether positive values span more than so many powers of ten.
  const byPowers = (values, powers) => values.every((value) => value > 0) &&
    Math.max(...values) > 10 ** powers * Math.min(...values);

  const circle = (c, x, y) => {
    c.beginPath();
    c.arc(x, y, 5, 0, 2 * Math.PI);
    c.stroke();
  };
  const diamond = (c, x, y) => {
    c.beginPath();
    [[0, -6], [6, 0], [0, 6], [-6, 0]].forEach(([dx, dy], k) => c[k ? "lineTo" : "moveTo"](x + dx, y + dy));
    c.closePath();
    c.stroke();
  };

  // Lines: ours; circles: printed; diamonds: computed independently.
  const curves = (item, i, { quantity, along, parameter, curves: lines }, k) => {
    const id = "item-" + i + "-curve-" + k;
    const all = (pick) => lines.flatMap(pick).filter((value) => value !== null);
    const marks = lines.flatMap((line) => [...line.published, ...line.recomputed]);
    const same = { place: (value) => value };
    const across = byPowers(all((line) => line.x), 2) && !along ? carom.logAxis : same;
    const up = byPowers([...all((line) => line.y), ...marks.map(([, y]) => y)], 3) ? carom.logAxis : same;
    const range = (values) => {
      const low = Math.min(...values), high = Math.max(...values), pad = 0.05 * (high - low) || Math.abs(high) || 1;
      return { low: low - pad, high: high + pad };
    };
    const series = lines.map((line, n) => ({
      label: line.label || quantity, hidden: n >= LINES_MOST, points: line.x.length <= POINTS_MOST,
      x: line.x.map(across.place), y: line.y.map(up.place),
      marks: (plane, c) => {
        c.lineWidth = 1.5;
        line.published.forEach(([x, y]) => circle(c, plane.px(across.place(x)), plane.py(up.place(y))));
        line.recomputed.forEach(([x, y]) => diamond(c, plane.px(across.place(x)), plane.py(up.place(y))));
      },
    }));
    const xTitle = along ? "entry" : parameter;
    const whole = (low, high) => carom.ticks(low, high, 8).filter(Number.isInteger);
    const chart = carom.curves({
      id, xTitle, yTitle: quantity, label: item.name + ": " + quantity + " against " + xTitle,
      x: { ticks: across.ticks || (along ? whole : undefined), show: across.show, ...range(series.flatMap((one) => one.x)) },
      y: { ticks: up.ticks, show: up.show,
        ...range([...series.flatMap((one) => one.y), ...marks.map(([, y]) => up.place(y))].filter((y) => y !== null)) },
    }, series);
    const longest = lines.reduce((most, line) => (line.x.length > most.x.length ? line : most));
    return element("section", { id, class: "part" },
      element("h3", {}, quantity + " against " + xTitle), chart.holder,
      marks.length ? carom.note("Circles: printed values." + (lines.some((line) => line.recomputed.length)
        ? " Diamonds: computed independently, not printed." : "")) : null,
      carom.tableDetails(id + "-table", quantity + " against " + xTitle, () => ({
        columns: [xTitle, ...series.map((one) => one.label)],
        count: longest.x.length,
        row: (n) => [String(longest.x[n]), ...lines.map((line) => line.y[n] ?? null)],
      })));
  };

  const chart = (item, i) => {
    const rows = item.rows.filter((row) => typeof row.published === "number" && typeof row.ours === "number");
    if (rows.length === 0) {
      return null;
    }
    const shown = carom.evenlySpread(rows.length, BARS_MOST).map((k) => rows[k]);
    const bars = carom.bars({
      id: "item-" + i + "-chart", title: "published and ours" +
        (shown.length < rows.length ? " (" + shown.length + " of " + rows.length + " rows)" : ""),
      label: item.name + ": numbers published and ours, as bars",
    }, ["published", "ours"], shown.map((row) => ({ label: row.what, values: [row.published, row.ours] })));
    return bars;
  };

  const reasons = (item) => [...new Set(item.rows.map((row) => row.reason).filter(Boolean))];

  // In colour and in black and white.
  const TONES = { matches: "good", scheme: "plain", erratum: "plain", "not explained": "open", deviates: "bad" };
  const MARKS = { matches: "\u2713", scheme: "\u2248", erratum: "!", "not explained": "?", deviates: "\u2717" };

  // Its chart and rows are made when it is opened.
  const make = (item, i) => {
    const details = element("details", { class: "item", id: "item-" + i, "data-verdict": item.verdict, "data-kind": item.kind },
      element("summary", {}, element("span", { class: "verdict " + TONES[item.verdict] }, MARKS[item.verdict] + " " + item.verdict),
        " " + item.name + ": " + item.title,
        item.digits === null ? "" : " (" + item.digits + (item.digits === 1 ? " digit)" : " digits)")));
    details.addEventListener("toggle", () => {
      if (!details.open || details.childElementCount > 1) {
        return;
      }
      const charts = element("div", {});
      details.append(element("p", { class: "about" }, item.source + "." + (report.notes[i] ? " " + report.notes[i] : "")), charts);
      details.append(carom.table(item.name, ["quantity", "published", "ours", "deviation", "verdict"], item.rows.map((row) =>
        [row.what, row.published ?? (row.recomputed === undefined ? null : "(" + format(row.recomputed) + ")"), row.ours,
          row.deviation, row.verdict + (row.trouble ? ": " + row.trouble : "")]), { id: "item-" + i + "-table" }));
      details.append(...reasons(item).map((reason) => element("p", { class: "note" }, reason)));
      carom.rebuild(charts, () => {
        const bars = chart(item, i);
        charts.append(...report.charts[i].map((one, k) => curves(item, i, one, k)), ...(bars ? [bars.holder] : []));
      });
    });
    return details;
  };

  // ---- The filter ---------------------------------------------------------------------------

  const made = items.map(make);
  const countNote = element("p", { id: "shown", role: "status", class: "about" });
  const wanted = { verdict: 0, kind: 0, text: "" };
  const kinds = [...new Set(items.map((item) => item.kind))];
  const filter = () => {
    let shown = 0;
    items.forEach((item, i) => {
      const text = (item.name + " " + item.title + " " + item.source).toLowerCase();
      const fits = (wanted.verdict === 0 || item.verdict === verdicts[wanted.verdict - 1]) &&
        (wanted.kind === 0 || item.kind === kinds[wanted.kind - 1]) && text.includes(wanted.text.toLowerCase());
      made[i].hidden = !fits;
      shown += fits;
    });
    countNote.textContent = shown + " of " + items.length + " shown.";
  };
  const search = element("input", { type: "search", id: "search", input: () => {
    wanted.text = search.value;
    filter();
  } });

  head();
  carom.section("items", "Items",
    element("p", { class: "tools" },
      element("label", {}, "search ", search),
      carom.select("verdict", "verdict", ["any", ...verdicts], (k) => {
        wanted.verdict = k;
        filter();
      }),
      carom.select("kind", "kind", ["any", ...kinds], (k) => {
        wanted.kind = k;
        filter();
      })),
    countNote, made);
  filter();
  carom.sourceSection();
  carom.redraw();
  carom.redrawOnResize();
  carom.ready = true;
};
