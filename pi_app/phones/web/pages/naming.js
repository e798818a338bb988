// A name or another text, with the phone's own keyboard: it is sent whole.

import { h } from "./dom.js";
import { t } from "./words.js";

let had = ""; // the companion's text that the field has taken over

const input = () => /** @type {HTMLInputElement | null} */ (document.querySelector("#name"));

/** @param {Frame} frame */
export const field = ({ exact }) =>
  h("input", {
    id: "name", type: "text", autocomplete: "off", autocorrect: "off",
    autocapitalize: exact ? "none" : "words",
    spellcheck: "false", enterkeyhint: "done", maxlength: 200, "aria-label": t("Type here"),
  });

/** Let the field say what the companion has, whenever that changes; a password's letters are hidden.
 * @param {Frame} frame */
export function agree({ entry, typing }) {
  const text = (entry?.text ?? "").replace(/_$/, "");
  const field = input();
  if (field && text !== had && !text.includes("*")) field.value = text;
  had = typing ? text : "";
}

/** Return what was typed. */
export const typed = () => input()?.value ?? "";
