// The faces of a die.

import { h } from "./dom.js";
import { t } from "./words.js";

/** The places of each number's pips: 1 to 9, row by row, from the top left. */
const PIPS = ["", "5", "37", "357", "1379", "13579", "134679"];

const STAR = "50,10 61,37 90,39 68,58 75,86 50,71 25,86 32,58 10,39 39,37";

/** Return a face as a button; `star` is the one with a star, 0 if there is none.
 * @type {(number: number, star: number, look: Record<string, string>) => Element} */
export function die(number, star, look) {
  const dots = number === star ? [h("polyline", { points: STAR })] : [...PIPS[number]].map((place) =>
    h("circle", { cx: 22 + ((Number(place) - 1) % 3) * 28, cy: 22 + Math.floor((Number(place) - 1) / 3) * 28, r: 9 }),
  );
  return h("button", { type: "button", ...look, "aria-label": number === star ? t("Die: star") : t("Die {number}", { number }) }, h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, dots));
}

/** Return all six; one may have been rolled.
 * @type {(rolled: string | undefined, star: number) => Element} */
export function row(rolled, star) {
  return h("div", { class: "dice", role: "group", "aria-label": t("Your turn: roll and tap the number") }, [1, 2, 3, 4, 5, 6].map((number) => {
    const face = String(number);
    return die(number, star, { class: "die lit", "data-roll": face, "aria-pressed": String(face === rolled) });
  }));
}
