// The table as it is now: one stream of events that opens itself again.

import { language } from "./words.js";

/** What is known: `link` is "wait" until the first answer, then "live", "away" (the server is
 * there, the companion is not), "off" (phones are switched off there), "ends" (the companion was told
 * to end, mostly to start anew) or "lost".
 * @type {Live} */
export const table = { link: "wait", hello: null, frame: null, n: 0 };

// A beat comes every second.
const SILENT_MS = 1_800;
const AGAIN_MS = 1_000;
// A companion that starts anew is back by then.
const BACK_MS = 120_000;
// A stream that is silent for longer is opened again.
const ANEW_MS = 8_000;

/** @type {((now: Live) => void)[]} */
const followers = [];
/** @type {((name: string) => void)[]} */
const listeners = [];
/** @type {EventSource | null} */
let source = null;
let watch = 0;
/** @type {Link} */
let told = "wait"; // the server's last news

/** Call `act` whenever something of the table changes.
 * @param {(now: Live) => void} act */
export function follow(act) {
  followers.push(act);
}

/** Call `act` with the name of each signal.
 * @param {(name: string) => void} act */
export function listen(act) {
  listeners.push(act);
}

function tell() {
  for (const act of followers) act(table);
}

/** @param {Link} link */
function be(link) {
  if (table.link === link) return;
  table.link = link;
  tell();
}

/** The stream is silent: an open one may go on by itself.
 * @param {number} [again_ms] */
function lost(again_ms = ANEW_MS) {
  clearTimeout(watch);
  watch = setTimeout(open, again_ms);
  // Phones that were switched off are the reason: this stays.
  if (table.link !== "off") be("lost");
}

function heard() {
  clearTimeout(watch);
  watch = setTimeout(lost, SILENT_MS);
}

/** Begin anew: this browser was paired. */
export function anew() {
  [table.hello, table.frame] = [null, null];
  tell();
  open();
}

function close() {
  clearTimeout(watch);
  source?.close();
  source = null;
}

function open() {
  close();
  if (document.visibilityState === "hidden") return;
  const mine = new EventSource("/live");
  source = mine;
  heard();
  /** @type {(name: string, act: (facts: any) => void) => void} */
  const on = (name, act) =>
    mine.addEventListener(name, (event) => {
      if (mine !== source) return;
      heard();
      act(JSON.parse(event.data || "{}"));
    });
  on("hello", (hello) => {
    // A page comes with the words of one language.
    if (hello.language !== language) {
      close();
      location.reload();
      return;
    }
    table.hello = hello;
    table.link = told = "live";
    tell();
  });
  on("frame", ({ frame, n }) => {
    table.frame = frame;
    table.n = n;
    table.link = told = "live";
    tell();
  });
  on("away", ({ why }) => {
    told = why || "away";
    be(told);
    if (why === "ends") setTimeout(() => (told = told === "ends" ? "away" : told), BACK_MS);
  });
  on("signal", ({ name }) => {
    for (const act of listeners) act(name);
  });
  on("beat", () => be(told));
  mine.onerror = () => {
    if (mine === source) lost(mine.readyState === EventSource.CLOSED ? AGAIN_MS : ANEW_MS);
  };
}

/** Follow the table from now on; a sleeping page lets go of it. */
export function start() {
  open();
  const wake = () => {
    if (document.visibilityState === "hidden") close();
    else if (!source || source.readyState !== EventSource.OPEN) open();
  };
  for (const name of ["visibilitychange", "resume"]) document.addEventListener(name, wake);
  document.addEventListener("freeze", close);
  addEventListener("online", wake);
  // A page that is shown for the first time has just opened its stream.
  addEventListener("pageshow", ({ persisted }) => persisted && wake());
  addEventListener("pagehide", close);
}
