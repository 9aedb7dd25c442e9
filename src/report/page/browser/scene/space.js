// Bodies in space: shaded, the farther the fainter, and walls as planes.
"use strict";

// Light from above on the left: bright there, dark at the edge. Drawn once, and put over any colour.
carom.shadeSprite = function () {
  if (!carom.sprite) {
    const SIZE = 128, sprite = document.createElement("canvas"), c = sprite.getContext("2d");
    sprite.width = sprite.height = SIZE;
    const shade = c.createRadialGradient(0.34 * SIZE, 0.3 * SIZE, 0, 0.42 * SIZE, 0.4 * SIZE, 0.62 * SIZE);
    [[0, "rgba(255,255,255,0.7)"], [0.25, "rgba(255,255,255,0.2)"], [0.5, "rgba(0,0,0,0)"], [0.85, "rgba(0,0,0,0.35)"],
      [1, "rgba(0,0,0,0.6)"]].forEach(([part, colour]) => shade.addColorStop(part, colour));
    c.fillStyle = shade;
    c.beginPath();
    c.arc(SIZE / 2, SIZE / 2, SIZE / 2, 0, 2 * Math.PI);
    c.fill();
    carom.sprite = sprite;
  }
  return carom.sprite;
};

// Over a body that has just been filled; `far` from 0 (nearest) to 1.
carom.shadeBody = function (c, body, [x, y], { scale, camera }, far) {
  const seen = body.shape === "ellipsoid" ? carom.outline(body, camera) : { a: body.radius, b: body.radius, angle: 0 };
  const a = Math.max(0.5, seen.a * scale), b = Math.max(0.5, seen.b * scale), FAINTEST = 0.45;
  c.save();
  c.translate(x, y);
  c.rotate(-seen.angle);
  if (a > 2) {
    c.drawImage(carom.shadeSprite(), -a, -b, 2 * a, 2 * b);
  }
  c.globalAlpha = FAINTEST * far;
  c.fillStyle = carom.colour("paper");
  c.beginPath();
  c.ellipse(0, 0, a, b, 0, 0, 2 * Math.PI);
  c.fill();
  c.restore();
};

// Of bodies, how far each is from the nearest, from 0 to 1.
carom.farness = function (scene, camera) {
  const depths = scene.bodies.map((body) => camera.depth(body.at)), near = Math.max(...depths), far = Math.min(...depths);
  return (i) => (near > far ? (near - depths[i]) / (near - far) : 0);
};

// Walls with their outline and a grid, as far as the box of the scene; one that is seen from behind only as outline.
carom.drawPlanes = function (c, scene, { at, camera }, box) {
  const size = Math.max(...box.half) + box.most, LINES = 8;
  for (const wall of scene.walls) {
    const long = Math.hypot(...wall.normal), n = wall.normal.map((value) => value / long);
    const away = dot(n, box.middle.map((value, d) => value - wall.point[d]));
    const centre = box.middle.map((value, d) => value - away * n[d]);
    const least = n.map(Math.abs).indexOf(Math.min(...n.map(Math.abs))), e = [0, 1, 2].map((d) => (d === least ? 1 : 0));
    const u0 = e.map((value, d) => value - n[least] * n[d]), lu = Math.hypot(...u0), u = u0.map((value) => value / lu);
    const v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]];
    const corner = (p, q) => at(centre.map((value, d) => value + size * (p * u[d] + q * v[d])));
    c.beginPath();
    [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([p, q], k) => c[k === 0 ? "moveTo" : "lineTo"](...corner(p, q)));
    c.closePath();
    c.lineWidth = 1;
    c.strokeStyle = carom.colour("faint");
    c.stroke();
    if (dot(camera.toward, n) < -1e-9) {
      continue;
    }
    c.globalAlpha = 0.5;
    c.fillStyle = carom.colour("panel");
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = carom.colour("grid");
    c.beginPath();
    for (let k = 1; k < LINES; k++) {
      const p = (2 * k) / LINES - 1;
      c.moveTo(...corner(p, -1));
      c.lineTo(...corner(p, 1));
      c.moveTo(...corner(-1, p));
      c.lineTo(...corner(1, p));
    }
    c.stroke();
  }
};

// The axes of space, in a corner.
carom.drawAxes = function (c, camera, width, high) {
  const LONG = 26, x = width - 44, y = high - 44;
  c.font = "11px system-ui, sans-serif";
  c.textAlign = "center";
  c.textBaseline = "middle";
  ["x", "y", "z"].forEach((name, d) => {
    const [dx, dy] = [camera.right[d], -camera.up[d]], long = Math.hypot(dx, dy);
    if (long > 0.05) {
      c.strokeStyle = c.fillStyle = carom.colour("faint");
      c.lineWidth = 1.5;
      carom.arrow(c, x, y, dx / long, dy / long, LONG * long);
      c.fillText(name, x + dx * (LONG + 8), y + dy * (LONG + 8));
    }
  });
};
