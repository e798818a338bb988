// Six digits that the companion shows make this browser one of the table's.

import { fill, h } from "./dom.js";
import { table } from "./live.js";
import { ask } from "./send.js";
import { run } from "./shell.js";
import { t } from "./words.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
let said = "";
let busy = false;
let code = location.hash.slice(1).replace(/\D/g, "").slice(0, 6);

// The code is for this browser alone: it does not stay in the address.
history.replaceState(null, "", location.pathname);

/** Return what people would call this browser. */
function browser() {
  const agent = navigator.userAgent;
  /** @param {[sign: string, name: string][]} pairs */
  const find = (pairs) => pairs.find(([sign]) => agent.includes(sign))?.[1];
  const program = find([["Edg", "Edge"], ["OPR", "Opera"], ["SamsungBrowser", "Samsung"], ["Firefox", "Firefox"], ["FxiOS", "Firefox"], ["Chrom", "Chrome"], ["CriOS", "Chrome"], ["Safari", "Safari"]]);
  const device = find([["iPhone", "iPhone"], ["iPad", "iPad"], ["Android", "Android"], ["Windows", "Windows"], ["Mac OS", "Mac"], ["Linux", "Linux"]]);
  return [program, device].filter(Boolean).join(", ") || "Browser";
}

const input = () => /** @type {HTMLInputElement} */ (main.querySelector("input"));

async function pair() {
  busy = true;
  said = "";
  draw();
  const { status, body } = await ask("/api/pair", { code, name: browser() });
  busy = false;
  if (status === 200) {
    location.replace("/keys");
    return;
  }
  said = body.text || t("link-lost");
  code = "";
  draw();
  const field = input();
  field.value = "";
  field.focus();
}

function draw() {
  const field = {
    id: "code", inputmode: "numeric", autocomplete: "one-time-code", pattern: "[0-9]{6}", maxlength: 6,
    required: true, "aria-describedby": "why", size: 6,
  };
  fill(
    main,
    h(
      "form",
      { class: "lonely" },
      h("h1", {}, t("page-pair")),
      h("p", {}, t(table.hello?.paired ? "paired-already" : "where-code")),
      h("label", { for: "code" }, t("code")),
      h("input", field),
      h("p", { id: "why", role: "alert" }, said),
      h("button", { class: "button", disabled: busy }, t("pair")),
    ),
  );
}

main.addEventListener("submit", (event) => {
  event.preventDefault();
  code = input().value.trim();
  if (!busy) pair();
});

let tried = false;
run(() => {
  draw();
  if (code.length === 6 && !tried && table.link !== "wait") {
    tried = true;
    pair();
  }
});
