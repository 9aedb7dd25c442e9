// What a reader takes away: pictures, tables, films, and an address that leads back to what is seen.
"use strict";

// ---- Files ------------------------------------------------------------------------------------

carom.saveFile = function (name, blob) {
  const link = carom.element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

// Canvases below each other, on the colour of the page.
carom.savePicture = function (name, canvases) {
  const whole = document.createElement("canvas"), shown = canvases.filter((canvas) => canvas.width > 0);
  whole.width = Math.max(...shown.map((canvas) => canvas.width));
  whole.height = shown.reduce((sum, canvas) => sum + canvas.height, 0);
  const c = whole.getContext("2d");
  c.fillStyle = carom.colour("paper");
  c.fillRect(0, 0, whole.width, whole.height);
  shown.reduce((y, canvas) => {
    c.drawImage(canvas, 0, y);
    return y + canvas.height;
  }, 0);
  whole.toBlob((blob) => carom.saveFile(name + ".png", blob));
};

carom.pictureButton = function (name, canvases) {
  return carom.element("button", { type: "button", class: "save", "aria-label": "save " + name + " as a picture",
    click: () => carom.savePicture(name, canvases()) }, "PNG");
};

// All rows with all digits; texts in quotation marks where they need them (RFC 4180).
carom.tableText = function ({ columns, count, row }) {
  const cell = (value) => {
    const plain = value && typeof value === "object" ? value.value : value;
    const text = plain === null || plain === undefined ? "" : String(plain);
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const lines = [columns, ...Array.from({ length: count }, (_, k) => row(k))];
  return lines.map((line) => line.map(cell).join(",") + "\r\n").join("");
};

carom.tableButton = function (name, make) {
  return carom.element("button", { type: "button", class: "save", "aria-label": "save " + name + " as CSV",
    click: () => carom.saveFile(name + ".csv", new Blob([carom.tableText(make())], { type: "text/csv" })) }, "CSV");
};

// ---- A film of the player -----------------------------------------------------------------------

// From the beginning to the end, as WebM; null where the browser records none.
carom.filmButton = function (transport, canvases, seconds) {
  if (typeof MediaRecorder === "undefined" || !HTMLCanvasElement.prototype.captureStream) {
    return null;
  }
  const record = () => {
    const shown = canvases(), whole = document.createElement("canvas"), c = whole.getContext("2d");
    whole.width = Math.max(...shown.map((canvas) => canvas.width));
    whole.height = shown.reduce((sum, canvas) => sum + canvas.height, 0);
    const recorder = new MediaRecorder(whole.captureStream(30)), parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => {
      button.disabled = false;
      carom.saveFile("player.webm", new Blob(parts, { type: "video/webm" }));
    };
    const begun = performance.now();
    button.disabled = true;
    recorder.start();
    const frame = (now) => {
      const part = Math.min(1, Math.max(0, (now - begun) / 1000 / seconds()));
      transport.go(part);
      c.fillStyle = carom.colour("paper");
      c.fillRect(0, 0, whole.width, whole.height);
      shown.reduce((y, canvas) => {
        c.drawImage(canvas, 0, y);
        return y + canvas.height;
      }, 0);
      if (part < 1) {
        requestAnimationFrame(frame);
      } else {
        setTimeout(() => recorder.stop(), 500);
      }
    };
    requestAnimationFrame(frame);
  };
  const button = carom.element("button", { type: "button", class: "save", "aria-label": "save the player as a film", click: record }, "WebM");
  return button;
};

// ---- The address ------------------------------------------------------------------------------

// What is seen, as NAME=VALUE after the "#"; where the address is used for something else, `own` says so.
carom.address = {
  own: false,
  read() {
    return carom.address.own ? {} : Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  },
  write(values) {
    if (!carom.address.own) {
      history.replaceState(null, "", "#" + new URLSearchParams(Object.entries(values).filter(([, value]) => value !== null)));
    }
  },
};
