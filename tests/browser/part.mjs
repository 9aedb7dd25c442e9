// One picture of a page, from the heading that says WORDS down, its player at 2/5 of the way:
// node tests/browser/part.mjs PAGE.html WORDS HEIGHT FILE.png
import { resolve } from "node:path";
import { start } from "./browser.mjs";

const [file, words, height, to] = process.argv.slice(2);
const browser = await start();
const page = await browser.open("file://" + resolve(file), { width: 860 });
const from = await page.run(`(() => {
  const slider = document.getElementById("player-slider");
  slider.value = 0.4 * slider.max;
  slider.dispatchEvent(new Event("input"));
  const heading = [...document.querySelectorAll("h2, h3")].find((h) => h.textContent === ${JSON.stringify(words)});
  return heading.getBoundingClientRect().top + scrollY - 8;
})()`);
await page.picture(to, from, Number(height));
await browser.stop();
