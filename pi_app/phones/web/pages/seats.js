// The players on this phone: taking a seat, also another phone's, and passing the phone on.

import { h } from "./dom.js";
import { stone } from "./stone.js";
import { t } from "./words.js";

let taking = -1; // the seat of another phone that was touched

/** Ask whether a seat of another phone is to be taken over, -1 for none.
 * @param {number} seat */
export function doubt(seat) {
  taking = seat;
}

/** @param {OwnSeat} seat */
function row({ seat, name, colour, letter, claimed, mine }) {
  const face = [stone(colour, letter), h("span", {}, name, claimed && h("small", {}, t("taken")))];
  const other = claimed && !mine;
  const does = other ? { "data-doubt": seat, "aria-expanded": String(seat === taking) } : { "data-claim": seat };
  return h(
    "li",
    { class: `of-${colour}` },
    h("button", { type: "button", ...does }, face),
    other && seat === taking && h("button", { type: "button", "data-over": seat }, t("Take this seat to my phone")),
  );
}

/** Return the seats to choose from, or, before a hand is shown, its owner.
 * @type {(seats: OwnSeat[], cover: number | null) => Element} */
export function choose(seats, cover) {
  const next = seats.find((seat) => seat.mine && seat.seat === cover);
  if (next) {
    const words = [h("h1", {}, t("Give the phone to {name}", { name: next.name })), stone(next.colour, next.letter)];
    return h("div", { class: "lonely cover" }, words, h("button", { type: "button", class: "button", "data-reveal": next.seat }, t("I am {name}", { name: next.name })));
  }
  const back = cover !== null && h("button", { type: "button", "data-reveal": "" }, t("back"));
  return h("section", { class: "choose" }, h("h1", {}, t("Who are you?")), h("ol", { class: "choices" }, seats.filter(({ mine }) => !mine || cover === null).map(row)), back);
}

/** Return the ways to the other players of this phone.
 * @type {(own: OwnSeat[], now: OwnSeat) => Element[]} */
export function away(own, now) {
  const others = own.filter((seat) => seat !== now);
  return others.map((seat) => {
    const look = { type: "button", class: `give ${seat.to_move ? "button" : ""}`, "data-give": seat.seat };
    return h("button", look, stone(seat.colour, seat.letter), h("span", {}, t("Give the phone to {name}", { name: seat.name })));
  });
}

/** Return the ways to players who are not on this phone yet. */
export function leave() {
  const share = h("button", { type: "button", "data-share": "" }, t("One more player on this phone"));
  return [share, h("button", { type: "button", "data-release": "" }, t("Somebody else takes this seat"))];
}
