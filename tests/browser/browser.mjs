// A headless browser over the DevTools protocol, by its pipe: plain node, no packages.
//
//     const browser = await start();
//     const page = await browser.open("file:///...", {width: 1000, height: 800, dark: false, still: false});
//     await page.run("document.title")    what the expression gives, as JSON
//     page.errors, page.requests          complaints of the console, addresses asked for
//     await browser.stop();
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

// The first of these programs that is there; null: none.
export function find() {
  return NAMES.find((name) => spawnSync("which", [name]).status === 0) || null;
}

export async function start() {
  const profile = mkdtempSync(join(tmpdir(), "carom-browser-"));
  const name = find();
  const child = spawn(name, ["--headless", "--no-sandbox", "--disable-gpu", "--mute-audio",
    "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-device-scale-factor=1", "--hide-scrollbars",
    "--user-data-dir=" + profile, "--remote-debugging-pipe", "about:blank"],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map(), listeners = [];
  let last = 0, rest = "", ended = false;
  child.on("exit", () => {
    ended = true;
    waiting.forEach(({ fail }) => fail(new Error("the browser ended")));
  });
  child.stdio[4].setEncoding("utf8");
  child.stdio[4].on("data", (text) => {
    const parts = (rest + text).split("\0");
    rest = parts.pop();
    for (const part of parts) {
      take(JSON.parse(part));
    }
  });
  const take = (message) => {
    if (message.id && waiting.has(message.id)) {
      const { done, fail } = waiting.get(message.id);
      waiting.delete(message.id);
      message.error ? fail(new Error(message.error.message)) : done(message.result);
    } else {
      listeners.forEach((listen) => listen(message));
    }
  };
  const send = (method, params = {}, sessionId) => new Promise((done, fail) => {
    if (ended) {
      fail(new Error("the browser ended"));
      return;
    }
    waiting.set(++last, { done, fail });
    child.stdio[3].write(JSON.stringify({ id: last, method, params, sessionId }) + "\0");
  });

  const open = async (address, look = {}) => {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const page = { errors: [], requests: [], call };
    let loaded;
    const load = new Promise((done) => {
      loaded = done;
    });
    listeners.push((message) => {
      if (message.sessionId !== sessionId) {
        return;
      }
      const { method, params } = message;
      if (method === "Runtime.exceptionThrown") {
        page.errors.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
      } else if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type)) {
        page.errors.push(params.args.map((a) => a.value ?? a.description).join(" "));
      } else if (method === "Log.entryAdded" && params.entry.level === "error") {
        page.errors.push(params.entry.text);
      } else if (method === "Network.requestWillBeSent") {
        page.requests.push(params.request.url);
      } else if (method === "Page.loadEventFired") {
        loaded();
      }
    });
    for (const domain of ["Page", "Runtime", "Log", "Network"]) {
      await call(domain + ".enable");
    }
    await call("Emulation.setDeviceMetricsOverride", {
      width: look.width || 1000, height: look.height || 900, deviceScaleFactor: look.scale || 1,
      mobile: Boolean(look.phone),
    });
    await call("Emulation.setEmulatedMedia", {
      media: look.print ? "print" : "screen",
      features: [{ name: "prefers-color-scheme", value: look.dark ? "dark" : "light" },
        { name: "prefers-reduced-motion", value: look.still ? "reduce" : "no-preference" }],
    });
    const begun = Date.now();
    await call("Page.navigate", { url: address });
    await load;
    page.run = async (expression) => {
      const { result, exceptionDetails } = await call("Runtime.evaluate",
        { expression, returnByValue: true, awaitPromise: true });
      if (exceptionDetails) {
        throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
      }
      return result.value;
    };
    await page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    page.milliseconds = Date.now() - begun;
    page.key = async (key) => {
      const text = key.length === 1 ? key : undefined;
      const codes = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Tab: 9, Enter: 13, " ": 32 };
      const about = { key, code: key, text, windowsVirtualKeyCode: codes[key] || key.charCodeAt(0) };
      await call("Input.dispatchKeyEvent", { type: "keyDown", ...about });
      await call("Input.dispatchKeyEvent", { type: "keyUp", ...about });
    };
    page.drag = async (selector, from, to) => {
      const box = await page.run(`(() => { const e = document.querySelector(${JSON.stringify(selector)});
        e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect();
        return [r.left, r.top, r.width, r.height]; })()`);
      const at = ([x, y]) => ({ x: box[0] + x * box[2], y: box[1] + y * box[3], button: "left", clickCount: 1 });
      await call("Input.dispatchMouseEvent", { type: "mousePressed", ...at(from) });
      for (let k = 1; k <= 4; k++) {
        await call("Input.dispatchMouseEvent", { type: "mouseMoved", buttons: 1, ...at([from[0] + ((to[0] - from[0]) * k) / 4, from[1]]) });
      }
      await call("Input.dispatchMouseEvent", { type: "mouseReleased", ...at(to) });
    };
    // From a height of the page on; returns how high all of it is.
    page.picture = async (file, from = 0, height = 1500) => {
      const whole = await page.run("document.documentElement.scrollHeight");
      const clip = { x: 0, y: from, width: look.width || 1000, height: Math.min(height, whole - from), scale: 1 };
      const { data } = await call("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
      writeFileSync(file, Buffer.from(data, "base64"));
      return whole;
    };
    page.close = () => send("Target.closeTarget", { targetId });
    return page;
  };
  const stop = async () => {
    await send("Browser.close").catch(() => {});
    await new Promise((done) => (ended ? done() : child.on("exit", done)));
    rmSync(profile, { recursive: true, force: true });
  };
  return { open, stop, name };
}

// node tests/browser/browser.mjs found: whether there is a browser.
if (process.argv[1]?.endsWith("browser.mjs") && process.argv[2] === "found") {
  process.exit(find() ? 0 : 1);
}
