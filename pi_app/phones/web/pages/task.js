// Saying a task: the card lies, its two factors are keyed, the referee judges them.

import { h } from "./dom.js";
import { t } from "./words.js";

const PAD = "1 2 3 4 5 6 7 8 9 BACK 0 STAR".split(" ");

let token = ""; // of the card, up to its task: "24="
let factors = [""];
let refused = false;
/** @type {(token: string) => void} */
let played = () => undefined;
let draw = () => undefined;

/** Return whether a move still lacks its card's task.
 * @type {(token: string) => boolean} */
export const lacks = (move) => move.endsWith("=");

/** Ask for the task of a card.
 * @type {(card: string, play: (token: string) => void, show: () => void) => void} */
export function open(card, play, show) {
  [token, factors, refused, played, draw] = [card, [""], false, play, /** @type {() => undefined} */ (show)];
  draw();
}

export function close() {
  token = "";
}

/** The task was refused: the next key begins another one. */
export function wrong() {
  refused = true;
}

const whole = () => factors.length === 2 && factors[1] !== "" && !refused;

/** @param {string} key */
export function press(key) {
  if (refused) [factors, refused] = [[""], false];
  const last = factors[factors.length - 1];
  if (key === "PLAY" && whole()) played(token + factors.join("x"));
  else if (key === "CLOSE") close();
  else if (key === "STAR" && last && factors.length === 1) factors = [last, ""];
  // Delete the last digit; if the second factor has none, the × before it.
  else if (key === "BACK") factors = last || factors.length === 1 ? [...factors.slice(0, -1), last.slice(0, -1)] : [factors[0]];
  else if (/[0-9]/.test(key) && last.length < 2 && (last || key !== "0")) factors = [...factors.slice(0, -1), last + key];
  draw();
}

/** @param {string} key */
function button(key) {
  const face = { BACK: "⌫", STAR: "×" }[key] ?? key;
  const label = { BACK: t("Delete"), STAR: t("times") }[key];
  return h("button", { type: "button", "data-key": key, "aria-label": label }, face);
}

/** Return the pad; null while no task is asked for. */
export function view() {
  if (!token) return null;
  const keyed = factors.join(" × ") || "?";
  return [
    h("p", { class: "keyed", role: "status" }, `${token.slice(0, -1)} = ${keyed}`),
    h("div", { class: "task" }, PAD.map(button)),
    h("div", { class: "leave" }, h("button", { type: "button", class: "button", "data-key": "PLAY", disabled: !whole() }, t("Play")), h("button", { type: "button", "data-key": "CLOSE" }, t("back"))),
  ];
}
