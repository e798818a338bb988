// Statistics: the games, and of each its sentences, boards in shades, wins, players and pairs.

import { board } from "./board.js";
import { chart } from "./chart.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** @param {string[]} said */
const lines = (said) => h("div", { class: "lines" }, said.map((line) => h("p", {}, line)));
/** @type {(to: string, text: string) => Element} */
const back = (to, text) => h("a", { class: "back", href: to }, text);

/** @param {Games} told */
function list({ title, text, games }) {
  const rows = games.map(({ name, game, n }) =>
    h("li", {}, h("a", { href: `#statistics=${encodeURIComponent(name)}` }, h("b", {}, game), h("time", {}, n))),
  );
  return h(
    "section",
    {},
    back("#", t("all-games")),
    h("h1", {}, title),
    text && h("p", { role: "status" }, text),
    h("ol", { class: "games" }, rows),
  );
}

/** @param {Heat} heat */
const heat = ({ title, lines: said, picture }) =>
  h("section", { class: "heat" }, h("h2", {}, title), board(picture), lines(said));

/** @param {People} list */
function people({ title, rows }) {
  if (!rows.length) return null;
  /** @param {People["rows"][0]} row */
  const each = ({ text, lines: said }) => h("details", {}, h("summary", {}, text), lines(said));
  return h("section", {}, h("h2", {}, title), rows.map(each));
}

/** Return the page of one game, or the list of those that there are.
 * @param {Games | Statistics} told */
export function statistics(told) {
  if (told.games) return list(told);
  const { title, curves } = told.wins;
  return h(
    "article",
    {},
    back("#statistics", told.all),
    h("h1", {}, told.title),
    lines(told.lines),
    told.boards.map(heat),
    curves.length ? h("section", {}, h("h2", {}, title), chart(curves, {}, title)) : null,
    told.lists.map(people),
  );
}
