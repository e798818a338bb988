// Six digits that the companion shows make this browser one of the table's, by a name of its own.

import { h } from "./dom.js";
import { anew, table } from "./live.js";
import { ask } from "./send.js";
import { go, isAt, redraw } from "./shell.js";
import { t } from "./words.js";

let said = "";
let busy = false;
let scanned = "";
/** @param {string} id */
const input = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** Send a code or, from a phone that is in, its name.
 * @param {string} code
 * @param {string} [name] */
async function send(code, name) {
  [busy, said] = [true, ""];
  redraw();
  const { status, body } = code ? await ask("/api/pair", { code, name: t("Phone") }) : await ask("/api/rename", { name });
  busy = false;
  if (status === 200) {
    if (code) anew();
    go(code ? "/play" : "/more", true);
    return;
  }
  said = body.text || t("Not live: no connection.");
  if (!isAt("pair")) return;
  redraw();
  input("code")?.select();
}

/** Return what says where the digits are, and the field for them. */
const digits = () => [
  h("p", {}, table.hello?.first ? t("Key the six digits on the screen. They change every two minutes.") : t("Beisitzer shows six digits for two minutes: System, Phone, Let everybody in.")),
  !table.hello?.first && h("p", {}, t("Or on a phone that is in: “More”, “Let everybody in”.")),
  h("label", { for: "code" }, t("Six digits")),
  h("input", { id: "code", inputmode: "numeric", autocomplete: "one-time-code", pattern: "[0-9]{6}", maxlength: 6, required: true, "aria-describedby": "why", size: 6 }),
];

/** Return the field for the name of this phone; the companion may add a space and two digits.
 * @param {string} name */
const owner = (name) => [
  h("label", { for: "owner" }, t("Whose phone is it?")),
  h("input", { id: "owner", autocomplete: "off", enterkeyhint: "done", maxlength: 37, required: true, value: name }),
];

function view() {
  const { paired, name } = table.hello ?? {};
  return h(
    "form",
    { class: "lonely" },
    h("h1", {}, paired ? t("This phone") : t("Pair this phone")),
    paired ? owner(name ?? "") : digits(),
    h("p", { id: "why", role: "alert" }, said),
    h("button", { class: "button", disabled: busy }, paired ? t("Save") : t("Pair")),
  );
}

/** Send the code of the address once the table is there. */
function scan() {
  if (scanned.length !== 6 || table.link === "wait") return;
  const code = scanned;
  scanned = "";
  send(code);
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
      if (!busy) send(input("code")?.value.trim() ?? "", input("owner")?.value.trim());
    },
  },
};
