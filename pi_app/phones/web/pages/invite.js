// Letting more phones in: one code for everybody, as long as it is valid, and how many it has let in.

import { h } from "./dom.js";
import { table } from "./live.js";
import { ask } from "./send.js";
import { isAt, redraw } from "./shell.js";
import { t } from "./words.js";

/** @type {Invitation | null} */
let shown = null;
/** @type {Hello | null} */
let before = null; // the facts at the request for the code
let said = "";
let timer = 0;

/** Ask for the code; it is a new one if none is valid. */
async function begin() {
  clearTimeout(timer);
  const { status, body } = await ask("/api/invite", {});
  before = table.hello;
  shown = status === 200 ? body : null;
  said = status === 200 ? "" : body.text || t("Not live: no connection.");
  if (shown) timer = setTimeout(end, 1_000 * shown.left_s);
  if (isAt("invite")) redraw();
}

function end() {
  shown = null;
  said = t("The code is over.");
  if (isAt("invite")) redraw();
}

/** Return the addresses that other phones open.
 * @param {string[]} urls */
export const addresses = (urls) => urls.map((url) => h("b", {}, url.replace("http://", "")));

/** Return a picture of the address, and of the code if there is one.
 * @param {string} [code] */
export const picture = (code = "") => h("img", { class: "invitation", src: `/invitation.svg?${code}`, alt: t("How a phone comes in") });

/** @param {Invitation} invitation */
function view({ code, urls }) {
  const count = table.hello?.joined ?? 0;
  return [
    picture(code),
    h("p", {}, t("Scan this with each phone, or open the address and key the digits.")),
    h("p", { class: "address" }, addresses(urls)),
    h("p", { class: "big" }, `${code.slice(0, 3)} ${code.slice(3)}`),
    h("p", { role: "status" }, count > 0 && (count === 1 ? t("1 is in.") : t("{n} are in.", { n: count }))),
  ];
}

function page() {
  const over = [h("p", { role: "status" }, said), said && h("button", { type: "button", class: "button" }, t("A new code"))];
  return h("section", { class: "lonely" }, h("h1", {}, t("Let everybody in")), shown ? view(shown) : over);
}

/** @type {Place} */
export const invite = {
  paired: true,
  view: page,
  opened: begin,
  left: () => clearTimeout(timer),
  changed: () => {
    // Ten wrong guesses, or somebody at the table, ended it.
    if (shown && table.hello !== before && table.hello?.joined === null) end();
    else if (!shown && !said && table.hello?.paired) begin();
  },
  on: { click: ({ target }) => target.closest("button") && begin() },
};
