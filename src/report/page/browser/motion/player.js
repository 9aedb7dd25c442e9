// A motion in time: positions of bodies, walls, strings and springs, and the player that moves them.
"use strict";

// ---- From coordinates to places -------------------------------------------------------------

// The frames of the motion, unpacked, with the place of each body's numbers in its tracks.
carom.motionFrames = function () {
  const frames = carom.data.histories[0], { scene } = carom.data.report;
  frames.unpacked = {};
  for (const name of ["translation", "rotation", "velocity", "spin"]) {
    frames.unpacked[name] = carom.unpack(frames[name], frames.count, Float64Array);
  }
  const next = { translation: 0, rotation: 0, velocity: 0, spin: 0 };
  frames.tracksOf = scene.bodies.map((body) => {
    const own = { ...next };
    const free = !body.fixed && !body.suspension ? scene.dimension : 0;
    next.translation += own.translations = free;
    next.velocity += own.velocities = free;
    next.rotation += own.rotations = body.suspension ? 1 : body.turns === 3 ? 4 : body.turns || 0;
    next.spin += own.spins = body.suspension ? 1 : body.turns || 0;
    return own;
  });
  return frames;
};

// The names of a body's numbers in a track, as the files of --history have them.
carom.coordinateNames = function (frames, i, track) {
  const own = frames.tracksOf[i], dimension = carom.data.report.scene.dimension;
  return {
    translation: ["x", "y", "z"].slice(0, own.translations),
    velocity: ["vx", "vy", "vz"].slice(0, own.velocities),
    rotation: own.rotations === 4 ? ["w", "x", "y", "z"].map((axis) => "orientation " + axis) : own.rotations ? ["angle"] : [],
    spin: own.spins === 3 && dimension === 3 ? ["spin x", "spin y", "spin z"] : own.spins ? ["spin"] : [],
  }[track];
};

// Which track has the rates of another, where there are as many rates as numbers.
carom.rateTrack = { translation: "velocity", rotation: "spin" };
carom.positionTrack = { velocity: "translation", spin: "rotation" };
carom.join = { line: 0, curve: 1, impact: 2 };

// The number k of a track after a part of the time from a frame to the next: on the cubic by positions and
// rates at both ends; before an impact, at which rates jump, on the parabola by the rate at the first
// frame; where nothing is known in between, on a line.
carom.valueBetween = function (frames, track, k, row, part) {
  const value = (of, at) => frames.unpacked[of][at * frames[of].width + k];
  const place = carom.positionTrack[track] || track, rate = carom.rateTrack[place];
  const join = frames[place].width === frames[rate].width ? frames.joins[row + 1] : carom.join.line;
  if (!(part > 0) || join === carom.join.line) {
    const a = value(track, row);
    return part > 0 ? a + part * (value(track, row + 1) - a) : a;
  }
  const h = frames.time[row + 1] - frames.time[row];
  const p = value(place, row), d = h * value(rate, row), least = 2 * frames[place].unit;
  // Rounding of positions must not be divided by a short time.
  const exact = (rise, known) => (Math.abs(rise - known) > least ? rise : known);
  const curved = join === carom.join.curve, next = curved ? h * value(rate, row + 1) : 0;
  const rise = exact(value(place, row + 1) - p, curved ? (d + next) / 2 : d);
  const end = curved ? next : 2 * rise - d;
  const b = 3 * rise - 2 * d - end, c = d + end - 2 * rise;
  return track === place ? p + part * (d + part * (b + part * c)) : (d + part * (2 * b + part * 3 * c)) / h;
};

// Quantities against time, with points between frames where they follow a curve; where rates jump, there
// is one just before. valueOf(which, row, part) is the value after a part of the time to the next frame.
carom.motionCurves = function (frames, which, valueOf) {
  const FINE = 4, times = [], values = which.map(() => []);
  const put = (time, row, part) => {
    times.push(time);
    which.forEach((one, i) => values[i].push(valueOf(one, row, part)));
  };
  for (let row = 0; row < frames.count; row++) {
    put(frames.time[row], row, 0);
    const join = frames.joins[row + 1] || carom.join.line, from = frames.time[row], h = frames.time[row + 1] - from;
    for (let k = 1; join !== carom.join.line && k < FINE; k++) {
      put(from + (k / FINE) * h, row, k / FINE);
    }
    if (join === carom.join.impact) {
      put(from + (1 - 1e-6) * h, row, 1);
    }
  }
  return { times, values };
};

// The same of an energy. The potential follows its values and rates, losses wait for the impact, and the
// kinetic energy is what remains of the total.
carom.energyBetween = function (frames, name, row, part) {
  const line = (of) => frames[of][row] + (part > 0 ? part * (frames[of][row + 1] - frames[of][row]) : 0);
  const join = part > 0 ? frames.joins[row + 1] : carom.join.line, struck = join === carom.join.impact;
  if (join === carom.join.line) {
    return line(name);
  }
  const h = frames.time[row + 1] - frames.time[row], lost = struck ? frames.lost[row] : line("lost");
  const rise = frames.potential[row + 1] - frames.potential[row], d = h * frames.potential_rate[row];
  const end = struck ? 2 * rise - d : h * frames.potential_rate[row + 1];
  const potential = frames.potential[row] + part * (d + part * (3 * rise - 2 * d - end + part * (d + end - 2 * rise)));
  const total = line("kinetic") + line("potential") + line("lost");
  return { lost, potential, kinetic: Math.max(0, total - lost - potential) }[name] ?? line(name);
};

// Straight down, and that turned by a right angle: the axes of a bob's angle.
carom.downDirection = function (scene) {
  const [x, y] = scene.gravity, size = Math.hypot(x || 0, y || 0);
  const down = size > 0 ? [x / size, y / size] : [0, -1];
  return { down, across: [-down[1], down[0]] };
};

// Move bodies and walls of the scene to their positions at a time; return velocities.
carom.poseAt = function (frames, time) {
  const { scene } = carom.data.report, { dimension } = scene;
  const row = carom.frameAt(frames, time);
  const part = row + 1 < frames.count
    ? Math.max(0, (time - frames.time[row]) / (frames.time[row + 1] - frames.time[row])) : 0;
  const { down, across } = carom.downDirection(scene);
  const velocity = new Float64Array(scene.bodies.length * dimension);
  scene.bodies.forEach((body, i) => {
    const own = frames.tracksOf[i];
    for (let d = 0; d < own.translations; d++) {
      body.at[d] = carom.valueBetween(frames, "translation", own.translation + d, row, part);
      velocity[i * dimension + d] = carom.valueBetween(frames, "velocity", own.velocity + d, row, 0);
    }
    if (body.suspension) {
      const angle = carom.valueBetween(frames, "rotation", own.rotation, row, part);
      const spin = carom.valueBetween(frames, "spin", own.spin, row, 0);
      const c = Math.cos(angle), s = Math.sin(angle);
      for (let d = 0; d < 2; d++) {
        body.at[d] = body.suspension.from[d] + body.suspension.length * (c * down[d] + s * across[d]);
        velocity[i * dimension + d] = body.suspension.length * spin * (c * across[d] - s * down[d]);
      }
    } else if (own.rotations === 1) {
      body.angle = carom.valueBetween(frames, "rotation", own.rotation, row, part);
    } else if (own.rotations === 4) {
      const q = [0, 1, 2, 3].map((k) => carom.valueBetween(frames, "rotation", own.rotation + k, row, part));
      const size = Math.hypot(...q);
      body.orientation = q.map((value) => value / size);
    }
  });
  scene.walls.forEach((wall) => carom.moveWall(wall, time));
  return velocity;
};

// Along its normal, by its velocity and its swing.
carom.moveWall = function (wall, time) {
  wall.start = wall.start || wall.point.slice();
  const size = Math.hypot(...wall.normal);
  const speed = wall.velocity.reduce((sum, v, d) => sum + (v * wall.normal[d]) / size, 0);
  const swing = wall.amplitude ? wall.amplitude * Math.sin(2 * Math.PI * wall.frequency * time + wall.phase) : 0;
  wall.point = wall.start.map((p, d) => p + (wall.normal[d] / size) * (speed * time + swing));
};

// The box of all positions in the motion, and of suspension points.
carom.motionBox = function (frames, project) {
  const { scene } = carom.data.report;
  const box = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  const now = frames.shown || 0;
  for (const row of carom.evenlySpread(frames.count, 500)) {
    carom.poseAt(frames, frames.time[row]);
    scene.bodies.forEach((body) => carom.extendBox(box, project(body.at), carom.boundingRadius(body)));
  }
  scene.bodies.forEach((body) => body.suspension && carom.extendBox(box, project(body.suspension.from), 0));
  scene.springs.forEach((spring) => spring.point && carom.extendBox(box, project(spring.point), 0));
  carom.poseAt(frames, now);
  return box;
};

// ---- Strings and springs --------------------------------------------------------------------

carom.drawStrings = function (c, scene, { at }) {
  c.strokeStyle = carom.colour("faint");
  c.lineWidth = 1;
  scene.bodies.forEach((body) => {
    if (body.suspension) {
      const [x, y] = at(body.suspension.from);
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

// options: impacts, bodyOf(name) -> number or undefined, moved(time) called at every change
carom.motionPlayer = function (frames, options) {
  const { element, data } = carom;
  const { scene } = data.report;
  const first = frames.time[0], last = frames.time[frames.count - 1], whole = last - first;
  const player = { frames, time: first };
  data.report.starts = scene.bodies.map((_, i) => i * scene.dimension);
  let velocity = carom.poseAt(frames, first), fastest = 0, seconds = whole;
  const speed = (i) => Math.hypot(...carom.components(velocity, i * scene.dimension, scene.dimension));
  for (const row of carom.evenlySpread(frames.count, 300)) {
    velocity = carom.poseAt(frames, frames.time[row]);
    scene.bodies.forEach((_, i) => {
      fastest = Math.max(fastest, speed(i));
    });
  }
  fastest = fastest || 1;
  const few = scene.bodies.length <= 60;
  const paint = () => ({
    body: (i) => (scene.bodies[i].fixed ? carom.colour("wall") : carom.scaleColourText(Math.sqrt(speed(i) / fastest))),
    ink: (i) => (!scene.bodies[i].fixed && speed(i) / fastest > 0.4 ? "#000" : "#fff"),
    arrows: few ? [{ velocity, colour: carom.colour("text"), lift: 1 }] : [],
    arrowScale: fastest,
  });
  // Bodies of impacts a moment ago, and of the open one at its time, are marked.
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
    id: "player", paint, box: (project) => carom.motionBox(frames, project),
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
    most: () => 440,
    label: "The scene in motion, to scale: bodies coloured by speed, with a bold edge where just " +
      "struck; the tables below have the numbers",
  });
  const t = carom.unit(Math.max(Math.abs(first), Math.abs(last)), "s");
  const show = (part) => {
    player.time = frames.shown = first + part * whole;
    velocity = carom.poseAt(frames, player.time);
    drawn.redraw();
    options.moved(player.time);
    const before = options.impacts.filter(({ time }) => time <= player.time).reduce((n, { represents }) => n + represents, 0);
    const about = options.impacts.length < data.report.impacts_total ? "; about " : "; ";
    return "t = " + carom.format(player.time * t.factor, 5) + " " + t.name + about + before +
      (before === 1 ? " impact" : " impacts") + " so far";
  };
  const transport = carom.transport({ label: "time of the motion", show, loop: true, seconds: () => seconds });
  const speeds = [["in 8 s", 8], ["in 30 s", 30], ["in 2 min", 120], ["in real time", whole]];
  const chosen = whole > 30 ? 1 : whole >= 3 ? 3 : 0;
  seconds = speeds[chosen][1] || 8;
  transport.holder.append(carom.select("player-speed", "play", speeds.map(([text]) => text), (k) => {
    seconds = speeds[k][1] || 8;
  }, chosen));
  const key = carom.colourScale("player-key", "speed (colour scale √speed):", () => [0, fastest], "m/s");
  key.refresh();
  transport.holder.append(...[carom.pictureButton("player", () => [drawn.canvas]),
    carom.filmButton(transport, () => [drawn.canvas], () => Math.min(60, seconds))].filter(Boolean));
  player.go = (time) => transport.go(whole > 0 ? (time - first) / whole : 0);
  player.transport = transport;
  player.scene = drawn;
  player.holder = element("div", {}, drawn.holder, transport.holder, key.holder);
  return player;
};
