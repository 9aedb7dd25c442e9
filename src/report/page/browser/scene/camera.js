// From where a scene is seen: the plane and the line from the front; space from anywhere, by parallel rays, so that
// it stays to scale.
"use strict";

const DEGREE = Math.PI / 180;
// Angle about the vertical, and height above the horizon, in degrees.
const VIEWS = [["at an angle", 30, 20], ["from the front (x, z)", 0, 0], ["from the side (y, z)", 90, 0], ["from above (x, y)", 0, 90]];

const dot = (u, p) => u.reduce((sum, value, d) => sum + value * (p[d] || 0), 0);

// -> {right, up, toward: unit vectors, the last to the viewer; project(p) -> [right, up]; depth(p), larger is nearer;
// look(view) one of VIEWS, turn(by, up) in degrees; watchers: called then}. Scenes with one camera are seen alike.
carom.camera = function (dimension, view = 0) {
  const camera = { right: [1, 0, 0], up: [0, 1, 0], toward: [0, 0, 1], about: 0, above: 90, watchers: [] };
  const place = (about, above) => {
    Object.assign(camera, { about, above: Math.max(-90, Math.min(90, above)) });
    const [sa, ca, sb, cb] = [Math.sin(about * DEGREE), Math.cos(about * DEGREE), Math.sin(camera.above * DEGREE), Math.cos(camera.above * DEGREE)];
    camera.right = [ca, sa, 0];
    camera.up = [-sa * sb, ca * sb, cb];
    camera.toward = [sa * cb, -ca * cb, sb];
    camera.watchers.forEach((watch) => watch());
  };
  camera.project = (p) => [dot(camera.right, p), dimension > 1 ? dot(camera.up, p) : 0];
  camera.depth = (p) => dot(camera.toward, p);
  camera.look = (k) => place(VIEWS[k][1], VIEWS[k][2]);
  camera.turn = (by, up) => place(camera.about + by, camera.above + up);
  if (dimension === 3) {
    camera.look(view);
  }
  return camera;
};

// What is to be seen, as a box in the plane of the camera; `bounds(project)` gives that of a projection. In space
// that of the upright box around it, so that nothing jumps while the camera turns.
carom.seenBox = function (dimension, bounds) {
  if (dimension < 3) {
    const box = bounds(carom.camera(dimension).project);
    return () => box;
  }
  const front = bounds(carom.camera(3, 1).project), above = bounds(carom.camera(3, 3).project);
  const middle = [(front.left + front.right) / 2, (above.low + above.high) / 2, (front.low + front.high) / 2];
  const half = [(front.right - front.left) / 2, (above.high - above.low) / 2, (front.high - front.low) / 2];
  return (camera) => {
    const [x, y] = camera.project(middle), reach = (u) => half.reduce((sum, h, d) => sum + h * Math.abs(u[d]), 0);
    const w = reach(camera.right), h = reach(camera.up);
    return { left: x - w, right: x + w, low: y - h, high: y + h, most: Math.max(front.most, above.most), middle, half };
  };
};

// A list to choose a view from; null where there is one only.
carom.viewList = function (id, dimension, camera) {
  return dimension === 3 ? carom.select(id + "-view", "view", VIEWS.map(([words]) => words), camera.look) : null;
};
