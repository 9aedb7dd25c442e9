// A motion in time: places of bodies and walls between its frames.
"use strict";

// ---- From coordinates to places -------------------------------------------------------------

// The frames of a motion of a scene, unpacked, with the place of each body's numbers in its tracks. Bodies and walls
// of the scene are moved by poseAt: two motions side by side have one each.
carom.motionFrames = function (frames, scene) {
  frames.scene = scene;
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
  const own = frames.tracksOf[i], { dimension } = frames.scene;
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
  const { scene } = frames, { dimension } = scene;
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
  const { scene } = frames;
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

// The first time at which a body of two motions of one scene is apart by more than a part of what is seen; null: none.
carom.motionsPart = function (both, part) {
  const { scene } = both[0], [a, b] = both.map((frames) => frames.scene.bodies);
  const box = carom.motionBox(both[0], carom.camera(scene.dimension).project), size = Math.max(box.right - box.left, box.high - box.low);
  const last = Math.max(...both.map((frames) => frames.time[frames.count - 1]));
  const times = carom.evenlySpread(2001, 2001).map((k) => both[0].time[0] + (k / 2000) * (last - both[0].time[0]));
  const found = times.find((time) => {
    both.forEach((frames) => carom.poseAt(frames, Math.min(time, frames.time[frames.count - 1])));
    return a.some((body, i) => Math.hypot(...body.at.map((x, d) => x - b[i].at[d])) > part * size);
  });
  both.forEach((frames) => carom.poseAt(frames, frames.time[0]));
  return found === undefined ? null : found;
};
