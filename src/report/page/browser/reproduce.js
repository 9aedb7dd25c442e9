// The published record as a page: items that one can filter, each with its rows, a chart and reasons.
"use strict";

(() => {
  const { data, element, format } = carom;
  const { items, report } = data;
  const verdicts = ["matches", "scheme", "erratum", "deviates"];
  const BARS_MOST = 12;

  const head = () => {
    document.title = "The published record – carom";
    const count = (verdict) => items.filter((item) => item.verdict === verdict).length;
    document.getElementById("page").append(element("header", {},
      element("h1", { id: "title" }, "The published record"),
      element("p", { class: "about" }, items.length + (items.length === 1 ? " table or figure" : " tables and figures") +
        " of the papers, computed again: " +
        verdicts.filter(count).map((verdict) => count(verdict) + " " + verdict).join(", ") + ". carom " + data.carom + "."),
      element("p", { class: "note" }, "A number matches when ours rounds to it. Scheme: the printed number carries the " +
        "step of the paper's scheme. Erratum: the paper errs in print or derivation, for the reason given."),
      carom.themeButton()));
  };

  // ---- One item -----------------------------------------------------------------------------

  const chart = (item, i) => {
    const rows = item.rows.filter((row) => typeof row.published === "number" && typeof row.ours === "number");
    if (rows.length === 0) {
      return null;
    }
    const shown = carom.spread(rows.length, BARS_MOST).map((k) => rows[k]);
    const bars = carom.bars({
      id: "item-" + i + "-chart", title: "published beside ours" +
        (shown.length < rows.length ? " (" + shown.length + " of " + rows.length + " rows)" : ""),
      label: item.name + ": numbers published and ours, as bars",
    }, ["published", "ours"], shown.map((row) => ({ label: row.what, values: [row.published, row.ours] })));
    return bars;
  };

  const reasons = (item) => [...new Set(item.rows.map((row) => row.reason).filter(Boolean))];

  // Its chart and rows are made when it is opened.
  const make = (item, i) => {
    const details = element("details", { class: "item", id: "item-" + i, "data-verdict": item.verdict, "data-kind": item.kind },
      element("summary", {}, element("span", { class: "verdict " + (item.verdict === "deviates" ? "bad" : "good") }, item.verdict),
        " " + item.name + ": " + item.title,
        item.digits === null ? "" : " (" + item.digits + (item.digits === 1 ? " digit)" : " digits)")));
    details.addEventListener("toggle", () => {
      if (!details.open || details.childElementCount > 1) {
        return;
      }
      const bars = chart(item, i);
      details.append(element("p", { class: "about" }, item.source + (report.notes[i] ? " " + report.notes[i] : "")));
      if (bars) {
        details.append(bars.holder);
      }
      details.append(carom.table(item.name, ["what", "published", "ours", "deviation", "verdict"], item.rows.map((row) =>
        [row.what, row.published ?? (row.recomputed === undefined ? null : "(" + format(row.recomputed) + ")"), row.ours,
          row.deviation, row.verdict + (row.trouble ? ": " + row.trouble : "")]), { id: "item-" + i + "-table" }));
      details.append(...reasons(item).map((reason) => element("p", { class: "note" }, reason)));
      if (bars) {
        bars.redraw();
      }
    });
    return details;
  };

  // ---- The filter ---------------------------------------------------------------------------

  const made = items.map(make);
  const told = element("p", { id: "shown", role: "status", class: "about" });
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
    told.textContent = shown + " of " + items.length + " are shown.";
  };
  const search = element("input", { type: "search", id: "search", input: () => {
    wanted.text = search.value;
    filter();
  } });

  head();
  carom.section("items", "Items",
    element("p", { class: "tools" },
      element("label", {}, "words ", search),
      carom.select("verdict", "verdict", ["any", ...verdicts], (k) => {
        wanted.verdict = k;
        filter();
      }),
      carom.select("kind", "kind", ["any", ...kinds], (k) => {
        wanted.kind = k;
        filter();
      })),
    told, made);
  filter();
  carom.sourceSection();
  carom.redraw();
  carom.onResize();
  carom.ready = true;
})();
