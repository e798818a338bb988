// The frame of every place: links to the others, whether the page is live, colours.

import { fill, h, ways, wear } from "./dom.js";
import { follow, start, table } from "./live.js";
import { aloud } from "./parts.js";
import { confirmed, followRow, pump, sameCompanion, send } from "./send.js";
import { t } from "./words.js";

const WAYS = { play: "/play", table: "/", more: "/more" };
/** @type {Record<string, string>} */
const SIGNS = {
  table: "M3 3H21V21H3ZM3 9H21M3 15H21M9 3V21M15 3V21",
  play: "M4 8 11 4 17 17 10 21ZM13 4H20V18H18",
  more: "M5 12H5M12 12H12M19 12H19",
};
/** @type {() => Record<string, string>} */
const names = () => ({
  table: t("Table"), play: t("Play"), more: t("More"), keys: t("Keypad"), invite: t("Let everybody in"),
  history: t("History"), pair: t("Pair this phone"), network: t("The table's Wi-Fi"),
});
/** The hours between which a table with the theme of the day is light. */
const DAY = [7, 20];

const root = document.documentElement;
/** @param {string} query */
const one = (query) => /** @type {HTMLElement} */ (document.querySelector(query));
export const main = one("main");

/** @type {Record<string, Place>} */
let places = {};
let here = ""; // the name of the place that is open

/** A notice beside the table's own words, for instance about a key. One that
 * `passes` goes when the table is live again. */
const notice = { text: "", passes: false };
let heard = "";

/** The table has its own theme; everybody's own places have the phone's. */
function colours() {
  const hour = new Date().getHours();
  const set = (here === "table" && table.hello?.theme) || "";
  const theme = ["dark", "light"].includes(set) ? set : null;
  const daily = set === "day" ? (hour >= DAY[0] && hour < DAY[1] ? "light" : "dark") : null;
  wear(theme ?? daily ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark"));
}

function around() {
  colours();
  document.title = [table.frame?.title, names()[here], "Beisitzer"].filter(Boolean).join(" · ");
  const nav = one("nav");
  nav.setAttribute("aria-label", t("Pages"));
  fill(nav, ways(WAYS, names(), SIGNS, here in WAYS ? here : "more"));
  const quiet = ["live", "wait", "ends"].includes(table.link);
  fill(one("#link"), quiet ? [] : [h("p", {}, linkSaid())]);
  root.dataset.link = table.link;
  root.dataset.n = String(table.n);
  root.dataset.confirmed = String(confirmed());
  if (notice.passes && table.link === "live") notice.text = "";
  fill(one("#notice"), notice.text ? [h("p", {}, notice.text)] : []);
  if (here !== "play") speak(table.frame ? aloud(table.frame) : "");
}

/** Say why the page is not live. */
function linkSaid() {
  if (table.link === "off") return t("Not live: phones are switched off at the table.");
  if (table.link === "lost") return t("Not live: no connection.");
  return t("Not live: Beisitzer is not running, or phones are switched off there.");
}

/** Return the notice that a touch was not sent. */
export const notSent = () => t("Not live: nothing was keyed.");

/** Say something once to screen readers.
 * @param {string} words */
export function speak(words) {
  if (words === heard) return;
  heard = words;
  one("#aloud").textContent = words;
}

/** Tell whether a place is open.
 * @param {string} name */
export const isAt = (name) => here === name;

/** Draw the place that is open again. */
export function redraw() {
  const { hello, frame } = table;
  const place = places[here];
  if (!place.paired || (hello?.paired && frame)) fill(main, place.view());
  else if (hello && !hello.paired) fill(main, pairFirst());
  else fill(main, h("p", { class: "lonely" }, t("Looking for the table …")));
  place.drawn?.();
}

/** Go to another place; the way back leads here again, unless that place comes `instead`.
 * @param {string} path
 * @param {boolean} [instead] */
export function go(path, instead) {
  history[instead ? "replaceState" : "pushState"](null, "", path);
  arrive();
}

/** Show the place of the address. */
function arrive() {
  const next = location.pathname.slice(1) || "table";
  if (next !== here) {
    places[here]?.left?.();
    here = root.dataset.page = next;
    delete main.dataset.kind;
    main.replaceChildren();
    main.scrollTop = 0;
  }
  places[here].opened?.();
  around();
  redraw();
}

/** Show the place of the address, and follow the table from now on.
 * @param {Record<string, Place>} all */
export function open(all) {
  places = all;
  follow(() => {
    if (table.hello) sameCompanion(table.hello.epoch);
    const stays = places[here].changed?.() === false;
    around();
    if (!stays) redraw();
  });
  followRow(({ waiting, said }) => {
    if (said) say(said);
    else around();
    places[here].answered?.(waiting, said);
  });
  for (const kind of ["click", "submit", "focusin"]) {
    main.addEventListener(kind, (event) => places[here].on?.[kind]?.(event));
  }
  document.addEventListener("keydown", (event) => {
    // A field of the board is a button that the browser does not know.
    const field = ["Enter", " "].includes(event.key) && /** @type {Element} */ (event.target).matches?.("[data-tap]");
    if (field) event.target?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    if (field) event.preventDefault();
    places[here].on?.keydown?.(event);
  });
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.('a:is([href^="/"],[href^="#"])');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.getAttribute("href") ?? "/");
  });
  addEventListener("popstate", arrive);
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", colours);
  setInterval(colours, 60_000);
  arrive();
  start();
  pump();
}

/** Return the page for an unpaired phone instead of a place of its own. */
function pairFirst() {
  const pair = h("a", { href: "/pair", class: "button" }, t("Take part"));
  return h("div", { class: "lonely" }, h("p", {}, t("This phone may look. To play it has to be paired.")), pair);
}

/** Send what was touched, but only while the page is live: otherwise it would act at the wrong time.
 * Return whether it was sent.
 * @type {(path: string, body: Sent) => boolean} */
export function sendIfLive(path, body) {
  const live = table.link === "live" && table.hello;
  say(live ? "" : notSent());
  if (live) send(live.epoch, path, body);
  return Boolean(live);
}

/** Show a notice of the page: it stays until the next one, or, if it only says that the table was
 * not live, until it is.
 * @param {string} text */
export function say(text) {
  notice.text = text;
  notice.passes = text === notSent();
  if (table.link !== "wait") around();
}
