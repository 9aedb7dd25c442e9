// The scene, drawn to scale: what is seen of it, and how it is moved.
"use strict";

// ---- Drawing --------------------------------------------------------------------------------

// options: id, of? the scene (else that of the data), label, paint(view): {body(i) -> fill, contact(j) -> {colour, width} or null,
// arrows: [{velocity(i) -> list, colour, lift}]}; box(project)? what is to be seen, behind(c, frame)?
// and above(c, frame)? what is drawn besides, frame: {at(point) -> pixels, scale, camera}; focus(box)? the part of
// the box that is seen now; most()? how high it may be; camera? one that it shares
carom.scene = function (options) {
  const scene = options.of || carom.data.report.scene;
  const state = { zoom: 1, x: 0, y: 0 }, space = scene.dimension === 3;
  const camera = options.camera || carom.camera(scene.dimension), { project } = camera;
  const boxOf = carom.seenBox(scene.dimension, options.box || ((seen) => carom.sceneBox(scene, seen)));
  let box = boxOf(camera);
  const touches = scene.contacts.map((contact) => carom.contactPoint(scene, contact));
  const line = scene.dimension === 1;

  let seen = box;
  const self = { of: scene, touches, strike: null, frame: null };
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
    const frame = { at, scale, camera };
    self.frame = frame;
    if (space) {
      carom.drawPlanes(c, scene, frame, box);
    } else {
      carom.drawWalls(c, scene, frame, width, high);
    }
    if (options.behind) {
      options.behind(c, frame);
    }
    scene.fixed.forEach((body) => {
      carom.drawBody(c, body, at(body.at), frame);
      c.fillStyle = carom.colour("wall");
      c.fill();
      c.stroke();
    });
    c.strokeStyle = carom.colour("edge");
    c.lineWidth = Math.min(1, 0.06 * box.most * scale + 0.2);
    const far = space ? carom.farness(scene, camera) : null;
    carom.drawingOrder(scene, camera).forEach((i) => {
      const place = at(scene.bodies[i].at);
      carom.drawBody(c, scene.bodies[i], place, frame);
      c.fillStyle = paint.body(i);
      c.fill();
      c.stroke();
      if (space) {
        carom.shadeBody(c, scene.bodies[i], place, frame, far(i));
      }
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
    if (space) {
      carom.drawAxes(c, camera, width, high);
    }
    carom.drawLinked(c, scene, frame, touches);
    carom.drawPull(c, scene, frame, self.pull);
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
  camera.watchers.push(() => {
    box = boxOf(camera);
    drawn.redraw();
  });
  // In space arrows turn the camera, elsewhere they move what is seen.
  const TURN = 5;
  const arrow = (dx, dy) => () => (space ? camera.turn(-TURN * dx, TURN * dy) : move(dx, dy));
  drawn.canvas.addEventListener("keydown", (event) => {
    const act = {
      "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), "0": whole,
      ArrowLeft: arrow(-1, 0), ArrowRight: arrow(1, 0), ArrowUp: arrow(0, 1), ArrowDown: arrow(0, -1),
    }[event.key];
    if (act && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      act();
    }
  });
  const turns = 0.5; // degrees for a pixel
  carom.handleScenePointer(drawn, self, {
    moves: () => space || state.zoom > 1,
    move: (x, y, shift) => {
      if (space && !shift) {
        camera.turn(-turns * x, turns * y);
        return;
      }
      state.x -= x / self.frame.scale;
      state.y += y / self.frame.scale;
      drawn.redraw();
    },
  });
  const button = (text, label, act) =>
    carom.element("button", { type: "button", "aria-label": label, click: act }, text);
  const tools = carom.element("p", { class: "tools zoom" },
    button("+", "zoom in", () => zoom(1.5)), button("−", "zoom out", () => zoom(1 / 1.5)),
    button("reset", "reset zoom", whole),
    carom.viewList(options.id, scene.dimension, camera));
  return Object.assign(self, {
    holder: carom.element("div", { class: "scene" }, drawn.holder, tools), redraw: drawn.redraw, state, camera,
    canvas: drawn.canvas,
  });
};
