// Films: what was kept of a course in time, and the players that run them.
"use strict";

// ---- Films ----------------------------------------------------------------------------------

// Rows hold what has changed since the row before, in whole units: start, count, values, ...
carom.unpack = function (track, rows, Numbers = Float32Array) {
  const all = new Numbers(rows * track.count);
  for (let row = 0; row < rows; row++) {
    const base = row * track.count;
    if (row > 0) {
      all.copyWithin(base, base - track.count, base);
    }
    const list = track.rows[row];
    for (let k = 0; k < list.length;) {
      const start = list[k], count = list[k + 1];
      for (let i = 0; i < count; i++) {
        all[base + start + i] = list[k + 2 + i] * track.unit;
      }
      k += 2 + count;
    }
  }
  return all;
};

// The film of a result, or null; unpacked when it is first asked for.
carom.film = function (result) {
  const found = (carom.data.histories || []).find((film) => film.result === result);
  if (!found) {
    return null;
  }
  if (!found.unpacked) {
    found.unpacked = {
      velocity: carom.unpack(found.velocity, found.rows),
      force: carom.unpack(found.force, found.rows),
      energy: carom.unpack(found.energy, found.rows),
    };
    found.top = {};
    for (const name of Object.keys(found.unpacked)) {
      found.top[name] = carom.largest(found[name].extremes.filter((_, k) => k % 2 === 1));
    }
  }
  return found;
};

carom.row = function (film, name, row) {
  const count = film[name].count;
  return film.unpacked[name].subarray(row * count, (row + 1) * count);
};

// One contact or coordinate through all rows.
carom.track = function (film, name, index, factor = 1) {
  const count = film[name].count, values = film.unpacked[name];
  return Array.from({ length: film.rows }, (_, row) => values[row * count + index] * factor);
};

// Time and value of the largest there was of a number, whichever instants were kept.
carom.extremeOf = function (film, name, index) {
  const { extremes, count } = film[name], each = extremes.length / count || 0;
  return extremes.slice((index + 1) * each - 2, (index + 1) * each);
};

// A number as [time, value], the extremes that no instant has among them.
carom.points = function (film, name, index, factor = 1) {
  const values = carom.track(film, name, index), { extremes, count } = film[name], each = extremes.length / count;
  const list = values.map((value, row) => [film.time[row], value]);
  for (let k = index * each; k < (index + 1) * each; k += 2) {
    if (film.time[carom.rowAt(film, extremes[k])] < extremes[k]) {
      list.push([extremes[k], extremes[k + 1]]);
    }
  }
  return list.sort((a, b) => a[0] - b[0]).map(([time, value]) => [time, value * factor]);
};

// On the lines between such points, at ascending times.
carom.follow = function (points, times) {
  let k = 0;
  return times.map((time) => {
    while (k + 1 < points.length && points[k + 1][0] <= time) {
      k++;
    }
    const [t, y] = points[k], [next, z] = points[k + 1] || [Infinity, y];
    return time > t ? y + ((z - y) * (time - t)) / (next - t) : y;
  });
};

// Several numbers at common times: those of the instants, and of their extremes.
carom.courses = function (film, name, which, factor = 1) {
  const lists = which.map((index) => carom.points(film, name, index, factor));
  const times = Float64Array.from(new Set(lists.flat().map(([time]) => time))).sort();
  return { times: Array.from(times), values: lists.map((points) => carom.follow(points, Array.from(times))) };
};

// The last row that is not after a time.
carom.rowAt = function (film, time) {
  let low = 0, high = film.rows - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (film.time[middle] <= time) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
};

carom.thinned = function (film) {
  return film.rows < film.samples
    ? "Of " + film.samples + " instants that were computed " + film.rows + " are kept here: those " +
      "that the lines between the others tell least. Of all that were computed the " +
      "largest force and energy of every contact, and the largest and least velocity of every coordinate, are here with " +
      "their times; smaller peaks between two instants may be missing in charts. Values are rounded to a millionth of the largest."
    : "All " + film.samples + " instants that were computed are here; values are rounded to a " +
      "millionth of the largest.";
};

// ---- A slider that runs ---------------------------------------------------------------------

const SLIDER = 1000;

// options: label, show(part of the whole, from 0 to 1) -> what to tell, seconds() that it plays
carom.transport = function (options) {
  const { element } = carom;
  const transport = { playing: false };
  const slider = element("input", {
    type: "range", id: "player-slider", min: 0, max: SLIDER, value: 0, step: "any",
    "aria-label": options.label, input: () => show(Number(slider.value)),
  });
  // With "any" a browser's own steps are a hundredth of the whole.
  slider.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -100, PageUp: 100 }[event.key];
    if (by && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      transport.go((Number(slider.value) + by) / SLIDER);
    }
  });
  const told = element("output", { id: "player-time", for: "player-slider" });
  const play = element("button", { type: "button", id: "player-play", click: () => run(!transport.playing) }, "Play");
  const show = (place) => {
    told.textContent = options.show(place / SLIDER);
    slider.setAttribute("aria-valuetext", told.textContent);
  };
  const run = (on) => {
    transport.playing = on;
    play.textContent = on ? "Pause" : "Play";
    let before = null;
    let place = Number(slider.value) >= SLIDER ? 0 : Number(slider.value);
    const tick = (now) => {
      if (!transport.playing) {
        return;
      }
      place += before === null ? 0 : ((now - before) / 1000 / options.seconds()) * SLIDER;
      before = now;
      slider.value = Math.min(SLIDER, place);
      show(Number(slider.value));
      if (place >= SLIDER) {
        run(false);
      } else {
        requestAnimationFrame(tick);
      }
    };
    if (on) {
      requestAnimationFrame(tick);
    }
  };
  transport.go = (part) => {
    slider.value = SLIDER * Math.max(0, Math.min(1, part));
    show(Number(slider.value));
  };
  transport.part = () => Number(slider.value) / SLIDER;
  transport.pause = () => run(false);
  transport.slider = slider;
  transport.holder = element("p", { class: "tools player" }, play, slider, told);
  return transport;
};

// ---- The player of an impact ----------------------------------------------------------------

const PLAY_SECONDS = 8;

carom.player = function () {
  const { element } = carom;
  const player = { film: null, row: 0 };
  const starts = carom.data.report.starts;
  const dimension = carom.data.report.scene.dimension;
  let speeds = [], fastest = 1;

  const gauge = (row) => {
    const v = carom.row(player.film, "velocity", row);
    speeds = new Float64Array(carom.data.bodies.length);
    for (let i = 0; i < speeds.length; i++) {
      let square = 0;
      for (let k = starts[i]; k < starts[i] + dimension; k++) {
        square += v[k] * v[k];
      }
      speeds[i] = Math.sqrt(square);
    }
    return v;
  };
  const paint = () => {
    const v = gauge(player.row), force = carom.row(player.film, "force", player.row);
    const top = player.film.top.force || 1;
    return {
      body: (i) => carom.shadeText(Math.sqrt(speeds[i] / fastest)),
      ink: (i) => (speeds[i] / fastest > 0.4 ? "#000" : "#fff"),
      contact: (j) => (force[j] > 1e-4 * top ? {
        colour: carom.colour("force"), width: 1 + 6 * Math.sqrt(force[j] / top),
      } : null),
      arrows: [{ velocity: v, colour: carom.colour("after"), lift: 1 }],
      arrowScale: fastest,
    };
  };
  let scene = null;
  const last = () => player.film.time[player.film.rows - 1];

  const show = (part) => {
    player.row = carom.rowAt(player.film, part * last());
    const force = carom.row(player.film, "force", player.row);
    let strongest = 0;
    force.forEach((f, j) => {
      strongest = f > force[strongest] ? j : strongest;
    });
    const t = carom.unit(last(), "s"), n = carom.unit(player.film.top.force, "N");
    const name = carom.data.contact_names[strongest];
    scene.redraw();
    return "t = " + carom.format(player.film.time[player.row] * t.factor, 5) + " " + t.name +
      (force[strongest] > 0 ? "; most force at " + name.slice(0, 80) + ": " + carom.format(force[strongest] * n.factor, 4) + " " + n.name : "; nothing presses");
  };
  const transport = carom.transport({ label: "time within the impact", show, seconds: () => PLAY_SECONDS });

  player.choose = (film) => {
    player.film = film;
    fastest = 0;
    for (const row of carom.spread(film.rows, 400)) {
      gauge(row);
      fastest = Math.max(fastest, carom.largest(speeds));
    }
    fastest = fastest || 1;
  };
  const key = carom.scale("player-key", "speed, by its square root:", () => [0, fastest], "m/s");
  player.start = () => {
    key.refresh();
    scene = carom.scene({
      id: "player", paint,
      label: "The scene during the impact: bodies coloured by their speed, contacts drawn thicker " +
        "the more force they carry, arrows for velocities",
    });
    player.scene = scene;
    player.show = transport.go;
    player.holder = element("div", {}, scene.holder, transport.holder, key.holder);
  };
  return player;
};
