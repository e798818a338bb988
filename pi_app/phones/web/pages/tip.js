// Tips: good moves with this hand, fetched on request.

import { h } from "./dom.js";
import { ask } from "./send.js";
import { t } from "./words.js";

let of = ""; // the question that the tips answer
let text = "";
/** @type {Tip[]} */
let tips = [];

/** Ask for tips for a hand in a position; call `draw` at once and with the tips.
 * @param {string} question
 * @param {Sent} hand
 * @param {() => void} draw */
export async function think(question, hand, draw) {
  of = question;
  text = t("Thinks …");
  tips = [];
  draw();
  const { status, body } = await ask("/api/tip", hand);
  if (of !== question) return;
  tips = (status === 200 && body.tips) || [];
  text = body.text ?? "";
  if (!text && !tips.length) of = ""; // not reached: it may be asked again
  draw();
}

/** @param {Tip} tip */
function row({ token, text: move, chance, reasons }) {
  const words = h("span", {}, move, h("small", {}, [t("Wins with {chance} %.", { chance }), ...reasons].join(" ")));
  return h("li", {}, h("button", { type: "button", class: "option open", "data-play": token }, words));
}

/** Return the tips for this question, null if they were not requested.
 * @param {string} question */
export function list(question) {
  if (!of || of !== question) return null;
  return tips.length ? h("ul", { class: "tips" }, tips.map(row)) : h("p", { role: "status" }, text);
}
