// The space-time map: energy by contact against time.
"use strict";

const MAP_SCALES = ["linear", "square root", "logarithmic, four decades"];

carom.colourPart = function (value, top, scale) {
  const part = top > 0 ? value / top : 0;
  return scale === 0 ? part : scale === 1 ? Math.sqrt(part) : Math.max(0, 1 + Math.log10(part || 1e-9) / 4);
};

// frames -> a plane with time to the right and contacts upwards; `go(time)` at a click.
carom.map = function (frames, go) {
  const t = carom.unit(frames.time[frames.count - 1], "s"), e = carom.unit(frames.largest.energy, "J");
  const contacts = frames.energy.width;
  const map = { scale: 1 };
  const shades = carom.scalePixels();

  // The frames of a column: those within its span, else the one before it.
  const framesOf = (from, to) => {
    const first = carom.frameAt(frames, from);
    let last = first;
    while (last + 1 < frames.count && frames.time[last + 1] < to) {
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
      const [first, last] = framesOf(from / t.factor, to / t.factor);
      for (let y = 0; y < high; y++) {
        let most = 0;
        const begin = Math.floor((y * contacts) / high), end = Math.floor(((y + 1) * contacts) / high);
        for (let row = first; row <= last; row++) {
          for (let j = begin; j < end; j++) {
            most = Math.max(most, frames.unpacked.energy[row * contacts + j]);
          }
        }
        const part = carom.colourPart(most, frames.largest.energy, map.scale);
        pixels[(high - 1 - y) * width + x] = shades[Math.round(255 * part)];
      }
    }
    const small = document.createElement("canvas");
    small.width = width;
    small.height = high;
    small.getContext("2d").putImageData(image, 0, 0);
    c.imageSmoothingEnabled = false;
    c.drawImage(small, plane.left, plane.top, plane.width, plane.height);
    const each = plane.height / contacts;
    for (let j = 0; carom.anyLinked() && j < contacts; j++) {
      if (carom.isLinked({ contact: j })) {
        c.strokeStyle = carom.colour("force");
        c.lineWidth = 1.5;
        c.strokeRect(plane.left - 1, plane.top + plane.height - (j + 1) * each, plane.width + 2, each);
      }
    }
  };
  const describe = (x, y) => {
    const row = carom.frameAt(frames, x / t.factor);
    const j = Math.max(0, Math.min(contacts - 1, Math.round(y) - 1));
    const name = carom.data.contact_names[j].slice(0, 80);
    carom.link(carom.itemOf({ contact: j }));
    return "t = " + carom.format(frames.time[row] * t.factor, 5) + " " + t.name + ", " + name + ": " +
      (frames.count < frames.samples ? "up to " : "") +
      carom.format(frames.unpacked.energy[row * contacts + j] * e.factor, 5) + " " + e.name +
      (frames.count < frames.samples ? " around this time" : "");
  };
  const plane = carom.plane({
    id: "map", draw, describe, perSecond: t.factor, pick: (x) => go(x / t.factor),
    label: "Space-time map: time to the right, contacts upwards, colour for stored " +
      "energy. A wave is an oblique band; a flatter one is slower.",
    x: { title: carom.withUnit("time", t.name), low: 0, high: frames.time[frames.count - 1] * t.factor },
    y: {
      title: "contact", low: 0.5, high: contacts + 0.5,
      ticks: (low, high) => carom.ticks(low, high, Math.min(contacts, 8)).filter((k) => Number.isInteger(k)),
    },
  });
  plane.stepY = 1;
  plane.showLink = plane.redraw;
  const key = carom.colourScale("map-key", "stored energy", () => [0, frames.largest.energy], "J");
  key.refresh();
  const chooser = carom.select("map-scale", "colour scale", MAP_SCALES, (scale) => {
    map.scale = scale;
    plane.redraw();
  }, map.scale);
  map.plane = plane;
  map.holder = carom.element("div", {}, plane.holder, key.holder, carom.element("p", { class: "tools" }, chooser));
  carom.charts.map = plane;
  return map;
};
