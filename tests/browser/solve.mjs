// The pages of carom solve in a real browser:  node tests/browser/solve.mjs CAROM [large]
//
// What is asked of every page: nothing in the console, no address but its own, the numbers of
// --format json to the last bit, and that slider, choice of law, zoom and keys do what they say.
// `large` adds the sizes: a thousand balls, a million discs.
import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { begin } from "./pages.mjs";

const { browser, carom, folder, examples, large, check, make, loadsCleanly, cells, open, end } = await begin("solve");

// ---- The cradle -----------------------------------------------------------------------------

const cradle = make("cradle", join(examples, "newton_cradle.yaml"));
const page = await browser.open(cradle.address);

await check("the page loads without errors or requests", () => loadsCleanly(page, cradle));

await check("it opens with a sentence, two laws in step that play, and the checks by law", async () => {
  const [lzb, , moreau] = cradle.json.results;
  assert.equal(await page.run("document.getElementById('headline').textContent"),
    "Ball 5 leaves at " + lzb.velocity[4].toPrecision(2) + " m/s by lzb. " + (100 * lzb.energy_ratio).toPrecision(2) +
    " % of the energy remains. By moreau instead ball 1 bounces back at " + (-moreau.velocity[0]).toPrecision(2) + " m/s.");
  assert.deepEqual(await page.run("carom.charts.player.laws"), [0, 2]);
  assert.equal(await page.run("carom.charts.player.transport.playing"), true);
  const bottom = await page.run("document.getElementById('checks').getBoundingClientRect().bottom");
  assert.ok(bottom < 900, String(bottom));
  assert.deepEqual(await page.run("[...document.querySelectorAll('#checks tbody tr')].map((row) => [...row.children].slice(1).map((cell) => cell.className))"),
    cradle.json.results.map((r) => [...["kinematic", "kinetic", "energetic"].map((name) => (r[name] ? "good" : "bad")), r.unique ? "good" : "open"]));
});

await check("no text of a page is a missing value", async () => {
  assert.doesNotMatch(await page.run("document.getElementById('page').innerText"), /null|undefined|NaN/);
});

await check("both laws are shown at the same time, as their own numbers say", async () => {
  const [lzb, , moreau] = cradle.json.results;
  const shown = (part) => page.run(`(carom.charts.player.show(${part}), carom.charts.player.views.map((view) => Array.from(view.velocity())))`);
  assert.deepEqual(await shown(0.1), [cradle.json.velocity_before, cradle.json.velocity_before]);
  assert.deepEqual(await shown(0.9), [lzb.velocity, moreau.velocity]);
  const [during, jumped] = await shown(0.4);
  assert.ok(Math.abs(during.reduce((sum, v) => sum + v, 0) - 1) < 5e-6);
  assert.deepEqual(jumped, moreau.velocity); // a law without a history
  // Bodies come and go along their velocities, and are where they were during the impact.
  const places = (part) => page.run(`(carom.charts.player.show(${part}), carom.data.report.scene.bodies.map((body) => body.at[0]))`);
  const home = await places(0.5), gone = await places(1);
  const ways = gone.map((x, i) => (x - home[i]) / moreau.velocity[i]); // the second law is drawn last
  ways.forEach((way) => assert.ok(way > 0 && Math.abs(way / ways[0] - 1) < 1e-9));
  await page.run(`(() => { const list = document.getElementById("beside"); list.selectedIndex = 0; list.dispatchEvent(new Event("change")); })()`);
  assert.equal(await page.run("document.querySelectorAll('figure.law:not([hidden])').length"), 1);
});

await check("charts show the player's time, and a click in one moves it", async () => {
  await page.run("carom.charts.player.show(0.5)");
  const time = () => page.run("carom.charts.player.views[0].time");
  const at = (id) => page.run(`(() => { const line = document.querySelector('#${id} .time-line'); return line.hidden ? null : parseFloat(line.style.left); })()`);
  for (const id of ["forces", "energies", "map"]) {
    await page.run("carom.charts.player.show(0.3)");
    const early = await at(id);
    await page.run("carom.charts.player.show(0.6)");
    assert.ok((await at(id)) > early + 100, id);
    await page.run("carom.charts.player.show(0.9)");
    assert.equal(await at(id), null);
  }
  for (const [canvas, chart] of [["#map-canvas", "map"], ["#forces-canvas", "forces"]]) {
    await page.run("carom.charts.player.show(0.3)");
    const before = await time();
    await page.drag(canvas, [0.8, 0.5], [0.8, 0.5]);
    assert.ok((await time()) > 2 * before, chart + " " + before + " " + (await time()));
  }
});

await check("charts, tables and the player can be taken away", async () => {
  const saved = (act, count = 1) => page.run(`new Promise((done) => { const files = [];
    carom.saveFile = async (name, blob) => {
      files.push([name, blob.type, blob.type === "text/csv" ? await blob.text() : blob.size]);
      if (files.length === ${count}) { done(files); } };
    ${act} })`);
  await page.run("carom.charts.player.show(0.9)");
  const pictures = await page.run("document.querySelectorAll('button.save').length");
  assert.ok(pictures >= 6, String(pictures));
  for (const part of ["#player", "#forces", "#map", "#compare"]) {
    const [[name, type, size]] = await saved(`document.querySelector("${part} button.save").click();`);
    assert.match(name, /^\w+\.png$/);
    assert.equal(type, "image/png");
    assert.ok(size > 1000, part + " " + size);
  }
  await open(page, "scene-table");
  const [[name, , text]] = await saved(`document.querySelector("#scene-table button.save").click();`);
  await page.run("document.getElementById('scene-table').open = false");
  assert.equal(name, "scene.csv");
  const rows = text.trim().split("\r\n").slice(1).map((line) => line.split(",").slice(1).map(Number));
  rows.forEach((row, i) => assert.deepEqual(row, [cradle.json.velocity_before[i], ...cradle.json.results.map((r) => r.velocity[i])]));
});

await check("the address leads back to what is seen", async () => {
  await page.run("carom.charts.player.transport.slider.focus(), carom.charts.player.show(0.4)");
  await page.key("ArrowRight");
  const hash = await page.run("location.hash");
  assert.match(hash, /law=lzb&beside=\w+&t=0\.40/);
  const again = await browser.open(cradle.address + "#law=moreau&beside=none&t=0.95");
  assert.deepEqual(await again.run("[carom.charts.player.laws, carom.charts.player.transport.part(), carom.charts.player.transport.playing]"),
    [[cradle.json.results.findIndex((r) => r.label === "moreau"), -1], 0.95, false]);
  assert.equal(await again.run("document.getElementById('law').selectedOptions[0].textContent"), "moreau");
  assert.match(await again.run("document.getElementById('no-history').textContent"), /moreau/);
  await again.close();
});

await check("nothing plays where motion is not welcome", async () => {
  const still = await browser.open(cradle.address, { still: true });
  assert.equal(await still.run("carom.charts.player.transport.playing"), false);
  assert.equal(await still.run("document.getElementById('player-time').textContent"), "after the impact");
  await still.close();
});

await check("its data is what --format json prints, and the history", async () => {
  const { histories, report, ...plain } = await page.run("JSON.parse(document.getElementById('carom-data').textContent)");
  assert.deepEqual(plain, cradle.json);
  assert.equal(report.source.command, "carom solve " + join(examples, "newton_cradle.yaml"));
  assert.equal(report.source.scenario, readFileSync(join(examples, "newton_cradle.yaml"), "utf8"));
  assert.deepEqual(histories.map((frames) => frames.result), [0, 1]);
});

await check("the numbers that people see are those of the JSON", async () => {
  const rows = await cells(page, "#summary-table");
  cradle.json.results.forEach((result, i) => {
    assert.equal(rows[i][0], result.energy_after);
    assert.equal(rows[i][1], result.energy_ratio);
    assert.equal(rows[i][3], result.duration);
  });
  await open(page, "scene-table");
  const velocities = await cells(page, "#scene-table");
  assert.equal(velocities.length, 5);
  velocities.forEach((row, i) => assert.deepEqual(row,
    [cradle.json.velocity_before[i], ...cradle.json.results.map((result) => result.velocity[i])]));
  await open(page, "compare-table");
  const impulses = await cells(page, "#compare-table");
  impulses.forEach((row, j) => assert.deepEqual(row, cradle.json.results.map((r) => r.impulse[j])));
  await open(page, "losses-table");
  assert.deepEqual((await cells(page, "#losses-table")).map((row) => row[0]), cradle.json.results[0].loss);
});

await check("charts are drawn from the same numbers", async () => {
  const lzb = cradle.json.results[0];
  const bars = await page.run("carom.charts.compare.groups.map((group) => group.values)");
  bars.forEach((values, i) => assert.deepEqual(values, cradle.json.results.map((r) => r.velocity[i])));
  const forces = await page.run("carom.charts.forces.plot.data.slice(1).map((y) => Math.max(...y))");
  const top = Math.max(...lzb.peak_force);
  // The peak lies between two of 400 instants: their distance squared.
  lzb.peak_force.forEach((force, j) => assert.ok(Math.abs(forces[j] - force) < 1e-4 * top, forces[j] + " " + force));
  const frames = await page.run("(({ count, kinetic, time }) => ({ count, kinetic, time }))(carom.frames(0))");
  assert.ok(Math.abs(frames.kinetic[frames.count - 1] - lzb.energy_after) < 1e-9 * cradle.json.energy_before);
  assert.ok(Math.abs(frames.time[frames.count - 1] - lzb.duration) < 1e-9 * lzb.duration);
  const last = await page.run("Array.from(carom.frameValues(carom.frames(0), 'velocity', carom.frames(0).count - 1))");
  last.forEach((v, i) => assert.ok(Math.abs(v - lzb.velocity[i]) < 2e-6, v + " " + lzb.velocity[i]));
});

await check("momentum is kept at every instant that is shown", async () => {
  // Of equal balls: the sum of the velocities is the one of the ball that came.
  const sums = await page.run(`(() => { const f = carom.frames(0); return Array.from({ length: f.count }, (_, k) =>
    carom.frameValues(f, "velocity", k).reduce((sum, v) => sum + v, 0)); })()`);
  sums.forEach((sum) => assert.ok(Math.abs(sum - 1) < 5e-6, String(sum)));
});

await check("the slider runs through the impact, by mouse and by keys", async () => {
  await page.run("document.getElementById('player-slider').focus()");
  const row = () => page.run("carom.charts.player.frame");
  await page.run("carom.charts.player.go(0)");
  const before = await row();
  for (let k = 0; k < 20; k++) {
    await page.key("ArrowRight");
  }
  const after = await row();
  assert.ok(after > before, before + " " + after);
  await page.drag("#player-slider", [0.1, 0.5], [0.6, 0.5]);
  assert.ok((await row()) > after + 100);
  assert.match(await page.run("document.getElementById('player-time').textContent"), /^t = \d+.*µs/);
  await page.drag("#player-slider", [0.6, 0.5], [0.98, 0.5]);
  assert.equal(await page.run("document.getElementById('player-time').textContent"), "after the impact");
  await page.run("document.getElementById('player-slider').value = 0");
  await page.run("document.getElementById('player-play').click()");
  await page.run("new Promise((done) => setTimeout(done, 300))");
  assert.equal(await page.run("document.getElementById('player-play').textContent"), "Pause");
  await page.run("document.getElementById('player-play').click()");
});

await check("charts zoom by keys and by dragging, and back", async () => {
  for (const name of ["map", "phase"]) {
    const range = () => page.run(`(({ low, high }) => [low, high])(carom.charts.${name}.x)`);
    const full = await range();
    await page.run(`document.getElementById('${name}-canvas').focus()`);
    await page.key("+");
    const near = await range();
    assert.ok(near[1] - near[0] < 0.7 * (full[1] - full[0]), name);
    await page.key("0");
    assert.deepEqual(await range(), full);
    await page.drag(`#${name}-canvas`, [0.3, 0.4], [0.6, 0.4]);
    const dragged = await range();
    assert.ok(dragged[0] > full[0] && dragged[1] < full[1], name);
    await page.key("0");
  }
  const scale = () => page.run("(({ min, max }) => [min, max])(carom.charts.forces.plot.scales.x)");
  const full = await scale();
  await page.run("document.getElementById('forces-canvas').focus()");
  await page.key("+");
  const near = await scale();
  assert.ok(near[1] - near[0] < 0.7 * (full[1] - full[0]));
  await page.key("0");
  assert.deepEqual(await scale(), full);
  await page.drag("#forces-canvas", [0.3, 0.4], [0.6, 0.4]);
  assert.ok((await scale())[0] > full[0]);
  await page.run("document.getElementById('player-canvas').focus()");
  await page.key("+");
  assert.equal(await page.run("carom.charts.player.scene.state.zoom"), 1.5);
  await page.key("0");
});

// A long chain, of whose instants most are left out.
await check("of a chain that is thinned no contact is loaded at first, and every peak is there", async () => {
  const file = join(folder, "chain.yaml");
  writeFileSync(file, JSON.stringify({ laws: ["lzb"], chain: { count: 1000, velocity: [1], stiffness: 1e9 } }));
  const made = make("chain", file);
  const shown = await browser.open(made.address);
  loadsCleanly(shown, made);
  const frames = await shown.run("(({ count, samples, time }) => ({ count, samples, time }))(carom.frames(0))");
  assert.ok(frames.count < frames.samples);
  // At first only the struck ball moves, and no contact is loaded.
  await shown.run("carom.charts.player.go(0)");
  assert.match(await shown.run("document.getElementById('player-time').textContent"), /^t = 0 .*no contact is loaded$/);
  const peaks = await shown.run("carom.data.contacts.map((_, j) => carom.extremeOf(carom.frames(0), 'force', j))");
  const { peak_force: known } = made.json.results[0];
  // The law's steps are that long beside a pulse; it tells the peak between them, too.
  peaks.forEach(([, force], j) => assert.ok(Math.abs(force - known[j]) < 5e-2 * known[j], j + ": " + force + " " + known[j]));
  const [drawn, of] = await shown.run("[carom.charts.forces.plot.data.slice(1).map((y) => Math.max(...y)), carom.charts.forces.series.map((one) => one.contact)]");
  of.forEach((j, k) => assert.ok(Math.abs((drawn[k] * 1000) / peaks[j][1] - 1) < 1e-5)); // in kN
  await shown.close();
});

await check("arrow keys read values from the map", async () => {
  await page.run("document.getElementById('map-canvas').focus()");
  await page.key("ArrowRight");
  assert.match(await page.run("document.getElementById('map-readout').textContent"), /ball \d - ball \d: [\d.e-]+ mJ/);
});

await check("another law is shown when it is chosen, by mouse and by keys", async () => {
  const choose = (i) => page.run(`(() => { const list = document.getElementById("law");
    list.selectedIndex = ${i}; list.dispatchEvent(new Event("change")); })()`);
  await choose(2);
  assert.match(await page.run("document.getElementById('no-history').textContent"), /moreau/);
  assert.equal(await page.run("document.getElementById('map')"), null);
  await page.run("document.getElementById('law').focus()");
  await page.key("ArrowUp");
  assert.equal(await page.run("document.getElementById('law').selectedIndex"), 1);
  const last = await page.run("Array.from(carom.frameValues(carom.frames(1), 'velocity', carom.frames(1).count - 1))");
  last.forEach((v, i) => assert.ok(Math.abs(v - cradle.json.results[1].velocity[i]) < 2e-6));
  assert.ok(await page.run("carom.charts.map !== undefined"));
  loadsCleanly(page, cradle);
});

await check("whatever is drawn has words and a table, whatever is asked has a label", async () => {
  assert.equal(await page.run(`[...document.querySelectorAll("canvas")].filter((c) => !c.closest(".uplot") &&
    !c.getAttribute("aria-label") && c.getAttribute("aria-hidden") !== "true").length`), 0);
  assert.equal(await page.run(`[...document.querySelectorAll("section")].filter((s) => !s.querySelector("section")
    && s.querySelector("canvas") && !s.querySelector("details, table, #player-time")).length`), 0);
  assert.equal(await page.run(`[...document.querySelectorAll("input, select")].filter((i) =>
    !i.closest("label") && !i.getAttribute("aria-label")).length`), 0);
  assert.equal(await page.run("document.documentElement.lang"), "en");
});

await check("it is dark where that is preferred, and light on paper", async () => {
  const shade = (p) => p.run("getComputedStyle(document.body).backgroundColor");
  const dark = await browser.open(cradle.address, { dark: true });
  assert.equal(await shade(page), "rgb(255, 255, 255)");
  assert.equal(await shade(dark), "rgb(20, 23, 26)");
  await dark.run("window.dispatchEvent(new Event('beforeprint'))");
  assert.equal(await shade(dark), "rgb(255, 255, 255)");
  loadsCleanly(dark, cradle);
  await dark.close();
});

await check("nothing is wider than a phone", async () => {
  const phone = await browser.open(cradle.address, { width: 360, height: 740, phone: true });
  assert.ok(await phone.run("document.documentElement.scrollWidth <= 360"));
  loadsCleanly(phone, cradle);
  await phone.close();
});

await check("without its data the page has less than 250 kB", () => {
  const text = readFileSync(cradle.page, "utf8");
  const data = text.slice(text.indexOf('id="carom-data">'), text.indexOf("</script>"));
  assert.ok(text.length - data.length < 250000, String(text.length - data.length));
});
await check("a scene in space is turned by dragging and by keys, both laws alike, and stays to scale", async () => {
  const made = make("spheres", join(examples, "packing_spheres.yaml")), space = await browser.open(made.address, { still: true });
  loadsCleanly(space, made);
  const look = () => space.run(`(() => { const { views } = carom.charts.player, { camera, frame } = views[0].scene;
    const { bodies } = carom.data.report.scene, of = (i) => frame.at(bodies[i].at), flat = (u, v) => u.reduce((s, x, d) => s + x * v[d], 0);
    return { same: views[1].scene.camera === camera, axes: [camera.right, camera.up, camera.toward], scale: frame.scale,
      length: flat(camera.right, camera.right), across: flat(camera.right, camera.toward), about: camera.about, above: camera.above,
      order: carom.drawingOrder(carom.data.report.scene, camera).map((i) => camera.depth(bodies[i].at)),
      under: carom.bodyAt(carom.data.report.scene, frame, of(7)), places: [of(0), of(7)], at: [bodies[0].at, bodies[7].at] }; })()`);
  await space.run("carom.charts.player.transport.go(0.5)");
  const before = await look();
  assert.ok(before.same);
  assert.ok(Math.abs(before.length - 1) < 1e-12 && Math.abs(before.across) < 1e-12);
  assert.deepEqual(before.order, before.order.slice().sort((a, b) => a - b));
  await space.drag("#player-canvas", [0.05, 0.9], [0.3, 0.9]);
  const after = await look();
  assert.notEqual(after.about, before.about);
  // Pixels are the parts of the distance along right and up.
  const by = after.at[1].map((x, d) => x - after.at[0][d]), part = (u) => u.reduce((sum, value, d) => sum + value * by[d], 0);
  [part(after.axes[0]), -part(after.axes[1])].forEach((long, d) =>
    assert.ok(Math.abs(after.places[1][d] - after.places[0][d] - long * after.scale) < 1e-6));
  await space.run("document.getElementById('player-canvas').focus()");
  await space.key("ArrowUp");
  assert.equal((await look()).above, after.above + 5);
  await space.run("(() => { const s = document.getElementById('player-view'); s.selectedIndex = 3; s.dispatchEvent(new Event('change')); })()");
  assert.deepEqual((await look()).axes.flat().map((x) => Math.round(1e9 * x) / 1e9 + 0), [1, 0, 0, 0, 1, 0, 0, 0, 1]);
  assert.deepEqual(space.errors, []);
  await space.close();
});

await check("a body or contact under the pointer is shown in the picture, the charts and the tables", async () => {
  const linked = () => page.run(`({ rows: [...document.querySelectorAll("tr.linked th")].map((cell) => cell.textContent),
    wide: carom.charts.forces.plot.series.slice(1).filter((one) => one.width > 2).map((one) => one.label), now: carom.linkName() })`);
  for (const id of ["scene-table", "compare-table"]) { // made again if they are open
    await page.run(`document.getElementById("${id}").open = false`);
    await page.run("new Promise((done) => setTimeout(done, 50))");
    await open(page, id);
  }
  const [x, y] = await page.run(`(() => { const { scene } = carom.charts.player; carom.charts.player.transport.go(0.5);
    scene.canvas.scrollIntoView({ block: "center" });
    const box = scene.canvas.getBoundingClientRect(), at = scene.frame.at(carom.data.report.scene.bodies[1].at);
    return [box.left + at[0], box.top + at[1] + 9]; })()`);
  await page.call("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  const { rows, wide, now } = await linked();
  const own = await page.run("carom.data.contacts.map((c, j) => j).filter((j) => carom.bodiesOfContact(j).includes(1)).map((j) => carom.data.contact_names[j])");
  assert.equal(now, await page.run("carom.data.bodies[1]"));
  assert.deepEqual(wide, own);
  assert.deepEqual(rows.filter((name) => own.includes(name)), own);
  assert.ok(rows.includes(await page.run("carom.data.report.coordinates[1]")));
  await page.run("document.querySelector('#compare-table tbody tr').dispatchEvent(new Event('pointerenter'))");
  assert.deepEqual((await linked()).wide, [await page.run("carom.data.contact_names[0]")]);
  await page.run("carom.link(null)");
  assert.deepEqual((await linked()).rows, []);
});

await page.close();

// ---- Texts that mean harm -------------------------------------------------------------------

await check("a text of the user is never markup", async () => {
  const bad = "</script><script>window.hurt = 1</script><img src=x onerror=\"window.hurt = 2\"> ' & &lt; <!-- \\";
  const file = join(folder, "bad.yaml");
  writeFileSync(file, JSON.stringify({
    title: bad, laws: ["lzb", { law: "moreau", label: "</title><b>m</b>" }],
    bodies: [{ name: "<i onclick=x>a", radius: 1, mass: 1, position: [0, 0], velocity: [1, 0] },
      { name: "b\" onload=\"x", radius: 1, mass: 1, position: [2, 0] }],
  }));
  const made = make("bad", file);
  const hostile = await browser.open(made.address);
  loadsCleanly(hostile, made);
  assert.equal(await hostile.run("window.hurt"), undefined);
  assert.equal(await hostile.run("document.getElementById('title').textContent"), bad);
  assert.equal(await hostile.run("document.querySelectorAll('script').length"), 2);
  assert.equal(await hostile.run("document.querySelectorAll('img, b, i').length"), 0);
  assert.equal(await hostile.run("document.getElementById('scenario').textContent"), readFileSync(file, "utf8"));
  await hostile.close();
});

await check("a title of ten thousand characters does no harm", async () => {
  const file = join(folder, "long.yaml");
  writeFileSync(file, JSON.stringify({ title: "<b>" + "long ".repeat(2000), chain: { count: 2, velocity: [1] } }));
  const made = make("long", file);
  const long = await browser.open(made.address, { width: 400 });
  loadsCleanly(long, made);
  assert.equal((await long.run("document.getElementById('title').textContent")).length, 10003);
  assert.ok(await long.run("document.documentElement.scrollWidth <= 400"));
  assert.ok(await long.run("document.querySelector('header').offsetHeight < 600"));
  await long.close();
});

// ---- Where no stiffness was given -----------------------------------------------------------

await check("forces and times have no unit where no stiffness was given, and corners have names", async () => {
  const file = join(folder, "block.yaml");
  writeFileSync(file, JSON.stringify({
    bodies: [{ name: "block", shape: "box", size: [1, 1], mass: 1, position: [0, 0.5], velocity: [0, -1000] }],
    walls: [{ name: "floor", point: [0, 0], normal: [0, 1] }],
  }));
  const shown = await browser.open(make("block", file).address);
  await shown.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
  await shown.run("new Promise((done) => setTimeout(done, 100))");
  const words = await shown.run("document.getElementById('page').textContent");
  assert.match(words, /peak force, K=1/);
  assert.match(words, /duration, K=1/);
  assert.match(words, /block - floor \(2\)/);
  assert.doesNotMatch(words, /force, k?N|time, m?s|duration, s/);
  await shown.close();
});

// ---- Where nothing happens, and where all comes to rest -------------------------------------

await check("where nothing touches there is nothing to check, and nothing to compare", async () => {
  const file = join(folder, "apart.yaml");
  writeFileSync(file, JSON.stringify({
    laws: ["lzb", "moreau"], bodies: [{ name: "a", radius: 1, mass: 1, position: [0, 0], velocity: [1, 0] },
      { name: "b", radius: 1, mass: 1, position: [5, 0] }],
  }));
  const made = make("apart", file);
  const shown = await browser.open(made.address);
  loadsCleanly(shown, made);
  assert.equal(await shown.run("document.querySelectorAll('.verdicts li').length"), 0);
  assert.match(await shown.run("document.getElementById('summary').textContent"), /there is nothing to check/);
  assert.equal(await shown.run("document.getElementById('compare-canvas')"), null);
  assert.equal(await shown.run("document.getElementById('losses-canvas')"), null);
  await shown.close();
});

await check("what is rounding is shown as 0, and kept with all digits", async () => {
  const made = make("rest", new URL("../cases/comes-to-rest.yaml", import.meta.url).pathname);
  const shown = await browser.open(made.address);
  loadsCleanly(shown, made);
  assert.equal(await shown.run("document.querySelector('#summary-table tbody td').textContent"), "0");
  assert.deepEqual((await cells(shown, "#summary-table"))[0][0], made.json.results[0].energy_after);
  assert.ok(made.json.results[0].energy_after > 0);
  assert.deepEqual(await shown.run("carom.charts.compare.groups.map((group) => group.values)"), [[0], [0]]);
  assert.equal(await shown.run("document.querySelectorAll('.verdicts .bad').length"), 0);
  await shown.close();
});

// ---- Every kind of system -------------------------------------------------------------------

const kinds = ["packing_discs", "packing_spheres", "rod_on_obstacles", "system", "billiards_break", "three_balls_in_v"];
for (const kind of large ? kinds : kinds.slice(1, 4)) {
  await check("the page of " + kind, async () => {
    const made = make(kind, join(examples, kind + ".yaml"));
    const shown = await browser.open(made.address);
    loadsCleanly(shown, made);
    assert.equal(await shown.run("carom.ready"), true);
    const rows = await cells(shown, "#summary-table");
    made.json.results.forEach((result, i) => assert.equal(rows[i][0], result.energy_after));
    await shown.close();
  });
}

// ---- Sizes ----------------------------------------------------------------------------------

if (large) {
  await check("a history of a thousand balls: under 5 MB, open in two seconds", async () => {
    const made = make("thousand", join(examples, "long_chain.yaml"), ["--set", "chain.count=1000"]);
    const size = statSync(made.page).size;
    const shown = await browser.open(made.address);
    console.log("        " + size + " bytes, " + shown.milliseconds + " ms");
    loadsCleanly(shown, made);
    assert.ok(size < 5e6);
    assert.ok(shown.milliseconds < 2000);
    await shown.close();
  });
  await check("a million discs: a part of them is shown, and told", async () => {
    const made = make("million", join(examples, "packing_discs.yaml"), ["--law", "lzb", "--set",
      "laws[1].max_steps=300", "--set", "packing.columns=1000", "--set", "packing.rows=1001"]);
    const shown = await browser.open(made.address);
    console.log("        " + statSync(made.page).size + " bytes, " + shown.milliseconds + " ms");
    loadsCleanly(shown, { address: made.address });
    assert.match(await shown.run("document.getElementById('thinned').textContent"), /\d+ of 1000501 bodies/);
    await shown.close();
  });
}

await end();
