// What is to be done now in an evening: open it, pair, the clock, close it; and what forms say.

import { called, clock, gameName, hall, namesOf } from "./around.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const MODES = ["tables", "swiss", "round-robin", "free"];

/** @param {any} desk */
function opening(desk) {
  const games = desk.known_games.map((/** @type {string} */ game, /** @type {number} */ at) =>
    h("label", { class: "tick" }, h("input", { type: "checkbox", name: "games", value: game, checked: at === 0 }), gameName(game)),
  );
  const modes = MODES.map((mode) => h("option", { value: mode }, t(`mode-${mode}`)));
  return h(
    "form",
    { class: "panel", "data-form": "evening" },
    h("h2", {}, t("open-evening")),
    desk.lost.length > 0 && h("label", {}, t("lost-evening"), h("select", { name: "evening" }, ["", ...desk.lost].map((/** @type {string} */ id) => h("option", { value: id }, id || "–")))),
    h("label", {}, t("title"), h("input", { name: "title", maxlength: 80 })),
    h("p", {}, t("which-games")),
    games,
    h("label", {}, t("mode"), h("select", { name: "mode" }, modes)),
    h("label", {}, t("per-table"), h("select", { name: "per_table" }, [4, 3, 2].map((n) => h("option", { value: n }, n)))),
    h("label", {}, t("planned"), h("input", { name: "rounds", type: "number", min: 0, max: 100, value: 0 })),
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
  return [
    h(
      "section",
      { class: "panel" },
      h("h2", {}, last ? t("round", { n: last.n }) : t("no-round"), " ", clock()),
      last && h("p", {}, t("done", { n: last.tables.length - open.length, all: last.tables.length })),
      open.length < (last?.tables.length ?? 0) && missing ? h("p", {}, t("missing", { missing })) : null,
      last?.byes.length ? h("p", {}, `${t("byes")}: ${namesOf(desk.names, last.byes)}`) : null,
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

/** A round that is looked at before the tables get it: two people may change places.
 * @param {any} desk
 * @param {any} round
 * @param {(verb: string, fields?: object) => Record<string, any>} doing */
function giving(desk, round, doing) {
  const people = [...round.tables.flatMap((/** @type {any} */ group) => group.seats), ...round.byes];
  const choice = (/** @type {string} */ name) => h("select", { name, "aria-label": t("swap") }, people.map((p) => h("option", { value: p }, desk.names[p] ?? p)));
  return [
    h("ul", {}, round.tables.map((/** @type {any} */ group) => h("li", { class: "row" }, h("span", {}, h("b", {}, called(group)), h("small", {}, gameName(group.game)), namesOf(desk.names, group.seats))))),
    h("p", { class: "buttons" }, h("button", { ...doing("give"), class: "main" }, t("give"))),
    h("form", { "data-form": "swap" }, h("p", {}, t("swap")), choice("a"), choice("b"), h("p", { class: "buttons" }, h("button", { type: "submit" }, t("swap-do")))),
  ];
}

/** What the organiser has to do now.
 * @param {any} desk
 * @param {(verb: string, fields?: object) => Record<string, any>} doing */
export function now(desk, doing) {
  if (!desk.evening || desk.evening.closed) return [desk.evening && h("p", {}, t("closed")), opening(desk)];
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
  if (form.dataset.form === "swap") return { a: said.get("a"), b: said.get("b") };
  const mode = said.get("mode");
  const per_table = mode === "round-robin" ? 2 : number("per_table");
  return { games: said.getAll("games"), mode, per_table, rounds: number("rounds"), title: said.get("title"), evening: said.get("evening") || null };
}
