// Tables, figures with a table below, and the frame of a section.
"use strict";

// `columns`: titles; `rows`: lists of texts and numbers. Numbers keep all their digits in data-value,
// also those of which carom.roundedCell() shows a rounded one. `items`: what rows stand for.
carom.table = function (caption, columns, rows, attributes = {}, items = []) {
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
      element("tbody", {}, rows.map((row, k) => {
        const line = element("tr", {}, row.map((value, i) => cell(value, i === 0))), item = items[k] && carom.itemOf(items[k]);
        return item ? carom.linkElement(line, item) : line;
      }))));
};

carom.roundedCell = function (value, size, part) {
  return typeof value === "number" ? { value, shown: carom.roundToZero(value, size, part) } : value;
};

// The meaning of "K=1", where it is the unit of forces.
carom.relativeUnitNote = function (unit = carom.unitName("N")) {
  return unit !== "K=1" ? null
    : "K=1: no stiffness is given; forces within impacts, and their times, are those of contacts whose stiffness is 1.";
};

const TABLE_ROWS = 200;

// A table that is made when it is opened. `make` returns {columns, count, row(i), item(i)? what it stands for}.
carom.tableDetails = function (id, caption, make) {
  const holder = carom.element("details", { id, class: "numbers" },
    carom.element("summary", {}, "Table: " + caption));
  const fill = () => {
    const { columns, count, row, item } = make();
    const which = carom.evenlySpread(count, TABLE_ROWS);
    const shown = count > TABLE_ROWS
      ? caption + " (" + TABLE_ROWS + " of " + count + " rows, evenly spread)" : caption;
    while (holder.childElementCount > 1) {
      holder.lastElementChild.remove();
    }
    holder.append(carom.table(shown, columns, which.map(row), {}, item ? which.map(item) : []), carom.tableButton(id.replace("-table", ""), make));
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
carom.subsection = function (id, title, ...children) {
  return carom.element("section", { id, "aria-labelledby": id + "-title", class: "part" },
    carom.element("h3", { id: id + "-title" }, title), children);
};

// Make the content of an element again: `make` appends to it.
carom.rebuild = function (holder, make) {
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

// The checks of an answer: [passed, text]; null: no failure, but to be known.
carom.verdicts = function (result) {
  const unit = (name) => (carom.data.report.generalized ? "" : " " + carom.unitName(name));
  const least = (values) => Math.min(0, ...(values || []).slice(0, 100000));
  const by = (words, values, name) => (least(values) < 0 ? words + carom.format(-least(values), 3) + unit(name) : "");
  const list = [];
  if (result.status !== "solved") {
    list.push([false, (carom.statusWords[result.status] || result.status) + (result.reason ? ": " + result.reason : "")]);
  }
  list.push(result.kinematic ? [true, "No contact is still closing."]
    : [false, "A contact is still closing" + by(", at up to ", result.gap_velocity, "m/s") + "."]);
  list.push(result.kinetic ? [true, "No contact pulls."]
    : [false, "A contact pulls" + by(", by up to ", result.impulse, "N s") + "."]);
  list.push(result.energetic ? [true, "No energy is created."]
    : [false, "Energy is created: there is more after the impact than before."]);
  list.push(result.unique ? [true, "The answer is unique."]
    : result.unique_unknown ? [null, "Whether there are other answers is not known."] : [null, "One of several answers: the law allows others."]);
  return list;
};

carom.verdictList = function (list) {
  return carom.element("ul", { class: "verdicts" }, list.map(([good, text]) =>
    carom.element("li", { class: good ? "good" : good === null ? "open" : "bad" }, (good ? "✓ " : good === null ? "○ " : "✗ ") + text)));
};

// ---- What was computed --------------------------------------------------------------------

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
    element("p", {}, element("button", { type: "button", click: save }, "Save the results as JSON")));
};

// Redraw charts when the width changes.
carom.redrawOnResize = function () {
  let wide = window.innerWidth;
  window.onresize = () => {
    if (window.innerWidth !== wide) {
      wide = window.innerWidth;
      carom.redraw();
    }
  };
};
