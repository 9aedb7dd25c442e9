// Tables, figures with a table beneath, and the frame of a section.
"use strict";

// `columns`: titles; `rows`: lists of texts and numbers. Numbers keep all their digits in data-value,
// also those of which carom.near() shows a rounded one.
carom.table = function (caption, columns, rows, attributes = {}) {
  const { element } = carom;
  const cell = (value, first) => {
    if (value && typeof value === "object") { // {value, shown}
      return element("td", { class: "number", "data-value": value.value }, carom.format(value.shown));
    }
    if (typeof value === "number") {
      return element("td", { class: "number", "data-value": value }, carom.format(value));
    }
    if (value === null || value === undefined) {
      return element("td", { class: "number" }, "–");
    }
    return element(first ? "th" : "td", first ? { scope: "row" } : {}, value);
  };
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element("table", attributes,
      element("caption", {}, caption),
      element("thead", {},
        element("tr", {}, columns.map((title, i) => element("th", {
          scope: "col", class: rows.some((row) => typeof row[i] === "number" || (row[i] && typeof row[i] === "object")) && "number",
        }, title)))),
      element("tbody", {}, rows.map((row) =>
        element("tr", {}, row.map((value, i) => cell(value, i === 0)))))));
};

carom.near = function (value, size, part) {
  return typeof value === "number" ? { value, shown: carom.beside(value, size, part) } : value;
};

const TABLE_ROWS = 200;

// A table that is made when it is opened. `make` returns {columns, count, row(i)}.
carom.details = function (id, caption, make) {
  const holder = carom.element("details", { id, class: "numbers" },
    carom.element("summary", {}, "Table: " + caption));
  const fill = () => {
    const { columns, count, row } = make();
    const which = carom.spread(count, TABLE_ROWS);
    const told = count > TABLE_ROWS
      ? caption + " (" + TABLE_ROWS + " of " + count + " rows, evenly spread)" : caption;
    while (holder.childElementCount > 1) {
      holder.lastElementChild.remove();
    }
    holder.append(carom.table(told, columns, which.map(row)));
  };
  holder.addEventListener("toggle", () => holder.open && fill());
  holder.refill = () => holder.open && fill();
  return holder;
};

carom.section = function (id, title, ...children) {
  const heading = carom.element("h2", { id: id + "-title" }, title);
  const made = carom.element("section", { id, "aria-labelledby": id + "-title" }, heading, children);
  document.getElementById("page").append(made);
  return made;
};

// A part of a section.
carom.part = function (id, title, ...children) {
  return carom.element("section", { id, "aria-labelledby": id + "-title", class: "part" },
    carom.element("h3", { id: id + "-title" }, title), children);
};

// What is in an element is made again: `make` appends to it.
carom.anew = function (holder, make) {
  const old = holder.drawers || [];
  carom.redrawers = carom.redrawers.filter((draw) => !old.includes(draw));
  const before = carom.redrawers.length;
  holder.replaceChildren();
  make(holder);
  holder.drawers = carom.redrawers.slice(before);
  holder.drawers.forEach((draw) => draw());
};

carom.note = function (text) {
  return text ? carom.element("p", { class: "note" }, text) : null;
};

// ---- Verdicts ---------------------------------------------------------------------------------

carom.statusWords = { solved: "solved", not_terminated: "not terminated", infeasible: "infeasible", failed: "failed" };

// What there is to say of an answer, good or bad: [good, text].
carom.verdicts = function (result) {
  const unit = (name) => (carom.data.report.generalized ? "" : " " + carom.unitName(name));
  const least = (values) => Math.min(0, ...(values || []).slice(0, 100000));
  const by = (words, values, name) => (least(values) < 0 ? words + carom.format(-least(values), 3) + unit(name) : "");
  const list = [];
  if (result.status !== "solved") {
    list.push([false, (carom.statusWords[result.status] || result.status) + (result.reason ? ": " + result.reason : "")]);
  }
  list.push(result.kinematic ? [true, "Nothing passes through anything: no contact still closes."]
    : [false, "A contact still closes" + by(", at up to ", result.gap_velocity, "m/s") + "."]);
  list.push(result.kinetic ? [true, "Contacts only push."]
    : [false, "A contact pulls" + by(", by up to ", result.impulse, "N s") + "."]);
  list.push(result.energetic ? [true, "No energy comes from nowhere."]
    : [false, "There is more energy after than there was before."]);
  list.push(result.unique ? [true, "It is the only answer of this law."]
    : [false, "It is not the only answer of this law."]);
  return list;
};

carom.verdictList = function (list) {
  return carom.element("ul", { class: "verdicts" }, list.map(([good, text]) =>
    carom.element("li", { class: good ? "good" : "bad" }, (good ? "✓ " : "✗ ") + text)));
};

// ---- What it was made from --------------------------------------------------------------------

const SCENARIO_MOST = 100000;

carom.sourceSection = function () {
  const { element, data } = carom;
  const { source } = data.report;
  const save = () => {
    const { histories, report, ...plain } = data;
    const link = element("a", {
      href: URL.createObjectURL(new Blob([JSON.stringify(plain, null, 1)], { type: "application/json" })),
      download: "carom.json",
    });
    link.click();
  };
  const text = source.scenario;
  carom.section("source", "What was computed",
    element("p", {}, "By carom " + data.carom + ", from ",
      source.file ? element("code", {}, source.file) : "standard input", ":"),
    element("pre", { id: "command", tabindex: 0 }, source.command),
    text === null ? null : element("pre", { id: "scenario", tabindex: 0 }, text.length > SCENARIO_MOST
      ? text.slice(0, SCENARIO_MOST) + "\n… (" + (text.length - SCENARIO_MOST) + " more characters)" : text),
    element("p", {}, element("button", { type: "button", click: save }, "Save the numbers as JSON")));
};

// Charts are drawn anew for another width.
carom.onResize = function () {
  let wide = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth !== wide) {
      wide = window.innerWidth;
      carom.redraw();
    }
  });
};
