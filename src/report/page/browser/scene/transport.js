// A slider that plays.
"use strict";

// ---- A slider that plays ---------------------------------------------------------------------

const SLIDER = 1000;
const HOLD_SECONDS = 1.5; // at the end, before it begins again

// options: label, show(part of the whole, from 0 to 1) -> a description, seconds() that it plays, loop?
// from the end to the beginning, stopped(part)? called when it stops or is moved
carom.transport = function (options) {
  const { element } = carom;
  const transport = { playing: false };
  const slider = element("input", {
    type: "range", id: "player-slider", min: 0, max: SLIDER, value: 0, step: "any",
    "aria-label": options.label, input: () => {
      run(false);
      show(Number(slider.value));
      moved();
    },
  });
  // With "any" a browser's own steps are a hundredth of the whole.
  slider.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -100, PageUp: 100 }[event.key];
    if (by && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      transport.go((Number(slider.value) + by) / SLIDER);
      moved();
    }
  });
  const status = element("output", { id: "player-time", for: "player-slider" });
  const play = element("button", { type: "button", id: "player-play", click: () => {
    run(!transport.playing);
    moved();
  } }, "Play");
  const moved = () => options.stopped && options.stopped(Number(slider.value) / SLIDER);
  const show = (place) => {
    status.textContent = options.show(place / SLIDER);
    slider.setAttribute("aria-valuetext", status.textContent);
  };
  const run = (on) => {
    transport.playing = on;
    play.textContent = on ? "Pause" : "Play";
    let before = null;
    let place = Number(slider.value) >= SLIDER ? 0 : Number(slider.value);
    const tick = (now) => {
      if (!transport.playing) {
        return;
      }
      place += before === null ? 0 : ((now - before) / 1000 / options.seconds()) * SLIDER;
      before = now;
      slider.value = Math.min(SLIDER, place);
      show(Number(slider.value));
      if (options.loop && place >= SLIDER + (HOLD_SECONDS / options.seconds()) * SLIDER) {
        place = 0;
      }
      if (place >= SLIDER && !options.loop) {
        run(false);
      } else {
        requestAnimationFrame(tick);
      }
    };
    if (on) {
      requestAnimationFrame(tick);
    }
  };
  transport.go = (part) => {
    if (transport.playing) {
      run(false);
    }
    slider.value = SLIDER * Math.max(0, Math.min(1, part));
    show(Number(slider.value));
  };
  transport.part = () => Number(slider.value) / SLIDER;
  transport.pause = () => run(false);
  // By itself, where motion is welcome.
  transport.start = () => run(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  transport.slider = slider;
  transport.holder = element("p", { class: "tools player" }, play, slider, status);
  return transport;
};
