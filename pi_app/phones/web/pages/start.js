// Beginning a game: choose it, choose the players, start.

import { h } from "./dom.js";
import { table } from "./live.js";
import { ask } from "./send.js";
import { notSent, redraw, say } from "./shell.js";
import { stone } from "./stone.js";
import { t } from "./words.js";

const AGAIN_MS = 1_000; // until an unanswered question is repeated

/** @type {Offered | null} */
let offered = null; // the games to begin, after the answer
/** @type {OfferedGame | null} */
let chosen = null;
/** @type {string[]} */
let people = []; // in the order of their turns
/** @type {Record<string, string>} */
let worn = {}; // each one's colour in the game
let missing = ""; // the tag of the record that the game lacks
let looking = false; // a question is on its way, which delays no start
let busy = false; // a start is on its way

/** Begin anew: another game, or none, is on the table. */
export function leave() {
  [offered, chosen, missing, busy] = [null, null, "", false];
}

/** Ask for the games, and for the chosen players' colours. */
async function look() {
  looking = true;
  const { status, body } = await ask("/api/games", { game: chosen?.game ?? "", players: people.join(",") });
  if (status === 200) [offered, worn] = [body, body.worn];
  else await new Promise((done) => setTimeout(done, AGAIN_MS));
  looking = false;
  redraw();
}

/** Let these people play.
 * @param {string[]} next */
function seat(next) {
  people = next;
  redraw();
  look();
}

/** Begin or continue a game; ask for missing facts.
 * @param {string} path
 * @param {number} seen
 * @param {Record<string, string | number>} [facts] */
async function begin(path, seen, facts = {}) {
  if (busy) return;
  busy = true;
  const input = /** @type {HTMLInputElement | null} */ (document.querySelector("#missing"));
  const lacked = input && { tag: missing, value: input.value.trim() };
  const { status, body } = await ask(path, { epoch: table.hello?.epoch, seen, ...lacked, ...facts });
  busy = false;
  missing = body.error === "setup" ? body.tag : "";
  say(status === 200 ? "" : body.text || notSent());
  redraw();
}

const box = () => missing && h("input", { id: "missing", inputmode: "numeric", autocomplete: "off", maxlength: 16, "aria-label": t("What is missing") });

/** @type {(name: string, text: string, more?: Record<string, string | boolean>) => Element} */
const button = (name, text, more = {}) => h("button", { type: "button", [`data-${name}`]: "", ...more }, text);

/** Return the way to the same game again. */
export const again = () => h("section", { class: "start" }, box(), button("again", t("Again?"), { class: "button" }));

/** Return the games to begin, or the choice of players. */
export function view() {
  if (!offered) {
    if (!looking) look();
    return h("p", { class: "lonely" }, t("Looking for the table …"));
  }
  if (!chosen) {
    const rows = offered.games.map(({ game, name }) => h("li", {}, h("button", { type: "button", "data-game": game }, h("span", {}, name))));
    return h("section", { class: "start" }, h("h1", {}, t("Which game?")), Object.entries(offered.waiting).map(([game, words]) => button("continue", words, { class: "button", "data-continue": game })), h("ol", { class: "choices" }, rows), h("a", { href: "/invite" }, t("Let everybody in")));
  }
  const others = offered.people.filter((name) => !people.includes(name));
  const most = Math.max(...chosen.counts);
  const unfit = !chosen.counts.includes(people.length);
  return h(
    "section",
    { class: "start" },
    h("h1", {}, chosen.name),
    h("p", {}, t("Who plays? The first one begins.")),
    h("ol", { class: "choices" }, people.map((name) => h("li", { class: `of-${worn[name] ?? ""}` }, h("button", { type: "button", "data-without": name }, stone(worn[name]), h("span", {}, name), h("b", { "aria-label": t("Delete") }, "×"))))),
    people.length < most && others.length > 0 && h("div", { class: "people" }, others.map((name) => h("button", { type: "button", "data-with": name }, `+ ${name}`))),
    people.length < most && h("form", {}, h("input", { id: "person", autocomplete: "off", enterkeyhint: "done", maxlength: 16, placeholder: t("One more name"), "aria-label": t("One more name") }), h("button", {}, "+")),
    box(),
    h("h2", {}, t("Go! Who are you?")),
    h("div", { class: "people" }, people.map((name) => h("button", { type: "button", class: "button", "data-go": name, disabled: unfit }, stone(worn[name]), name))),
    h("div", { class: "leave" }, button("go", t("Begin without me"), { disabled: unfit }), button("back", t("back"))),
  );
}

/** Add a player. */
export function submitted() {
  const input = /** @type {HTMLInputElement} */ (document.querySelector("#person"));
  const name = input.value.replace(/,/g, " ").trim();
  input.value = "";
  if (name && !people.includes(name)) seat([...people, name]);
}

/** What touches mean here; `seen` is the number of the position.
 * @type {Record<string, (value: string, seen: number) => void>} */
export const ACTS = {
  game: (name) => {
    chosen = offered?.games.find(({ game }) => game === name) ?? null;
    seat(chosen?.players ?? []);
  },
  back: () => {
    [chosen, missing] = [null, ""];
    redraw();
  },
  with: (name) => seat([...people, name]),
  without: (name) => seat(people.filter((each) => each !== name)),
  go: (me, seen) => begin("/api/start", seen, { game: chosen?.game ?? "", players: people.join(","), me }),
  continue: (game, seen) => begin("/api/continue", seen, { game: Number(game) }),
  again: (_, seen) => begin("/api/again", seen),
};
