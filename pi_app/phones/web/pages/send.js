// Keys on their way: each has a number and is repeated with the same number until it is
// answered, so that none is lost and none acts twice. All pages of a browser share one row.

import { keep, recall } from "./store.js";
import { t } from "./words.js";

const STORE = "beisitzer.row";
const OLD_MS = 60_000; // unconfirmed requests expire after this time
// The pauses before it is repeated; the last one stays.
const AGAIN_MS = [200, 400, 800, 1_500, 3_000];

let run = ""; // the last known companion
let running = false;
let timer = 0;
let failed = 0;
let shown = 0; // the frame that confirmed the last request
/** @type {((row: Row) => void)[]} */
const followers = [];

/** Call `act` when the row changes; `said` says why.
 * @param {(row: Row) => void} act */
export function followRow(act) {
  followers.push(act);
}

/** Return the number of the frame with the last confirmed request. */
export const confirmed = () => shown;

/** @type {() => { last: number, row: Waiting[] }} */
const read = () => recall("localStorage", STORE) ?? { last: 0, row: [] };
/** @param {{ last: number, row: Waiting[] }} state */
const write = (state) => keep("localStorage", STORE, state);

function tell(said = "") {
  const waiting = read().row;
  for (const act of followers) act({ waiting, said });
}

/** Put a key, a tap or a play into the row.
 * @param {string} epoch
 * @param {string} path
 * @param {Sent} body */
export function send(epoch, path, body) {
  const state = read();
  // Counted from the clock: a browser that forgot its row never takes a number again.
  const n = Math.max(state.last + 1, Date.now());
  write({ last: n, row: [...state.row, { n, at: Date.now(), epoch, path, body }] });
  tell();
  pump();
}

/** @param {Waiting} waiting */
function name({ body }) {
  return body.key ?? body.tap ?? body.move ?? "";
}

/** Remove matching requests; write only then, as another page may know more.
 * @param {(each: Waiting) => boolean} wanted */
function take(wanted) {
  const { last, row } = read();
  const gone = row.filter(wanted);
  if (gone.length) write({ last, row: row.filter((each) => !wanted(each)) });
  return gone;
}

const restarted = () => t("Beisitzer was restarted. Not confirmed: {keys}. Look at the table first.");

/** Drop matching requests, and report them.
 * @param {(each: Waiting) => boolean} wanted
 * @param {string} saying */
function drop(wanted, saying) {
  const gone = take(wanted);
  if (gone.length) tell(saying.replace("{keys}", gone.map(name).join(" ")));
}

/** Forget requests for another companion.
 * @param {string} epoch */
export function sameCompanion(epoch) {
  if (epoch !== run) [run, shown] = [epoch, 0]; // another one counts its frames anew
  drop((each) => each.epoch !== epoch, restarted());
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(pump, AGAIN_MS[Math.min(failed, AGAIN_MS.length - 1)]);
  failed += 1;
}

/** Send the waiting requests, one by one. */
export async function pump() {
  if (running) return;
  running = true;
  clearTimeout(timer);
  try {
    for (let head = read().row[0]; head; head = read().row[0]) {
      if (Date.now() - head.at > OLD_MS) {
        drop((each) => Date.now() - each.at > OLD_MS, t("No answer for a minute. Not confirmed: {keys}. Look at the table first."));
      } else if (!(await one(head))) {
        later();
        break;
      }
    }
  } finally {
    running = false;
  }
}

/** Send one; return whether it has left the row.
 * @param {Waiting} head */
async function one(head) {
  const sent = { epoch: head.epoch, n: head.n, ...head.body };
  const { status, body } = await ask(head.path, sent, 4_000);
  // Not reached, failed or too busy: repeated later. Any other answer is final.
  if (!status || status >= 500 || status === 429) return false;
  failed = 0;
  if (body.error === "epoch") {
    drop((each) => each.epoch === head.epoch, restarted());
  } else if (status === 401) {
    drop(() => true, t("This phone is not paired: nothing was keyed."));
  } else {
    take(({ n }) => n === head.n);
    shown = body.shown ?? shown;
    tell(status === 200 ? "" : body.text || t("That could not be keyed."));
  }
  return true;
}

/** Ask the server; `status` 0: it cannot be reached.
 * @param {string} path
 * @param {object | null} sent
 * @returns {Promise<Answer>} */
export async function ask(path, sent = null, within_ms = 15_000) {
  const headers = { "Content-Type": "application/json" };
  const post = sent && { method: "POST", headers, body: JSON.stringify({ epoch: run, ...sent }) };
  try {
    const answer = await fetch(path, { signal: AbortSignal.timeout(within_ms), ...post });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return { status: 0, body: {} };
  }
}

for (const name of ["online", "pageshow"]) addEventListener(name, pump);
document.addEventListener("visibilitychange", pump);
addEventListener("storage", () => setTimeout(pump, 1_000)); // requests that another page left
