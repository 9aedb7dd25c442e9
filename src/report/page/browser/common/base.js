// What all parts of a page share: the data, elements, numbers, colours.
"use strict";

const carom = {
  data: JSON.parse(document.getElementById("carom-data").textContent),
  charts: {},    // by the name of their figure
  redrawers: [], // called when colours or sizes change
  pages: {},     // functions that make the page of a kind of data
};

// The page of the data that came with it; a live page has its controls besides.
carom.begin = function () {
  if (carom.data) {
    carom.pages[carom.data.report.kind]();
  }
  if (carom.live) {
    carom.live.begin();
  }
};

// Make the page of other data.
carom.open = function (data) {
  if (carom.charts.player) {
    carom.charts.player.transport.pause();
  }
  Object.assign(carom, { data, charts: {}, redrawers: [], ready: false, linked: { bodies: [], contact: -1 } });
  document.getElementById("page").replaceChildren();
  carom.pages[data.report.kind]();
};

// ---- Elements: text is only ever text -------------------------------------------------------

carom.element = function (tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") {
      made.addEventListener(name, value);
    } else if (value === true) {
      made.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) {
      made.append(child); // a string becomes a text node
    }
  }
  return made;
};

// ---- Numbers --------------------------------------------------------------------------------

carom.format = function (value, digits = 6) {
  if (value === null || value === undefined || !Number.isFinite(value)) {
    return "–";
  }
  if (value === 0) {
    return "0";
  }
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [head, power] = value.toExponential(digits - 1).split("e");
    return (head.includes(".") ? head.replace(/\.?0+$/, "") : head).replace("-", "−") + "e" + power.replace("+", "").replace("-", "−");
  }
  const text = value.toPrecision(digits);
  if (text.includes("e")) { // more digits before the point than are shown
    return text.replace(/\.?0*e\+?/, "e").replace("-", "−");
  }
  return (text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace("-", "−");
};

// "0.5500 ± 0.0005": the uncertainty with one digit (two, where it begins with 1), the value as far as it goes.
carom.withUncertainty = function (value, uncertainty) {
  if (!Number.isFinite(uncertainty) || !(uncertainty > 0)) {
    return carom.format(value);
  }
  const power = Math.floor(Math.log10(uncertainty)), first = Math.floor(uncertainty / 10 ** power + 1e-9);
  const last = power - (first === 1 ? 1 : 0), large = Math.floor(Math.log10(Math.max(Math.abs(value), uncertainty)));
  const minus = (text) => text.replace("-", "−");
  if (large >= 6 || large < -4) {
    const shown = (x) => (x / 10 ** large).toFixed(Math.max(0, large - last));
    return "(" + minus(shown(value)) + " ± " + shown(uncertainty) + ")e" + minus(String(large));
  }
  return minus(value.toFixed(Math.max(0, -last))) + " ± " + uncertainty.toFixed(Math.max(0, -last));
};

// A number to be shown beside others of this size: 0 where it is below `part` of it and so rounding.
// Energies are quadratic in what was computed.
carom.ROUNDING = { energy: 1e-9, speed: 1e-12 };
carom.roundToZero = function (value, size, part = carom.ROUNDING.speed) {
  return typeof value === "number" && Math.abs(value) <= part * size ? 0 : value;
};

// A unit on this page: "K=1" for newtons and seconds where no stiffness was given.
carom.unitName = function (unit) {
  const { generalized, units } = carom.data.report;
  return generalized ? "" : (units && units[unit]) || unit;
};

// A unit with a prefix, so that the largest value is between 1 and 1000.
carom.unit = function (largest, plain) {
  const unit = carom.unitName(plain);
  if (unit !== plain || !unit || unit === "%" || !(largest > 0)) {
    return { factor: 1, name: unit };
  }
  const prefixes = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T"];
  const place = Math.floor(Math.log10(largest) / 3 + 1e-9);
  const index = Math.max(0, Math.min(prefixes.length - 1, place + 5));
  return { factor: 10 ** (-3 * (index - 5)), name: prefixes[index] + unit };
};

carom.withUnit = function (words, unit) {
  return unit ? words + ", " + unit : words;
};

carom.largest = function (values) {
  let most = 0;
  for (const value of values) {
    const size = Math.abs(value);
    most = size > most ? size : most;
  }
  return most;
};

// At most `count` of 0 .. all - 1, evenly spread, the first and the last among them.
carom.evenlySpread = function (all, count) {
  if (all <= count) {
    return Array.from({ length: all }, (_, i) => i);
  }
  return Array.from({ length: count }, (_, i) => Math.round((i * (all - 1)) / (count - 1)));
};

// At most `count` of 0 .. all - 1, ascending: those of the largest size.
carom.indicesOfLargest = function (all, count, size) {
  const order = Array.from({ length: all }, (_, i) => i);
  if (all <= count) {
    return order;
  }
  const sizes = order.map(size);
  return order.sort((a, b) => sizes[b] - sizes[a]).slice(0, count).sort((a, b) => a - b);
};

// Round values that divide a range into about `count` parts.
carom.ticks = function (low, high, count) {
  const raw = (high - low) / Math.max(1, count);
  if (!(raw > 0) || !Number.isFinite(raw)) {
    return [low];
  }
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((k) => k * power >= raw * 0.999) * power;
  const list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    list.push(k === 0 ? 0 : Number((k * step).toPrecision(12)));
  }
  return list;
};

// ---- Colours --------------------------------------------------------------------------------

carom.colour = function (name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
};

// Distinguishable with impaired colour vision, and by their dashes in print.
carom.dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2], [1, 2], [14, 3, 3, 3]];

carom.lineStyle = function (index) {
  return { colour: carom.colour("line-" + (index % 8)), dash: carom.dashes[index % 8] };
};

// Perceptually uniform, from dark to bright: stops of a scale from 0 to 1.
const STOPS = [
  [68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141],
  [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37],
];

carom.scaleColour = function (part) {
  const at = Math.max(0, Math.min(1, part || 0)) * (STOPS.length - 1);
  const low = Math.min(STOPS.length - 2, Math.floor(at));
  return STOPS[low].map((c, k) => Math.round(c + (at - low) * (STOPS[low + 1][k] - c)));
};

// The scale in 256 steps, each as the four bytes of a pixel.
carom.scalePixels = function () {
  const bytes = new Uint8ClampedArray(4 * 256);
  for (let k = 0; k < 256; k++) {
    bytes.set([...carom.scaleColour(k / 255), 255], 4 * k);
  }
  return new Uint32Array(bytes.buffer);
};

carom.scaleColourText = function (part) {
  return "rgb(" + carom.scaleColour(part).join(",") + ")";
};

// ---- Light, dark and paper ------------------------------------------------------------------

carom.redraw = function () {
  for (const draw of carom.redrawers) {
    draw();
  }
};

carom.theme = function (name) {
  if (name) {
    document.documentElement.dataset.theme = name;
  } else {
    delete document.documentElement.dataset.theme;
  }
  carom.redraw();
};

carom.themeButton = function () {
  const button = carom.element("button", { type: "button", class: "theme", id: "theme" });
  const names = ["", "light", "dark"];
  let at = 0;
  const describe = () => {
    button.textContent = "Theme: " + (names[at] || "system");
  };
  button.addEventListener("click", () => {
    at = (at + 1) % names.length;
    carom.theme(names[at]);
    describe();
  });
  describe();
  window.onbeforeprint = () => carom.theme("light");
  window.onafterprint = () => carom.theme(names[at]);
  matchMedia("(prefers-color-scheme: dark)").onchange = carom.redraw;
  return button;
};

// ---- Choices --------------------------------------------------------------------------------

// A row of radio buttons; `choose` is called with the index.
carom.radioChoice = function (name, legend, labels, choose, chosen = 0) {
  const inputs = labels.map((label, i) =>
    carom.element("label", {},
      carom.element("input", {
        type: "radio", name, value: i, checked: i === chosen, change: () => choose(i),
      }), carom.element("span", {}, label)));
  return carom.element("fieldset", { class: "choice", id: name },
    carom.element("legend", {}, legend), inputs);
};

carom.select = function (id, words, labels, choose, chosen = 0) {
  const list = carom.element("select", { id, change: () => choose(list.selectedIndex) },
    labels.map((label, i) => carom.element("option", { selected: i === chosen }, label)));
  return carom.element("label", { class: "select" }, words + " ", list);
};
