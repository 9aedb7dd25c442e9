// A plane with axes on a canvas, to zoom and to read.
"use strict";

// ---- The plane ------------------------------------------------------------------------------

// options: id, label, x and y: {title, low, high, ticks?}, draw(plane), describe(x, y), height?, hint?,
// under? {rows, draw(plane, c, top)} rows of marks below the axis, pick(x, y)? at a click or Enter, stepTo(x, by)? where an arrow key goes from there, perSecond? units of x in a
// second of the player
// Drag, or + and -, zoom along x; a double click, or 0, shows all; arrows move the cursor.
carom.plane = function (options) {
  const { element } = carom;
  const under = options.under ? 9 * options.under.rows + 2 : 0;
  const margin = { left: 68, right: 14, top: 12, bottom: 42 + under };
  const plane = {
    ...options, full: { ...options.x }, x: { ...options.x }, y: { ...options.y },
    cursor: null, drag: null,
  };
  plane.px = (x) => margin.left + ((x - plane.x.low) / (plane.x.high - plane.x.low)) * plane.width;
  plane.py = (y) =>
    margin.top + (1 - (y - plane.y.low) / (plane.y.high - plane.y.low)) * plane.height;
  const unpx = (p) => plane.x.low + ((p - margin.left) / plane.width) * (plane.x.high - plane.x.low);
  const unpy = (p) =>
    plane.y.low + (1 - (p - margin.top) / plane.height) * (plane.y.high - plane.y.low);

  const axis = (c) => {
    c.strokeStyle = carom.colour("grid");
    c.fillStyle = carom.colour("text");
    c.lineWidth = 1;
    c.textAlign = "center";
    c.textBaseline = "top";
    const xs = plane.x.ticks ? plane.x.ticks(plane.x.low, plane.x.high)
      : carom.ticks(plane.x.low, plane.x.high, plane.width / 90);
    for (const x of xs) {
      c.beginPath();
      c.moveTo(plane.px(x), margin.top);
      c.lineTo(plane.px(x), margin.top + plane.height + 4);
      c.stroke();
      c.fillText(plane.x.show ? plane.x.show(x) : carom.format(x, 5), plane.px(x), margin.top + plane.height + under + 7);
    }
    c.textAlign = "right";
    c.textBaseline = "middle";
    const ys = plane.y.ticks ? plane.y.ticks(plane.y.low, plane.y.high)
      : carom.ticks(plane.y.low, plane.y.high, plane.height / 45);
    for (const y of ys) {
      c.beginPath();
      c.moveTo(margin.left - 4, plane.py(y));
      c.lineTo(margin.left + plane.width, plane.py(y));
      c.stroke();
      c.fillText(plane.y.show ? plane.y.show(y) : carom.format(y, 4), margin.left - 7, plane.py(y));
    }
    c.textAlign = "center";
    c.textBaseline = "bottom";
    c.fillText(plane.x.title, margin.left + plane.width / 2, plane.high - 2);
    c.save();
    c.translate(12, margin.top + plane.height / 2);
    c.rotate(-Math.PI / 2);
    c.textBaseline = "middle";
    c.fillText(plane.y.title, 0, 0);
    c.restore();
  };

  const cross = (c) => {
    if (plane.drag) {
      c.fillStyle = carom.colour("grid");
      c.globalAlpha = 0.5;
      c.fillRect(plane.drag[0], margin.top, plane.drag[1] - plane.drag[0], plane.height);
      c.globalAlpha = 1;
    }
    if (plane.cursor) {
      c.beginPath();
      c.moveTo(plane.px(plane.cursor.x), margin.top);
      c.lineTo(plane.px(plane.cursor.x), margin.top + plane.height);
      c.moveTo(margin.left, plane.py(plane.cursor.y));
      c.lineTo(margin.left + plane.width, plane.py(plane.cursor.y));
      // Seen on any colour: dashes on a line of the other shade.
      for (const [colour, width, dash] of [["paper", 3, []], ["text", 1, [3, 3]]]) {
        c.strokeStyle = carom.colour(colour);
        c.lineWidth = width;
        c.setLineDash(dash);
        c.stroke();
      }
      c.setLineDash([]);
    }
  };

  const drawn = carom.canvas({ id: options.id + "-canvas", "aria-label": options.label },
    options.height || ((width) => Math.max(240, Math.min(420, width * 0.5))),
    (c, width, high) => {
      plane.context = c;
      plane.high = high;
      plane.width = width - margin.left - margin.right;
      plane.height = high - margin.top - margin.bottom;
      plane.left = margin.left;
      plane.top = margin.top;
      c.clearRect(0, 0, width, high);
      axis(c);
      c.save();
      c.beginPath();
      c.rect(margin.left, margin.top, plane.width, plane.height);
      c.clip();
      plane.draw(plane, c);
      cross(c);
      c.restore();
      if (options.under) {
        options.under.draw(plane, c, margin.top + plane.height + 8);
      }
    });
  plane.canvas = drawn.canvas;
  plane.redraw = drawn.redraw;
  if (options.perSecond) {
    plane.mark = carom.timeLine(drawn.holder, (time) => {
      const x = time * options.perSecond;
      return x < plane.x.low || x > plane.x.high ? null : plane.px(x);
    });
  }
  plane.readout = element("p", { class: "readout", id: options.id + "-readout", role: "status" });

  plane.zoom = (low, high) => {
    if (high > low) {
      plane.x.low = Math.max(plane.full.low, low);
      plane.x.high = Math.min(plane.full.high, high);
      plane.redraw();
    }
  };
  plane.reset = () => plane.zoom(plane.full.low, plane.full.high);
  plane.point = (x, y) => {
    plane.cursor = {
      x: Math.max(plane.x.low, Math.min(plane.x.high, x)),
      y: Math.max(plane.y.low, Math.min(plane.y.high, y)),
    };
    plane.readout.textContent = plane.describe ? plane.describe(plane.cursor.x, plane.cursor.y) : "";
    plane.redraw();
  };
  carom.handleMouse(plane, unpx, unpy);
  carom.handleKeys(plane);
  plane.holder = element("div", { class: "plane" }, drawn.holder, plane.readout,
    carom.pictureButton(options.id, () => [plane.canvas]), element("p", { class: "hint" }, options.hint || "Drag or press + − to zoom, double-click or " +
      "press 0 to reset, arrow keys to read values."));
  return plane;
};

carom.handleMouse = function (plane, unpx, unpy) {
  const at = (event) => {
    const box = plane.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  plane.canvas.addEventListener("pointerdown", (event) => {
    const [x] = at(event);
    plane.drag = [x, x];
  });
  plane.canvas.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (plane.drag) {
      plane.drag[1] = x;
    }
    plane.point(unpx(x), unpy(y));
  });
  plane.canvas.addEventListener("pointerup", (event) => {
    const [a, b] = (plane.drag || [0, 0]).slice().sort((p, q) => p - q);
    plane.drag = null;
    if (b - a > 8) {
      plane.zoom(unpx(a), unpx(b));
    } else {
      if (plane.pick) {
        const [x, y] = at(event);
        plane.pick(unpx(x), unpy(y));
      }
      plane.redraw();
    }
  });
  plane.canvas.addEventListener("pointerleave", () => {
    plane.drag = null;
    plane.cursor = null;
    carom.link(null);
    plane.redraw();
  });
  plane.canvas.addEventListener("dblclick", plane.reset);
};

// The same keys for every chart.
carom.handleKeys = function (plane) {
  plane.canvas.addEventListener("keydown", (event) => {
    const { low, high } = plane.x;
    const middle = plane.cursor ? plane.cursor.x : (low + high) / 2;
    const at = plane.cursor || { x: middle, y: (plane.y.low + plane.y.high) / 2 };
    const aside = (by) => (plane.stepTo ? plane.stepTo(at.x, by) : at.x + by * dx);
    const dx = plane.stepX || (high - low) / 100, dy = plane.stepY || (plane.y.high - plane.y.low) / 50;
    const act = {
      "+": () => plane.zoom(middle - (middle - low) / 1.5, middle + (high - middle) / 1.5),
      "=": () => plane.zoom(middle - (middle - low) / 1.5, middle + (high - middle) / 1.5),
      "-": () => plane.zoom(middle - (middle - low) * 1.5, middle + (high - middle) * 1.5),
      "0": plane.reset,
      ArrowLeft: () => plane.point(aside(-1), at.y),
      ArrowRight: () => plane.point(aside(1), at.y),
      Enter: plane.pick ? () => plane.pick(at.x, at.y) : null,
      ArrowDown: () => plane.point(at.x, at.y - dy),
      ArrowUp: () => plane.point(at.x, at.y + dy),
    }[event.key];
    if (act && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act();
    }
  });
};
