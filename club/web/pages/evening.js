// The organiser's next steps in an evening: open it, pair, start the clock, close it.

import { called, clock, gameName, groupWords, hall, namesOf } from "./around.js";
import { h } from "./dom.js";
import { buttons, desk, doing, form, input, name, row, select, submit, tick } from "./forms.js";
import { t } from "./words.js";

let first = ""; // the first of two people to exchange

function opening() {
  const before = desk.evening ?? { games: [], mode: "tables", per_table: 4, planned: 0, teams: false };
  const games = desk.known_games.map((/** @type {string} */ game, /** @type {number} */ at) =>
    tick(gameName(game), "games", { value: game, "data-list": true, checked: before.games.length ? before.games.includes(game) : at === 0 }),
  );
  return form(
    "evening",
    h("h2", {}, t("Open an evening")),
    desk.lost.length > 0 && select(t("Make an evening anew that is lost here"), "evening", ["", ...desk.lost].map((/** @type {string} */ id) => [id, id || "–"])),
    input(t("Title"), "title", { maxlength: 80 }),
    h("p", {}, t("Games")),
    games,
    select(t("How rounds are paired"), "mode", [["tables", t("Groups of two to four")], ["swiss", t("Groups, by points")], ["round-robin", t("Everybody against everybody")], ["free", t("Free play")]], before.mode),
    select(t("People in a group"), "per_table", [4, 3, 2].map((n) => [n, n]), before.per_table),
    input(t("Rounds planned (0: open)"), "rounds", { type: "number", min: 0, max: 100, value: before.planned }),
    tick(t("Fixed teams of two (Sequence)"), "teams", { checked: before.teams }),
    buttons(submit(t("Open an evening"))),
  );
}

function rounds() {
  const last = desk.rounds.at(-1);
  const open = last?.tables.filter((/** @type {any} */ group) => !group.ranks) ?? [];
  const missing = open.map(called).join(", ");
  const sure = missing ? t("Round {n}: results are missing: {missing}", { n: last.n, missing }) : null;
  const here = desk.people.filter((/** @type {any} */ each) => each.present).length;
  const away = desk.tables.filter((/** @type {any} */ each) => !each.online).map(called);
  const next = t("Pair round {n}", { n: (last?.n ?? 0) + 1 });
  return [
    h(
      "section",
      { class: "panel" },
      h("h2", {}, last ? t("Round {n}", { n: last.n }) : t("No round is paired yet."), " ", clock()),
      !last && h("p", {}, h("a", { href: "#people" }, t("{n} here, {away} not", { n: here, away: desk.people.length - here }))),
      last && h("p", {}, t("{n} of {all} groups are done", { n: last.tables.length - open.length, all: last.tables.length })),
      open.length < (last?.tables.length ?? 0) && missing && h("p", {}, t("No result yet: {missing}", { missing })),
      last?.byes.length > 0 && h("p", {}, `${t("Sitting out")}: ${namesOf(desk.names, last.byes)}`),
      away.length > 0 && h("p", { class: "warn" }, t("Not connected, results are keyed there: {tables}", { tables: away.join(", ") })),
      last && !last.given ? giving(last) : buttons(doing(next, "pair", {}, { class: missing ? null : "main", "data-sure": sure }), doing(t("Pair it, and look before the tables get it"), "pair", { give: false }, { "data-sure": sure })),
    ),
    last &&
      form(
        "clock",
        h("h2", {}, t("Clock")),
        input(t("Minutes"), "minutes", { type: "number", min: 1, max: 600, value: 30 }),
        buttons(submit(t("Start the clock")), hall()?.ends && doing(t("No clock"), "clock", { minutes: 0 })),
      ),
  ];
}

/** A preview of a round before the tables get it: touch two people to exchange them.
 * @param {any} round */
function giving(round) {
  const person = (/** @type {string} */ p) => {
    const look = { "aria-pressed": String(p === first), class: p === first ? "main" : null };
    if (first && first !== p) return doing(name(p), "swap", { a: first, b: p }, look);
    return h("button", { type: "button", "data-first": p === first ? "" : p, ...look }, name(p));
  };
  const groups = round.tables.map((/** @type {any} */ group) => row(called(group), [gameName(group.game), group.teams.length && groupWords(desk.names, group)].filter(Boolean).join(" · "), "", group.seats.map(person)));
  return [
    h("p", {}, t("Touch two people: they change places.")),
    h("ul", {}, groups, round.byes.length > 0 && row(t("Sitting out"), "", "", round.byes.map(person))),
    buttons(doing(t("Give it to the tables"), "give", {}, { class: "main" })),
  ];
}

/** Remember the person touched first.
 * @param {string} p */
export const touch = (p) => {
  first = p;
};

/** Return the buttons for the organiser's next steps. */
export function now() {
  if (!desk.evening || desk.evening.closed) return [desk.evening && h("p", {}, t("The evening is over.")), opening(), over(desk.settings)];
  return [
    desk.evening.mode === "free" ? h("p", {}, t("Free play: whoever wants to sits down anywhere.")) : rounds(),
    desk.tables.length > 0 && form("say", input(t("Say at all tables"), "text", { maxlength: 200, required: true }), buttons(submit(t("Say it")))),
    buttons(doing(t("Close the evening"), "close", {}, { "data-sure": t("Its results are final then.") })),
  ];
}

/** Settings of all evenings: the club's name and the season.
 * @param {{ club: string, since: string, best: number }} settings */
const over = ({ club, since, best }) =>
  form(
    "settings",
    h("h2", {}, t("For all evenings")),
    input(t("Name of the club"), "club", { maxlength: 40, value: club || null }),
    input(t("The season began on"), "since", { type: "date", value: since || null }),
    input(t("Evenings that count, the best of each person (0: all)"), "best", { type: "number", min: 0, max: 1000, value: best }),
    buttons(submit(t("Save"))),
  );
