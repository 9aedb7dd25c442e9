// Where bodies and contacts are, and how much room they take.
"use strict";

// ---- Geometry -------------------------------------------------------------------------------

// The outline of an ellipsoid, seen by parallel rays, is an ellipse: the part of R diag(a^2) R' in the
// plane of the camera is its matrix.
carom.outline = function (body, camera) {
  const [w, x, y, z] = body.orientation;
  const turn = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const along = (u, k) => u[0] * turn[0][k] + u[1] * turn[1][k] + u[2] * turn[2][k];
  const s = (u, v) => body.semi_axes.reduce((sum, a, k) => sum + along(u, k) * a * a * along(v, k), 0);
  const { right, up } = camera;
  const p = s(right, right), q = s(right, up), r = s(up, up);
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

carom.joinBoxes = function (a, b) {
  return { left: Math.min(a.left, b.left), right: Math.max(a.right, b.right), low: Math.min(a.low, b.low),
    high: Math.max(a.high, b.high), most: Math.max(a.most || 0, b.most || 0) };
};

carom.extendBox = function (box, [x, y], r) {
  box.left = Math.min(box.left, x - r);
  box.right = Math.max(box.right, x + r);
  box.low = Math.min(box.low, y - r);
  box.high = Math.max(box.high, y + r);
  box.most = Math.max(box.most || r, r);
};
