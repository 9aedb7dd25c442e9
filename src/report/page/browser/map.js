// The space-time map: energy by contact against time.
"use strict";

const MAP_SCALES = ["linear", "square root", "logarithmic, four decades"];

carom.mapPart = function (value, top, scale) {
  const part = top > 0 ? value / top : 0;
  return scale === 0 ? part : scale === 1 ? Math.sqrt(part) : Math.max(0, 1 + Math.log10(part || 1e-9) / 4);
};

// film -> a plane with time to the right and contacts upwards.
carom.map = function (film) {
  const t = carom.unit(film.time[film.rows - 1], "s"), e = carom.unit(film.top.energy, "J");
  const contacts = film.energy.count;
  const map = { scale: 1 };
  const shades = carom.pixels();

  // What is seen in one column: the rows of its span; none begins there: the one that goes on.
  const rowsOf = (from, to) => {
    const first = carom.rowAt(film, from);
    let last = first;
    while (last + 1 < film.rows && film.time[last + 1] < to) {
      last++;
    }
    return [first, last];
  };
  const draw = (plane, c) => {
    const width = Math.max(1, Math.round(plane.width));
    const high = Math.min(contacts, Math.max(1, Math.round(plane.height)));
    const image = c.createImageData(width, high);
    const pixels = new Uint32Array(image.data.buffer);
    for (let x = 0; x < width; x++) {
      const from = plane.x.low + (x / width) * (plane.x.high - plane.x.low);
      const to = plane.x.low + ((x + 1) / width) * (plane.x.high - plane.x.low);
      const [first, last] = rowsOf(from / t.factor, to / t.factor);
      for (let y = 0; y < high; y++) {
        let most = 0;
        const begin = Math.floor((y * contacts) / high), end = Math.floor(((y + 1) * contacts) / high);
        for (let row = first; row <= last; row++) {
          for (let j = begin; j < end; j++) {
            most = Math.max(most, film.unpacked.energy[row * contacts + j]);
          }
        }
        const part = carom.mapPart(most, film.top.energy, map.scale);
        pixels[(high - 1 - y) * width + x] = shades[Math.round(255 * part)];
      }
    }
    const small = document.createElement("canvas");
    small.width = width;
    small.height = high;
    small.getContext("2d").putImageData(image, 0, 0);
    c.imageSmoothingEnabled = false;
    c.drawImage(small, plane.left, plane.top, plane.width, plane.height);
  };
  const tell = (x, y) => {
    const row = carom.rowAt(film, x / t.factor);
    const j = Math.max(0, Math.min(contacts - 1, Math.round(y) - 1));
    const name = carom.data.contact_names[j].slice(0, 80);
    return "t = " + carom.format(film.time[row] * t.factor, 5) + " " + t.name + ", " + name + ": " +
      (film.rows < film.samples ? "at about this time up to " : "") +
      carom.format(film.unpacked.energy[row * contacts + j] * e.factor, 5) + " " + e.name;
  };
  const plane = carom.plane({
    id: "map", draw, tell,
    label: "Space-time map: time to the right, contacts upwards, colour for the energy that each " +
      "stores. A wave is a slanting band; the flatter, the slower.",
    x: { title: carom.titled("time", t.name), low: 0, high: film.time[film.rows - 1] * t.factor },
    y: {
      title: "contact", low: 0.5, high: contacts + 0.5,
      ticks: (low, high) => carom.ticks(low, high, Math.min(contacts, 8)).filter((k) => Number.isInteger(k)),
    },
  });
  plane.stepY = 1;
  const key = carom.scale("map-key", "energy stored", () => [0, film.top.energy], "J");
  key.refresh();
  const chooser = carom.select("map-scale", "colours", MAP_SCALES, (scale) => {
    map.scale = scale;
    plane.redraw();
  }, map.scale);
  map.plane = plane;
  map.holder = carom.element("div", {}, plane.holder, key.holder, carom.element("p", { class: "tools" }, chooser));
  carom.charts.map = plane;
  return map;
};
