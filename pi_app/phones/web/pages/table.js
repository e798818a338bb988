// The table: for a tablet in the middle, a television, or anybody's phone.

import { board } from "./board.js";
import { chart } from "./chart.js";
import { fill, h } from "./dom.js";
import { addresses, picture } from "./invite.js";
import { table as live } from "./live.js";
import { choices, players, said, title } from "./parts.js";
import { go, isAt, main } from "./shell.js";
import { paintOf, stone } from "./stone.js";
import { t } from "./words.js";

/** Return the last moves, the newest first, and what else the table shows.
 * @param {Frame} frame */
function moves(frame) {
  const names = new Map(frame.seats.map((seat) => [seat.name, seat]));
  // Lines on a player, "Anna: ...", are in the players' list.
  const asides = frame.details.filter((line) => !names.has(line.split(":")[0]));
  if (!frame.moves.length && !asides.length) return null;
  return h(
    "section",
    { class: "moves", "aria-label": t("Last moves") },
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

/** The stones of the board that was shown last; `at` is the index of their cell.
 * @type {{ at: number, key: string, colour: string, text: string, count: number }[]} */
let lay = [];
let fields = ""; // the names of that board's cells
const MOST_MOVING = 6; // more than a move sets: nobody saw this board change

/** Let a stone that was just set come from where it lay, or from its player's card.
 * @param {Picture | null} picture */
function move(picture) {
  const old = lay;
  const cells = picture?.cells.filter(({ name }) => name) ?? [];
  lay = cells.flatMap(({ name, tokens }, at) => tokens.map((token) => ({ ...token, at, key: `${name} ${token.colour} ${token.text}` })));
  const before = fields;
  fields = cells.map(({ name }) => name).sort().join();
  // What did not move, and what lies now that did not lie there before.
  const stays = old.filter(({ key, count }) => lay.some((one) => one.key === key && one.count >= count));
  const set = lay.filter(({ key, count }) => !stays.some((one) => one.key === key && one.count === count));
  if (fields !== before || set.length > MOST_MOVING || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const groups = main.querySelectorAll(".board > [aria-label]");
  for (const { at, colour, text } of set) {
    const left = old.find((one) => one.colour === colour && one.text === text && !stays.includes(one));
    const start = left ? groups[left.at] : main.querySelector(`.seat.of-${colour} .stone`);
    const stones = [...groups[at].querySelectorAll(`g > path[fill="${paintOf(colour)[0]}"]`)];
    const end = /** @type {SVGGElement | undefined} */ (stones.at(-1)?.parentElement);
    const scale = end?.ownerSVGElement?.getScreenCTM()?.a;
    if (!start || !end || !scale) continue;
    const [there, here] = [start.getBoundingClientRect(), end.getBoundingClientRect()];
    const x = (there.x + there.width / 2 - here.x - here.width / 2) / scale;
    const y = (there.y + there.height / 2 - here.y - here.height / 2) / scale;
    end.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: 900, easing: "ease-in-out" });
  }
}

/** Return the invitation for phones: large while no game is played, else small
 * until enough phones are paired.
 * @param {boolean} idle */
function welcome(idle) {
  const { hello } = live;
  if (!hello?.urls.length || !(idle || hello.invites)) return null;
  return h("aside", { class: idle ? "welcome" : "" }, picture(), h("p", { class: "address" }, idle && t("Play along: scan this, or open"), addresses(hello.urls)));
}

function draw() {
  const { frame, hello } = live;
  whole.setAttribute("aria-label", t("Fill the screen"));
  whole.title = t("Fill the screen");
  // The first start waits for a phone, and has nothing to look at.
  if (hello?.first && !hello.paired && live.link === "live") return go("/pair", true);
  const part = hello && !hello.paired && h("a", { href: "/pair", class: "button part" }, t("Take part"));
  main.dataset.kind = !frame ? "wait" : frame.secret ? "secret" : frame.picture ? "board" : "page";
  if (!frame || frame.secret) {
    fill(main, h("div", { class: "lonely" }, h("p", {}, frame ? t("Only who sits at the table sees what is on the screen now.") : t("Looking for the table …")), part, frame && welcome(!frame.game)));
    return;
  }
  const letters = Object.fromEntries(frame.seats.map((seat) => [seat.colour, seat.letter]));
  const points = chart(frame.curves, letters, frame.title);
  const picture = board(frame.picture, frame);
  const shown = picture ?? points;
  main.dataset.kind = shown ? "board" : "page";
  fill(
    main,
    shown ? h("div", { class: "stage" }, shown) : null,
    h(
      "div",
      { class: "side" },
      h("div", { class: "turn" }, title(frame), said(frame), choices(frame, false), players(frame)),
      h("div", { class: "past" }, moves(frame), picture && points),
      part,
      welcome(!frame.game),
    ),
  );
  move(frame.picture);
}

/** @type {WakeLockSentinel | undefined} */
let lock;

// A tablet in the middle stays awake where the browser lets it.
async function awake() {
  try {
    if (isAt("table") && document.visibilityState === "visible") lock = await navigator.wakeLock?.request("screen");
  } catch {
    // it may be low on power; the table is there all the same
  }
}
document.addEventListener("visibilitychange", awake);

const whole = /** @type {HTMLElement} */ (document.querySelector("#whole"));
whole.hidden = !document.fullscreenEnabled;
whole.addEventListener("click", () =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
);

/** @type {Place} */
export const table = {
  draw,
  opened: awake,
  left: () => {
    [lay, fields] = [[], ""];
    lock?.release();
  },
};
