// The pages of carom fit in a real browser:  node tests/browser/fit.mjs CAROM
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { begin } from "./pages.mjs";

const { browser, folder, examples, check, make, loadsCleanly, cells, open, end } = await begin("fit");

// Equal balls by Newton's law leave with (1 - e)/2 and (1 + e)/2. Measured as m1 and m2, both to s,
// e is m2 - m1 by least squares, known to s sqrt(2); what is left of each is half of 1 - m1 - m2.
const M1 = 0.12, M2 = 0.9, S = 0.02;
const file = join(folder, "fit.yaml");
const title = "</script><script>window.hurt = 1</script><b>fit";
writeFileSync(file, JSON.stringify({
  title, laws: ["newton"], chain: { count: 2, velocity: [1], restitution: 0.5 },
  fit: {
    parameters: { "chain.restitution": { from: 0, to: 1 } },
    measured: [{ what: "velocity[1]", value: M1, uncertainty: S }, { what: "velocity[2]", value: M2, uncertainty: S }],
  },
}));
const made = make("fit", file);
const page = await browser.open(made.address);
// The fit ends when it would move by so little of the uncertainty.
const near = (a, b, size) => assert.ok(Math.abs(a - b) < 1e-4 * size, a + " " + b);

await check("the page loads without errors or requests", () => loadsCleanly(page, made));

await check("its data is what --format json prints", async () => {
  const { report, ...plain } = await page.run("JSON.parse(document.getElementById('carom-data').textContent)");
  assert.deepEqual(plain, made.json);
  assert.equal(report.source.command, "carom fit " + file);
});

await check("parameters, residuals and their uncertainties are those of the closed form", async () => {
  const [[, value, uncertainty]] = await cells(page, "#parameters-table");
  near(value, M2 - M1, S);
  near(uncertainty, S * Math.sqrt(2), S);
  assert.equal(value, made.json.parameters[0].value);
  const left = (1 - M1 - M2) / 2;
  (await page.run("carom.charts.residuals.sizes")).forEach((size) => near(size, left / S, 1));
  await open(page, "measured-table");
  const rows = await cells(page, "#measured-table");
  made.json.residuals.forEach((row, k) => assert.deepEqual(rows[k],
    [row.measured, row.uncertainty, row.fitted, row.deviation, row.deviation / row.uncertainty]));
});

await check("arrow keys read measurements", async () => {
  await page.run("document.getElementById('measured-0-canvas').focus()");
  await page.key("ArrowRight");
  assert.match(await page.run("document.getElementById('measured-0-readout').textContent"), /^2: velocity\[2\] measured 0.9 ± 0.02, fitted 0.89$/);
  await page.key("+");
  assert.ok(await page.run("carom.charts['measured-0'].x.high - carom.charts['measured-0'].x.low < 1.9"));
});

await check("a text of the user is never markup; whatever is drawn has words", async () => {
  assert.equal(await page.run("window.hurt"), undefined);
  assert.equal(await page.run("document.getElementById('title').textContent"), title);
  assert.equal(await page.run("document.querySelectorAll('b, img').length"), 0);
  assert.equal(await page.run("document.querySelectorAll('script').length"), 2);
  assert.equal(await page.run(`[...document.querySelectorAll("canvas")].filter((c) => !c.getAttribute("aria-label") &&
    c.getAttribute("aria-hidden") !== "true").length`), 0);
  loadsCleanly(page, made);
});
await page.close();

await check("several parameters: their correlation; on a phone and in the dark", async () => {
  const four = make("four", join(examples, "fit_contact_time.yaml"));
  const shown = await browser.open(four.address, { width: 360, height: 740, phone: true, dark: true });
  await open(shown, "correlation-table");
  assert.deepEqual(await cells(shown, "#correlation-table"), four.json.correlation);
  assert.ok(await shown.run("document.documentElement.scrollWidth <= 360"));
  loadsCleanly(shown, four);
  await shown.close();
});
await end();
