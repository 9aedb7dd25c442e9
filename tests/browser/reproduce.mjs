// The pages of carom reproduce in a real browser:  node tests/browser/reproduce.mjs CAROM
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { begin } from "./pages.mjs";

const { browser, folder, check, make, loadsCleanly, cells, open, end } = await begin("reproduce");

// Two items of our own: v1 = (1 - e)/2 and v2 = (1 + e)/2 of equal balls; one number is misprinted.
const write = (name, title, second) => {
  const file = join(folder, name + ".yaml");
  writeFileSync(file, JSON.stringify({
    name, source: "a paper", title, note: "a note",
    scenario: { laws: ["newton"], chain: { count: 2, velocity: [1], restitution: 0.5 } },
    published: [{ what: "first ball", quantity: "velocity[1]", value: 0.25 },
      { what: "second ball", quantity: "velocity[2]", value: second }],
  }));
  return file;
};
const good = write("good", "right", 0.75), bad = write("bad", "</script><b>wrong", 0.85);
const made = make("record", good, [bad]);
const page = await browser.open(made.address);

await check("the page loads without errors or requests", () => loadsCleanly(page, made));

await check("its data is what --format json prints", async () => {
  const { items } = await page.run("carom.data");
  assert.deepEqual({ items }, made.json);
});

await check("an item shows its rows when it is opened", async () => {
  await page.run(`new Promise((done) => { const d = document.getElementById("item-0");
    d.addEventListener("toggle", () => setTimeout(done, 0), { once: true }); d.open = true; })`);
  const rows = await cells(page, "#item-0-table");
  const { rows: expected } = made.json.items[0];
  rows.forEach((row, i) => assert.deepEqual(row.slice(0, 3), [expected[i].published, expected[i].ours, expected[i].deviation]));
  assert.deepEqual(await page.run("carom.charts['item-0-chart'].groups.map((group) => group.values)"),
    expected.map((row) => [row.published, row.ours]));
});

await check("items are filtered by verdict and by words", async () => {
  const shown = () => page.run("[...document.querySelectorAll('.item')].filter((item) => !item.hidden).length");
  assert.equal(await shown(), 2);
  await page.run(`(() => { const s = document.getElementById("verdict"); s.value = "deviates";
    s.dispatchEvent(new Event("change")); })()`);
  assert.equal(await shown(), 1);
  assert.equal(await page.run("document.getElementById('shown').textContent"), "1 of 2 shown.");
  await page.run(`(() => { const s = document.getElementById("search"); s.value = "right";
    s.dispatchEvent(new Event("input")); })()`);
  assert.equal(await shown(), 0);
});

// Equal balls by Newton's law: the second leaves with (1 + e)/2; of three in a row, struck in turn by
// the law of binary collisions without loss, only the last one moves.
await check("curves are drawn with what is printed on them", async () => {
  const file = join(folder, "curve.yaml");
  writeFileSync(file, JSON.stringify({
    name: "curve", source: "a paper", title: "a curve",
    scenario: { laws: ["newton"], chain: { count: 2, velocity: [1] } },
    vary: { parameter: "e", values: [0, 0.25, 0.5, 1], set: ["chain.restitution=$"] },
    published: [{ what: "second ball", quantity: "velocity[2]", at: [0.5, 1], values: [0.75, 1] }],
    recomputed: [{ what: "at 0", quantity: "velocity[2]", at: [0], values: [0.5] }],
    checks: [{ what: "grows", quantity: "velocity[2]", range: [0.25, 1], trend: "increases" }],
  }));
  const list = join(folder, "list.yaml");
  writeFileSync(list, JSON.stringify({
    name: "list", source: "a paper", title: "a list",
    scenario: { laws: ["binary"], chain: { count: 3, velocity: [1] } },
    published: [{ what: "last ball", quantity: "velocity[-1]", value: 1 }],
  }));
  const both = make("curves", file, [list]);
  const shown = await browser.open(both.address);
  for (const i of [0, 1]) {
    await shown.run(`new Promise((done) => { const d = document.getElementById("item-${i}");
      d.addEventListener("toggle", () => setTimeout(done, 0), { once: true }); d.open = true; })`);
  }
  loadsCleanly(shown, both);
  const [[curve], [along]] = await shown.run("carom.data.report.charts");
  assert.deepEqual(curve.curves, [{ label: "newton", x: [0, 0.25, 0.5, 1], y: [0.5, 0.625, 0.75, 1],
    published: [[0.5, 0.75], [1, 1]], recomputed: [[0, 0.5]] }]);
  assert.deepEqual(along.curves, [{ label: "binary", x: [1, 2, 3], y: [0, 0, 1], published: [[3, 1]], recomputed: [] }]);
  assert.deepEqual(await shown.run("carom.charts['item-0-curve-0'].series.map(({ x, y }) => [x, y])"),
    [[[0, 0.25, 0.5, 1], [0.5, 0.625, 0.75, 1]]]);
  assert.deepEqual([curve.parameter, curve.along, along.along], ["e", false, true]);
  await open(shown, "item-0-curve-0-table");
  assert.deepEqual(await cells(shown, "#item-0-curve-0-table"), [[0.5], [0.625], [0.75], [1]]);
  await shown.close();
});

await check("a title is never markup", async () => {
  assert.equal(await page.run("document.querySelectorAll('b').length"), 0);
  assert.match(await page.run("document.getElementById('item-1').textContent"), /<\/script><b>wrong/);
  loadsCleanly(page, made);
});
await page.close();
await end();
