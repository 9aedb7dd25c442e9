// Bars with numbers.
"use strict";

// ---- Bars -----------------------------------------------------------------------------------

// groups: {label, values: one for each of `names`, and what it stands for}; null: none. Horizontal bars with numbers.
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
      const item = carom.itemOf(group);
      if (item && carom.anyLinked() && carom.isLinked(item)) {
        c.fillStyle = carom.colour("panel");
        c.fillRect(0, y - gap / 2, width, names.length * row + gap);
      }
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
  const chart = { id: options.id, names, groups, redraw: drawn.redraw, showLink: () => groups.some(carom.itemOf) && drawn.redraw() };
  drawn.canvas.addEventListener("pointermove", (event) => {
    const group = groups[Math.floor((event.offsetY - top) / (names.length * row + gap))];
    carom.link(group ? carom.itemOf(group) : null);
  });
  drawn.canvas.addEventListener("pointerleave", () => carom.link(null));
  chart.holder = carom.element("div", { class: "plane" },
    carom.element("ul", { class: "legend" }, names.length > 1 ? names.map((name, i) =>
      carom.element("li", { class: "swatch", style: "--swatch: var(--line-" + (i % 8) + ")" },
        name)) : []),
    drawn.holder, carom.pictureButton(options.id, () => [drawn.canvas]));
  carom.charts[options.id] = chart;
  return chart;
};
