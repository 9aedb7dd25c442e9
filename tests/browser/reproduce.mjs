// The pages of carom reproduce in a real browser:  node tests/browser/reproduce.mjs CAROM
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { begin } from "./pages.mjs";

const { browser, folder, check, make, isQuiet, cells, end } = await begin("reproduce");

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

await check("the page loads without a complaint, and asks for nothing", () => isQuiet(page, made));

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
  assert.equal(await page.run("document.getElementById('shown').textContent"), "1 of 2 are shown.");
  await page.run(`(() => { const s = document.getElementById("search"); s.value = "right";
    s.dispatchEvent(new Event("input")); })()`);
  assert.equal(await shown(), 0);
});

await check("a title is never markup", async () => {
  assert.equal(await page.run("document.querySelectorAll('b').length"), 0);
  assert.match(await page.run("document.getElementById('item-1').textContent"), /<\/script><b>wrong/);
  isQuiet(page, made);
});
await page.close();
await end();
