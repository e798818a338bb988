// Six digits that the companion shows make this browser one of the table's, by a name of its own.

import { h } from "./dom.js";
import { anew, table } from "./live.js";
import { ask } from "./send.js";
import { go, isAt, redraw } from "./shell.js";
import { keep, recall } from "./store.js";
import { t } from "./words.js";

const STORE = "beisitzer.tab";

let said = "";
let busy = false;
let free_at = 0; // when the companion accepts another code
let scanned = "";
/** The name by which the companion recognises a tab that asks again after a lost answer.
 * @type {string} */
const tab = recall("sessionStorage", STORE) ?? crypto.getRandomValues(new Uint32Array(3)).join("-");
keep("sessionStorage", STORE, tab);

/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** Send a code, else the name alone.
 * @param {string} code
 * @param {string} called */
async function send(code, called) {
  busy = true;
  said = "";
  redraw();
  const { status, body } = code
    ? await ask("/api/pair", { code, name: t("Phone"), called, tab })
    : await ask("/api/rename", { name: called });
  busy = false;
  if (status === 200) {
    if (code) anew();
    go(code ? "/play" : "/more", true);
    return;
  }
  said = body.text || t("Not live: no connection.");
  free_at = Date.now() + 1000 * (body.wait_s ?? 0);
  if (!isAt("pair")) return;
  input("code").value = "";
  count();
  input("code").focus();
}

const waits = () => Math.max(0, Math.ceil((free_at - Date.now()) / 1000));

/** Show how long the companion accepts no code. */
function count() {
  if (!isAt("pair")) return;
  redraw();
  if (waits()) setTimeout(count, 200);
}

function howTo() {
  if (table.hello?.paired) return t("This phone is paired. Key the digits to pair it again.");
  if (table.hello?.first) return t("Key the six digits on the screen. They change every two minutes.");
  return t("Beisitzer shows six digits for two minutes: System, Phone, Let everybody in.");
}

function view() {
  const paired = table.hello?.paired;
  const number = waits();
  const code = {
    id: "code", inputmode: "numeric", autocomplete: "one-time-code", pattern: "[0-9]{6}", maxlength: 6,
    required: !paired, "aria-describedby": "why", size: 6,
  };
  // 37: the companion may add a space and two digits.
  const name = { id: "owner", autocomplete: "off", enterkeyhint: "done", maxlength: 37, placeholder: t("may stay empty"), value: paired && table.hello?.name };
  const owner = [h("label", { for: "owner" }, t("Whose phone is it?")), h("input", name)];
  return h(
    "form",
    { class: "lonely" },
    h("h1", {}, paired ? t("This phone") : t("Pair this phone")),
    paired && owner,
    h("p", {}, howTo()),
    !paired && !table.hello?.first && h("p", {}, t("Or on a phone that is in: “More”, “Let everybody in”.")),
    h("label", { for: "code" }, t("Six digits")),
    h("input", code),
    h("p", { id: "why", role: "alert" }, said),
    h("p", { role: "timer" }, number > 0 && t("Try again in {number} s.", { number })),
    !paired && owner,
    h("button", { class: "button", disabled: busy || number > 0 }, paired ? t("Save") : t("Pair")),
  );
}

/** Send the code of the address once the table is there. */
function scan() {
  if (scanned.length !== 6 || table.link === "wait") return;
  const code = scanned;
  scanned = "";
  send(code, "");
}

/** @type {Place} */
export const pair = {
  view,
  opened: () => {
    said = "";
    scanned = location.hash.slice(1).replace(/\D/g, "").slice(0, 6);
    // The code is for this browser alone: it does not stay in the address.
    history.replaceState(null, "", location.pathname);
    scan();
  },
  changed: scan,
  on: {
    submit: (event) => {
      event.preventDefault();
      if (!busy && !waits()) send(input("code").value.trim(), input("owner").value.trim());
    },
  },
};
