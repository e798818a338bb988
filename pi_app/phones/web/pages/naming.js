// Names, with the phone's own keyboard: its letters become the digits that write them.

import { h } from "./dom.js";
import { table } from "./live.js";
import { keysOf, t } from "./words.js";

let sent = ""; // what the companion has when all that is on its way has come
let touched = false; // whether a letter was typed here

const bare = () => (table.frame?.entry?.text ?? "").replace(/_$/, "");
const exact = () => table.frame?.exact;
/** @type {(one?: string, other?: string) => boolean} */
const equal = (one, other) =>
  one === other || (!exact() && one?.toUpperCase() === other?.toUpperCase());

export function field() {
  const input = {
    id: "name", type: "text", autocomplete: "off", autocorrect: "off",
    autocapitalize: exact() ? "none" : "words",
    spellcheck: "false", enterkeyhint: "done", maxlength: 200, "aria-label": t("type-here"),
  };
  return h("input", input);
}

/** Nothing is on its way: the field says what the companion has. */
export function agree() {
  const input = /** @type {HTMLInputElement} */ (document.querySelector("#name"));
  sent = bare();
  if (!equal(input.value, sent)) input.value = sent;
}

/** No name is typed any more. */
export function leave() {
  touched = false;
}

/** @type {(letter: string) => string[]} */
function keys(letter) {
  const sign = exact() ? t("signs").indexOf(letter) : -1;
  const found = keysOf(sign < 0 ? letter : ".");
  const more = sign < 0 ? Number(exact() && letter !== letter.toLowerCase()) : sign;
  return found.length ? [...found, ...Array(more).fill("MENU")] : found;
}

/** Return the keys that write what was just typed.
 * @param {HTMLInputElement} input
 * @returns {string[]} */
export function written(input) {
  const text = [...input.value].filter((letter) => keys(letter).length).join("");
  if (text !== input.value) input.value = text;
  // The first letter takes the place of a whole name that was there: so all of it goes first.
  let same = 0;
  while (touched && same < text.length && equal(text[same], sent[same])) same += 1;
  const gone = sent.length - same;
  touched = true;
  sent = text;
  return [...Array(gone).fill("BACK"), ...[...text.slice(same)].flatMap(keys)];
}
