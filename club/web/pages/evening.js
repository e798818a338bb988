// What is to be done now in an evening: open it, pair, the clock, close it; and what forms say.

import { called, clock, gameName, groupWords, hall, namesOf } from "./around.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const MODES = ["tables", "swiss", "round-robin", "free"];
let first = ""; // the first of two people who change places

/** @param {any} desk */
function opening(desk) {
  const before = desk.evening ?? { games: [], mode: "tables", per_table: 4, planned: 0, teams: false };
  const games = desk.known_games.map((/** @type {string} */ game, /** @type {number} */ at) =>
    h("label", { class: "tick" }, h("input", { type: "checkbox", name: "games", value: game, checked: before.games.length ? before.games.includes(game) : at === 0 }), gameName(game)),
  );
  const modes = MODES.map((mode) => h("option", { value: mode, selected: mode === before.mode }, t(`mode-${mode}`)));
  return h(
    "form",
    { class: "panel", "data-form": "evening" },
    h("h2", {}, t("open-evening")),
    desk.lost.length > 0 && h("label", {}, t("lost-evening"), h("select", { name: "evening" }, ["", ...desk.lost].map((/** @type {string} */ id) => h("option", { value: id }, id || "–")))),
    h("label", {}, t("title"), h("input", { name: "title", maxlength: 80 })),
    h("p", {}, t("which-games")),
    games,
    h("label", {}, t("mode"), h("select", { name: "mode" }, modes)),
    h("label", {}, t("per-table"), h("select", { name: "per_table" }, [4, 3, 2].map((n) => h("option", { value: n, selected: n === before.per_table }, n)))),
    h("label", {}, t("planned"), h("input", { name: "rounds", type: "number", min: 0, max: 100, value: before.planned })),
    h("label", { class: "tick" }, h("input", { type: "checkbox", name: "teams", checked: before.teams }), t("fixed-teams")),
    h("p", { class: "buttons" }, h("button", { class: "main", type: "submit" }, t("open-evening"))),
  );
}

/** @param {any} desk
 * @param {(verb: string, fields?: object) => Record<string, any>} doing */
function rounds(desk, doing) {
  const last = desk.rounds.at(-1);
  const next = (last?.n ?? 0) + 1;
  const open = last?.tables.filter((/** @type {any} */ group) => !group.ranks) ?? [];
  const missing = open.map(called).join(", ");
  const sure = missing ? t("still-playing", { n: last.n, missing }) : null;
  const here = desk.people.filter((/** @type {any} */ each) => each.present).length;
  const away = desk.tables.filter((/** @type {any} */ each) => !each.online).map((/** @type {any} */ { id }) => called({ table: id }));
  return [
    h(
      "section",
      { class: "panel" },
      h("h2", {}, last ? t("round", { n: last.n }) : t("no-round"), " ", clock()),
      !last && h("p", {}, h("a", { href: "#people" }, t("count-here", { n: here, away: desk.people.length - here }))),
      last && h("p", {}, t("done", { n: last.tables.length - open.length, all: last.tables.length })),
      open.length < (last?.tables.length ?? 0) && missing ? h("p", {}, t("missing", { missing })) : null,
      last?.byes.length ? h("p", {}, `${t("byes")}: ${namesOf(desk.names, last.byes)}`) : null,
      away.length > 0 && h("p", { class: "warn" }, t("away-tables", { tables: away.join(", ") })),
      last && !last.given ? giving(desk, last, doing) : h(
        "p",
        { class: "buttons" },
        h("button", { ...doing("pair"), class: missing ? null : "main", "data-sure": sure }, t("pair-next", { n: next })),
        h("button", { ...doing("pair", { give: false }), "data-sure": sure }, t("pair-look")),
      ),
    ),
    last &&
      h(
        "form",
        { class: "panel", "data-form": "clock" },
        h("h2", {}, t("clock")),
        h("label", {}, t("minutes"), h("input", { name: "minutes", type: "number", min: 1, max: 600, value: 30 })),
        h("p", { class: "buttons" }, h("button", { type: "submit" }, t("start-clock")), hall()?.ends ? h("button", doing("clock", { minutes: 0 }), t("stop-clock")) : null),
      ),
  ];
}

/** A round that is looked at before the tables get it: two who are touched change places.
 * @param {any} desk
 * @param {any} round
 * @param {(verb: string, fields?: object) => Record<string, any>} doing */
function giving(desk, round, doing) {
  const person = (/** @type {string} */ p) => {
    const what = first && first !== p ? doing("swap", { a: first, b: p }) : { type: "button", "data-first": p === first ? "" : p };
    return h("button", { ...what, "aria-pressed": String(p === first), class: p === first ? "main" : null }, desk.names[p] ?? p);
  };
  const row = (/** @type {string} */ head, /** @type {string} */ words, /** @type {string[]} */ people) => h("li", { class: "row" }, h("span", {}, h("b", {}, head), h("small", {}, words)), people.map(person));
  return [
    h("p", {}, t("swap")),
    h("ul", {}, round.tables.map((/** @type {any} */ group) => row(called(group), [gameName(group.game), group.teams.length && groupWords(desk.names, group)].filter(Boolean).join(" · "), group.seats)), round.byes.length > 0 && row(t("byes"), "", round.byes)),
    h("p", { class: "buttons" }, h("button", { ...doing("give"), class: "main" }, t("give"))),
  ];
}

/** Remember who was touched first.
 * @param {string} p */
export const touch = (p) => {
  first = p;
};

/** What the organiser has to do now.
 * @param {any} desk
 * @param {(verb: string, fields?: object) => Record<string, any>} doing */
export function now(desk, doing) {
  if (!desk.evening || desk.evening.closed) return [desk.evening && h("p", {}, t("closed")), opening(desk), over(desk)];
  return [
    desk.evening.mode === "free" ? h("p", {}, t("free-play")) : rounds(desk, doing),
    desk.tables.length > 0 && h(
      "form",
      { class: "panel", "data-form": "say" },
      h("label", {}, t("say"), h("input", { name: "text", maxlength: 200, required: true })),
      h("p", { class: "buttons" }, h("button", { type: "submit" }, t("say-do"))),
    ),
    h("p", { class: "buttons" }, h("button", { ...doing("close"), "data-sure": t("close-means") }, t("close"))),
  ];
}

/** What holds for all evenings: the club's name and the season.
 * @param {any} desk */
function over({ settings }) {
  return h(
    "form",
    { class: "panel", "data-form": "settings" },
    h("h2", {}, t("all-evenings")),
    h("label", {}, t("club-name"), h("input", { name: "club", maxlength: 40, value: settings.club || null })),
    h("label", {}, t("season-since"), h("input", { name: "since", type: "date", value: settings.since || null })),
    h("label", {}, t("season-best"), h("input", { name: "best", type: "number", min: 0, max: 1000, value: settings.best })),
    h("p", { class: "buttons" }, h("button", { type: "submit" }, t("save"))),
  );
}

/** Return what a form says as the fields of its act, null if it says nothing.
 * @param {HTMLFormElement} form
 * @returns {object | null} */
export function evening(form) {
  const said = new FormData(form);
  const number = (/** @type {string} */ name) => Number(said.get(name)) || 0;
  if (form.dataset.form === "clock") return { minutes: number("minutes") };
  if (form.dataset.form === "people") {
    const names = String(said.get("names")).split("\n").map((name) => name.trim()).filter(Boolean);
    return names.length ? { people: names.map((name) => ({ name })) } : null;
  }
  if (form.dataset.form === "rename") return { people: [{ p: form.dataset.p, name: said.get("name") }] };
  if (form.dataset.form === "say") return { text: said.get("text") };
  if (form.dataset.form === "team") return { a: said.get("a"), b: said.get("b") };
  if (form.dataset.form === "settings") return { club: said.get("club"), since: said.get("since"), best: number("best") };
  const mode = said.get("mode");
  const per_table = mode === "round-robin" ? 2 : number("per_table");
  return { games: said.getAll("games"), mode, per_table, rounds: number("rounds"), title: said.get("title"), teams: said.has("teams"), evening: said.get("evening") || null };
}
