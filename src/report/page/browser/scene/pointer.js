// The pointer over a scene: it shows which body it is on, drags a body that may be struck, and else moves what is seen.
"use strict";

// The body at a place of the canvas, -1: none; the nearest where several overlap.
carom.bodyAt = function (scene, frame, [x, y]) {
  const REACH = 6; // pixels around small bodies
  let best = -1, least = Infinity;
  scene.bodies.forEach((body, i) => {
    const [bx, by] = frame.at(body.at), far = Math.hypot(x - bx, y - by);
    if (far <= Math.max(REACH, frame.scale * carom.boundingRadius(body)) && far < least) {
      [best, least] = [i, far];
    }
  });
  return best;
};

// The contact at a place, -1: none.
carom.contactAt = function (scene, frame, touches, [x, y]) {
  const REACH = 7;
  return scene.contacts.findIndex((_, j) => {
    const [tx, ty] = touches[j] ? frame.at(touches[j]) : [Infinity, Infinity];
    return Math.hypot(x - tx, y - ty) <= REACH;
  });
};

// What is linked has a ring around it, and its name above.
carom.drawLinked = function (c, scene, { at, scale }, touches) {
  const { bodies, contact } = carom.linked;
  c.strokeStyle = carom.colour("force");
  c.lineWidth = 2.5;
  bodies.filter((i) => scene.bodies[i]).forEach((i) => {
    c.beginPath();
    c.arc(...at(scene.bodies[i].at), scale * carom.boundingRadius(scene.bodies[i]) + 3, 0, 2 * Math.PI);
    c.setLineDash(contact >= 0 ? [3, 3] : []);
    c.stroke();
  });
  c.setLineDash([]);
  if (contact >= 0 && touches[contact]) {
    c.beginPath();
    c.arc(...at(touches[contact]), 7, 0, 2 * Math.PI);
    c.stroke();
  }
  if (carom.anyLinked()) {
    c.textAlign = "left";
    c.textBaseline = "top";
    c.font = "12px system-ui, sans-serif";
    c.fillStyle = carom.colour("text");
    carom.fitText(c, carom.linkName(), 4, 2, 300, carom.colour("paper"));
  }
};

// ---- Striking ---------------------------------------------------------------------------------

const PULL_PIXELS = 80; // for the largest speed there is

// The velocity that a pull of so many pixels stands for, in two digits.
carom.pulled = function (scene, frame, [dx, dy]) {
  const fastest = carom.strikeScale ? carom.strikeScale() : 1;
  const of = (pixels) => Number(((pixels / PULL_PIXELS) * fastest).toPrecision(2));
  const [x, y] = [of(dx), of(-dy)], { right, up } = frame.camera;
  const velocity = Array.from({ length: scene.dimension }, (_, d) => Number((x * right[d] + y * up[d]).toPrecision(12)));
  return velocity;
};

// pull: {body, by: [dx, dy] in pixels, velocity}
carom.drawPull = function (c, scene, { at }, pull) {
  if (!pull) {
    return;
  }
  const [x, y] = at(scene.bodies[pull.body].at), [dx, dy] = pull.by, long = Math.hypot(dx, dy);
  if (long > 2) {
    c.strokeStyle = c.fillStyle = carom.colour("force");
    c.lineWidth = 3;
    carom.arrow(c, x, y, dx / long, dy / long, long);
    c.textAlign = "center";
    c.textBaseline = "bottom";
    c.font = "13px system-ui, sans-serif";
    c.fillStyle = carom.colour("text");
    carom.fitText(c, carom.format(Math.hypot(...pull.velocity), 2) + " " + carom.unitName("m/s"), x + dx, y + dy - 8, 120, carom.colour("paper"));
  }
};

// ---- Events -----------------------------------------------------------------------------------

// self: {of: the scene, frame as drawn last, strike(body, velocity)? where bodies may be struck, pull}; view: moves()
// whether a drag elsewhere does, move(dx, dy, shift) what is seen
carom.handleScenePointer = function (drawn, self, view) {
  const scene = self.of, { canvas } = drawn, line = scene.dimension === 1;
  let from = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const under = (event) => (self.frame ? carom.bodyAt(scene, self.frame, place(event)) : -1);
  canvas.addEventListener("pointerdown", (event) => {
    const body = under(event);
    from = place(event);
    canvas.setPointerCapture(event.pointerId);
    if (self.strike && body >= 0) {
      carom.charts.player.transport.pause();
      self.pull = { body, by: [0, 0], velocity: [] };
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = place(event), body = under(event);
    if (self.pull) {
      self.pull.by = [now[0] - from[0], line ? 0 : now[1] - from[1]];
      self.pull.velocity = carom.pulled(scene, self.frame, self.pull.by);
      drawn.redraw();
    } else if (from && view.moves()) {
      view.move(now[0] - from[0], now[1] - from[1], event.shiftKey);
      from = now;
    } else if (!from) {
      const contact = self.frame ? carom.contactAt(scene, self.frame, self.touches, now) : -1;
      canvas.style.cursor = self.strike && body >= 0 ? "grab" : "";
      carom.link(contact >= 0 ? { contact } : body >= 0 ? { body } : null);
    }
  });
  const end = (strikes) => () => {
    const { pull } = self;
    self.pull = from = null;
    if (pull && strikes && Math.hypot(...pull.by) > 4) {
      self.strike(pull.body, pull.velocity);
    }
    drawn.redraw();
  };
  canvas.addEventListener("pointerup", end(true));
  canvas.addEventListener("pointercancel", end(false));
  canvas.addEventListener("pointerleave", () => carom.link(null));
  // A finger on a ball strikes it, and does not scroll.
  canvas.addEventListener("touchstart", (event) => {
    if (self.strike && under(event.touches[0]) >= 0) {
      event.preventDefault();
    }
  }, { passive: false });
};
