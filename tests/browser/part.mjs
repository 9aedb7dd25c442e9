// A picture of the first screen of a page, its player at a PART of the whole:
// node tests/browser/part.mjs PAGE.html PART HEIGHT FILE.png
import { resolve } from "node:path";
import { start } from "./browser.mjs";

const [file, part, height, to] = process.argv.slice(2);
const browser = await start();
const page = await browser.open("file://" + resolve(file), { width: 860, still: true });
await page.run(`(() => {
  const slider = document.getElementById("player-slider");
  slider.value = ${Number(part)} * slider.max;
  slider.dispatchEvent(new Event("input"));
})()`);
await page.picture(to, 0, Number(height));
await browser.stop();
