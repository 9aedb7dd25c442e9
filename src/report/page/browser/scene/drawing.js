// Bodies, walls, contacts, velocities and names on a canvas.
"use strict";

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
      // Less than half of a name says nothing.
      if (c.measureText(name).width <= 2 * room) {
        c.fillStyle = paint.ink ? paint.ink(i) : carom.colour("text");
        carom.fitText(c, name, x, y, room, paint.body(i));
      }
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
carom.drawingOrder = function (scene, camera) {
  const order = scene.bodies.map((_, i) => i);
  if (scene.dimension === 3) {
    const depths = scene.bodies.map((body) => camera.depth(body.at));
    order.sort((a, b) => depths[a] - depths[b]);
  }
  return order;
};

carom.drawBody = function (c, body, [x, y], { scale, camera }) {
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
    const seen = carom.outline(body, camera);
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
carom.drawWalls = function (c, scene, { at }, width, high) {
  c.strokeStyle = carom.colour("text");
  for (const wall of scene.walls) {
    const n = scene.dimension === 1 ? [wall.normal[0], 0] : wall.normal;
    const size = Math.hypot(...n), [x, y] = at(wall.point);
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
