// The frame of every page of an evening, and shared words: tables, names, the clock.

import { fill, h, ways, wear } from "./dom.js";
import { follow, start, table } from "./live.js";
import { t } from "./words.js";

const PAGES = { hall: "/", where: "/where", lists: "/lists", organiser: "/organiser" };
/** @type {() => Record<string, string>} */
const names = () => ({ hall: t("Hall"), where: t("My seat"), lists: t("Lists"), organiser: t("Organiser") });
/** @type {Record<string, string>} */
const SIGNS = {
  hall: "M3 20H21M5 20V12H9V20M10 20V6H14V20M15 20V15H19V20",
  where: "M12 21C7 15 5 12 5 9A7 7 0 0 1 19 9C19 12 17 15 12 21ZM12 9H12",
  lists: "M5 5H5M9 5H20M5 12H5M9 12H20M5 19H5M9 19H20",
  organiser: "M12 3 20 6V12C20 17 16 20 12 21C8 20 4 17 4 12V6ZM9 12 11 14 15 10",
};
const page = document.documentElement.dataset.page ?? "";
/** How many seconds the server's clock is ahead of ours. */
let ahead = 0;
/** @type {unknown} */
let greeted = null;

/** @param {string} query */
export const one = (query) => /** @type {HTMLElement} */ (document.querySelector(query));
export const main = one("main");

/** Return the hall's facts, null while they are unknown.
 * @returns {Hall | null} */
export const hall = () => /** @type {any} */ (table.frame);

const colours = () => wear(matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");

function around() {
  const hello = /** @type {any} */ (table.hello);
  if (hello && hello !== greeted) ahead = hello.now - Date.now() / 1000;
  greeted = hello;
  document.title = [names()[page], "Beisitzer"].filter(Boolean).join(" · ");
  one("nav").setAttribute("aria-label", t("Pages"));
  fill(one("nav"), ways(PAGES, names(), SIGNS, page));
  const link = table.link;
  const quiet = ["live", "wait"].includes(link);
  fill(one("#link"), quiet ? [] : [h("p", {}, link === "lost" ? t("Not live: no connection. What you see may be old.") : t("Not live: the club's database does not answer."))]);
  document.documentElement.dataset.link = link;
}

/** Show a page: `draw` is called whenever something of the evening changes.
 * @param {() => void} draw */
export function run(draw) {
  follow(() => {
    around();
    draw();
  });
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", colours);
  setInterval(tick, 250);
  colours();
  start();
}

/** Show a message of this page, until the next one.
 * @param {string} text */
export const say = (text) => fill(one("#notice"), text ? [h("p", {}, text)] : []);

/** Return the reason why there is nothing to show; null if there is something.
 * @returns {Element | null} */
export function nothing() {
  const now = hall();
  if (now?.evening) return null;
  return h("p", { class: "lonely" }, now ? t("No evening is open yet.") : t("Looking for the evening …"));
}

/** Return what a table is called, where a group sits.
 * @param {{ number: number | null }} at */
export const called = ({ number: n }) => t("Table {n}", { n: n ?? "?" });

/** Return the sides of a group: people who play together, the best place first once it is known.
 * @param {Record<string, string>} names
 * @param {Group} group */
export function sides(names, group) {
  /** @type {Map<unknown, Side>} */
  const found = new Map();
  for (const [at, p] of group.seats.entries()) {
    const team = group.teams[at] ?? p;
    const side = found.get(team) ?? { people: [], seats: [], rank: group.ranks?.[at] ?? null, words: "" };
    side.people.push(p);
    side.seats.push(at + 1);
    side.words = side.people.map((each) => names[each] ?? each).join(" + ");
    found.set(team, side);
  }
  const all = [...found.values()];
  // people count sides: of two teams the second one is second, whatever place its people have
  const places = all.map(({ rank }) => rank && 1 + all.filter((other) => (other.rank ?? 0) < rank).length);
  return all.map((side, at) => ({ ...side, rank: places[at] })).sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
}

/** Return a group's people, partners together, by their places once they are known.
 * @param {Record<string, string>} names
 * @param {Group} group */
export const groupWords = (names, group) =>
  sides(names, group).map(({ rank, words }) => (rank ? `${rank}. ${words}` : words)).join(group.teams.length && !group.ranks ? " – " : ", ");

/** The places of a group's sides, to touch: sides may share a place.
 * @param {Record<string, string>} names
 * @param {Group} group */
export function places(names, group) {
  const all = sides(names, { ...group, ranks: null });
  return all.map(({ people, seats, words }) => {
    const choice = (/** @type {number} */ n) =>
      h("label", {}, h("input", { type: "radio", name: people[0], value: n, required: true, checked: group.ranks?.[seats[0] - 1] === n }), `${n}.`);
    return h("fieldset", { class: "choice" }, h("legend", {}, t("Place of {name}", { name: words })), all.map((_, at) => choice(at + 1)));
  });
}

/** Return each person's place from a form with `places`.
 * @param {HTMLFormElement} form
 * @param {Group} group
 * @returns {Record<string, number>} */
export function keyed(form, group) {
  const said = new FormData(form);
  return Object.fromEntries(sides({}, { ...group, ranks: null }).flatMap(({ people }) => people.map((p) => [p, Number(said.get(people[0]))])));
}

/** Return the day of an evening in words.
 * @param {string} day */
export const dayName = (day) =>
  day && new Date(`${day}T12:00`).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long", year: "numeric" });

/** Return club, title and day of an evening.
 * @param {Hall} now */
export const headline = (now) => [now.club, now.title, dayName(now.day)].filter(Boolean).join(" · ");

/** Return points as they are written here: 2.5 or 2,5.
 * @param {number} points */
export const number = (points) => points.toLocaleString(document.documentElement.lang || "en");

/** @param {string} game */
export const gameName = (game) => t(`game-${game}`) || game;

/** @param {Record<string, string>} names
 * @param {string[]} people */
export const namesOf = (names, people) => people.map((p) => names[p] ?? p).join(", ");

/** Return the name of a round.
 * @param {Hall} now */
export function roundName(now) {
  if (!now.round) return now.mode === "free" ? t("Free play: whoever wants to sits down anywhere.") : t("No round is paired yet.");
  const { n } = now.round;
  return now.planned >= n ? t("Round {n} of {all}", { n, all: now.planned }) : t("Round {n}", { n });
}

/** Return the place of the clock, if the round has one; it goes by itself. */
export function clock() {
  const ends = hall()?.ends;
  return ends ? h("time", { id: "clock", role: "timer", ...remaining(ends) }, left(ends)) : null;
}

/** @param {number} ends */
const seconds = (ends) => Math.ceil(ends - ahead - Date.now() / 1000);
/** @param {number} ends */
const remaining = (ends) => ({ class: seconds(ends) <= 0 ? "up" : seconds(ends) <= 60 ? "soon" : null });

/** @param {number} ends */
function left(ends) {
  const rest = seconds(ends);
  if (rest <= 0) return t("Time is up");
  return `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
}

function tick() {
  const shown = document.querySelector("#clock");
  const ends = hall()?.ends;
  if (!shown || !ends) return;
  const text = left(ends);
  if (shown.textContent !== text) shown.textContent = text;
  shown.className = remaining(ends).class ?? "";
}
