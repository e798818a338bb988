// The table: for a tablet in the middle, a television, or anybody's phone.

import { board } from "./board.js";
import { chart } from "./chart.js";
import { h } from "./dom.js";
import { addresses, picture } from "./invite.js";
import { table as live } from "./live.js";
import { choices, players, said, title } from "./parts.js";
import { go, main } from "./shell.js";
import { stone } from "./stone.js";
import { t } from "./words.js";

/** Return the last moves, the newest first, and the table's other lines.
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

/** Return the invitation for phones: large while no game is played, else small
 * until enough phones are paired.
 * @param {boolean} idle */
function welcome(idle) {
  const { hello } = live;
  if (!hello?.urls.length || !(idle || hello.invites)) return null;
  return h("aside", { class: idle ? "welcome" : "" }, picture(), h("p", { class: "address" }, idle && t("Play along: scan this, or open"), addresses(hello.urls)));
}

function view() {
  const { frame, hello } = live;
  const part = hello && !hello.paired && h("a", { href: "/pair", class: "button part" }, t("Take part"));
  main.dataset.kind = !frame ? "wait" : frame.secret ? "secret" : frame.picture ? "board" : "page";
  if (!frame || frame.secret) {
    return h("div", { class: "lonely" }, h("p", {}, frame ? t("Only who sits at the table sees what is on the screen now.") : t("Looking for the table …")), part, frame && welcome(!frame.game));
  }
  // Phones lack the keypad's keys that a line may mention.
  const lines = frame.lines.filter((line) => !/^[#*] /.test(line));
  const letters = Object.fromEntries(frame.seats.map((seat) => [seat.colour, seat.letter]));
  const points = chart(frame.curves, letters, frame.title);
  const picture = board(frame.picture, frame);
  const shown = picture ?? points;
  main.dataset.kind = shown ? "board" : "page";
  return [
    shown ? h("div", { class: "stage" }, shown) : null,
    h(
      "div",
      { class: "side" },
      h("div", { class: "turn" }, title(frame), said({ ...frame, lines }), choices(frame, false), players(frame)),
      h("div", { class: "past" }, moves(frame), picture && points),
      part,
      welcome(!frame.game),
    ),
  ];
}

/** The first start waits for a phone, and has nothing to look at. */
function changed() {
  if (live.hello?.first && !live.hello.paired && live.link === "live") go("/pair", true);
}

/** @type {Place} */
export const table = {
  view,
  opened: changed,
  changed,
};
