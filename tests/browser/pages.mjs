// What the tests of all pages share: making them, opening them, reading them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { find, start } from "./browser.mjs";

// For the command whose pages are looked at; ends the program where there is no browser.
export async function begin(command) {
  const carom = resolve(process.argv[2] || "build/carom");
  const large = process.argv[3] === "large";
  const examples = new URL("../../examples/", import.meta.url).pathname;
  if (!find()) {
    console.log("skipped: there is no browser here (chromium-headless-shell)");
    process.exit(0);
  }
  const folder = mkdtempSync(join(tmpdir(), "carom-pages-"));
  const browser = await start();
  let passed = 0, failed = 0;

  const check = async (name, act) => {
    try {
      await act();
      passed++;
      console.log("ok      " + name);
    } catch (error) {
      failed++;
      console.log("FAILED  " + name + "\n" + String(error.stack || error).replace(/^/gm, "        "));
    }
  };

  // The page of a scenario or item, and what the same run prints: CSV of sweep, else JSON.
  const make = (name, scenario, options = []) => {
    const page = join(folder, name + ".html");
    const printed = join(folder, name + (command === "sweep" ? ".csv" : ".json"));
    const done = spawnSync(carom, [command, scenario, "--report", page, "-o", printed, "--quiet", ...options],
      { encoding: "utf8" });
    assert.ok([0, 4].includes(done.status), done.stderr);
    const text = readFileSync(printed, "utf8");
    return { page, address: "file://" + page, text, json: command === "sweep" ? null : JSON.parse(text) };
  };

  const loadsCleanly = (page, made) => {
    assert.deepEqual(page.errors, []);
    assert.deepEqual(page.requests.filter((address) => !address.startsWith("data:")), [made.address]);
  };

  // Every cell with a number, row by row.
  const cells = (page, selector) => page.run(`[...document.querySelectorAll(${JSON.stringify(selector)} + " tbody tr")]
    .map((row) => [...row.children].slice(1).map((cell) =>
      cell.dataset.value === undefined ? null : Number(cell.dataset.value)))`);

  const open = (page, id) => page.run(`new Promise((done) => {
    const d = document.getElementById("${id}");
    d.addEventListener("toggle", () => setTimeout(done, 0), { once: true }); d.open = true; })`);

  const end = async () => {
    await browser.stop();
    rmSync(folder, { recursive: true });
    console.log(passed + " passed, " + failed + " failed");
    process.exit(failed > 0 ? 1 : 0);
  };
  return { browser, carom, folder, examples, large, check, make, loadsCleanly, cells, open, end };
}
