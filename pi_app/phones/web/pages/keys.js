// The keypad: the possible keys, and the outcome of those sent.

import { board } from "./board.js";
import { die } from "./dice.js";
import { h } from "./dom.js";
import * as sense from "./feel.js";
import { listen, table } from "./live.js";
import * as names from "./naming.js";
import { choices, players, said, sign, title } from "./parts.js";
import { confirmed, send } from "./send.js";
import { go, isAt, main, notSent, redraw, say } from "./shell.js";
import { keep, recall } from "./store.js";
import { walk } from "./walk.js";
import { t } from "./words.js";

const PAD = "1 2 3 UP 4 5 6 DOWN 7 8 9 BACK STAR 0 ENTER MENU".split(" ");
/** @type {Record<string, string>} */
const FACES = { UP: "A", DOWN: "B", BACK: "C", MENU: "D", STAR: "*", ENTER: "#" };
/** @type {() => Record<string, string>} */
const keysSaid = () => ({ UP: t("up"), DOWN: t("down"), BACK: t("back"), MENU: t("menu"), STAR: t("next"), ENTER: t("enter") });
/** The meaning of a held key; keys that are long presses already have none.
 * @type {Record<string, string>} */
const HELD = { BACK: "BACK_HELD", MENU: "MENU_HELD", BACK_HELD: "BACK_HELD" };
const MUTED = "beisitzer.muted";
const HOLD_MS = 600;

/** The meaning of a keyboard's keys, as in the window; F1 to F6 are the dice.
 * @type {Record<string, string>} */
const KEYBOARD = {
  "*": "STAR", "+": "STAR", " ": "STAR",
  "#": "ENTER", "/": "ENTER", Enter: "ENTER",
  ArrowUp: "UP", ArrowDown: "DOWN", a: "UP", b: "DOWN",
  c: "BACK", Backspace: "BACK", Delete: "BACK", Escape: "BACK",
  d: "MENU", "?": "MENU", u: "BACK_HELD", p: "MENU_HELD",
};

/** The requests on their way.
 * @type {Waiting[]} */
let waiting = [];
// Whether the whole keypad is shown.
let padShown = false;
/** @type {boolean} */
let muted = recall("localStorage", MUTED) ?? false;

function mute() {
  muted = !muted;
  keep("localStorage", MUTED, muted);
}

/** @param {string} name */
const feel = (name) => sense.feel(name, muted);

/** Send a key or a tap, but only while the page is live: otherwise it would act at the wrong time.
 * @param {Sent} body */
function act(body) {
  if (table.link !== "live" || !table.hello?.paired) {
    say(table.hello && !table.hello.paired ? t("This phone is not paired: nothing was keyed.") : notSent());
    return;
  }
  say("");
  feel("tick");
  // Sent with the frame that was touched: refused if somebody has keyed since.
  send(table.hello.epoch, "/api/key", { ...body, seen: table.frame?.keyed ?? 0 });
}

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

/** @type {(key: string, label?: string, face?: string) => Element} */
function button(key, label, face = FACES[key] ?? key) {
  const sent = waiting.some(({ body }) => body.key === key || body.key === HELD[key]);
  return h(
    "button",
    { type: "button", "data-key": key, class: `${label ? "means" : ""} ${sent ? "sent" : ""}` },
    h("i", {}, face),
    label ? h("span", {}, label) : FACES[key] && h("span", { class: "idle" }, keysSaid()[key]),
  );
}

/** @param {Frame} frame */
function pad(frame) {
  /** @type {Record<string, string>} */
  const labels = Object.fromEntries(frame.soft.map(({ key, label }) => [key, label]));
  const long = frame.soft.find(({ key }) => key === "BACK_HELD");
  if (long) labels.BACK ??= `${long.sign}: ${long.label}`;
  const { dice, star } = frame;
  const full = padShown || wantsDigits(frame);
  // The phone's own keyboard deletes letters.
  const keys = frame.typing ? [{ key: "ENTER", label: labels.ENTER, sign: "" }, { key: "BACK_HELD", label: t("back"), sign: "C" }] : frame.soft;
  const soft = keys.filter((each) => !each.key.startsWith("DIE") && !("scrolls" in each && each.scrolls));
  return h(
    "div",
    { class: "pad", role: "group", "aria-label": t("Keypad") },
    dice.length ? h("div", { class: "dice" }, [1, 2, 3, 4, 5, 6].map((n) => die(n, star, { "data-key": `DIE${n}`, class: `die ${dice.includes(n) ? "lit" : ""}` }))) : null,
    full
      ? h("div", { class: "keypad" }, PAD.map((key) => button(key, labels[key])))
      : h("div", { class: "soft" }, soft.map(({ key, label, sign: face }) => button(key, label, face || undefined))),
  );
}

const PAD_SIGN = "M5 5H5M12 5H12M19 5H19M5 12H5M12 12H12M19 12H19M5 19H5M12 19H12M19 19H19";
const SOUND = "M4 9V15H8L13 19V5L8 9ZM17 9A5 5 0 0 1 17 15M20 6A9 9 0 0 1 20 18";

/** @param {Frame} frame */
function tools(frame) {
  /** @type {(name: string, path: string, on: boolean) => Element} */
  const tool = (name, path, on) => {
    const look = { type: "button", "data-tool": name, "aria-pressed": String(on) };
    return h("button", { ...look, "aria-label": name === "pad" ? t("Keypad") : t("Sound") }, sign(path));
  };
  return h(
    "div",
    { class: "tools" },
    wantsDigits(frame) ? null : tool("pad", PAD_SIGN, padShown),
    tool("sound", SOUND, !muted),
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
            h("div", { class: "head" }, title(frame), tools(frame)),
            said(frame, typed),
            choices(frame, true),
            players(frame),
          ],
      typed ? names.field(frame) : null,
    ),
    pad(frame),
  ];
}

/** Return the touched element, or the one around it.
 * @type {(event: Event, query: string) => HTMLElement | null} */
const around = (event, query) =>
  /** @type {Element} */ (event.target).closest?.(query);

// The timer of the key that is down.
let held = 0;
// Whether the next click ends a long press.
let swallow = false;

/** A key goes down, under a finger or by the space bar; its held meaning follows later.
 * @param {HTMLElement | null} touched */
function hold(touched) {
  const key = HELD[touched?.dataset.key ?? ""];
  clearTimeout(held);
  swallow = false;
  if (!key) return;
  held = setTimeout(() => {
    // The click that follows is no short press.
    swallow = true;
    press(key);
  }, HOLD_MS);
}

/** Take a short press.
 * @param {string} key */
function tapped(key) {
  if (HELD[key] !== key) return press(key);
  const long = table.frame?.soft.find((each) => each.key === key);
  say(t("Hold this key: {what}", { what: long?.label ?? "" }));
}

/** @param {Event} event */
function clicked(event) {
  const target = around(event, "[data-key],[data-tap],[data-choose],[data-tool]");
  if (!target) return;
  const { key, tap, choose: at, tool } = target.dataset;
  if (tool === "pad") padShown = !padShown;
  if (tool === "sound") mute();
  if (tool) redraw();
  else if (tap) act({ tap });
  else if (at) choose(Number(at));
  else if (key && !swallow) tapped(key);
  swallow = false;
}

/** @param {KeyboardEvent} event */
function typed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const at = document.activeElement;
  if (at?.id === "name") {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    press(event.key === "Enter" ? "ENTER" : "BACK_HELD");
    return;
  }
  if (walk(event, (tap) => act({ tap }))) {
    event.preventDefault();
    return;
  }
  // A click focuses nothing: a row that has the focus was reached by Tab.
  if (event.key === "Enter" && at?.matches("a,[data-choose]")) return;
  if (event.key === " " && at?.matches("a,button")) {
    if (!event.repeat) hold(/** @type {HTMLElement} */ (at));
    return;
  }
  const die = table.frame?.dice.find((each) => event.key === `F${each}`);
  const key = die ? `DIE${die}` : /^[0-9]$/.test(event.key) ? event.key : KEYBOARD[event.key];
  if (!key) return;
  event.preventDefault();
  if (!event.repeat || key === "UP" || key === "DOWN") press(key);
}

const rest = () => clearTimeout(held);

// The tick of a key of one's own was heard when it was touched.
listen((name) => name !== "tick" && isAt("keys") && feel(name));

/** Leave for "Play" where a key of this phone led to a hand, which only the table's screen shows. */
function leaveHand() {
  if (table.frame?.secret && table.frame.game && table.n === confirmed()) go("/play");
}

/** @type {Place} */
export const keys = {
  paired: true,
  view,
  drawn: () => table.frame && names.agree(table.frame),
  left: rest,
  changed: leaveHand,
  answered: (row, refused) => {
    waiting = row;
    if (refused) feel("bad");
    redraw();
    leaveHand();
  },
  on: {
    pointerdown: (event) => hold(around(event, "[data-key]")),
    pointerup: rest,
    pointercancel: rest,
    pointerleave: rest,
    keyup: rest,
    // A click gives no focus: the keyboard's next key would go there.
    mousedown: (event) => around(event, "button,[data-tap]") && event.preventDefault(),
    contextmenu: (event) => around(event, "[data-key]") && event.preventDefault(),
    click: clicked,
    focusin: ({ target }) => target.id === "name" && target.select(),
    keydown: typed,
  },
};
