// The games that were played: a list, each with its chart and its record, statistics, and moments.

import { chart } from "./chart.js";
import { h } from "./dom.js";
import { table } from "./live.js";
import * as asking from "./moments.js";
import { ask } from "./send.js";
import { isAt, main, redraw } from "./shell.js";
import { t } from "./words.js";

/** @type {any} */
let shown = null; // an answer: a list, a game, statistics or why there is none
let there = "";
let link = ""; // the table's number of games at the last request

/** @param {Listing} listing */
function pages({ page, pages: count }) {
  /** @type {(to: number, word: string) => Element} */
  const way = (to, word) =>
    to >= 0 && to < count ? h("a", { class: "button", href: `#page=${to}` }, word) : h("span", {});
  return count > 1 ? h("p", { class: "pages" }, way(page - 1, t("Newer")), way(page + 1, t("Older"))) : null;
}

/** @param {Listing} body */
function list(body) {
  if (!body.games.length) return h("p", { class: "lonely" }, t("No game has been played yet."));
  const rows = body.games.map((game) =>
    h(
      "li",
      {},
      h(
        "a",
        { href: `#game=${encodeURIComponent(game.id)}` },
        h("b", {}, game.game),
        h("span", {}, game.players),
        h("span", { class: game.over === false ? "badge" : "" }, game.result),
        h("time", {}, game.day),
      ),
    ),
  );
  return h(
    "section",
    {},
    h("h1", {}, t("History")),
    body.statistics && h("a", { class: "back", href: "#statistics" }, body.statistics),
    h("a", { class: "back", href: "#moments" }, t("Moments")),
    h("ol", { class: "games" }, rows),
    pages(body),
  );
}

/** Return a report: how a game went, or statistics.
 * @param {Report} told */
const report = ({ title, lines, curves }) =>
  h(
    "section",
    {},
    h("h2", {}, title),
    curves.length ? chart(curves, {}, title) : null,
    h("div", { class: "lines" }, lines.map((line) => h("p", {}, line))),
  );

/** Return the statistics of all kinds of game.
 * @param {Statistics} told */
const statistics = ({ title, text, reports }) =>
  h(
    "article",
    {},
    h("a", { class: "back", href: "#" }, t("All games")),
    h("h1", {}, title),
    text && h("p", { role: "status" }, text),
    reports.map(report),
  );

/** @param {PlayedGame} game */
function one(game) {
  const record = `/api/game/${encodeURIComponent(game.id)}/record.txt`;
  return h(
    "article",
    {},
    h("a", { class: "back", href: "#" }, t("All games")),
    h("h1", {}, game.game, h("small", {}, game.day)),
    h("p", { class: "big" }, game.result),
    h("div", { class: "lines" }, game.lines.map((line) => h("p", {}, line))),
    chart(game.curves),
    game.course && report(game.course),
    h("a", { class: "button", href: record, download: "" }, t("Download the record")),
    h("h2", {}, t("Record")),
    // Invisible characters except line feeds become question marks.
    h("pre", { tabindex: "0" }, game.record.replace(/[^\P{C}\n]/gu, "?")),
  );
}

function view() {
  if (!shown) return h("p", { class: "lonely" }, t("Looking for the table …"));
  if (shown.view) return shown.view(shown);
  if (shown.text) return h("p", { class: "lonely" }, shown.text);
  return shown.games ? list(shown) : one(shown);
}

/** Return the address of an answer.
 * @type {(what: string, which: string) => string} */
function way(what, which) {
  if (what === "statistics") return "/api/statistics";
  if (what === "moments") return `/api/moments?name=${which}`;
  return what === "game" ? `/api/game/${which}` : `/api/history?page=${Number(which) || 0}`;
}

/** Functions that show answers other than games.
 * @param {string} what */
const viewOf = (what) => (what === "statistics" ? statistics : what === "moments" ? asking.moments : null);

/** @param {boolean} [again] */
async function open(again) {
  const [what, which = ""] = location.hash.slice(1).split("=");
  there = location.hash;
  const { status, body } = await ask(way(what, which));
  const view = status === 200 && viewOf(what);
  // Another page was opened meanwhile.
  if (!isAt("history") || there !== location.hash) return;
  if (view) body.view = view;
  shown = status === 200 ? body : { text: body.text || t("Not live: no connection.") };
  redraw();
  if (!again) main.scrollTop = 0;
  // The companion still evaluates: ask again.
  const wait = body.working && !body.question ? 3000 : 0;
  if (wait) setTimeout(() => there === location.hash && open(true), wait);
}

/** @param {Event} event */
async function clicked({ target }) {
  if (shown?.view !== asking.moments) return;
  const next = asking.touch(/** @type {Element} */ (target), shown);
  redraw();
  if ((await next) === "ask") await open(true);
  else redraw();
}

/** Begin anew with the page in the address. */
function opened() {
  asking.leave();
  link = table.link;
  if (table.link === "live") open();
}

/** @type {Place} */
export const history = {
  paired: true,
  view,
  opened,
  left: () => (shown = null),
  changed: () => {
    if (table.link !== link && table.link === "live") open();
    link = table.link;
  },
  on: { click: clicked },
};
