// The faces of a die, to say what was rolled.

import { h } from "./dom.js";
import { t } from "./words.js";

const PIPS = ["", "5", "37", "357", "1379", "13579", "134679"];

/** @param {string} number */
function face(number, rolled = "") {
  const dots = [...PIPS[Number(number)]].map((place) =>
    h("circle", { cx: 22 + ((Number(place) - 1) % 3) * 28, cy: 22 + Math.floor((Number(place) - 1) / 3) * 28, r: 9 }),
  );
  const look = { type: "button", class: "die lit", "data-roll": number, "aria-pressed": String(number === rolled) };
  return h("button", { ...look, "aria-label": t("die", { number }) }, h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, dots));
}

/** Return all six; one may have been rolled.
 * @param {string | undefined} rolled */
export function row(rolled) {
  return h("div", { class: "dice", role: "group", "aria-label": t("roll") }, [..."123456"].map((number) => face(number, rolled)));
}
