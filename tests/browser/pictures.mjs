// Pictures of a page, to be looked at:  node tests/browser/pictures.mjs PAGE.html FOLDER
// light-1.png, ..., dark-1.png, ..., phone-1.png, ..., from above to below, print-1.png, ...
import { resolve } from "node:path";
import { start } from "./browser.mjs";

const [file, folder] = process.argv.slice(2);
const address = "file://" + resolve(file);
const browser = await start();
const looks = {
  light: {}, dark: { dark: true }, print: { print: true, dark: true, width: 720 },
  phone: { width: 390, height: 800, phone: true, scale: 2 },
};
for (const [name, look] of Object.entries(looks)) {
  const page = await browser.open(address, look);
  await page.run(`(() => { const s = document.getElementById("player-slider");
    if (s) { s.value = 400; s.dispatchEvent(new Event("input")); } })()`);
  if (look.print) {
    await page.run("window.dispatchEvent(new Event('beforeprint'))");
  }
  const height = 1500;
  for (let from = 0, part = 1, whole = 1; from < whole; from += height, part++) {
    whole = await page.picture(folder + "/" + name + "-" + part + ".png", from, height);
  }
  console.log(name, page.milliseconds + " ms", page.errors.join("\n"));
  await page.close();
}
await browser.stop();
