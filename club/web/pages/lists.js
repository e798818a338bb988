// Lists to hang on the wall, of this evening or an earlier one; and the season.

import { called, dayName, gameName, groupWords, hall, headline, main, nothing, number, roundName, run, sides } from "./around.js";
import { fill, h } from "./dom.js";
import { ask } from "./send.js";
import { t } from "./words.js";

/** The most columns that fit on paper. */
const CROSS_TABLE_LIMIT = 30;
/** @type {Lists | null} */
let lists = null;
let wanted = ""; // an earlier evening, "": the last one

/** @param {string} kind
 * @param {[string, string?][]} heads
 * @param {Child[][]} rows */
const list = (kind, heads, rows) =>
  h(
    "table",
    { class: kind },
    h("thead", {}, h("tr", {}, heads.map(([head, name]) => h("th", { scope: "col", class: name }, head)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, at) => h("td", { class: heads[at][1] }, cell))))),
  );

/** @param {Lists} now
 * @param {string} title
 * @param {Child[]} children */
const section = (now, title, ...children) => h("section", {}, h("p", { class: "paper" }, headline(now)), h("h2", {}, title), children);

/** @param {string} decided */
const by = (decided) =>
  ({ points: t("points"), wins: t("wins"), direct: t("direct encounter"), opponents: t("opponents"), first_moves: t("first moves"), lot: t("lot") })[decided];

/** @param {Lists} now */
const named = (now) => (/** @type {string} */ p) => now.names[p] ?? p;

/** Everybody by name, so that people find themselves.
 * @param {Lists} now */
function seats(now) {
  if (!now.round) return null;
  const name = named(now);
  const rows = now.round.tables.flatMap((group) =>
    sides(now.names, { ...group, ranks: null }).flatMap(({ people }) =>
      people.map((p) => ({ p, where: called(group), seat: group.seats.indexOf(p) + 1, game: gameName(group.game), partner: people.filter((each) => each !== p).map(name).join(", ") })),
    ),
  );
  const out = now.round.byes.map((p) => ({ p, where: t("Sitting out"), seat: "", game: "", partner: "" }));
  const all = [...rows, ...out].sort((one, other) => name(one.p).localeCompare(name(other.p)));
  const heads = /** @type {[string, string?][]} */ ([[t("No."), "few"], [t("Name")], [t("Table {n}", { n: "" }).trim()], [t("Seat {n}", { n: "" }).trim(), "few"]]);
  const cells = all.map((each) => [
    each.p.slice(1),
    [name(each.p), each.partner && h("small", {}, t("with {name} as partner", { name: each.partner }))],
    [each.where, each.game && now.games.length > 1 && h("small", {}, each.game)],
    each.seat,
  ]);
  return section(now, roundName(now), list("seats", heads, cells));
}

/** Each round's groups, by places once they are known.
 * @param {Lists} now */
function rounds(now) {
  const heads = /** @type {[string, string?][]} */ ([[t("Round {n}", { n: "" }).trim(), "few"], [t("Table {n}", { n: "" }).trim()], [t("Results")]]);
  const rows = [...now.rounds].reverse().flatMap(({ n, tables, byes }) => [
    ...tables.map((group) => [n, [called(group), now.games.length > 1 && h("small", {}, gameName(group.game))], groupWords(now.names, group)]),
    ...(byes.length ? [[n, t("Sitting out"), byes.map(named(now)).join(", ")]] : []),
  ]);
  return rows.length ? section(now, t("Results"), list("rounds", heads, rows)) : null;
}

/** @param {Lists} now */
function standings(now) {
  const heads = /** @type {[string, string?][]} */ ([[t("Rank"), "few"], [t("No."), "few more"], [t("Name")], [t("Points"), "few"], [t("Wins"), "few"], [t("Games"), "few"], [t("Decided by"), "more"]]);
  const rows = now.standings.map(([p, points, wins, games, decided, rank]) => [rank, p.slice(1), named(now)(p), number(points), wins, games, by(decided)]);
  return section(now, t("Standings"), list("standings", heads, rows));
}

/** Cross table: a row has 1 for each game ended before the column's person, a half for a shared place.
 * @param {Lists} now */
function cross(now) {
  const people = now.standings.filter((line) => line[3]).map(([p]) => p);
  if (!people.length || people.length > CROSS_TABLE_LIMIT) return null;
  /** @type {Record<string, number>} */
  const won = {};
  for (const { seats: group, ranks, teams } of now.rounds.flatMap(({ tables }) => tables)) {
    for (const [one, p] of group.entries()) {
      for (const [other, q] of group.entries()) {
        if (ranks && (teams.length ? teams[one] !== teams[other] : p !== q)) won[`${p} ${q}`] = (won[`${p} ${q}`] ?? 0) + (ranks[one] === ranks[other] ? 0.5 : Number(ranks[one] < ranks[other]));
      }
    }
  }
  const heads = /** @type {[string, string?][]} */ ([["", "few"], [t("Name")], ...people.map((_, at) => [String(at + 1), "cell"])]);
  const halves = (/** @type {number | undefined} */ n) => (n === undefined ? "" : `${Math.floor(n) || (n % 1 ? "" : 0)}${n % 1 ? "½" : ""}`);
  const cell = (/** @type {string} */ p, /** @type {string} */ q) => (p === q ? "×" : halves(won[`${p} ${q}`]));
  return section(now, t("Cross table"), h("p", {}, t("1 for each time before the other, ½ beside them, 0 behind.")), list("cross", heads, people.map((p, at) => [at + 1, named(now)(p), ...people.map((q) => cell(p, q))])));
}

/** @param {Lists} now */
function season(now) {
  const { since, best, evenings, lines } = now.season;
  if (evenings < 2) return null;
  const heads = /** @type {[string, string?][]} */ ([[t("Rank"), "few"], [t("Name")], [t("Points"), "few"], [t("Evenings"), "few"]]);
  const what = [t("{n} evenings", { n: evenings }), since && t("since {day}", { day: dayName(since) }), best && t("the best {n} of each person count", { n: best })];
  return section(now, t("Season"), h("p", {}, what.filter(Boolean).join(" · ")), list("season", heads, lines.map((line) => [line.rank, line.name || line.p, number(line.points), line.evenings])));
}

function draw() {
  if (!lists || lists.evening === null) return fill(main, nothing());
  const now = lists;
  const chosen = now.evenings.map(({ id, title, day }) => h("option", { value: id, selected: id === now.evening }, [dayName(day), title].filter(Boolean).join(" · ")));
  fill(
    main,
    h(
      "article",
      {},
      h("h1", {}, headline(now) || t("Lists")),
      h("p", { class: "buttons" }, h("button", { type: "button", "data-print": true }, t("Print")), now.evenings.length > 1 && h("label", { class: "evenings" }, t("Evening"), " ", h("select", { id: "evening" }, chosen))),
      seats(now),
      rounds(now),
      standings(now),
      cross(now),
      season(now),
    ),
  );
}

async function look() {
  const { status, body } = await ask(`/api/lists${wanted ? `?evening=${encodeURIComponent(wanted)}` : ""}`);
  if (status === 200) lists = body;
  draw();
}

main.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-print]")) print();
});
main.addEventListener("change", (event) => {
  const input = /** @type {HTMLSelectElement} */ (event.target);
  if (input.id !== "evening") return;
  wanted = input.value;
  look();
});
let known = /** @type {unknown} */ (null);
run(() => {
  draw();
  if (hall() !== known) look();
  known = hall();
});
