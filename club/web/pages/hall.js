// The hall: standings and the round with its clock, to be read from afar; long lists take turns.

import { called, clock, gameName, hall, main, nothing, one, roundName, run } from "./around.js";
import { fill, h } from "./dom.js";
import { t } from "./words.js";

const AFAR = matchMedia("(min-width: 1000px) and (min-height: 560px)");
const TURN_MS = 12_000;
/** Where each list begins that does not fit, and how many of it are shown. */
const shown = { standings: { from: 0, count: 0 }, round: { from: 0, count: 0 } };

/** @param {Hall} now */
function standings(now) {
  return now.standings.map(([p, points, , , rank]) =>
    h(
      "li",
      { class: rank <= 3 ? "first" : null },
      h("b", {}, rank),
      h("span", {}, now.names[p] ?? p),
      h("strong", {}, points),
    ),
  );
}

/** @param {Hall} now */
function tables(now) {
  if (!now.round) return [];
  const games = new Set(now.round.tables.map((group) => group.game));
  const cards = now.round.tables.map((group) => {
    const people = group.seats.map((p, at) =>
      h("span", {}, h("i", {}, group.ranks ? `${group.ranks[at]}.` : at + 1), now.names[p] ?? p),
    );
    const game = games.size > 1 && h("small", {}, gameName(group.game));
    return h("li", { class: group.ranks ? "over" : null }, h("b", {}, called(group), game), people);
  });
  if (now.round.byes.length) {
    const byes = now.round.byes.map((p) => h("span", {}, now.names[p] ?? p));
    cards.push(h("li", { class: "byes" }, h("b", {}, t("byes")), byes));
  }
  return cards;
}

/** Show a list from where it is, as much as fits.
 * @param {"standings" | "round"} name
 * @param {Element[]} items */
function lay(name, items) {
  const list = one(`#${name} ol`);
  const turn = shown[name];
  if (!AFAR.matches || turn.from >= items.length) turn.from = 0;
  fill(list, items.slice(turn.from));
  if (AFAR.matches) {
    const end = list.getBoundingClientRect().bottom + 1;
    const rest = [...list.children].filter((item) => item.getBoundingClientRect().bottom > end);
    for (const item of rest.slice(rest.length === list.children.length ? 1 : 0)) item.remove();
  }
  turn.count = list.children.length;
  const parts = turn.count < items.length;
  one(`#${name} small`).textContent = parts
    ? t("part", { n: `${turn.from + 1}–${turn.from + turn.count}`, all: items.length })
    : "";
}

function draw() {
  const now = hall();
  if (!now || now.evening === null) return fill(main, nothing());
  const names = now.games.map(gameName).join(" · ");
  if (!document.querySelector("#standings")) {
    const part = (/** @type {string} */ id) =>
      h("section", { id }, h("h2", {}, h("span", {}), h("small", {})), h("ol", {}));
    fill(main, h("div", { class: "top" }), h("div", { class: "both" }, part("round"), part("standings")));
  }
  const title = h("h1", {}, h("span", {}, roundName(now)), h("small", {}, now.closed ? t("closed") : names));
  fill(one(".top"), title, clock());
  one("#standings h2 span").textContent = t("standings");
  const over = now.round?.tables.filter((group) => group.ranks).length ?? 0;
  one("#round h2 span").textContent = now.round
    ? `${t("over")}: ${t("part", { n: over, all: now.round.tables.length })}`
    : "";
  one("#round").hidden = !now.round;
  lay("round", tables(now));
  lay("standings", standings(now));
}

function turn() {
  const now = hall();
  if (!now || now.evening === null || !AFAR.matches) return;
  const all = { standings: now.standings.length, round: tables(now).length };
  for (const name of /** @type {const} */ (["standings", "round"])) {
    const next = shown[name].from + shown[name].count;
    shown[name].from = next < all[name] ? next : 0;
  }
  draw();
}

run(draw);
setInterval(turn, TURN_MS);
addEventListener("resize", draw);
