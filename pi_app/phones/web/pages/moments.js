// Moments: the players who have some, the position before a mistake, and the better move.

import { board } from "./board.js";
import { h } from "./dom.js";
import { paragraphs, SIGNS, sign } from "./parts.js";
import { ask } from "./send.js";
import { t } from "./words.js";

/** @type {Judged | null} */
let judged = null; // the verdict on the last answer, until the player goes on
let cell = ""; // the field that was tapped
let sent = false; // an answer is on its way

/** @type {(to: string, text: string) => Element} */
const back = (to, text) => h("a", { class: "back", href: to }, text);
/** @type {(about: { picture: Picture, seats: Seat[] }, marked: string[], tappable: boolean) => Element} */
function stage({ picture, seats }, marked, tappable) {
  const cells = picture.cells.map((each) => {
    /** @type {Mark[]} */
    const marks = each.name === cell ? ["selected"] : marked.includes(each.name) ? ["legal"] : each.marks;
    return { ...each, marks };
  });
  return h("div", { class: "heat" }, board({ ...picture, cells }, { seats, tappable }));
}

/** @param {MomentPlayers} told */
function list({ title, players: everybody, text }) {
  const rows = everybody.map(({ name, waiting }) =>
    h("li", {}, h("a", { href: `#moments=${encodeURIComponent(name)}` }, h("b", {}, name), h("time", {}, waiting))),
  );
  return h(
    "section",
    {},
    back("#", t("All games")),
    h("h1", {}, title),
    text && h("p", {}, text),
    h("ol", { class: "games" }, rows),
  );
}

/** @param {MomentQuestion} question */
function asked({ options, lines, ...about }) {
  const wanted = options.filter((option) => !cell || option.cell === cell);
  const rows = wanted.map(({ token, text, why }) =>
    h("li", {}, h("button", { type: "button", "data-answer": token, disabled: sent }, h("span", {}, text, why && h("small", {}, why)))),
  );
  const reached = wanted.map((option) => option.cell);
  return [paragraphs(lines), stage(about, reached, true), h("ul", { class: "choices" }, rows)];
}

/** @param {Judged} told */
function answered({ right, text, lines, ...about }) {
  const tone = right ? "good" : "bad";
  return [
    h("p", { class: `verdict ${tone}`, role: "status" }, sign(SIGNS[tone]), h("span", {}, text)),
    paragraphs(lines),
    stage(about, [], false),
    h("button", { type: "button", class: "button", "data-on": "" }, t("Go on")),
  ];
}

/** Return the page of a player's moments, or the list of players.
 * @param {MomentPlayers | PlayersMoments} told */
export function moments(told) {
  if (told.players) return list(told);
  const shown = judged ? answered(judged) : [told.text && h("p", {}, told.text), told.question && asked(told.question)];
  return h("article", {}, back("#moments", t("Moments")), h("h1", {}, told.title), shown);
}

/** Begin anew: another page was opened. */
export function leave() {
  [judged, cell, sent] = [null, "", false];
}

/** Do what was touched; return whether to ask anew.
 * @param {Element} touched
 * @param {PlayersMoments} told */
export async function touch(touched, told) {
  const target = /** @type {HTMLElement | null} */ (touched.closest?.("button,[data-tap]"));
  if (!target || sent) return false;
  const { tap, answer, on } = target.dataset;
  if (on !== undefined) leave();
  if (tap !== undefined && !judged) cell = cell === tap ? "" : tap;
  if (answer === undefined || !told.question) return on !== undefined;
  const { game, move, asked: since } = told.question;
  sent = true;
  const { status, body } = await ask("/api/answer", { name: told.title, game, move, asked: since, played: answer });
  sent = false;
  // Without an answer the question stays: another touch sends the same again, which counts once.
  if (status === 200) [judged, cell] = [body, ""];
  return status === 404;
}
