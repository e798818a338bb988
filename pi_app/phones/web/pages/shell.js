// What stands around every page: the way to the others, whether it is live, colours.

import { fill, h, ways } from "./dom.js";
import { follow, start, table } from "./live.js";
import { aloud } from "./parts.js";
import { t } from "./words.js";

const PAGES = { table: "/", keys: "/keys", hand: "/hand", history: "/history" };
/** @type {Record<string, string>} */
export const SIGNS = {
  table: "M3 3H21V21H3ZM3 9H21M3 15H21M9 3V21M15 3V21",
  keys: "M5 5H5M12 5H12M19 5H19M5 12H5M12 12H12M19 12H19M5 19H5M12 19H12M19 19H19",
  hand: "M4 8 11 4 17 17 10 21ZM13 4H20V18H18",
  history: "M3 3V21H21M6 16 10 10 14 13 20 5",
};
/** The hours between which a table with the theme of the day is light. */
const DAY = [7, 20];

const root = document.documentElement;
export const page = root.dataset.page ?? "";

/** What is shown beside the table's own words: what happened to a key, and the like. One that
 * `passes` goes when the table is live again. */
const notice = { text: "", passes: false };

/** The table wears its own theme; everybody's own pages that of the phone. */
function colours() {
  const hour = new Date().getHours();
  const set = (page === "table" && table.hello?.theme) || "";
  const theme = ["dark", "light"].includes(set) ? set : null;
  const daily = ["day", "time"].includes(set) ? (hour >= DAY[0] && hour < DAY[1] ? "light" : "dark") : null;
  const wanted = theme ?? daily ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
  root.dataset.theme = wanted;
  const ground = getComputedStyle(root).getPropertyValue("--ground").trim();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", ground);
}

/** @param {string} query */
const one = (query) => /** @type {HTMLElement} */ (document.querySelector(query));

let heard = "";

function around() {
  colours();
  document.title = [table.frame?.title, t(`page-${page}`), "Beisitzer"].filter(Boolean).join(" · ");
  const nav = one("nav");
  nav.setAttribute("aria-label", t("pages"));
  fill(nav, ways(PAGES, SIGNS, page));
  const link = one("#link");
  const quiet = ["live", "wait", "ends"].includes(table.link);
  fill(link, quiet ? [] : [h("p", {}, t(`link-${table.link}`))]);
  root.dataset.link = table.link;
  if (notice.passes && table.link === "live") notice.text = "";
  fill(one("#notice"), notice.text ? [h("p", {}, notice.text)] : []);
  if (page !== "hand") speak(table.frame ? aloud(table.frame) : "");
}

/** Say something to who listens to the page, once.
 * @param {string} words */
export function speak(words) {
  if (words === heard) return;
  heard = words;
  one("#aloud").textContent = words;
}

/** What this phone is called, for its owner alone: a way to call it something else. */
export function ownName() {
  return table.hello?.paired ? h("a", { class: "own", href: "/pair" }, table.hello.name) : null;
}

/** Return what an unpaired phone sees instead of the page.
 * @param {string} words */
export function pairFirst(words) {
  const pair = h("a", { href: "/pair", class: "button" }, t("pair-this"));
  return h("div", { class: "lonely" }, h("p", {}, words), pair);
}

/** Show a page: `draw` is called whenever the table changes.
 * @param {() => void} draw */
export function run(draw) {
  follow(() => {
    around();
    draw();
  });
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", colours);
  setInterval(colours, 60_000);
  colours();
  import("./undoing.js");
  start();
}

/** Say something that is not the table's: it stays until the next thing is said, or until the
 * table is live again where it says only that it was not.
 * @param {string} text */
export function say(text) {
  notice.text = text;
  notice.passes = text === t("not-sent");
  if (table.link !== "wait") around();
}
