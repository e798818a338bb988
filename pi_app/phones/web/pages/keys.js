// The keypad: the possible keys, and the outcome of those sent.

import { board } from "./board.js";
import { die } from "./dice.js";
import { h } from "./dom.js";
import { table } from "./live.js";
import * as names from "./naming.js";
import { choices, players, said, title } from "./parts.js";
import { confirmed } from "./send.js";
import { go, main, redraw, sendIfLive } from "./shell.js";
import { t } from "./words.js";

const PAD = "1 2 3 UP 4 5 6 DOWN 7 8 9 BACK STAR 0 ENTER MENU".split(" ");
/** @type {Record<string, string>} */
const FACES = { UP: "A", DOWN: "B", BACK: "C", BACK_HELD: "C", MENU: "D", STAR: "*", ENTER: "#" };
/** @type {() => Record<string, string>} */
const keysSaid = () => ({ UP: t("up"), DOWN: t("down"), BACK: t("back"), MENU: t("menu"), STAR: t("next"), ENTER: t("enter") });

/** The requests on their way.
 * @type {Waiting[]} */
let waiting = [];

/** Send a key, a tap or a text with the keyed frame that was touched: it is refused if somebody has
 * keyed since.
 * @param {Sent} body */
const act = (body) => sendIfLive("/api/key", { ...body, seen: table.frame?.keyed ?? 0 });

/** Press keys; a name that was typed here is sent whole, in place of ENTER.
 * @param {string[]} keys */
function press(...keys) {
  for (const key of keys) act(key === "ENTER" && table.frame?.typing ? { text: names.typed() } : { key });
}

/** Take an item of the list by its digits, or by steps where it has none.
 * @param {number} at */
function choose(at) {
  if (!table.frame?.choices) return;
  const { items, selected, numbered } = table.frame.choices;
  const digits = items[at].digit;
  const half = table.frame.corner.endsWith("…"); // a digit waits for another one
  if (numbered && digits && !half) {
    // Of 1 and 12, a 1 alone waits for another digit: ENTER ends it.
    const open = items.filter((item) => item.digit.startsWith(digits)).length > 1;
    press(...digits, ...(open ? ["ENTER"] : []));
    return;
  }
  const step = at < selected ? "UP" : "DOWN";
  press(...Array(Math.abs(at - selected)).fill(step), "ENTER");
}

/** Tell whether digits mean something now.
 * @param {Frame} frame */
function wantsDigits(frame) {
  if (frame.secret) return true;
  if (frame.typing || frame.choices || frame.close_up || frame.dice.length) return false;
  if (frame.seats.some((seat) => seat.winner) || (frame.alert && !frame.entry)) return false;
  return Boolean(frame.entry || frame.picture || frame.soft.some(({ key }) => key === "ENTER"));
}

/** @type {(key: string, label?: string) => Element} */
function button(key, label) {
  const sent = waiting.some(({ body }) => body.key === key);
  return h(
    "button",
    { type: "button", "data-key": key, class: `${label ? "means" : ""} ${sent ? "sent" : ""}` },
    h("i", {}, FACES[key] ?? key),
    label ? h("span", {}, label) : FACES[key] && h("span", { class: "idle" }, keysSaid()[key]),
  );
}

/** @param {Frame} frame */
function pad(frame) {
  /** @type {Record<string, string>} */
  const labels = Object.fromEntries(frame.soft.map(({ key, label }) => [key, label]));
  // What the keypad's key does when it is held, it does here at once.
  const back = labels.BACK || !labels.BACK_HELD ? "BACK" : "BACK_HELD";
  const { dice, star } = frame;
  if (frame.typing) labels.BACK_HELD ??= t("back");
  const soft = frame.soft.filter(({ key, scrolls }) => !key.startsWith("DIE") && !scrolls).map(({ key }) => key);
  // The phone's own keyboard deletes letters. Elsewhere there is always a way out.
  const few = frame.typing ? ["ENTER", "BACK_HELD"] : [...new Set([...soft, back, "MENU"])];
  return h(
    "div",
    { class: "pad", role: "group", "aria-label": t("Keypad") },
    dice.length ? h("div", { class: "dice" }, [1, 2, 3, 4, 5, 6].map((n) => die(n, star, { "data-key": `DIE${n}`, class: `die ${dice.includes(n) ? "lit" : ""}` }))) : null,
    wantsDigits(frame)
      ? h("div", { class: "keypad" }, PAD.map((each) => (each === "BACK" ? back : each)).map((key) => button(key, labels[key])))
      : h("div", { class: "soft" }, few.map((key) => button(key, labels[key]))),
  );
}

function view() {
  const frame = /** @type {Frame} */ (table.frame);
  const typed = frame.typing;
  const picture = frame.secret ? null : board(frame.picture, { seats: frame.seats, tappable: true });
  main.dataset.kind = picture ? "board" : "page";
  return [
    picture ? h("div", { class: "stage" }, picture) : null,
    h(
      "div",
      { class: "side" },
      frame.secret
        ? h("p", { class: "lonely" }, t("Only who sits at the table sees what is on the screen now."))
        : [
            title(frame),
            said(frame, typed),
            choices(frame, true),
            players(frame),
          ],
      typed ? names.field(frame) : null,
    ),
    pad(frame),
  ];
}

/** @param {Event} event */
function clicked(event) {
  /** @type {HTMLElement | null} */
  const target = /** @type {Element} */ (event.target).closest?.("[data-key],[data-tap],[data-choose]");
  if (!target) return;
  const { key, tap, choose: at } = target.dataset;
  if (key) press(key);
  else if (tap) act({ tap });
  else if (at) choose(Number(at));
}

/** End a name, or leave it.
 * @param {KeyboardEvent} event */
function typed(event) {
  const key = { Enter: "ENTER", Escape: "BACK_HELD" }[event.key];
  if (document.activeElement?.id !== "name" || !key) return;
  event.preventDefault();
  press(key);
}

/** Leave for "Play" where a key of this phone led to a hand, which only the table's screen shows. */
function leaveHand() {
  if (table.frame?.secret && table.frame.game && table.n === confirmed()) go("/play");
}

/** @type {Place} */
export const keys = {
  paired: true,
  view,
  drawn: () => table.frame && names.agree(table.frame),
  changed: leaveHand,
  answered: (row) => {
    waiting = row;
    redraw();
    leaveHand();
  },
  on: {
    click: clicked,
    focusin: ({ target }) => target.id === "name" && target.select(),
    keydown: typed,
  },
};
