// A motion in time: where bodies, walls, strings and springs are, and the player that moves them.
"use strict";

// ---- From coordinates to places -------------------------------------------------------------

// The film of the motion, unpacked, with the place of each body's numbers in its tracks.
carom.motionFilm = function () {
  const film = carom.data.histories[0], { scene } = carom.data.report;
  film.unpacked = {};
  for (const name of ["place", "turn", "velocity", "spin"]) {
    film.unpacked[name] = carom.unpack(film[name], film.rows, Float64Array);
  }
  const next = { place: 0, turn: 0, velocity: 0, spin: 0 };
  film.own = scene.bodies.map((body) => {
    const own = { ...next };
    const free = !body.fixed && !body.hangs ? scene.dimension : 0;
    next.place += own.places = free;
    next.velocity += own.velocities = free;
    next.turn += own.turns = body.hangs ? 1 : body.turns === 3 ? 4 : body.turns || 0;
    next.spin += own.spins = body.hangs ? 1 : body.turns || 0;
    return own;
  });
  return film;
};

// The names of a body's numbers in a track, as the files of --history have them.
carom.coordinateNames = function (film, i, track) {
  const own = film.own[i], dimension = carom.data.report.scene.dimension;
  return {
    place: ["x", "y", "z"].slice(0, own.places),
    velocity: ["vx", "vy", "vz"].slice(0, own.velocities),
    turn: own.turns === 4 ? ["w", "x", "y", "z"].map((axis) => "orientation " + axis) : own.turns ? ["angle"] : [],
    spin: own.spins === 3 && dimension === 3 ? ["spin x", "spin y", "spin z"] : own.spins ? ["spin"] : [],
  }[track];
};

// Which track has the rates of another, where numbers and rates are the same in number.
carom.rateOf = { place: "velocity", turn: "spin" };
carom.ofRate = { velocity: "place", spin: "turn" };
carom.join = { line: 0, curve: 1, struck: 2 };

// The number k of a track after a part of the time from a row to the next: on the cubic by places and
// rates at both ends; before an impact, at which rates jump, on the parabola by the rate after the
// one before; where nobody knows, on a line.
carom.between = function (film, track, k, row, part) {
  const value = (of, at) => film.unpacked[of][at * film[of].count + k];
  const place = carom.ofRate[track] || track, rate = carom.rateOf[place];
  const join = film[place].count === film[rate].count ? film.joins[row + 1] : carom.join.line;
  if (!(part > 0) || join === carom.join.line) {
    const a = value(track, row);
    return part > 0 ? a + part * (value(track, row + 1) - a) : a;
  }
  const h = film.time[row + 1] - film.time[row];
  const p = value(place, row), d = h * value(rate, row), least = 2 * film[place].unit;
  // What is rounding of places must not be divided by a short time.
  const exact = (rise, known) => (Math.abs(rise - known) > least ? rise : known);
  const curved = join === carom.join.curve, next = curved ? h * value(rate, row + 1) : 0;
  const rise = exact(value(place, row + 1) - p, curved ? (d + next) / 2 : d);
  const end = curved ? next : 2 * rise - d;
  const b = 3 * rise - 2 * d - end, c = d + end - 2 * rise;
  return track === place ? p + part * (d + part * (b + part * c)) : (d + part * (2 * b + part * 3 * c)) / h;
};

// Numbers of a track against time, with points between instants where the course is a curve; where
// rates jump, there is one just before.
carom.curve = function (film, track, which) {
  const FINE = 4, times = [], values = which.map(() => []);
  const put = (time, row, part) => {
    times.push(time);
    which.forEach((k, i) => values[i].push(carom.between(film, track, k, row, part)));
  };
  for (let row = 0; row < film.rows; row++) {
    put(film.time[row], row, 0);
    const join = film.joins[row + 1] || carom.join.line, from = film.time[row], h = film.time[row + 1] - from;
    for (let k = 1; join !== carom.join.line && k < FINE; k++) {
      put(from + (k / FINE) * h, row, k / FINE);
    }
    if (join === carom.join.struck) {
      put(from + (1 - 1e-6) * h, row, 1);
    }
  }
  return { times, values };
};

// Straight down, and that turned by a right angle: from these a bob's angle counts.
carom.down = function (scene) {
  const [x, y] = scene.gravity, size = Math.hypot(x || 0, y || 0);
  const down = size > 0 ? [x / size, y / size] : [0, -1];
  return { down, across: [-down[1], down[0]] };
};

// Bodies and walls of the scene are put where they are at a time; velocities are returned.
carom.placeAt = function (film, time) {
  const { scene } = carom.data.report, { dimension } = scene;
  const row = carom.rowAt(film, time);
  const part = row + 1 < film.rows
    ? Math.max(0, (time - film.time[row]) / (film.time[row + 1] - film.time[row])) : 0;
  const { down, across } = carom.down(scene);
  const velocity = new Float64Array(scene.bodies.length * dimension);
  scene.bodies.forEach((body, i) => {
    const own = film.own[i];
    for (let d = 0; d < own.places; d++) {
      body.at[d] = carom.between(film, "place", own.place + d, row, part);
      velocity[i * dimension + d] = carom.between(film, "velocity", own.velocity + d, row, 0);
    }
    if (body.hangs) {
      const angle = carom.between(film, "turn", own.turn, row, part);
      const spin = carom.between(film, "spin", own.spin, row, 0);
      const c = Math.cos(angle), s = Math.sin(angle);
      for (let d = 0; d < 2; d++) {
        body.at[d] = body.hangs.from[d] + body.hangs.length * (c * down[d] + s * across[d]);
        velocity[i * dimension + d] = body.hangs.length * spin * (c * across[d] - s * down[d]);
      }
    } else if (own.turns === 1) {
      body.angle = carom.between(film, "turn", own.turn, row, part);
    } else if (own.turns === 4) {
      const q = [0, 1, 2, 3].map((k) => carom.between(film, "turn", own.turn + k, row, part));
      const size = Math.hypot(...q);
      body.orientation = q.map((value) => value / size);
    }
  });
  scene.walls.forEach((wall) => carom.placeWall(wall, time));
  return velocity;
};

// Along its normal, by its velocity and its swing.
carom.placeWall = function (wall, time) {
  wall.start = wall.start || wall.point.slice();
  const size = Math.hypot(...wall.normal);
  const speed = wall.velocity.reduce((sum, v, d) => sum + (v * wall.normal[d]) / size, 0);
  const swing = wall.amplitude ? wall.amplitude * Math.sin(2 * Math.PI * wall.frequency * time + wall.phase) : 0;
  wall.point = wall.start.map((p, d) => p + (wall.normal[d] / size) * (speed * time + swing));
};

// All that bodies reach in the whole motion, and what they hang from.
carom.motionBox = function (film, project) {
  const { scene } = carom.data.report;
  const box = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  const now = film.shown || 0;
  for (const row of carom.spread(film.rows, 500)) {
    carom.placeAt(film, film.time[row]);
    scene.bodies.forEach((body) => carom.widen(box, project(body.at), carom.size(body)));
  }
  scene.bodies.forEach((body) => body.hangs && carom.widen(box, project(body.hangs.from), 0));
  scene.springs.forEach((spring) => spring.point && carom.widen(box, project(spring.point), 0));
  carom.placeAt(film, now);
  return box;
};

// ---- Strings and springs --------------------------------------------------------------------

carom.drawStrings = function (c, scene, { at }) {
  c.strokeStyle = carom.colour("faint");
  c.lineWidth = 1;
  scene.bodies.forEach((body) => {
    if (body.hangs) {
      const [x, y] = at(body.hangs.from);
      c.beginPath();
      c.moveTo(x, y);
      c.lineTo(...at(body.at));
      c.stroke();
      c.beginPath();
      c.arc(x, y, 2.5, 0, 2 * Math.PI);
      c.stroke();
    }
  });
};

carom.drawSprings = function (c, scene, { at }) {
  c.strokeStyle = carom.colour("faint");
  c.lineWidth = 1.2;
  scene.springs.forEach((spring) => {
    const [ax, ay] = at(scene.bodies[spring.first].at);
    const [bx, by] = at(spring.point || scene.bodies[spring.second].at);
    const turns = 10, nx = (by - ay) / (2 * turns), ny = (ax - bx) / (2 * turns);
    const size = Math.hypot(nx, ny) || 1, wide = 5;
    c.beginPath();
    c.moveTo(ax, ay);
    for (let k = 1; k < 2 * turns; k++) {
      const part = k / (2 * turns), aside = k % 2 ? (k % 4 === 1 ? wide : -wide) : 0;
      c.lineTo(ax + part * (bx - ax) + (nx / size) * aside, ay + part * (by - ay) + (ny / size) * aside);
    }
    c.lineTo(bx, by);
    c.stroke();
    if (spring.point) {
      c.fillStyle = carom.colour("faint");
      c.fillRect(bx - 3, by - 3, 6, 6);
    }
  });
};

// ---- The player -----------------------------------------------------------------------------

// options: impacts, bodyOf(name) -> number or undefined, moved(time) told of every change
carom.motionPlayer = function (film, options) {
  const { element, data } = carom;
  const { scene } = data.report;
  const first = film.time[0], last = film.time[film.rows - 1], whole = last - first;
  const player = { film, time: first };
  data.report.starts = scene.bodies.map((_, i) => i * scene.dimension);
  let velocity = carom.placeAt(film, first), fastest = 0, seconds = whole;
  const speed = (i) => Math.hypot(...carom.slice(velocity, i * scene.dimension, scene.dimension));
  for (const row of carom.spread(film.rows, 300)) {
    velocity = carom.placeAt(film, film.time[row]);
    scene.bodies.forEach((_, i) => {
      fastest = Math.max(fastest, speed(i));
    });
  }
  fastest = fastest || 1;
  const few = scene.bodies.length <= 60;
  const paint = () => ({
    body: (i) => (scene.bodies[i].fixed ? carom.colour("wall") : carom.shadeText(Math.sqrt(speed(i) / fastest))),
    ink: (i) => (!scene.bodies[i].fixed && speed(i) / fastest > 0.4 ? "#000" : "#fff"),
    arrows: few ? [{ velocity, colour: carom.colour("text"), lift: 1 }] : [],
    arrowScale: fastest,
  });
  // Bodies of impacts a moment ago, marked; and of the one that is open, at its time.
  const struck = () => {
    const moment = (0.12 / seconds) * whole, list = new Set();
    for (let k = options.impacts.length - 1; k >= 0; k--) {
      const { time, contacts } = options.impacts[k];
      if (time <= player.time + 1e-9 * whole && time > player.time - moment) {
        contacts.flat().forEach((name) => list.add(options.bodyOf(name)));
      }
    }
    return list;
  };
  const drawn = carom.scene({
    id: "player", paint, box: (project) => carom.motionBox(film, project),
    behind: (c, frame) => {
      carom.drawStrings(c, scene, frame);
      carom.drawSprings(c, scene, frame);
    },
    above: (c, frame) => {
      c.strokeStyle = carom.colour("force");
      c.lineWidth = 3;
      struck().forEach((i) => {
        if (i !== undefined) {
          carom.drawBody(c, scene.bodies[i], frame.at(scene.bodies[i].at), frame.scale, frame.axes);
          c.stroke();
        }
      });
    },
    label: "The scene in motion, to scale: bodies coloured by their speed, those that have just been " +
      "struck with a bold edge; the tables beneath have the numbers",
  });
  const t = carom.unit(Math.max(Math.abs(first), Math.abs(last)), "s");
  const show = (part) => {
    player.time = film.shown = first + part * whole;
    velocity = carom.placeAt(film, player.time);
    drawn.redraw();
    options.moved(player.time);
    const before = options.impacts.filter(({ time }) => time <= player.time).reduce((n, { among }) => n + among, 0);
    const about = options.impacts.length < data.report.impacts_total ? "; about " : "; ";
    return "t = " + carom.format(player.time * t.factor, 5) + " " + t.name + about + before +
      (before === 1 ? " impact" : " impacts") + " so far";
  };
  const transport = carom.transport({ label: "time of the motion", show, seconds: () => seconds });
  const speeds = [["in 8 s", 8], ["in 30 s", 30], ["in 2 min", 120], ["as fast as it was", whole]];
  const chosen = whole > 30 ? 1 : whole >= 3 ? 3 : 0;
  seconds = speeds[chosen][1] || 8;
  transport.holder.append(carom.select("player-speed", "played", speeds.map(([text]) => text), (k) => {
    seconds = speeds[k][1] || 8;
  }, chosen));
  const key = carom.scale("player-key", "speed, by its square root:", () => [0, fastest], "m/s");
  key.refresh();
  player.go = (time) => transport.go(whole > 0 ? (time - first) / whole : 0);
  player.transport = transport;
  player.scene = drawn;
  player.holder = element("div", {}, drawn.holder, transport.holder, key.holder);
  return player;
};
