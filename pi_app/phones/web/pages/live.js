// The table as it is now: one stream of events that opens itself again.

import { loadWords, spoken } from "./words.js";

/** What is known: `link` is "wait" until the first answer, then "live", "away" (the server is
 * there, the companion is not) or "lost".
 * @type {Live} */
export const table = { link: "wait", hello: null, frame: null, n: 0 };

const SILENT_MS = 25_000; // a beat comes every ten seconds
const AGAIN_MS = 1_000;

/** @type {((now: Live) => void)[]} */
const followers = [];
/** @type {((name: string) => void)[]} */
const listeners = [];
/** @type {EventSource | null} */
let source = null;
let watch = 0;
let beats = false;

/** Call `act` whenever something of the table changes.
 * @param {(now: Live) => void} act */
export function follow(act) {
  followers.push(act);
}

/** Call `act` with the name of each signal: "ok", "bad", "row", "turn", "win" and the like.
 * @param {(name: string) => void} act */
export function listen(act) {
  listeners.push(act);
}

function tell() {
  for (const act of followers) act(table);
}

function heard() {
  clearTimeout(watch);
  // Where no beats come, silence says nothing.
  if (beats) watch = setTimeout(() => lost(true), SILENT_MS);
}

/** @param {boolean} anew */
function lost(anew) {
  if (table.link !== "lost") {
    table.link = "lost";
    tell();
  }
  if (anew || !source || source.readyState === EventSource.CLOSED) {
    close();
    watch = setTimeout(open, AGAIN_MS);
  }
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
  /** @type {(name: string, act: (facts: any) => void) => void} */
  const on = (name, act) =>
    mine.addEventListener(name, (event) => {
      if (mine !== source) return;
      heard();
      act(JSON.parse(event.data || "{}"));
    });
  on("hello", async (hello) => {
    const other = hello.language !== spoken() || !table.hello;
    table.hello = hello;
    table.link = "live";
    if (other) await loadWords();
    tell();
  });
  on("frame", ({ frame, n }) => {
    table.frame = frame;
    table.n = n;
    table.link = "live";
    tell();
  });
  on("away", () => {
    table.link = "away";
    tell();
  });
  on("signal", ({ name }) => {
    for (const act of listeners) act(name);
  });
  on("beat", () => {
    beats = true;
    heard();
  });
  mine.onerror = () => {
    if (mine === source) lost(false);
  };
}

/** Follow the table from now on; a sleeping page lets go of it. */
export async function start() {
  await loadWords();
  tell();
  open();
  const wake = () => {
    if (document.visibilityState === "hidden") close();
    else if (!source || source.readyState !== EventSource.OPEN) open();
  };
  for (const name of ["visibilitychange", "resume"]) document.addEventListener(name, wake);
  document.addEventListener("freeze", close);
  for (const name of ["pageshow", "online"]) addEventListener(name, wake);
  addEventListener("pagehide", close);
}
