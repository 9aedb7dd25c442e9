// The player of an impact: the bodies arrive, the impact goes by in slow motion, they leave. One law, or
// two in step.
"use strict";

// ---- The clock ------------------------------------------------------------------------------

// Parts of the whole at which the impact begins and ends. Positions do not change in between.
const IMPACT_BEGINS = 0.22, IMPACT_ENDS = 0.68, PLAY_SECONDS = 7;

// -> {flight: from -1 (arriving) over 0 to 1 (gone), impact: from 0 to 1}
carom.impactClock = function (part) {
  return part < IMPACT_BEGINS ? { flight: part / IMPACT_BEGINS - 1, impact: 0 }
    : part <= IMPACT_ENDS ? { flight: 0, impact: (part - IMPACT_BEGINS) / (IMPACT_ENDS - IMPACT_BEGINS) }
      : { flight: (part - IMPACT_ENDS) / (1 - IMPACT_ENDS), impact: 1 };
};

// ---- Flight before and after ----------------------------------------------------------------

// Bodies at rest and in flight: `place(velocity, far)` moves them by a part of the way that the fastest
// of all shown goes.
carom.flights = function (all, velocities) {
  const { scene, starts } = carom.data.report;
  const homes = scene.bodies.map((body) => ({
    at: body.at.slice(), angle: body.angle || 0, orientation: body.orientation && body.orientation.slice(),
  }));
  let fastest = 0;
  velocities.forEach((list) => scene.bodies.forEach((_, i) => {
    fastest = Math.max(fastest, all.speed(list, i));
  }));
  const box = carom.sceneBox(scene, carom.camera(scene.dimension).project);
  const way = Math.min(10 * box.most, Math.max(3 * box.most, 0.25 * (box.right - box.left)));
  const time = fastest > 0 ? way / fastest : 0;
  const turned = (q, spin) => {
    const angle = Math.hypot(...spin), s = angle > 0 ? Math.sin(angle / 2) / angle : 0;
    const [a, b, c, d] = q, w = Math.cos(angle / 2), [x, y, z] = spin.map((value) => value * s);
    return [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
      a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w];
  };
  const place = (velocity, far) => scene.bodies.forEach((body, i) => {
    const v = all.velocityOf(velocity, i), spins = starts[i + 1] - starts[i] - v.length;
    body.at = homes[i].at.map((x, d) => x + (v[d] || 0) * far * time);
    if (spins === 1) {
      body.angle = homes[i].angle + velocity[starts[i] + v.length] * far * time;
    } else if (spins === 3 && body.orientation) {
      body.orientation = turned(homes[i].orientation, carom.components(velocity, starts[i] + v.length, 3).map((w) => w * far * time));
    }
  });
  return { place, fastest: fastest || 1 };
};

const FEW_ARROWS = 60; // in space more of them hide the bodies

// ---- One law --------------------------------------------------------------------------------

// options: id, all (carom.outcomes), flights, fastest(), box(project), high(): how high it may be
carom.lawScene = function (options) {
  const { data } = carom, { report, results } = data, { scene } = report, { all, flights } = options;
  const view = { law: 0, clock: carom.impactClock(0), time: 0 };
  const frames = () => carom.frames(view.law);
  const row = () => (frames() ? carom.frameAt(frames(), view.time) : 0);
  view.velocity = () => {
    const after = results[view.law].velocity || data.velocity_before;
    return view.clock.flight < 0 ? data.velocity_before
      : view.clock.flight > 0 || !frames() || view.time > carom.lastTime(frames()) ? after
        : carom.frameValues(frames(), "velocity", row());
  };
  view.force = () => (frames() && view.clock.flight === 0 && view.time <= carom.lastTime(frames())
    ? carom.frameValues(frames(), "force", row()) : null);
  const speed = (i) => all.speed(view.velocity(), i);

  const paint = () => {
    const velocity = view.velocity(), force = view.force(), top = (frames() && frames().largest.force) || 1;
    flights.place(velocity, view.clock.flight);
    return {
      body: (i) => carom.scaleColourText(Math.sqrt(speed(i) / options.fastest())),
      ink: (i) => (speed(i) / options.fastest() > 0.4 ? "#000" : "#fff"),
      contact: (j) => (force && force[j] > 1e-4 * top ? {
        colour: carom.colour("force"), width: 1 + 6 * Math.sqrt(force[j] / top),
      } : null),
      arrows: all.dimension < 3 || scene.bodies.length <= FEW_ARROWS ? [{ velocity, colour: carom.colour("after"), lift: 1 }] : [],
      arrowScale: options.fastest(),
    };
  };
  // Speeds beside few bodies, while they fly.
  const speeds = (c, frame) => {
    const few = 12;
    if (scene.bodies.length > few || view.clock.flight === 0) {
      return;
    }
    c.fillStyle = carom.colour("text");
    c.textAlign = "center";
    c.textBaseline = "top";
    c.font = "12px system-ui, sans-serif";
    scene.bodies.forEach((body, i) => {
      const [x, y] = frame.at(body.at);
      if (speed(i) > 1e-3 * options.fastest()) {
        carom.fitText(c, carom.format(speed(i), 2), x, y + frame.scale * carom.boundingRadius(body) + 4, 80, carom.colour("paper"));
      }
    });
  };
  // A long chain is seen through a window that follows its energy.
  const LONG = 40;
  const focus = (box) => {
    if (scene.dimension > 1 || scene.bodies.length <= LONG) {
      return box;
    }
    const velocity = view.velocity(), half = 0.5 * LONG * box.most;
    let sum = 0, moment = 0;
    scene.bodies.forEach((body, i) => {
      const energy = data.mass[report.starts[i]] * speed(i) ** 2;
      sum += energy;
      moment += energy * body.at[0];
    });
    flights.place(velocity, view.clock.flight);
    const middle = sum > 0 ? moment / sum : (box.left + box.right) / 2;
    return { ...box, left: middle - half, right: middle + half };
  };
  view.scene = carom.scene({
    id: options.id, camera: options.camera, paint, focus, box: options.box, above: speeds, most: options.high,
    label: "The bodies before, during and after the impact: coloured by speed, contacts thicker with " +
      "larger force, arrows for velocities; the table below has the numbers",
  });
  view.title = carom.element("figcaption", {});
  view.choose = (law) => {
    view.law = law;
    view.title.textContent = results[law].label + (results[law].velocity ? "" : ": no answer");
  };
  view.holder = carom.element("figure", { class: "law" }, view.title, view.scene.holder);
  return view;
};

// ---- Differences of two laws ----------------------------------------------------------------

// A bar for each body: how much faster it is by the second law; on a line with the sign of the velocity.
carom.differenceStrip = function (all, first, second, fastest) {
  const MOST = 200, strip = carom.strip("player-difference", "Differences of velocities between the two laws, body by body", "difference");
  const difference = (i) => {
    const a = all.velocityOf(first.velocity(), i), b = all.velocityOf(second.velocity(), i);
    return all.dimension === 1 ? b[0] - a[0] : Math.hypot(...b) - Math.hypot(...a);
  };
  strip.bars = () => carom.evenlySpread(all.count, MOST).map((i) => Math.max(-1, Math.min(1, difference(i) / fastest())));
  return strip;
};

// ---- The player -----------------------------------------------------------------------------

carom.lastTime = (frames) => frames.time[frames.count - 1];

// `changed` is called with the law when another is chosen.
carom.player = function (changed) {
  const { element, data } = carom, { results } = data, all = carom.outcomes();
  const names = results.map((result) => result.label);
  const answers = results.filter((result) => result.velocity).map((result) => result.velocity);
  const flights = carom.flights(all, [data.velocity_before, ...answers]);
  // By the address, else the first law and the one that differs most from it.
  const asked = carom.address.read(), index = (label) => names.indexOf(label);
  const player = { laws: [index(asked.law) >= 0 ? index(asked.law) : Math.max(0, all.answered.indexOf(true)), -1] };
  player.laws[1] = asked.beside === "none" ? -1 : index(asked.beside) >= 0 ? index(asked.beside)
    : all.answered[player.laws[0]] ? carom.mostDifferent(player.laws[0]) : -1;
  player.asked = asked.t === undefined ? null : Number(asked.t);

  const two = () => player.laws[1] >= 0;

  let fastest = flights.fastest;
  results.forEach((_, k) => {
    const frames = carom.frames(k);
    (frames ? carom.evenlySpread(frames.count, 400) : []).forEach((row) => {
      const velocity = carom.frameValues(frames, "velocity", row);
      for (let i = 0; i < all.count; i++) {
        fastest = Math.max(fastest, all.speed(velocity, i));
      }
    });
  });
  // All places bodies come to, by any law.
  const box = (project) => {
    const { scene } = data.report, whole = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
    const extend = () => scene.bodies.forEach((body) => carom.extendBox(whole, project(body.at), carom.boundingRadius(body)));
    scene.fixed.forEach((body) => carom.extendBox(whole, project(body.at), carom.boundingRadius(body)));
    for (const [velocity, far] of [[data.velocity_before, -1], ...answers.map((list) => [list, 1]), [data.velocity_before, 0]]) {
      flights.place(velocity, far);
      extend();
    }
    return whole;
  };
  const high = () => (all.dimension === 1 ? 128 : two() ? (window.innerWidth < 600 ? 220 : 300) : 420);
  const camera = carom.camera(all.dimension);
  const of = (id) => carom.lawScene({ id, camera, all, flights, box, high, fastest: () => fastest });
  const views = [of("player"), of("player-beside")];
  const strip = carom.differenceStrip(all, views[0], views[1], () => fastest);
  const shown = () => (two() ? views : views.slice(0, 1));
  const span = () => Math.max(0, ...shown().map((view) => (carom.frames(view.law) ? carom.lastTime(carom.frames(view.law)) : 0)));

  const describe = () => {
    const { flight } = views[0].clock, force = views[0].force(), frames = carom.frames(views[0].law);
    if (flight !== 0) {
      return flight < 0 ? "before the impact" : "after the impact";
    }
    if (!frames) {
      return "the impact: " + names[views[0].law] + " gives the velocities after it directly";
    }
    const t = carom.unit(span(), "s"), n = carom.unit(frames.largest.force, "N");
    let most = 0;
    (force || []).forEach((f, j) => {
      most = f > force[most] ? j : most;
    });
    return "t = " + carom.format(views[0].time * t.factor, 5) + " " + t.name + (force && force[most] > 0
      ? "; largest force at " + data.contact_names[most].slice(0, 80) + ": " + carom.format(force[most] * n.factor, 4) + " " + n.name
      : "; no contact is loaded");
  };
  const show = (part) => {
    const clock = carom.impactClock(part);
    views.forEach((view) => {
      view.clock = clock;
      view.time = clock.impact * span();
    });
    shown().forEach((view) => view.scene.redraw());
    if (two()) {
      strip.redraw();
    }
    player.frame = carom.frames(views[0].law) ? carom.frameAt(carom.frames(views[0].law), views[0].time) : 0;
    carom.markTime(clock.flight === 0 && carom.frames(views[0].law) ? views[0].time : null);
    return describe();
  };
  const remember = (part) => carom.address.write({ law: names[player.laws[0]], beside: two() ? names[player.laws[1]] : "none",
    t: part.toFixed(3) });
  const transport = carom.transport({ label: "time: before, during and after the impact", show, loop: true, stopped: remember,
    seconds: () => PLAY_SECONDS });

  const key = carom.colourScale("player-key", "speed:", () => [0, fastest], "m/s");
  key.refresh();
  strip.holder.title = "How much " + (all.dimension === 1 ? "larger the velocity" : "faster each body") + " is by the second law.";
  const drawn = () => [...shown().map((view) => view.scene.canvas), ...(two() ? [strip.canvas] : [])];
  const figures = element("div", { class: all.dimension === 1 ? "laws" : "laws plane-scenes" }, views.map((view) => view.holder));
  const choose = (place) => (index) => {
    player.laws[place] = place === 0 ? index : index - 1;
    update();
    if (place === 0) {
      changed(index);
    }
  };
  const update = () => {
    views.forEach((view, k) => player.laws[k] >= 0 && view.choose(player.laws[k]));
    views[1].holder.hidden = strip.holder.hidden = !two();
    figures.classList.toggle("two", two());
    carom.redraw();
    transport.go(transport.part());
  };
  transport.holder.append(carom.select("law", "law", names, choose(0), player.laws[0]),
    ...(names.length > 1 ? [carom.select("beside", "beside", ["none", ...names], choose(1), player.laws[1] + 1)] : []),
    key.holder, ...[carom.pictureButton("player", drawn), carom.filmButton(transport, drawn, () => PLAY_SECONDS)].filter(Boolean));
  Object.assign(player, {
    transport, show: transport.go, update, scene: views[0].scene, views,
    showLink: () => shown().forEach((view) => view.scene.redraw()),
    // At a time of the impact.
    go: (time) => transport.go(IMPACT_BEGINS + (IMPACT_ENDS - IMPACT_BEGINS) * (span() > 0 ? time / span() : 0)),
    holder: element("div", { id: "player" }, figures, strip.holder, transport.holder),
  });
  return player;
};
