// The table: for a tablet in the middle, a television, or anybody's phone.

import { board } from "./board.js";
import { chart } from "./chart.js";
import { fill, h } from "./dom.js";
import { table } from "./live.js";
import { choices, players, said, title } from "./parts.js";
import { run } from "./shell.js";
import { stone } from "./stone.js";
import { t } from "./words.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));

/** Return the last moves, the newest first, and what else the table shows.
 * @param {Frame} frame */
function moves(frame) {
  const names = new Map(frame.seats.map((seat) => [seat.name, seat]));
  const asides = frame.details.filter((line) => !names.has(line.split(":")[0]));
  if (!frame.moves.length && !asides.length) return null;
  return h(
    "section",
    { class: "moves", "aria-label": t("moves") },
    frame.moves.length
      ? h(
          "ol",
          {},
          frame.moves.map(({ name, text }) => {
            const seat = names.get(name);
            const who = seat ? stone(seat.colour, seat.letter) : null;
            return h("li", {}, who, h("span", { class: who ? "unseen" : "" }, `${name}: `), h("span", {}, text));
          }),
        )
      : null,
    asides.map((line) => h("p", {}, line)),
  );
}

function draw() {
  const { frame } = table;
  main.dataset.kind = !frame ? "wait" : frame.secret ? "secret" : frame.picture ? "board" : "page";
  if (!frame || frame.secret) {
    fill(main, h("p", { class: "lonely" }, t(frame ? "secret" : "waiting")));
    return;
  }
  const letters = Object.fromEntries(frame.seats.map((seat) => [seat.colour, seat.letter]));
  const curves = frame.curves.length ? frame.curves : (frame.course ?? []);
  const points = chart(curves, letters, frame.curves.length ? frame.title : undefined);
  const picture = board(frame.picture, frame);
  const shown = picture ?? (frame.curves.length ? points : null);
  main.dataset.kind = shown ? "board" : "page";
  fill(
    main,
    shown ? h("div", { class: "stage" }, shown) : null,
    h(
      "div",
      { class: "side" },
      h("div", { class: "turn" }, title(frame), said(frame), choices(frame, false), players(frame)),
      h("div", { class: "past" }, moves(frame), picture && points),
    ),
  );
}

// A tablet in the middle stays awake where the browser lets it.
async function awake() {
  try {
    if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen");
  } catch {
    // it may be low on power; the table is there all the same
  }
}
document.addEventListener("visibilitychange", awake);
awake();

const whole = /** @type {HTMLElement} */ (document.querySelector("#whole"));
whole.hidden = !document.fullscreenEnabled;
whole.addEventListener("click", () =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
);

run(() => {
  whole.setAttribute("aria-label", t("whole-screen"));
  whole.title = t("whole-screen");
  draw();
});
