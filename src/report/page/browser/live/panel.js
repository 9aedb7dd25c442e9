// Controls beside a page: sliders, laws, one body, the scenario as text. Whatever is changed, it is solved again.
"use strict";

// Fields with a slider, where they stand as numbers.
carom.live.FIELDS = [
  { name: "count", words: "count", from: 2, to: 60, step: 1 },
  { name: "restitution", words: "restitution e", from: 0, to: 1, step: 0.01 },
  { name: "exponent", words: "exponent η", from: 1, to: 3, step: 0.05 },
  { name: "stiffness", words: "stiffness", from: 0.1, to: 10, step: 0.1 },
  { name: "friction", words: "friction", from: 0, to: 1.5, step: 0.01 },
  { name: "mass", words: "mass", from: 0.1, to: 10, step: 0.1 },
  { name: "angle", words: "angle", from: -0.5, to: 0.5, step: 0.01 },
  { name: "duration", words: "duration", from: 0.1, to: 20, step: 0.1 },
];

// A slider with its name and value; `input(value)` when it is moved.
carom.live.slider = function (id, words, range, input) {
  const { element } = carom;
  const slider = element("input", { type: "range", id: "field-" + id, min: range.from, max: range.to, step: range.step,
    input: () => {
      value.textContent = slider.value;
      input(Number(slider.value));
    } });
  const value = element("output", { for: "field-" + id });
  const row = element("label", { class: "field", id: "row-" + id }, element("span", {}, words), slider, value);
  // A value outside of the range makes it wider.
  const show = (number, text = carom.format(number, 4)) => {
    slider.min = Math.min(range.from, number);
    slider.max = Math.max(range.to, number);
    slider.value = number;
    value.textContent = text;
  };
  return { row, show };
};

// options: text(), change(text), options(), changeOptions(text)
carom.live.fieldRows = function (options) {
  const { text } = carom.live;
  const inOptions = (name) => text.placeOf(options.options(), name);
  const rows = carom.live.FIELDS.map((field) => ({ field, ...carom.live.slider(field.name, field.words, field, (value) =>
    (inOptions(field.name) ? options.changeOptions(text.withNumber(options.options(), field.name, value))
      : options.change(text.withNumber(options.text(), field.name, value)))) }));
  const refresh = () => rows.forEach(({ field, row, show }) => {
    const place = inOptions(field.name) || text.placeOf(options.text(), field.name);
    row.hidden = !place;
    if (place) {
      show(Number(place.number), place.number);
    }
  });
  return { rows: rows.map(({ row }) => row), refresh };
};

// The laws of the program, from its list: {name: what it says}.
carom.live.lawsFrom = function (list) {
  const laws = {};
  for (const [, name, first, more] of list.matchAll(/^ {2}([a-z-]+) {2,}(\S.*)((?:\n {8,}.*)*)/gm)) {
    laws[name] = (first + more).replace(/\s+/g, " ");
  }
  return laws;
};

carom.live.lawRow = function (options) {
  const { element, live } = carom, row = element("fieldset", { class: "choice", id: "laws-row", hidden: true });
  let names = [], boxes = [];
  const fill = (list) => {
    const laws = live.lawsFrom(list);
    names = Object.keys(laws);
    boxes = names.map((name) => element("input", { type: "checkbox", id: "law-" + name, change: () => {
      const now = names.filter((_, k) => boxes[k].checked);
      options.change(live.text.withLaws(options.text(), now.length ? now : names.slice(0, 1)));
    } }));
    row.replaceChildren(element("legend", {}, "laws"),
      ...boxes.map((box, k) => element("label", { title: laws[names[k]] }, box, element("span", {}, names[k]))));
    refresh();
  };
  const refresh = () => {
    const laws = live.text.lawsOf(options.text());
    row.hidden = laws === null || names.length === 0 || /(^|\s)--law\s/.test(options.options());
    boxes.forEach((box, k) => {
      box.checked = laws !== null && (laws.includes(names[k]) || (laws.length === 0 && k === 0));
    });
  };
  return { row, refresh, fill };
};

// ---- One body ---------------------------------------------------------------------------------

// Velocities and mass of a body that is chosen, or dragged in the picture.
carom.live.bodyRow = function (options) {
  const { element, live } = carom;
  const AXES = ["x", "y", "z"], holder = element("fieldset", { id: "body-row" });
  const state = { body: 0 };
  const shown = () => carom.data && carom.data.report.scene && carom.data.bodies.length > 0;
  const edit = (name, values) => {
    const text = live.text.withBody(options.text(), state.body, name, values, carom.data.bodies.length);
    if (text === null) {
      options.tell("The bodies of this scenario do not stand in it one by one: change the text.");
    } else {
      options.change(text);
    }
  };
  // Of all bodies: numbers on a line, lists in the plane and in space.
  const start = () => {
    const { scene } = carom.data.report, { list, places } = live.startVelocities();
    return scene.bodies.map((_, i) => {
      const v = carom.components(list, places[i], scene.dimension);
      return scene.dimension === 1 ? v[0] : v;
    });
  };
  const strike = (body, velocity) => {
    state.body = body;
    const values = start();
    values[body] = velocity.length === 1 ? velocity[0] : velocity;
    edit("velocity", values);
  };
  // Made again for another body; a slider that is being moved stays.
  const make = (v) => {
    const { bodies } = carom.data, most = Math.max(2, 2 * carom.largest(start().flat()));
    const rows = v.map((_, d) => live.slider("velocity-" + AXES[d], "velocity" + (v.length > 1 ? " " + AXES[d] : ""),
      { from: -most, to: most, step: "any" }, (value) => {
        const now = [start()[state.body]].flat();
        strike(state.body, now.map((old, k) => (k === d ? Number(value.toPrecision(3)) : old)));
      }));
    const mass = live.slider("one-mass", "mass", { from: 0.01, to: 10, step: "any" }, (value) => {
      const masses = bodies.map((_, i) => live.massOf(i));
      masses[state.body] = Number(value.toPrecision(3));
      edit("mass", masses);
    });
    state.rows = [...rows, mass];
    const list = carom.select("one-body", "body", bodies.slice(0, 500).map((name) => name.slice(0, 40)), (k) => {
      state.body = k;
      refresh();
    }, state.body);
    holder.replaceChildren(element("legend", {}, "one body"), list, ...state.rows.map(({ row }) => row));
  };
  const refresh = () => {
    holder.hidden = !shown();
    if (holder.hidden) {
      return;
    }
    state.body = Math.min(state.body, carom.data.bodies.length - 1);
    const v = [start()[state.body]].flat(), known = live.massOf(state.body);
    const kind = JSON.stringify([state.body, v.length, carom.data.bodies]);
    if (kind !== state.kind) {
      make(v);
      state.kind = kind;
    }
    [...v, known].forEach((value, d) => {
      state.rows[d].row.hidden = value === null;
      if (value !== null && !state.rows[d].row.contains(document.activeElement)) {
        state.rows[d].show(value);
      }
    });
    (carom.charts.player.views || [carom.charts.player]).forEach(({ scene }) => {
      scene.strike = strike;
    });
  };
  return { row: holder, refresh, strike };
};

// The speed that a pull of some length stands for.
carom.strikeScale = function () {
  const most = carom.largest(carom.live.startVelocities().list);
  return most > 0 ? Number(most.toPrecision(1)) : 1;
};

// The velocities before, and where those of each body begin.
carom.live.startVelocities = function () {
  const { data } = carom, { report } = data;
  if (report.kind === "solve") {
    return { list: data.velocity_before, places: report.starts };
  }
  const frames = data.histories[0];
  return { list: carom.frameValues({ velocity: frames.velocity, unpacked: frames.unpacked }, "velocity", 0),
    places: frames.tracksOf.map((own) => own.velocity) };
};

// A body's mass; null: not in the data.
carom.live.massOf = function (i) {
  const { data } = carom;
  return data.report.kind === "solve" && data.mass ? data.mass[data.report.starts[i]] : null;
};
