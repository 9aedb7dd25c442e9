// The pages of carom sweep in a real browser:  node tests/browser/sweep.mjs CAROM [large]
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { begin } from "./pages.mjs";

const { browser, folder, examples, large, check, make, loadsCleanly, cells, open, end } = await begin("sweep");

// The rows of a table without quotes: {point, law, status, ...}
const rows = (text) => {
  const [head, ...lines] = text.trim().split("\n").map((line) => line.split(","));
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
};

// ---- A grid of two fields -------------------------------------------------------------------

const chain = make("chain", join(examples, "sweep_chain.yaml"));
const table = rows(chain.text);
const page = await browser.open(chain.address);

await check("the page loads without errors or requests", () => loadsCleanly(page, chain));

await check("its numbers are those of the table", async () => {
  const data = await page.run("carom.data");
  assert.deepEqual(data.laws, ["lzb", "binary"]);
  assert.equal(data.points.length, 123);
  table.forEach((row) => {
    const point = Number(row.point) - 1, law = data.laws.indexOf(row.law);
    data.fields.forEach((field, f) => assert.equal(data.inputs[f][point], Number(row[field.name])));
    data.quantities.forEach(({ name }, q) => assert.equal(data.values[q][law][point], Number(row[name])));
  });
});

const shown = (q) => page.run(`carom.charts["curve-${q}"].series.map((one) => one.y)`);
const expected = (law, quantity, exponent) => table.filter((row) => row.law === law && Number(row["chain.exponent"]) === exponent)
  .map((row) => Number(row[quantity]));

await check("curves are drawn from them, for the values chosen", async () => {
  assert.deepEqual(await shown(1), ["lzb", "binary"].map((law) => expected(law, "dispersion", 1)));
  await page.run(`(() => { const s = document.getElementById("fixed-0"); s.selectedIndex = 2;
    s.dispatchEvent(new Event("change")); })()`);
  assert.deepEqual(await shown(1), ["lzb", "binary"].map((law) => expected(law, "dispersion", 2)));
  await open(page, "curve-table-1");
  const first = (await cells(page, "#curve-table-1"))[0];
  assert.deepEqual(first, ["lzb", "binary"].map((law) => expected(law, "dispersion", 2)[0]));
});

await check("another field goes along the axis", async () => {
  await page.run(`(() => { const s = document.getElementById("x-field"); s.selectedIndex = 0;
    s.dispatchEvent(new Event("change")); })()`);
  const x = await page.run("carom.charts['curve-0'].series[0].x");
  assert.deepEqual(x, [1, 1.5, 2]);
  loadsCleanly(page, chain);
});

await check("a map tells the value under the cursor", async () => {
  await page.run("carom.sweepShow({ x: 1, y: 0, law: 1 })");
  await page.run("document.getElementById('map-0-canvas').focus()");
  for (let k = 0; k < 60; k++) {
    await page.key("ArrowLeft");
  }
  for (let k = 0; k < 4; k++) {
    await page.key("ArrowUp");
  }
  const told = await page.run("document.getElementById('map-0-readout').textContent");
  const row = table.find((one) => one.law === "binary" && Number(one["chain.exponent"]) === 2 && Number(one["chain.restitution"]) === 0.8);
  assert.equal(told, "chain.restitution 0.8, chain.exponent 2: " + Number(row.energy_ratio).toPrecision(6).replace(/0+$/, ""));
});

await check("charts zoom by keys, and back", async () => {
  const range = () => page.run("(({ low, high }) => [low, high])(carom.charts['curve-0'].x)");
  const full = await range();
  await page.run("document.getElementById('curve-0-canvas').focus()");
  await page.key("+");
  const near = await range();
  assert.ok(near[1] - near[0] < 0.7 * (full[1] - full[0]));
  await page.key("0");
  assert.deepEqual(await range(), full);
});
await page.close();

// ---- Points that fail, texts that mean harm, random draws -----------------------------------

await check("points without an answer are shown as such, and no text is markup", async () => {
  const file = join(folder, "bad.yaml");
  writeFileSync(file, JSON.stringify({
    title: "</script><script>window.hurt = 1</script>",
    laws: [{ law: "lzb", label: "<b>lzb</b>", max_steps: 1 }, "moreau"],
    chain: { count: 3, velocity: [1] },
    sweep: { grid: { "chain.wall": ["none", "right"], "chain.restitution": [0.2, 0.9] }, record: ["energy_ratio"] },
  }));
  const made = make("bad", file);
  const bad = await browser.open(made.address);
  loadsCleanly(bad, made);
  assert.equal(await bad.run("window.hurt"), undefined);
  assert.equal(await bad.run("document.querySelectorAll('b, img').length"), 0);
  assert.equal(await bad.run("document.querySelectorAll('script').length"), 2);
  assert.match(await bad.run("document.getElementById('failed').textContent"), /^4 of 8 rows have no answer/);
  assert.equal(await bad.run("document.querySelectorAll('#failures-table tbody tr').length"), 4);
  assert.deepEqual(await bad.run("carom.charts['curve-0'].series[0].y"), [null, null]);
  await bad.close();
});

await check("what a law does not define is not called a failure", async () => {
  const file = join(folder, "undefined.yaml");
  writeFileSync(file, JSON.stringify({
    laws: ["lzb", "binary"], chain: { count: 3, velocity: [1] },
    sweep: { grid: { "chain.restitution": [0.8, 0.9], "chain.exponent": [1, 1.5] }, record: ["energy_ratio", "duration"] },
  }));
  const page = await browser.open(make("undefined", file).address);
  assert.equal(await page.run("document.getElementById('failed')"), null);
  assert.match(await page.run("document.getElementById('quantity-1').textContent"), /Not defined by binary\./);
  assert.doesNotMatch(await page.run("document.getElementById('quantity-1').textContent"), /Not defined by lzb/);
  assert.doesNotMatch(await page.run("document.getElementById('quantity-0').textContent"), /Not defined/);
  await page.run("carom.sweepShow({ x: 0, y: 1, law: 1 })");
  await page.run("document.getElementById('map-1-canvas').focus()");
  await page.key("ArrowLeft");
  assert.match(await page.run("document.getElementById('map-1-readout').textContent"), /: not defined$/);
  await page.close();
});

await check("random draws are points", async () => {
  const made = make("random", join(examples, "sweep_uncertainty.yaml"));
  const shownAs = await browser.open(made.address);
  loadsCleanly(shownAs, made);
  assert.equal(await shownAs.run("carom.charts['curve-0'].series[0].noLine"), true);
  await shownAs.close();
});

if (large) {
  await check("a study of a hundred thousand points: thinned, and told", async () => {
    const made = make("many", join(examples, "sweep_chain.yaml"), ["--law", "binary", "--set", "chain.count=3",
      "--set", "sweep.grid={chain.exponent: {from: 1, to: 2, steps: 300}, chain.restitution: {from: 0, to: 1, steps: 500}}"]);
    const many = await browser.open(made.address);
    console.log("        " + statSync(made.page).size + " bytes, " + many.milliseconds + " ms");
    loadsCleanly(many, made);
    assert.match(await many.run("document.getElementById('thinned').textContent"), /of 150000 points/);
    const largest = (list) => list.reduce((most, value) => Math.max(most, value), 0);
    const most = largest(rows(made.text).map((row) => Number(row.dispersion)));
    const kept = largest(await many.run("carom.data.values[1][0]"));
    assert.ok(Math.abs(kept - most) < 1e-8 * most);
    await many.close();
  });
}

// ---- Many values, random ones -----------------------------------------------------------------

await check("a study of a hundred by a hundred opens with its map, each cell the point of the table", async () => {
  const file = join(folder, "grid.yaml");
  writeFileSync(file, `laws: [moreau]
chain: {mass: [1, 1, 1], velocity: [1], restitution: 0.9}
sweep:
  grid:
    chain.restitution: {from: 0, to: 1, steps: 100}
    "chain.mass[2]": {from: 0.1, to: 10, steps: 100, scale: log}
  record: [energy_ratio]
`);
  const grid = make("grid", file), page = await browser.open(grid.address);
  loadsCleanly(page, grid);
  assert.equal(await page.run("document.querySelector('h3').textContent"), "Maps over chain.restitution and chain.mass[2]");
  const cells = await page.run("carom.charts['map-0'].cells.map((cell) => [cell.count, cell.sum])");
  const rows = grid.text.split("\n").filter((line) => line && !line.startsWith("#")).slice(1).map((line) => line.split(","));
  const value = grid.text.split("\n").find((line) => line.startsWith("point")).split(",").indexOf("energy_ratio");
  assert.equal(cells.length, 10000);
  rows.forEach((row, i) => assert.deepEqual(cells[(i % 100) * 100 + Math.floor(i / 100)], [1, Number(row[value])]));
  await page.close();
});

await check("random fields have a histogram and quantiles, those of the table", async () => {
  const random = make("uncertain", join(examples, "sweep_uncertainty.yaml")), page = await browser.open(random.address);
  loadsCleanly(page, random);
  const values = await page.run("carom.data.values[0].map((list) => list.slice().sort((a, b) => a - b))");
  const shown = await cells(page, "#quantiles-0");
  values.forEach((sorted, law) => {
    const n = sorted.length, mean = sorted.reduce((sum, one) => sum + one, 0) / n;
    assert.equal(shown[law][0], n);
    assert.ok(Math.abs(shown[law][1] - mean) < 1e-12);
    assert.ok(Math.abs(shown[law][5] - (sorted[n / 2 - 1] + sorted[n / 2]) / 2) < 1e-12);
  });
  const { counts, bins } = await page.run("({ counts: carom.charts['histogram-0'].series.map((one) => one.counts), bins: carom.charts['histogram-0'].bins })");
  values.forEach((sorted, law) => {
    assert.equal(counts[law].reduce((sum, one) => sum + one, 0), sorted.length);
    assert.equal(counts[law][0], sorted.filter((one) => one < bins.low + bins.width).length);
  });
  await page.close();
});

await check("an uncertainty has one digit, and the value as many", async () => {
  const page = await browser.open(make("chain", join(examples, "sweep_chain.yaml")).address);
  const shown = (value, uncertainty) => page.run(`carom.withUncertainty(${value}, ${uncertainty})`);
  assert.equal(await shown(0.54997, 0.00049), "0.5500 ± 0.0005");
  assert.equal(await shown(-3.14159, 0.012), "−3.142 ± 0.012");
  assert.equal(await shown(1234.5, 30), "1234 ± 30".replace("1234", "1235"));
  assert.equal(await shown(1.5e10, 2e8), "(1.50 ± 0.02)e10");
  assert.equal(await shown(2, 0), "2");
  await page.close();
});

await end();
