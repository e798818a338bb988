// The games that were played: a list, each with its chart, statistics, and moments.

import { chart } from "./chart.js";
import { h } from "./dom.js";
import { table } from "./live.js";
import * as asking from "./moments.js";
import { paragraphs } from "./parts.js";
import { ask } from "./send.js";
import { isAt, main, redraw } from "./shell.js";
import { t } from "./words.js";

/** @type {any} */
let shown = null; // an answer: a list, a game, statistics or why there is none
let there = "";

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
    paragraphs(lines),
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
  return h(
    "article",
    {},
    h("a", { class: "back", href: "#" }, t("All games")),
    h("h1", {}, game.game, h("small", {}, game.day)),
    h("p", { class: "big" }, game.result),
    paragraphs(game.lines),
    chart(game.curves),
    game.course && report(game.course),
  );
}

function view() {
  if (!shown) return h("p", { class: "lonely" }, t("Looking for the table …"));
  return shown.view ? shown.view(shown) : h("p", { class: "lonely" }, shown.text);
}

/** Each page's request, by the word in its address, and what shows the answer.
 * @type {Record<string, [ask: (which: string) => Promise<Answer>, view: (told: any) => Child]>} */
const PAGES = {
  "": [() => ask("/api/history", {}), list],
  game: [(game) => ask("/api/game", { game: Number(game) || 0 }), one],
  statistics: [() => ask("/api/statistics", {}), statistics],
  moments: [(name) => ask("/api/moments", { name }), asking.moments],
};

/** @param {boolean} [again] */
async function open(again) {
  const [what, which = ""] = location.hash.slice(1).split("=");
  there = location.hash;
  const [way, view] = PAGES[what] ?? PAGES[""];
  const { status, body } = await way(decodeURIComponent(which));
  // Another page was opened meanwhile.
  if (!isAt("history") || there !== location.hash) return;
  shown = status === 200 ? { ...body, view } : { lost: !status, text: body.text || t("Not live: no connection.") };
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
  if (await next) await open(true);
  redraw();
}

/** @type {Place} */
export const history = {
  paired: true,
  view,
  opened: () => {
    asking.leave();
    open();
  },
  left: () => (shown = null),
  // What could not be asked when it was opened.
  changed: () => {
    if (shown?.lost && table.link === "live") open();
  },
  on: { click: clicked },
};
