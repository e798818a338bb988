// The hall: standings and the round with its clock, readable from afar; long lists rotate.

import { called, clock, gameName, hall, headline, main, nothing, number, one, roundName, run, sides } from "./around.js";
import { fill, h } from "./dom.js";
import { t } from "./words.js";

const AFAR = matchMedia("(min-width: 1000px) and (min-height: 560px)");
const TURN_MS = 12_000;
/** The most rows of a list at once. */
const MOST = 150;
/** The size of a list: short ones are as large as they fit; "0" is the least, with names cut. */
const SIZES = ["3", "2", "1", "0"];
const FEW = 40;
/** The first shown row of each list that does not fit, and how many rows are shown. */
const shown = { standings: { from: 0, count: 0 }, round: { from: 0, count: 0 } };

/** @param {Hall} now */
const begun = (now) => now.standings.some(([, , , games]) => games);

/** The standings; before the first result only the people present.
 * @param {Hall} now */
function standings(now) {
  const name = (/** @type {string} */ p) => now.names[p] ?? p;
  if (!begun(now)) {
    const people = now.standings.map(([p]) => p).sort((one, other) => name(one).localeCompare(name(other)));
    return people.map((p) => h("li", {}, h("b", {}, p.slice(1)), h("span", {}, name(p))));
  }
  return now.standings.map(([p, points, , , , rank]) =>
    h("li", { class: rank <= 3 ? "first" : null }, h("b", {}, rank), h("span", {}, name(p)), h("strong", {}, number(points))),
  );
}

/** @param {Hall} now */
function tables(now) {
  if (!now.round) return [];
  const games = new Set(now.round.tables.map((group) => group.game));
  const cards = now.round.tables.map((group) => {
    const people = sides(now.names, group).map(({ rank, seats, words }) => h("span", {}, h("i", {}, rank ? `${rank}.` : seats.join("+")), words));
    const game = games.size > 1 && h("small", {}, gameName(group.game));
    return h("li", { class: group.ranks ? "over" : null }, h("b", {}, called(group), game), people);
  });
  if (now.round.byes.length) {
    const byes = now.round.byes.map((p) => h("span", {}, now.names[p] ?? p));
    cards.push(h("li", { class: "byes" }, h("b", {}, t("Sitting out")), byes));
  }
  return cards;
}

/** The part of a list below its end.
 * @param {Element} list */
function beyond(list) {
  const end = list.getBoundingClientRect().bottom + 1;
  return [...list.children].filter((item) => item.getBoundingClientRect().bottom > end);
}

/** Show as much of a list as fits, from its present row on.
 * @param {"standings" | "round"} name
 * @param {Element[]} items */
function lay(name, items) {
  const list = one(`#${name} ol`);
  const turn = shown[name];
  if (!AFAR.matches || turn.from >= items.length) turn.from = 0;
  fill(list, AFAR.matches ? items.slice(turn.from, turn.from + MOST) : items);
  list.dataset.size = "0";
  if (AFAR.matches) {
    let rest = beyond(list);
    for (const size of items.length < FEW && !turn.from ? SIZES : []) {
      list.dataset.size = size;
      rest = beyond(list);
      if (!rest.length) break;
    }
    for (const item of rest.slice(rest.length === list.children.length ? 1 : 0)) item.remove();
  }
  turn.count = list.children.length;
  const parts = turn.count < items.length;
  one(`#${name} small`).textContent = parts
    ? t("{n} of {all}", { n: `${turn.from + 1}–${turn.from + turn.count}`, all: items.length })
    : "";
}

function draw() {
  const now = hall();
  if (!now || now.evening === null) return fill(main, nothing());
  const names = [headline(now), ...now.games.map(gameName)].filter(Boolean).join(" · ");
  if (!document.querySelector("#standings")) {
    const part = (/** @type {string} */ id) =>
      h("section", { id }, h("h2", {}, h("span", {}), h("small", {})), h("ol", {}));
    fill(main, h("div", { class: "top" }), h("div", { class: "both" }, part("round"), part("standings")));
  }
  const title = h("h1", {}, h("span", {}, now.closed ? t("The evening is over.") : roundName(now)), h("small", {}, names));
  fill(one(".top"), title, clock());
  one("#standings h2 span").textContent = begun(now) ? t("Standings") : t("Who is here");
  const over = now.round?.tables.filter((group) => group.ranks).length ?? 0;
  one("#round h2 span").textContent = now.round
    ? t("{n} of {all} groups are done", { n: over, all: now.round.tables.length })
    : "";
  one("#round").hidden = !now.round || now.closed;
  lay("round", tables(now));
  lay("standings", standings(now));
}

function turn() {
  const now = hall();
  if (!now || now.evening === null || !AFAR.matches) return;
  const all = { standings: now.standings.length, round: tables(now).length };
  for (const name of /** @type {const} */ (["standings", "round"])) {
    const next = shown[name].from + shown[name].count;
    // the last part is full too, as it begins with earlier rows
    const last = Math.max(0, all[name] - shown[name].count);
    shown[name].from = next < all[name] ? Math.min(next, last) : 0;
  }
  draw();
}

run(draw);
setInterval(turn, TURN_MS);
addEventListener("resize", draw);
