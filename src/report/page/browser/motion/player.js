// The player of a motion, or of two of one scene in step.
"use strict";

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

// ---- One motion -------------------------------------------------------------------------------

// options: id, motion: {frames, impacts, label}, seconds() that it plays, fastest(), bodyOf(name) -> number or
// undefined, box(project), high()
carom.motionScene = function (options) {
  const { frames, impacts, label } = options.motion, { scene } = frames;
  const first = frames.time[0], last = frames.time[frames.count - 1], few = scene.bodies.length <= 60;
  const view = { time: first, velocity: carom.poseAt(frames, first) };
  const speed = (i) => Math.hypot(...carom.components(view.velocity, i * scene.dimension, scene.dimension));
  const part = (i) => speed(i) / options.fastest();
  const paint = () => ({
    body: (i) => (scene.bodies[i].fixed ? carom.colour("wall") : carom.scaleColourText(Math.sqrt(part(i)))),
    ink: (i) => (!scene.bodies[i].fixed && part(i) > 0.4 ? "#000" : "#fff"),
    arrows: few ? [{ velocity: view.velocity, colour: carom.colour("text"), lift: 1 }] : [],
    arrowScale: options.fastest(),
  });
  // Bodies of impacts a moment ago, and of the open one at its time, are marked; what rattles in a heap is not.
  const FELT = 0.05, strongest = impacts.reduce((most, impact) => Math.max(most, impact.strongest), 0);
  const struck = () => {
    const whole = last - first, moment = (0.12 / options.seconds()) * whole, list = new Set();
    for (let k = impacts.length - 1; k >= 0; k--) {
      const { time, contacts, strongest: closing } = impacts[k];
      if (closing >= FELT * strongest && time <= view.time + 1e-9 * whole && time > view.time - moment) {
        contacts.flat().forEach((name) => list.add(options.bodyOf(name)));
      }
    }
    return list;
  };
  view.scene = carom.scene({
    id: options.id, of: scene, camera: options.camera, paint, box: options.box, most: options.high,
    behind: (c, frame) => {
      carom.drawStrings(c, scene, frame);
      carom.drawSprings(c, scene, frame);
    },
    above: (c, frame) => {
      c.strokeStyle = carom.colour("force");
      c.lineWidth = 3;
      struck().forEach((i) => {
        if (i !== undefined) {
          carom.drawBody(c, scene.bodies[i], frame.at(scene.bodies[i].at), frame);
          c.stroke();
        }
      });
    },
    label: "The scene in motion" + (label ? " by " + label : "") + ", to scale: bodies coloured by speed, with a bold edge " +
      "where just struck; the tables below have the numbers",
  });
  // After its end a motion stands still.
  view.show = (time) => {
    view.time = frames.shown = Math.min(last, time);
    view.velocity = carom.poseAt(frames, view.time);
    view.scene.redraw();
  };
  view.holder = carom.element("figure", { class: "law" }, label ? carom.element("figcaption", {}, label) : null, view.scene.holder);
  return view;
};

// The largest speed in a motion.
carom.motionFastest = function (frames) {
  const { scene } = frames;
  let fastest = 0;
  for (const row of carom.evenlySpread(frames.count, 300)) {
    const velocity = carom.poseAt(frames, frames.time[row]);
    scene.bodies.forEach((_, i) => {
      fastest = Math.max(fastest, Math.hypot(...carom.components(velocity, i * scene.dimension, scene.dimension)));
    });
  }
  return fastest;
};

// A bar for each body: how far apart the two motions have it, of the largest distance there is room for.
carom.distanceStrip = function (views, size) {
  const MOST = 200, [a, b] = views.map(({ scene }) => scene.of.bodies);
  const strip = carom.strip("player-difference", "Distances between the places of a body in the two motions", "apart");
  const distance = (i) => Math.hypot(...a[i].at.map((x, d) => x - b[i].at[d]));
  strip.bars = () => carom.evenlySpread(a.length, MOST).map((i) => Math.min(1, distance(i) / size));
  return strip;
};

// ---- The player -----------------------------------------------------------------------------

// motions: one or two of {frames, impacts, label}; options: bodyOf(name) -> number or undefined, moved(time) called at
// every change, total: impacts of the first
carom.motionPlayer = function (motions, options) {
  const { element } = carom, { frames, impacts } = motions[0], { scene } = frames;
  const ends = motions.map((motion) => motion.frames.time);
  const first = Math.min(...ends.map((time) => time[0])), last = Math.max(...ends.map((time) => time[time.length - 1])), whole = last - first;
  const player = { frames, time: first };
  carom.data.report.starts = scene.bodies.map((_, i) => i * scene.dimension);
  const fastest = Math.max(...motions.map((motion) => carom.motionFastest(motion.frames))) || 1;
  const box = (project) => motions.map((motion) => carom.motionBox(motion.frames, project)).reduce(carom.joinBoxes);
  let seconds = whole;
  const two = motions.length > 1;
  const camera = carom.camera(scene.dimension);
  const views = motions.map((motion, k) => carom.motionScene({
    camera,
    id: k === 0 ? "player" : "player-beside", motion, box, fastest: () => fastest, bodyOf: options.bodyOf, seconds: () => seconds,
    high: () => (two ? (window.innerWidth < 600 ? 260 : 360) : 440),
  }));
  const wide = box(carom.camera(scene.dimension).project), size = Math.max(wide.right - wide.left, wide.high - wide.low);
  const strip = two ? carom.distanceStrip(views, size / 2) : null;
  const t = carom.unit(Math.max(Math.abs(first), Math.abs(last)), "s");
  const show = (part) => {
    player.time = first + part * whole;
    views.forEach((view) => view.show(player.time));
    if (two) {
      strip.redraw();
    }
    options.moved(player.time);
    const before = impacts.filter(({ time }) => time <= player.time).reduce((n, { represents }) => n + represents, 0);
    const about = impacts.length < options.total ? "; about " : "; ";
    return "t = " + carom.format(player.time * t.factor, 5) + " " + t.name + about + before +
      (before === 1 ? " impact" : " impacts") + " so far" + (two ? " by " + motions[0].label : "");
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
  const drawn = () => [...views.map((view) => view.scene.canvas), ...(two ? [strip.canvas] : [])];
  transport.holder.append(...[carom.pictureButton("player", drawn),
    carom.filmButton(transport, drawn, () => Math.min(60, seconds))].filter(Boolean));
  Object.assign(player, {
    transport, views, showLink: () => views.forEach((view) => view.scene.redraw()), scene: views[0].scene, strip, go: (time) => transport.go(whole > 0 ? (time - first) / whole : 0),
    holder: element("div", { id: "player" }, element("div", { class: two ? "laws plane-scenes two" : "laws" },
      views.map((view) => view.holder)), ...[strip && strip.holder, transport.holder, key.holder].filter(Boolean)),
  });
  return player;
};
