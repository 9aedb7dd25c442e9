// The scene, drawn to scale: bodies, walls, contacts, velocities.
"use strict";

// ---- Geometry -------------------------------------------------------------------------------

// Of a point in the scene's own coordinates: right and up, by the view of a scene in space.
carom.projection = function (scene, view) {
  const axes = scene.dimension < 3 ? [0, 1] : [[0, 2], [1, 2], [0, 1]][view || 0];
  return (p) => [p[axes[0]] || 0, scene.dimension > 1 ? p[axes[1]] || 0 : 0];
};

// The outline of an ellipsoid seen along an axis is an ellipse: the part of R diag(a^2) R' in the
// plane is its matrix.
carom.outline = function (body, axes) {
  const [w, x, y, z] = body.orientation;
  const turn = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const s = (i, j) => body.semi_axes.reduce((sum, a, k) => sum + turn[i][k] * a * a * turn[j][k], 0);
  const [i, j] = axes;
  const p = s(i, i), q = s(i, j), r = s(j, j);
  const mean = (p + r) / 2, off = Math.hypot((p - r) / 2, q);
  return {
    a: Math.sqrt(mean + off), b: Math.sqrt(Math.max(0, mean - off)),
    angle: 0.5 * Math.atan2(2 * q, p - r),
  };
};

// The distance from the centre of a body to its surface against a direction.
carom.supportDistance = function (body, n) {
  const c = Math.cos(body.angle || 0), s = Math.sin(body.angle || 0);
  const along = c * n[0] + s * (n[1] || 0), across = -s * n[0] + c * (n[1] || 0);
  switch (body.shape) {
    case "box":
      return (Math.abs(along) * body.size[0] + Math.abs(across) * body.size[1]) / 2;
    case "rod":
      return (Math.abs(along) * body.length) / 2 + body.radius;
    case "ellipse":
      return Math.hypot(along * body.semi_axes[0], across * body.semi_axes[1]);
    case "ellipsoid":
      return Math.max(...body.semi_axes);
    default:
      return body.radius;
  }
};

// The point of a contact, from the normal w (towards the body) and its arm in the plane.
carom.contactPoint = function (scene, contact) {
  const which = contact.between[0] >= 0 ? 0 : 1;
  const body = scene.bodies[contact.between[which]];
  if (!body) {
    return null;
  }
  const n = contact.w.slice(0, scene.dimension);
  const size = Math.hypot(...n) || 1;
  const unit = n.map((value) => value / size);
  const reach = carom.supportDistance(body, unit);
  const point = body.at.map((value, d) => value - unit[d] * reach);
  if (scene.dimension === 2 && contact.w.length > 2 && body.shape !== "sphere") {
    const arm = contact.w[2] / size; // p x n
    point[0] += arm * unit[1];
    point[1] -= arm * unit[0];
  }
  return point;
};

carom.sceneBox = function (scene, project) {
  const box = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
  for (const body of [...scene.bodies, ...scene.fixed]) {
    carom.extendBox(box, project(body.at), carom.boundingRadius(body));
  }
  return box;
};

// The radius of the circle around a body.
carom.boundingRadius = function (body) {
  return body.semi_axes ? Math.max(...body.semi_axes)
    : body.size ? Math.hypot(...body.size) / 2
      : body.shape === "rod" ? body.length / 2 + body.radius : body.radius;
};

carom.extendBox = function (box, [x, y], r) {
  box.left = Math.min(box.left, x - r);
  box.right = Math.max(box.right, x + r);
  box.low = Math.min(box.low, y - r);
  box.high = Math.max(box.high, y + r);
  box.most = Math.max(box.most || r, r);
};

// ---- Drawing --------------------------------------------------------------------------------

// options: id, label, paint(view): {body(i) -> fill, contact(j) -> {colour, width} or null,
// arrows: [{velocity(i) -> list, colour, lift}]}; box(project)? what is to be seen, behind(c, frame)?
// and above(c, frame)? what is drawn besides, frame: {at(point) -> pixels, scale, axes}; focus(box)? the part of
// the box that is seen now; most()? how high it may be
carom.scene = function (options) {
  const scene = carom.data.report.scene;
  const axesOf = (view) => (scene.dimension < 3 ? [0, 1] : [[0, 2], [1, 2], [0, 1]][view]);
  const state = { zoom: 1, x: 0, y: 0, view: 0 };
  const bounds = options.box || ((seen) => carom.sceneBox(scene, seen));
  let project = carom.projection(scene, 0), box = bounds(project);
  const touches = scene.contacts.map((contact) => carom.contactPoint(scene, contact));
  const line = scene.dimension === 1;

  let seen = box;
  const fitted = (width, height) => {
    // Arrows reach out of the bodies by up to so many of their radii.
    const air = 16, arrows = 2 * (line ? 1.4 : 2) * seen.most;
    const w = seen.right - seen.left + arrows, h = seen.high - seen.low + arrows;
    const scale = Math.min((width - 2 * air) / w, line ? Infinity : (height - 2 * air) / h, (line ? 48 : 110) / seen.most);
    return scale * state.zoom;
  };
  const height = (width) => {
    const most = options.most ? options.most() : line ? 170 : 560;
    const ratio = (box.high - box.low) / (box.right - box.left);
    return line ? most : Math.min(most, Math.max(200, width * ratio + 60));
  };

  const draw = (c, width, high) => {
    seen = options.focus ? options.focus(box) : box;
    const scale = fitted(width, high);
    const cx = (seen.left + seen.right) / 2 + state.x, cy = (line ? 0 : (seen.low + seen.high) / 2) + state.y;
    const at = (p) => {
      const [x, y] = project(p);
      return [width / 2 + (x - cx) * scale, high / 2 - (y - cy) * scale];
    };
    const paint = options.paint();
    c.clearRect(0, 0, width, high);
    carom.drawWalls(c, scene, axesOf(state.view), at, width, high);
    const frame = { at, scale, axes: axesOf(state.view) };
    if (options.behind) {
      options.behind(c, frame);
    }
    scene.fixed.forEach((body) => {
      carom.drawBody(c, body, at(body.at), scale, axesOf(state.view));
      c.fillStyle = carom.colour("wall");
      c.fill();
      c.stroke();
    });
    c.strokeStyle = carom.colour("edge");
    c.lineWidth = Math.min(1, 0.06 * box.most * scale + 0.2);
    carom.drawingOrder(scene, state.view).forEach((i) => {
      carom.drawBody(c, scene.bodies[i], at(scene.bodies[i].at), scale, axesOf(state.view));
      c.fillStyle = paint.body(i);
      c.fill();
      c.stroke();
    });
    scene.contacts.forEach((contact, j) => {
      const look = paint.contact ? paint.contact(j) : null;
      if (look && touches[j]) {
        carom.drawContact(c, scene, contact, touches[j], at, look);
      }
    });
    if (options.above) {
      options.above(c, frame);
    }
    carom.drawArrows(c, scene, paint, at, { scale, line, box: seen, project });
    carom.drawNames(c, scene, paint, frame);
    carom.drawRuler(c, scale, width, high);
  };

  const drawn = carom.canvas({ id: options.id + "-canvas", "aria-label": options.label }, height, draw);
  const zoom = (by) => {
    state.zoom = Math.max(1, Math.min(400, state.zoom * by));
    if (state.zoom === 1) {
      state.x = state.y = 0;
    }
    drawn.redraw();
  };
  const move = (dx, dy) => {
    const step = (0.2 * (box.right - box.left)) / state.zoom;
    state.x += dx * step;
    state.y += dy * step;
    drawn.redraw();
  };
  const whole = () => {
    Object.assign(state, { zoom: 1, x: 0, y: 0 });
    drawn.redraw();
  };
  drawn.canvas.addEventListener("keydown", (event) => {
    const act = {
      "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), "0": whole,
      ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0),
      ArrowUp: () => move(0, 1), ArrowDown: () => move(0, -1),
    }[event.key];
    if (act && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act();
    }
  });
  let from = null;
  drawn.canvas.addEventListener("pointerdown", (event) => {
    from = [event.clientX, event.clientY];
    drawn.canvas.setPointerCapture(event.pointerId);
  });
  drawn.canvas.addEventListener("pointermove", (event) => {
    if (from && state.zoom > 1) {
      const scale = fitted(drawn.canvas.clientWidth, drawn.canvas.clientHeight);
      state.x -= (event.clientX - from[0]) / scale;
      state.y += (event.clientY - from[1]) / scale;
      from = [event.clientX, event.clientY];
      drawn.redraw();
    }
  });
  drawn.canvas.addEventListener("pointerup", () => {
    from = null;
  });
  const button = (text, label, act) =>
    carom.element("button", { type: "button", "aria-label": label, click: act }, text);
  const tools = carom.element("p", { class: "tools zoom" },
    button("+", "zoom in", () => zoom(1.5)), button("−", "zoom out", () => zoom(1 / 1.5)),
    button("reset", "reset zoom", whole),
    scene.dimension === 3 ? carom.select(options.id + "-view", "view", ["from the front (x, z)",
      "from the side (y, z)", "from above (x, y)"], (view) => {
      state.view = view;
      project = carom.projection(scene, view);
      box = bounds(project);
      whole();
    }) : null);
  return {
    holder: carom.element("div", { class: "scene" }, drawn.holder, tools), redraw: drawn.redraw, state,
    canvas: drawn.canvas,
  };
};

// Inside bodies with room for it; where there are few bodies, else above.
carom.drawNames = function (c, scene, paint, { at, scale }) {
  const most = 40, few = 12, high = 9;
  c.font = "12px system-ui, sans-serif";
  c.textAlign = "center";
  c.textBaseline = "middle";
  scene.bodies.forEach((body, i) => {
    const [x, y] = at(body.at), thick = scale * carom.halfThickness(body), name = carom.shortName(i);
    const room = 2 * scale * carom.boundingRadius(body) - 4, above = scene.bodies.length <= few;
    if (thick > high && scene.bodies.length <= most && !(above && c.measureText(name).width > room)) {
      c.fillStyle = paint.ink ? paint.ink(i) : carom.colour("text");
      carom.fitText(c, name, x, y, room, paint.body(i));
    } else if (above) {
      c.fillStyle = carom.colour("text");
      carom.fitText(c, name, x, y - thick - high, 120, carom.colour("paper"));
    }
  });
};

// Half the thickness of a body.
carom.halfThickness = function (body) {
  return body.semi_axes ? Math.min(...body.semi_axes) : body.size ? Math.min(...body.size) / 2 : body.radius;
};

carom.shortName = function (i) {
  const match = /^(ball|body|coordinate) (\d+)$/.exec(carom.data.bodies[i]);
  return match ? match[2] : carom.data.bodies[i];
};

// Bodies behind are drawn first.
carom.drawingOrder = function (scene, view) {
  const order = scene.bodies.map((_, i) => i);
  if (scene.dimension === 3) {
    const [axis, sign] = [[1, -1], [0, 1], [2, 1]][view];
    order.sort((a, b) => sign * (scene.bodies[a].at[axis] - scene.bodies[b].at[axis]));
  }
  return order;
};

carom.drawBody = function (c, body, [x, y], scale, axes) {
  const angle = -(body.angle || 0);
  c.beginPath();
  if (body.shape === "box" || body.shape === "rod") {
    const half = body.shape === "box" ? body.size[0] / 2 : body.length / 2;
    const thick = Math.max(1.5, (body.shape === "box" ? body.size[1] / 2 : body.radius) * scale);
    c.save();
    c.translate(x, y);
    c.rotate(angle);
    if (body.shape === "box") {
      c.rect(-half * scale, -thick, 2 * half * scale, 2 * thick);
    } else {
      c.arc(half * scale, 0, thick, -Math.PI / 2, Math.PI / 2);
      c.arc(-half * scale, 0, thick, Math.PI / 2, (3 * Math.PI) / 2);
      c.closePath();
    }
    c.restore();
  } else if (body.shape === "ellipse") {
    c.ellipse(x, y, body.semi_axes[0] * scale, body.semi_axes[1] * scale, angle, 0, 2 * Math.PI);
  } else if (body.shape === "ellipsoid") {
    const seen = carom.outline(body, axes);
    c.ellipse(x, y, seen.a * scale, seen.b * scale, -seen.angle, 0, 2 * Math.PI);
  } else {
    c.arc(x, y, Math.max(0.5, body.radius * scale), 0, 2 * Math.PI);
  }
};

// The part of a wall's line, from -long to long along (tx, ty), that is not inside another wall.
carom.clipWall = function (walls, wall, [x, y], [tx, ty], at, long) {
  let from = -long, to = long;
  for (const other of walls) {
    if (other === wall) {
      continue;
    }
    const size = Math.hypot(...other.normal.slice(0, 2)), [ox, oy] = at(other.point);
    const n = [other.normal[0] / size, -other.normal[1] / size];
    const away = (x - ox) * n[0] + (y - oy) * n[1], slope = tx * n[0] + ty * n[1];
    if (Math.abs(slope) > 1e-6) {
      [from, to] = slope > 0 ? [Math.max(from, -away / slope), to] : [from, Math.min(to, -away / slope)];
    }
  }
  return from < to ? [from, to] : [-long, long];
};

// Hatched on the side where nothing moves.
carom.drawWalls = function (c, scene, axes, at, width, high) {
  c.strokeStyle = carom.colour("text");
  for (const wall of scene.walls) {
    const n = scene.dimension === 1 ? [wall.normal[0], 0]
      : [wall.normal[axes[0]], wall.normal[axes[1]]];
    const size = Math.hypot(...n);
    if (!(size > 1e-9)) {
      continue; // it is seen face on
    }
    const [x, y] = at(wall.point);
    const [nx, ny] = [n[0] / size, -n[1] / size], [tx, ty] = [-ny, nx];
    const long = scene.dimension === 1 ? 46 : width + high;
    const [from, to] = scene.dimension === 2 ? carom.clipWall(scene.walls, wall, [x, y], [tx, ty], at, long) : [-long, long];
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x + tx * from, y + ty * from);
    c.lineTo(x + tx * to, y + ty * to);
    c.stroke();
    c.lineWidth = 0.6;
    c.beginPath();
    for (let s = from; s < to; s += 9) {
      c.moveTo(x + tx * s, y + ty * s);
      c.lineTo(x + tx * (s - 7) - nx * 8, y + ty * (s - 7) - ny * 8);
    }
    c.stroke();
  }
};

// Between the centres of spheres, which is where the force goes; else a spot.
carom.drawContact = function (c, scene, contact, touch, at, look) {
  const [a, b] = contact.between.map((i) => scene.bodies[i]);
  c.strokeStyle = look.colour;
  c.fillStyle = look.colour;
  const round = a && b && a.shape === "sphere" && b.shape === "sphere";
  c.beginPath();
  if (round) {
    c.lineWidth = look.width;
    c.lineCap = "round";
    c.moveTo(...at(a.at));
    c.lineTo(...at(b.at));
    c.stroke();
    c.lineCap = "butt";
  } else {
    c.arc(...at(touch), 1 + look.width, 0, 2 * Math.PI);
    c.fill();
  }
};

// The longest is as long as there is room; on the line, before above and after below.
carom.drawArrows = function (c, scene, paint, at, frame) {
  const starts = carom.data.report.starts;
  const lists = paint.arrows || [];
  let most = paint.arrowScale || 0;
  if (!most) {
    for (const arrow of lists) {
      scene.bodies.forEach((_, i) => {
        const v = carom.components(arrow.velocity, starts[i], scene.dimension);
        most = Math.max(most, Math.hypot(...v));
      });
    }
  }
  const span = Math.min(110, Math.max(26, frame.line ? 2.4 * frame.box.most * frame.scale
    : 3 * frame.box.most * frame.scale));
  lists.forEach((arrow) => {
    c.strokeStyle = arrow.colour;
    c.fillStyle = arrow.colour;
    c.lineWidth = arrow.width || 2;
    scene.bodies.forEach((body, i) => {
      const v = carom.components(arrow.velocity, starts[i], scene.dimension);
      const [vx, vy] = frame.project(v);
      const long = (Math.hypot(vx, vy) / most) * span;
      if (!(long > 1.5)) {
        return;
      }
      let [x, y] = at(body.at);
      y -= frame.line ? arrow.lift * (frame.box.most * frame.scale + 14) : 0;
      carom.arrow(c, x, y, vx / Math.hypot(vx, vy), -vy / Math.hypot(vx, vy), long);
    });
  });
};

carom.components = function (list, start, count) {
  const taken = [];
  for (let d = 0; d < count; d++) {
    taken.push(list[start + d] || 0);
  }
  return taken;
};

carom.arrow = function (c, x, y, dx, dy, long) {
  const head = Math.min(8, 0.6 * long), ex = x + dx * long, ey = y + dy * long;
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(ex - dx * head * 0.8, ey - dy * head * 0.8);
  c.stroke();
  c.beginPath();
  c.moveTo(ex, ey);
  c.lineTo(ex - dx * head - dy * head * 0.45, ey - dy * head + dx * head * 0.45);
  c.lineTo(ex - dx * head + dy * head * 0.45, ey - dy * head - dx * head * 0.45);
  c.fill();
};

carom.drawRuler = function (c, scale, width, high) {
  const want = 90 / scale, power = 10 ** Math.floor(Math.log10(want));
  const length = [5, 2, 1].find((k) => k * power <= want) * power;
  const unit = carom.unit(length, "m");
  c.strokeStyle = carom.colour("text");
  c.fillStyle = carom.colour("text");
  c.lineWidth = 1.5;
  c.beginPath();
  c.moveTo(10, high - 14);
  c.lineTo(10, high - 9);
  c.lineTo(10 + length * scale, high - 9);
  c.lineTo(10 + length * scale, high - 14);
  c.stroke();
  c.textAlign = "left";
  c.textBaseline = "bottom";
  c.font = "12px system-ui, sans-serif";
  c.fillText(carom.format(length * unit.factor, 3) + " " + unit.name, 16 + length * scale, high - 4);
};
