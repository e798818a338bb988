// The table's Wi-Fi: where it is and why, which networks are in reach, joining and forgetting one.

import { h } from "./dom.js";
import { table } from "./live.js";
import { ask } from "./send.js";
import { isAt, redraw } from "./shell.js";
import { t } from "./words.js";

const LOOK_MS = 60_000; // how long a scan takes, with the own Wi-Fi's end and return
const AGAIN_MS = 2_000;

/** @type {Wifi | null} */
let wifi = null;
/** @type {Network | null} */
let chosen = null;
let said = "";
let busy = false;
let lost = false; // the last answer did not arrive, so the page may be out of date
let timer = 0;

/** Ask again in a moment while the table is on its way into a network, or cannot be reached. */
function later() {
  clearTimeout(timer);
  if (isAt("network") && (wifi?.asked || lost)) timer = setTimeout(() => look("/api/networks"), AGAIN_MS);
}

/** Ask the table, and show its answer.
 * @param {string} path
 * @param {object} [sent] */
async function look(path, sent = {}) {
  busy = true;
  redraw();
  const { status, body } = await ask(path, sent, path === "/api/look" ? LOOK_MS : undefined);
  busy = false;
  lost = !status;
  said = status === 200 ? "" : body.text || t("Not live: no connection.");
  if (status === 200 && body.networks) wifi = /** @type {Wifi} */ (/** @type {unknown} */ (body));
  redraw();
  later();
}

/** @param {Network} network
 * @param {string} password */
async function join(network, password) {
  chosen = null;
  await look("/api/join", { name: network.name, password, security: network.kind });
  if (!said) await look("/api/networks");
}

/** @param {number} signal in percent */
function bars(signal) {
  const level = Math.max(1, Math.ceil(signal / 25));
  const row = [1, 2, 3, 4].map((n) =>
    h("path", { d: `M${n * 5} 20V${20 - n * 4}`, opacity: n > level ? "0.25" : null }),
  );
  return h("svg", { class: "sign", viewBox: "0 0 24 24", role: "img", "aria-label": `${signal} %` }, row);
}

/** @param {Network} network */
function row(network) {
  const known = wifi?.known.includes(network.name);
  const here = wifi?.link === "joined" && wifi.name === network.name;
  const note = here ? t("the table is here") : known ? t("known") : network.kind === "open" ? t("open to all") : "";
  const unfit = network.kind === "other" || here || busy;
  return h(
    "li",
    {},
    h(
      "button",
      { class: "network", "data-join": network.name, disabled: unfit },
      bars(network.signal),
      h("b", {}, network.name),
      h("small", {}, note),
    ),
    known && h("button", { "data-forget": network.name, disabled: busy }, t("Forget")),
  );
}

/** @param {Network} network */
function form(network) {
  const known = wifi?.known.includes(network.name);
  const secret = network.kind !== "open" && !known;
  // With one radio the table leaves its own Wi-Fi, which disconnects this phone.
  const leaves = wifi?.link === "own" && h("p", {}, t("The table has one radio: it leaves {own}, and this page stops. Take your phone to {name} and open http://beisitzer.local there. If the table is not in {name} within a minute, {own} returns and says why.", { name: network.name, own: wifi.own }));
  return h(
    "form",
    { class: "lonely" },
    h("h1", {}, network.name),
    leaves,
    secret && h("label", { for: "secret" }, t("Its password")),
    secret &&
      h("input", {
        id: "secret", type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
        required: true, minlength: 8, maxlength: 63,
      }),
    h("button", { class: "button", disabled: busy }, t("Take the table there")),
    h("button", { type: "button", "data-back": "", disabled: busy }, t("Back")),
  );
}

/** Known networks that are out of reach can be forgotten, too. */
function away() {
  const names = wifi?.known.filter((name) => !wifi?.networks.some((each) => each.name === name)) ?? [];
  return names.map((name) =>
    h("li", {}, h("span", {}, name), h("button", { "data-forget": name, disabled: busy }, t("Forget"))),
  );
}

function view() {
  if (!wifi) return h("p", { class: "lonely", role: "alert" }, said || t("Looking for the table …"));
  if (chosen) return form(chosen);
  return h(
    "section",
    { class: "wifi" },
    h("h1", {}, t("The table's Wi-Fi")),
    h("p", { role: "status" }, wifi.where),
    wifi.why && h("p", {}, wifi.why),
    h("p", { role: "alert" }, said),
    h("ul", {}, wifi.networks.map(row), away()),
    wifi.link === "own" && h("p", {}, t("To look around, {own} ends for some seconds: your phone may have to join again.", { own: wifi.own })),
    h("button", { class: "button", "data-look": "", disabled: busy }, t("Look around")),
  );
}

/** @param {Event} event */
function clicked(event) {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button || busy) return;
  const { join: joined, forget, look: looks, back } = button.dataset;
  if (joined !== undefined) chosen = wifi?.networks.find(({ name }) => name === joined) ?? null;
  if (back !== undefined) chosen = null;
  if (forget !== undefined) look("/api/forget", { name: forget });
  else if (looks !== undefined) look("/api/look");
  else if (button.type === "button" || joined !== undefined) redraw();
}

/** @param {Event} event */
function submitted(event) {
  event.preventDefault();
  const secret = /** @type {HTMLInputElement | null} */ (document.getElementById("secret"));
  if (chosen && !busy) join(chosen, secret?.value ?? "");
}

function first() {
  if (!wifi && !busy && !said && table.hello?.paired) look("/api/networks");
}

/** @type {Place} */
export const network = {
  paired: true,
  view,
  opened: () => {
    [wifi, chosen, said] = [null, null, ""];
    first();
  },
  changed: first,
  on: { click: clicked, submit: submitted },
};
