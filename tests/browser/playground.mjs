// The playground in node and in a real browser:  node tests/browser/playground.mjs CAROM [PLAYGROUND]
//
// The program for WebAssembly gives the bytes of the program for every example; the page solves when something is
// changed, keeps its text and sliders in step, survives input that means harm, and asks for nothing from outside.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, webcrypto } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runInThisContext } from "node:vm";
import { find, start } from "./browser.mjs";

const carom = resolve(process.argv[2] || "build/carom");
const folder = resolve(process.argv[3] || "build/playground");
if (!existsSync(join(folder, "index.html"))) {
  console.log("skipped: there is no playground (make playground)");
  process.exit(0);
}
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
const native = (args, input) => spawnSync(carom, args, { input, encoding: "utf8", maxBuffer: 1 << 28 });

// ---- The program, in node ---------------------------------------------------------------------

globalThis.crypto ??= webcrypto;
const host = readFileSync(new URL("../../src/report/page/browser/worker/host.js", import.meta.url), "utf8");
const runCarom = runInThisContext(host + "; runCarom");
const module_ = new WebAssembly.Module(readFileSync(join(folder, "carom.wasm")));
const examples = new URL("../../examples/", import.meta.url).pathname;

const same = (args, text) => {
  const ours = runCarom(module_, args, text), theirs = native(args, text);
  assert.equal(ours.out, theirs.stdout);
  assert.equal(ours.err, theirs.stderr);
  assert.equal(ours.code, theirs.status);
};
const scenarios = readdirSync(examples).filter((name) => name.endsWith(".yaml"));

await check("solve gives the program's bytes for all " + scenarios.length + " examples", () => {
  scenarios.forEach((name) => same(["solve", "-", "--format", "json", "--quiet"], readFileSync(join(examples, name), "utf8")));
});

await check("so do check, tables, motions, derivatives and lists", () => {
  const text = (name) => readFileSync(join(examples, name), "utf8");
  same(["check", "-"], text("newton_cradle.yaml"));
  same(["solve", "-"], text("three_balls.yaml"));
  same(["simulate", "-", "--format", "json"], text("bouncing_ball.yaml"));
  same(["simulate", "-", "--format", "json"], text("three_balls_in_v.yaml"));
  same(["sensitivity", "-", "--format", "json"], text("sensitivity_balls.yaml"));
  same(["laws", "lzb"], "");
});

await check("mistakes get the program's messages", () => {
  same(["solve", "-"], "chain: {count: 3, restituton: 1}");
  same(["solve", "-"], "chain: {count: 1e9, velocity: [1");
  same(["solve", "-"], "\0\x01");
});

// ---- The page, in a browser -------------------------------------------------------------------

if (find()) {
  const browser = await start();
  const page = await browser.open("file://" + join(folder, "index.html"), { width: 1280 });
  const settled = () => page.run(`new Promise((done, fail) => { const begun = performance.now(); const look = () => {
    const solver = carom.live.running;
    if (solver && !solver.busy && !solver.waiting && document.getElementById("bits").textContent) { done(); }
    else if (performance.now() - begun > 60000) { fail(new Error("the solver did not end")); }
    else { setTimeout(look, 20); } }; look(); })`);
  const numbers = () => page.run("carom.data.results.map((result) => result.velocity)");
  const textOf = () => page.run("document.getElementById('text').value");
  const slide = async (name, value) => {
    await page.run(`(() => { const s = document.getElementById("field-${name}"); s.value = ${value}; s.dispatchEvent(new Event("input")); })()`);
    await settled();
  };
  const expected = (text) => JSON.parse(native(["solve", "-", "--format", "json"], text).stdout).results.map((r) => r.velocity);
  await settled();

  await check("it opens solved, without errors or requests, with the program's numbers", async () => {
    assert.deepEqual(page.errors, []);
    assert.deepEqual(page.requests.filter((address) => !/^(file|blob|data):/.test(address)), []);
    assert.deepEqual(await numbers(), expected(await textOf()));
    assert.equal(await page.run("document.getElementById('headline').textContent.length > 40"), true);
  });

  await check("a slider changes the text and solves again, with the program's bits", async () => {
    for (const [name, value] of [["restitution", 0.5], ["count", 12], ["restitution", 0]]) {
      await slide(name, value);
      assert.match(await textOf(), new RegExp("\\b" + name + ": " + value + "\\n"));
      assert.deepEqual(await numbers(), expected(await textOf()));
    }
  });

  await check("a text that is typed moves the sliders, and another law takes its place", async () => {
    await page.run(`(() => { const t = document.getElementById("text"); t.value = t.value.replace(/count: \\d+/, "count: 7");
      t.dispatchEvent(new Event("input")); })()`);
    await settled();
    assert.equal(await page.run("document.getElementById('field-count').value"), "7");
    await page.run("document.getElementById('law-poisson').click()");
    await settled();
    assert.match(await textOf(), /^laws: \[lzb, moreau, poisson, binary\]$/m);
    assert.deepEqual(await page.run("carom.data.results.map((result) => result.law)"), ["lzb", "moreau", "poisson", "binary"]);
  });

  await check("the player goes on where it was", async () => {
    await page.run("carom.charts.player.transport.pause(), carom.charts.player.show(0.9)");
    await slide("restitution", 0.8);
    assert.equal(await page.run("carom.charts.player.transport.part()"), 0.9);
    assert.equal(await page.run("carom.charts.player.transport.playing"), false);
  });

  await check("every scenario to start from is solved, and motions move", async () => {
    for (const name of await page.run("Object.keys(carom.live.PRESETS)")) {
      await page.run(`(() => { const p = document.getElementById("preset"); p.value = ${JSON.stringify(name)}; p.dispatchEvent(new Event("change")); })()`);
      await settled();
      assert.equal(await page.run("document.getElementById('message').textContent"), "", name);
      assert.equal(await page.run("carom.data.title === undefined"), false);
      assert.ok(await page.run("carom.ready && carom.charts.player !== null"), name);
    }
    assert.deepEqual(page.errors, []);
  });

  const mouse = (type, x, y, buttons) => page.call("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons, clickCount: 1 });
  await check("a ball that is dragged is struck, on the line and in the plane", async () => {
    const drag = async (body, dx, dy) => {
      const [x, y] = await page.run(`(() => { const { scene } = carom.charts.player; carom.charts.player.transport.pause();
        carom.charts.player.transport.go(0.5); scene.canvas.scrollIntoView({ block: "center" });
        const box = scene.canvas.getBoundingClientRect(), [x, y] = scene.frame.at(carom.data.report.scene.bodies[${body}].at);
        return [box.left + x, box.top + y]; })()`);
      await mouse("mousePressed", x, y, 1);
      await mouse("mouseMoved", x + dx, y + dy, 1);
      await mouse("mouseReleased", x + dx, y + dy, 0);
      await settled();
    };
    await page.run("carom.live.change(carom.live.PRESETS[\"Newton's cradle\"])");
    await settled();
    await drag(1, 40, 0);
    assert.match(await textOf(), /velocity: \[1, 0.5\]/);
    assert.deepEqual(await page.run("carom.data.velocity_before"), [1, 0.5, 0, 0, 0]);
    assert.deepEqual(await numbers(), expected(await textOf()));
    await page.run("carom.live.change(carom.live.PRESETS['the break'])");
    await settled();
    await drag(6, -80, -40);
    assert.match(await textOf(), /velocity: \[-1, 0.5\], name: six/);
    assert.deepEqual(await numbers(), expected(await textOf()));
  });

  await check("one body has its velocity and its mass by sliders", async () => {
    await page.run("carom.live.change(carom.live.PRESETS['a decorated chain'])");
    await settled();
    await page.run("(() => { const b = document.getElementById('one-body'); b.selectedIndex = 2; b.dispatchEvent(new Event('change')); })()");
    await slide("one-mass", 3);
    assert.match(await textOf(), /mass: \[1, 0.2, 3, 0.2, 1/);
    await slide("velocity-x", -0.5);
    assert.match(await textOf(), /velocity: \[1, 0, -0.5\]/);
    assert.deepEqual(await numbers(), expected(await textOf()));
  });

  await check("options of the command line count, and their sliders change them", async () => {
    await page.run("carom.live.change('chain: {count: 3, velocity: [1], restitution: 1}', '--set chain.restitution=0.5')");
    await settled();
    await slide("restitution", 0.25);
    assert.equal(await page.run("document.getElementById('options').value"), "--set chain.restitution=0.25");
    assert.deepEqual(await numbers(), expected("chain: {count: 3, velocity: [1], restitution: 0.25}"));
  });

  await check("a mistake is told, and the picture stays", async () => {
    const title = await page.run("document.getElementById('title').textContent");
    await page.run("carom.live.change('chain: {count: 3, restituton: 1}')");
    await settled();
    assert.match(await page.run("document.getElementById('message').textContent"), /restituton.*restitution/s);
    assert.equal(await page.run("document.getElementById('title').textContent"), title);
    for (const text of ["<script>x</script>", "a: &a [*a]", "chain: {count: 100000000}", "{".repeat(100000)]) {
      await page.run(`carom.live.change(${JSON.stringify(text)})`);
      await settled();
      assert.notEqual(await page.run("document.getElementById('message').textContent"), "");
    }
    assert.deepEqual(page.errors, []);
  });

  await check("what takes long can be stopped", async () => {
    await page.run(`carom.live.change("laws: [lzb]\\npacking: {columns: 300, rows: 300, dimension: 2}\\n")`);
    await page.run("new Promise((done) => setTimeout(done, 300))");
    await page.run("document.getElementById('stop').click()");
    assert.equal(await page.run("carom.live.running.busy"), false);
    await page.run("carom.live.change(carom.live.PRESETS[\"Newton's cradle\"])");
    await settled();
    assert.equal(await page.run("document.getElementById('title').textContent"), "Newton's cradle");
  });

  await check("a link carries the scenario", async () => {
    const linked = await browser.open("file://" + join(folder, "index.html") + "#scenario=" +
      encodeURIComponent("title: by link\nchain:\n  count: 4\n  velocity: [1]\n"), { width: 380, height: 780, phone: true });
    await linked.run("new Promise((done) => { const look = () => (carom.ready ? done() : setTimeout(look, 20)); look(); })");
    assert.equal(await linked.run("document.getElementById('title').textContent"), "by link");
    assert.ok(await linked.run("document.documentElement.scrollWidth <= 380"));
    await linked.close();
  });

  await check("a report made with --live solves again, a report without it asks for nothing", async () => {
    const folder_ = mkdtempSync(join(tmpdir(), "carom-live-")), scenario = join(examples, "newton_cradle.yaml");
    const write = (name, ...more) => {
      const made = spawnSync(carom, ["solve", scenario, "--report", join(folder_, name), "--quiet", ...more], { encoding: "utf8" });
      assert.equal(made.status, 0, made.stderr);
      return readFileSync(join(folder_, name), "utf8");
    };
    assert.match(write("live.html", "--live", "--set", "chain.restitution=0.5"), /script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:;/);
    assert.doesNotMatch(write("plain.html"), /wasm-unsafe-eval|carom-solver/);
    const live = await browser.open("file://" + join(folder_, "live.html"));
    await live.run("new Promise((done) => { const look = () => (carom.live.running.module ? done() : setTimeout(look, 20)); look(); })");
    assert.equal(await live.run("document.getElementById('options').value"), "--set chain.restitution=0.5");
    await live.run("(() => { const s = document.getElementById('field-restitution'); s.value = 0.25; s.dispatchEvent(new Event('input')); })()");
    await live.run("new Promise((done) => { const look = () => (document.getElementById('bits').textContent ? done() : setTimeout(look, 20)); look(); })");
    const text = readFileSync(scenario, "utf8"), now = native(["solve", "-", "--format", "json", "--set", "chain.restitution=0.25"], text).stdout;
    assert.deepEqual(await live.run("carom.data.results.map((result) => result.velocity)"), JSON.parse(now).results.map((r) => r.velocity));
    const hash = createHash("sha256").update(now).digest("hex").slice(0, 16);
    assert.ok((await live.run("document.getElementById('bits').textContent")).includes(hash));
    assert.deepEqual(live.errors, []);
    await live.close();
    rmSync(folder_, { recursive: true });
  });

  await check("a live report of two motions solves both again", async () => {
    const folder_ = mkdtempSync(join(tmpdir(), "carom-live-")), scenario = join(examples, "three_balls_in_v.yaml");
    const made = spawnSync(carom, ["simulate", scenario, "--report", join(folder_, "two.html"), "--quiet", "--live", "--law", "lzb,moreau"], { encoding: "utf8" });
    assert.equal(made.status, 0, made.stderr);
    const live = await browser.open("file://" + join(folder_, "two.html"), { still: true });
    await live.run("(() => { const s = document.getElementById('field-restitution'); s.value = 0.5; s.dispatchEvent(new Event('input')); })()");
    await live.run("new Promise((done) => { const look = () => (document.getElementById('bits').textContent ? done() : setTimeout(look, 20)); look(); })");
    // Both at once, as the page was made: a run with a page pauses where one without does not.
    const again = (law) => JSON.parse(native(["simulate", "-", "--law", law, "--format", "json", "--report", join(folder_, "again.html"),
      "--set", "contacts.restitution=0.5"], readFileSync(scenario, "utf8")).stdout);
    assert.deepEqual(await live.run("carom.data.position"), again("lzb").position);
    assert.deepEqual(await live.run("carom.data.beside.position"), again("moreau").position);
    assert.deepEqual(live.errors, []);
    await live.close();
    rmSync(folder_, { recursive: true });
  });

  await check("the page has less than 900 kB", () => assert.ok(statSync(join(folder, "index.html")).size < 900e3));

  const milliseconds = async (text) => {
    const times = [];
    for (let k = 0; k < 9; k++) {
      await page.run(`carom.live.change(${JSON.stringify(text)} + "# " + ${k} + "\\n")`);
      await settled();
      times.push(await page.run("1000 * carom.live.running.seconds"));
    }
    return Math.min(...times);
  };
  console.log("        a cradle in " + (await milliseconds("laws: [lzb]\nchain: {count: 5, velocity: [1]}\n")).toFixed(2) + " ms, 1000 beads in " +
    (await milliseconds("laws: [lzb]\nchain: {count: 1000, velocity: [1]}\n")).toFixed(1) + " ms, least of nine");
  await browser.stop();
}
console.log(passed + " passed, " + failed + " failed");
process.exit(failed > 0 ? 1 : 0);
