// The pages of carom simulate in a real browser:  node tests/browser/simulate.mjs CAROM [large]
//
// What is shown is held against --format json, --impacts and --history of the same run, and against
// what is known of a bouncing ball: parabolas, and impacts that lose the same part each time.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { begin } from "./pages.mjs";

const { browser, folder, examples, large, check, make, loadsCleanly, cells, open, end } = await begin("simulate");

// The rows of a table without quotes: {time, ...}
const rows = (file) => {
  const [head, ...lines] = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(","));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
};
const numbers = (text) => text.split(";").map(Number);
const near = (a, b, within, what = "") => assert.ok(Math.abs(a - b) <= within, what + " " + a + " " + b);

// ---- A bouncing ball ------------------------------------------------------------------------

// 1 m above the floor, g = 9.81, e = 0.9: it strikes at t1 + t1 2 (e + e^2 + ...), each time with
// e times the speed.
const G = 9.81, E = 0.9, RADIUS = 0.1, fall = Math.sqrt(2 / G);
const strikes = (n) => {
  let time = fall, speed = G * fall;
  const list = [];
  for (let k = 0; k < n; k++) {
    list.push({ time, speed });
    speed *= E;
    time += (2 * speed) / G;
  }
  return list;
};
const height = (time) => {
  const before = strikes(60).filter((one) => one.time <= time).at(-1);
  if (!before) {
    return RADIUS + 1 - (G * time * time) / 2;
  }
  const t = time - before.time;
  return RADIUS + E * before.speed * t - (G * t * t) / 2;
};

const ball = make("ball", join(examples, "bouncing_ball.yaml"), ["--impacts", join(folder, "ball.csv")]);
const struck = rows(join(folder, "ball.csv"));
const page = await browser.open(ball.address);
const text = (id) => page.run(`document.getElementById("${id}").textContent`);

await check("the page loads without errors or requests", () => loadsCleanly(page, ball));

await check("its data is what --format json prints, and the motion", async () => {
  const { histories, report, ...plain } = await page.run("JSON.parse(document.getElementById('carom-data').textContent)");
  assert.deepEqual(plain, ball.json);
  assert.equal(report.source.scenario, readFileSync(join(examples, "bouncing_ball.yaml"), "utf8"));
  assert.equal(report.source.command, "carom simulate " + join(examples, "bouncing_ball.yaml"));
  assert.equal(histories[0].impacts.length, ball.json.impacts);
});

await check("the numbers that people see are those of the JSON", async () => {
  const { json } = ball, { energy } = json;
  const short = (await cells(page, "#summary-table")).map((row) => row[0]);
  assert.deepEqual([short[0], short[3], short[4], short[5]], [json.time, json.impacts, json.at_rest_since, json.max_penetration]);
  assert.deepEqual((await cells(page, "#energy-table")).map((row) => row[2]), [energy.kinetic_after - energy.kinetic_before,
    energy.potential_after - energy.potential_before, -energy.lost, energy.work, energy.correction, energy.error]);
  await open(page, "end-table");
  assert.deepEqual(await cells(page, "#end-table"), json.position.map((q, i) => [q, json.velocity[i]]));
});

await check("impacts are those of --impacts, and of the closed form", async () => {
  const list = await page.run("carom.data.histories[0].impacts");
  list.forEach((impact, k) => {
    assert.equal(impact.time, Number(struck[k].time));
    assert.deepEqual(impact.closing_speed, numbers(struck[k].closing_speed));
    assert.deepEqual(impact.impulse, numbers(struck[k].impulse));
    assert.equal(impact.lost, Number(struck[k].lost));
    assert.equal(impact.contact_names.join(";"), struck[k].contacts);
  });
  strikes(40).forEach(({ time, speed }, k) => {
    near(list[k].time, time, 1e-6, "time");
    near(list[k].strongest, speed, 1e-6, "speed");
  });
});

await check("energy is kept at every instant that is shown", async () => {
  const frames = await page.run("(({ kinetic, potential, lost }) => ({ kinetic, potential, lost }))(carom.data.histories[0])");
  const all = ball.json.energy.potential_before;
  frames.kinetic.forEach((kinetic, k) => near(kinetic + frames.potential[k] + frames.lost[k], all, 1e-9 * all));
  const [, ...changes] = await page.run("carom.charts.energies.plot.data.map((y) => Array.from(y))");
  changes.forEach((list) => assert.equal(list[0], 0));
  changes[0].forEach((_, k) => near(changes.reduce((sum, list) => sum + list[k], 0), 0, 1e-3));
  await page.run("(() => { const s = document.getElementById('energies-as'); s.selectedIndex = 1; s.dispatchEvent(new Event('change')); })()");
  const [times, ...drawn] = await page.run("carom.charts.energies.plot.data.map((y) => Array.from(y))");
  drawn[0].forEach((kinetic, k) => near(kinetic + drawn[1][k] + drawn[2][k], all, 1e-9 * all));
  // In flight the potential is that of the parabola, also between instants, and losses are steps.
  const weight = frames.potential[0] / 1.1, flights = strikes(5).at(-1).time;
  times.forEach((time, k) => time < flights && near(drawn[1][k], weight * height(time), 1e-6 * all));
  assert.deepEqual([...new Set(drawn[2])].sort(), [...new Set(frames.lost)].sort());
  // The impact is between two instants that are 1/16000 of the time apart.
  near(Math.max(...frames.kinetic), (G * fall) ** 2 / 2 * (frames.potential[0] / (G * 1.1)), 0.05);
});

await check("the ball is drawn where the parabola is, at any place of the slider", async () => {
  for (const part of [0, 0.1, 0.33, 0.5, 0.77]) {
    await page.run(`carom.charts.player.transport.go(${part})`);
    const [time, y] = await page.run("[carom.charts.player.time, carom.data.report.scene.bodies[0].at[1]]");
    near(y, height(time), 1e-4, "at " + time);
  }
});

await check("the slider runs through the motion, by mouse and by keys, and plays", async () => {
  const time = () => page.run("carom.charts.player.time");
  await page.run("carom.charts.player.transport.go(0)");
  await page.run("document.getElementById('player-slider').focus()");
  for (let k = 0; k < 20; k++) {
    await page.key("ArrowRight");
  }
  near(await time(), (20 / 1000) * ball.json.time, 1e-9);
  await page.drag("#player-slider", [0.1, 0.5], [0.9, 0.5]);
  assert.ok((await time()) > 0.8 * ball.json.time);
  assert.match(await text("player-time"), /^t = [\d.]+ s; \d+ impacts so far$/);
  await page.run("carom.charts.player.transport.go(0.1)");
  await page.run("document.getElementById('player-play').click()");
  await page.run("new Promise((done) => setTimeout(done, 400))");
  assert.equal(await text("player-play"), "Pause");
  await page.run("document.getElementById('player-play').click()");
  assert.ok((await time()) > 0.1 * ball.json.time);
});

// The impact that is open, as people see it.
const opened = async () => ({
  title: await text("impact-title"), contacts: await cells(page, "#impact-contacts"), time: await page.run("carom.charts.player.time"),
});
const isOpen = async (k) => {
  const shown = await opened();
  assert.match(shown.title, new RegExp("^Impact " + (k + 1) + ", at "));
  assert.deepEqual(shown.contacts, [[Number(struck[k].closing_speed), Number(struck[k].impulse), null]]);
  near(shown.time, Number(struck[k].time), 1e-9);
};

await check("forces have no unit where no stiffness was given", async () => {
  assert.match(await page.run("document.querySelector('#impact-contacts thead').textContent"), /peak force, K=1$/);
});

await check("the strongest impact is open at first", async () => {
  const fresh = await browser.open(ball.address);
  assert.match(await fresh.run("document.getElementById('impact-title').textContent"), /^Impact 1, at 0.451523641 s/);
  await fresh.close();
});

await check("a click on the time line opens the impact, keys and buttons go from one to the next", async () => {
  const place = await page.run(`(() => { const l = carom.charts.timeline, c = l.canvas;
    return [l.px(${struck[2].time}) / c.clientWidth, (l.top + l.height / 2) / c.clientHeight]; })()`);
  await page.drag("#timeline-canvas", place, place);
  await isOpen(2);
  await page.run("document.getElementById('impact-next').focus()");
  await page.key("Enter");
  await page.run("document.getElementById('impact-next').click()");
  const now = Number(/^Impact (\d+)/.exec((await opened()).title)[1]) - 1;
  assert.ok(now >= 3);
  await isOpen(now);
  await page.run("document.getElementById('impact-previous').click()");
  await isOpen(now - 1);
  await page.run("carom.openImpact(4, true); carom.charts.timeline.cursor = null; document.getElementById('timeline-canvas').focus()");
  await page.key("ArrowRight");
  assert.match(await text("timeline-readout"), /^impact 5 at .*ball - floor/);
  await page.key("ArrowRight");
  assert.match(await text("timeline-readout"), /^impact 6 at /);
  await page.key("Enter");
  await isOpen(5);
  loadsCleanly(page, ball);
});

await check("charts zoom by keys and by dragging, and back", async () => {
  const line = () => page.run("(({ low, high }) => [low, high])(carom.charts.timeline.x)");
  const full = await line();
  await page.run("document.getElementById('timeline-canvas').focus()");
  await page.key("+");
  const close = await line();
  assert.ok(close[1] - close[0] < 0.7 * (full[1] - full[0]));
  await page.key("0");
  assert.deepEqual(await line(), full);
  await page.drag("#timeline-canvas", [0.3, 0.4], [0.6, 0.4]);
  assert.ok((await line())[0] > full[0]);
  const scale = () => page.run("(({ min, max }) => [min, max])(carom.charts.energies.plot.scales.x)");
  const whole = await scale();
  await page.run("document.getElementById('energies-canvas').focus()");
  await page.key("+");
  assert.ok((await scale())[1] < whole[1]);
  await page.key("0");
  assert.deepEqual(await scale(), whole);
});

await check("coordinates of a body against time, and their table", async () => {
  const choose = (id, k) => page.run(`(() => { const s = document.getElementById("${id}"); s.selectedIndex = ${k};
    s.dispatchEvent(new Event("change")); })()`);
  await choose("coordinates-kind", 1);
  const { time, series } = await page.run("({ time: carom.charts.coordinates.x, series: carom.charts.coordinates.series })");
  assert.deepEqual(series.map((one) => one.label), ["vx", "vy"]);
  time.filter((t) => t < fall - 1e-6).forEach((t, k) => near(series[1].y[k], -G * t, 5e-3));
  await open(page, "coordinates-table");
  const [, first] = await cells(page, "#coordinates-table");
  assert.equal(first.length, 2);
});

await check("whatever is drawn has words and a table, whatever is asked has a label", async () => {
  assert.equal(await page.run(`[...document.querySelectorAll("canvas")].filter((c) => !c.closest(".uplot") &&
    !c.getAttribute("aria-label") && c.getAttribute("aria-hidden") !== "true").length`), 0);
  assert.equal(await page.run(`[...document.querySelectorAll("section")].filter((s) => s.querySelector("canvas") &&
    !s.querySelector("details, table, #player-time")).length`), 0);
  assert.equal(await page.run(`[...document.querySelectorAll("input, select")].filter((i) =>
    !i.closest("label") && !i.getAttribute("aria-label")).length`), 0);
});

await check("it is dark where that is preferred, light on paper, and not wider than a phone", async () => {
  const shade = (p) => p.run("getComputedStyle(document.body).backgroundColor");
  const dark = await browser.open(ball.address, { dark: true, width: 360, height: 740, phone: true });
  assert.equal(await shade(dark), "rgb(20, 23, 26)");
  assert.ok(await dark.run("document.documentElement.scrollWidth <= 360"));
  await dark.run("window.dispatchEvent(new Event('beforeprint'))");
  assert.equal(await shade(dark), "rgb(255, 255, 255)");
  loadsCleanly(dark, ball);
  await dark.close();
});

await check("two motions of a scene play in step, each with the numbers of its own run", async () => {
  const scenario = join(examples, "three_balls_in_v.yaml"), both = make("two", scenario, ["--law", "lzb,moreau"]);
  const one = make("one", scenario, ["--law", "moreau"]).json;
  const two = await browser.open(both.address, { still: true });
  loadsCleanly(two, both);
  assert.deepEqual(await two.run("carom.data.beside.position"), one.position);
  assert.equal(await two.run("carom.data.beside.impacts"), one.impacts);
  const places = () => two.run("carom.charts.player.views.map((view) => view.scene.of.bodies.map((body) => body.at.slice()))");
  await two.run("carom.charts.player.go(0.1)");
  const [a, b] = await places();
  a.flat().forEach((x, k) => assert.ok(Math.abs(x - b.flat()[k]) < 1e-5));
  await two.run("carom.charts.player.go(1e9)");
  const [, end] = await places();
  end.flat().forEach((x, k) => assert.ok(Math.abs(x - one.position[k]) < 1e-5));
  assert.match(await two.run("document.getElementById('headline').textContent"), /^By lzb all bodies .* By moreau .* They part at 0\.\d+ s\.$/);
  assert.ok(await two.run("carom.charts.energies.series.some((one) => one.label === 'kinetic, moreau')"));
  await two.close();
});

await check("without its data the page has less than 200 kB", () => {
  const whole = readFileSync(ball.page, "utf8");
  const data = whole.slice(whole.indexOf('id="carom-data">'), whole.indexOf("</script>"));
  assert.ok(whole.length - data.length < 200000, String(whole.length - data.length));
});
await page.close();

// ---- Every shape, strings, springs, walls that move -----------------------------------------

const zoo = {
  title: "All shapes",
  bodies: [
    { name: "disc", radius: 0.1, mass: 1, position: [0, 1.1], velocity: [0.3, 0] },
    { name: "block", shape: "box", size: [0.2, 0.4], mass: 1, position: [1, 0.6], angle: 0.3, spin: 1 },
    { name: "egg", shape: "ellipse", semi_axes: [0.3, 0.2], mass: 1, position: [2, 0.8], angle: 0.5 },
    { name: "rod", shape: "rod", length: 0.8, radius: 0.03, mass: 1, position: [-1, 0.8], angle: 0.4, spin: -2 },
    { name: "bob", radius: 0.05, mass: 0.03, suspended: { from: [3, 1.5], length: 0.8 }, angle: -0.5 },
    { name: "held", radius: 0.1, mass: 1, position: [-2, 1.5] },
    { name: "post", radius: 0.1, mass: 1, position: [-2, 0.6], fixed: true },
  ],
  walls: [
    { name: "plate", point: [0, 0], normal: [0, 1], motion: { amplitude: 0.02, frequency: 3, phase: 0.5 } },
    { name: "piston", point: [-3, 0], normal: [1, 0], velocity: [0.2, 0] },
  ],
  springs: [{ between: ["held", [-2, 2.5]], stiffness: 20, damping: 0.1, length: 0.5 },
    { between: ["disc", "rod"], stiffness: 3, length: 1 }],
  contacts: { restitution: 0.7 },
  simulate: { duration: 2, gravity: [0, -9.81], law: "newton", output_every: 0.1 },
};

await check("bodies of every shape, bobs, springs and walls are where the history has them", async () => {
  const file = join(folder, "zoo.yaml"), states = join(folder, "zoo-states.csv");
  writeFileSync(file, JSON.stringify(zoo));
  const made = make("zoo", file, ["--history", states]);
  const shown = await browser.open(made.address);
  loadsCleanly(shown, made);
  const table = rows(states);
  for (const row of [table[3], table[11], table[19]]) {
    const time = Number(row.time);
    await shown.run(`carom.charts.player.go(${time})`);
    const { bodies, walls, springs } = await shown.run("carom.data.report.scene");
    const WITHIN = 2e-3; // of the lines between instants, where bodies strike
    ["disc", "block", "egg", "rod", "held"].forEach((name) => {
      const body = bodies[zoo.bodies.findIndex((one) => one.name === name)];
      near(body.at[0], Number(row[name + " x"]), WITHIN, name);
      near(body.at[1], Number(row[name + " y"]), WITHIN, name);
      if (row[name + " angle"] !== undefined) {
        near(body.angle, Number(row[name + " angle"]), 0.02, name);
      }
    });
    const angle = Number(row["bob angle"]);
    near(bodies[4].at[0], 3 + 0.8 * Math.sin(angle), WITHIN, "bob");
    near(bodies[4].at[1], 1.5 - 0.8 * Math.cos(angle), WITHIN, "bob");
    assert.deepEqual(bodies[6].at, [-2, 0.6]);
    near(walls[0].point[1], 0.02 * Math.sin(2 * Math.PI * 3 * time + 0.5), 1e-9, "plate");
    near(walls[1].point[0], -3 + 0.2 * time, 1e-9, "piston");
    assert.deepEqual(springs, [{ first: 5, point: [-2, 2.5] }, { first: 0, second: 3 }]);
  }
  await shown.close();
});

await check("ellipsoids in space turn as they do, and can be seen from three sides", async () => {
  const file = join(folder, "space.yaml");
  writeFileSync(file, JSON.stringify({
    bodies: [{ name: "potato", shape: "ellipsoid", semi_axes: [0.3, 0.2, 0.1], mass: 1, position: [0, 0, 1],
      velocity: [0, 0, 0], spin: [0, 0, 2] }, { name: "ball", radius: 0.2, mass: 1, position: [1, 1, 1] }],
    walls: [{ name: "floor", point: [0, 0, 0], normal: [0, 0, 1] }],
    simulate: { duration: 0.3, gravity: [0, 0, -9.81], law: "newton" },
  }));
  const made = make("space", file);
  const shown = await browser.open(made.address);
  await shown.run("carom.charts.player.go(0.25)");
  const [w, , , z] = await shown.run("carom.data.report.scene.bodies[0].orientation");
  near(w, Math.cos(0.25), 1e-5, "about z at 2 rad/s"); // half of the angle
  near(z, Math.sin(0.25), 1e-5);
  await shown.run(`(() => { const s = document.getElementById("player-view"); s.selectedIndex = 2;
    s.dispatchEvent(new Event("change")); })()`);
  loadsCleanly(shown, made);
  await shown.close();
});

await check("a swing is a sine, and no beat, however few instants it has", async () => {
  const file = join(folder, "pendulum.yaml");
  writeFileSync(file, JSON.stringify({
    bodies: [{ name: "bob", radius: 0.01, mass: 1, suspended: { from: [0, 0], length: 9.81 / (4 * Math.PI ** 2) }, angle: 0.01 }],
    contacts: { restitution: 1 }, simulate: { duration: 300, gravity: [0, -9.81], law: "newton" },
  }));
  const made = make("pendulum", file);
  const shown = await browser.open(made.address);
  loadsCleanly(shown, made);
  // A period of 1 s (1 + 0.01^2/16); of its 300 swings, each has its two tops.
  const { x, y } = await shown.run("(({ x, series }) => ({ x, y: series[0].y }))(carom.charts.coordinates)");
  let worst = 0;
  x.forEach((time, k) => { worst = Math.max(worst, Math.abs(y[k] - 0.01 * Math.cos((2 * Math.PI * time) / (1 + 0.01 ** 2 / 16)))); });
  assert.ok(worst < 5e-4, String(worst)); // lines would stray by ten times that
  const tops = y.filter((angle, k) => k > 0 && k + 1 < y.length && angle > y[k - 1] && angle >= y[k + 1]);
  tops.forEach((top) => near(top, 0.01, 5e-4, "top"));
  assert.equal(tops.length, 299);
  await shown.close();
});

await check("a motion without an impact, and one of bobs alone", async () => {
  for (const name of ["ladder", "cradle_swings"]) {
    const made = make(name, join(examples, name + ".yaml"), name === "cradle_swings" ? ["--set", "simulate.duration=2"] : []);
    const shown = await browser.open(made.address);
    loadsCleanly(shown, made);
    assert.equal(await shown.run("carom.ready"), true);
    await shown.close();
  }
});

// ---- Texts that mean harm -------------------------------------------------------------------

await check("a text of the user is never markup", async () => {
  const bad = "</script><script>window.hurt = 1</script><img src=x onerror=\"window.hurt = 2\"> ' & &lt; <!-- \\";
  const file = join(folder, "bad.yaml");
  writeFileSync(file, JSON.stringify({
    title: bad + "long ".repeat(2000),
    bodies: [{ name: "<i onclick=x>a", radius: 1, mass: 1, position: [0, 0], velocity: [1, 0] },
      { name: "b\" onload=\"x", radius: 1, mass: 1, position: [3, 0] }],
    walls: [{ name: "</script><b>wall", point: [5, 0], normal: [-1, 0] }],
    simulate: { duration: 5, law: { law: "newton", label: "<u>n</u>" } },
  }));
  const made = make("bad", file);
  const hostile = await browser.open(made.address, { width: 400 });
  loadsCleanly(hostile, made);
  assert.equal(await hostile.run("window.hurt"), undefined);
  assert.ok((await hostile.run("document.getElementById('title').textContent")).startsWith(bad));
  assert.equal(await hostile.run("document.querySelectorAll('script').length"), 2);
  assert.equal(await hostile.run("document.querySelectorAll('img, b, i, u').length"), 0);
  assert.ok(await hostile.run("document.documentElement.scrollWidth <= 400"));
  assert.match(await hostile.run("document.getElementById('impact').textContent"), /<i onclick=x>a/);
  await hostile.close();
});

// ---- Many -----------------------------------------------------------------------------------

// Of so many impacts the page has some; the strongest of all, and all of them told.
const isThinned = async (made, impacts, file) => {
  const shown = await browser.open(made.address);
  console.log("        " + statSync(made.page).size + " bytes, " + shown.milliseconds + " ms");
  loadsCleanly(shown, made);
  assert.ok(statSync(made.page).size < 5e6);
  assert.match(await shown.run("document.getElementById('impacts-thinned').textContent"), new RegExp("of " + impacts + " impacts"));
  const list = await shown.run("carom.data.histories[0].impacts.map(({ represents, strongest, impact }) => [represents, strongest, impact])");
  assert.equal(list.reduce((sum, [represents]) => sum + represents, 0), impacts);
  if (file) {
    const top = rows(file).reduce((most, row) => (Number(row.closing_speed) > most[1] ? [Number(row.impact), Number(row.closing_speed)] : most), [0, 0]);
    assert.ok(list.some(([, strongest, impact]) => impact === top[0] && strongest === top[1]));
  }
  return shown;
};

await check("ten thousand discs and 200000 impacts: thinned, and told", async () => {
  const file = join(folder, "gas.csv");
  const made = make("gas", join(examples, "gas_cooling.yaml"), ["--impacts", file]);
  const shown = await isThinned(made, 200000, file);
  assert.match(await shown.run("document.getElementById('thinned').textContent"), /1024 of 10000 bodies/);
  const frames = await shown.run("(({ kinetic, lost }) => [kinetic, lost])(carom.data.histories[0])");
  frames[0].forEach((kinetic, k) => near(kinetic + frames[1][k], made.json.energy.kinetic_before, 1e-6));
  await shown.close();
});

if (large) {
  await check("a million impacts", async () => {
    const made = make("million", join(examples, "gas_cooling.yaml"), ["--set", "simulate.stop.impacts=1000000", "--set",
      "simulate.duration=1000", "--set", "contacts.restitution=1"]);
    await (await isThinned(made, 1000000)).close();
  });
}

await end();
