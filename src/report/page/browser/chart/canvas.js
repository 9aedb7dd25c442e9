// A canvas as wide as its place, what is drawn on all of them, and the time that the player shows.
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

// A low row of bars about a line, from -1 to 1, with a word before it; `bars()` of what is returned gives them.
carom.strip = function (id, label, word) {
  const strip = { bars: () => [] };
  const drawn = carom.canvas({ id, tabindex: -1, "aria-label": label }, () => 44, (c, width, high) => {
    const bars = strip.bars(), words = 70, wide = Math.min(60, (width - words) / bars.length);
    const left = Math.max(words, (width - wide * bars.length) / 2), middle = high / 2;
    c.clearRect(0, 0, width, high);
    c.fillStyle = carom.colour("faint");
    c.textBaseline = "middle";
    c.fillText(word, 0, middle);
    c.strokeStyle = carom.colour("grid");
    c.beginPath();
    c.moveTo(left, middle);
    c.lineTo(left + wide * bars.length, middle);
    c.stroke();
    bars.forEach((part, k) => {
      const long = part * (middle - 2);
      c.fillStyle = carom.colour(part > 0 ? "line-1" : "line-0");
      c.fillRect(left + k * wide + 0.15 * wide, middle - Math.max(0, long), 0.7 * wide, Math.abs(long));
    });
  });
  return Object.assign(strip, drawn);
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
