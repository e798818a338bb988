// A name or another text, with the phone's own keyboard: it is sent whole.

import { h } from "./dom.js";
import { t } from "./words.js";

let had = ""; // the companion's text that the field shows

const input = () => /** @type {HTMLInputElement | null} */ (document.querySelector("#name"));

/** @param {Frame} frame */
export const field = ({ exact }) =>
  h("input", {
    id: "name", type: "text", autocomplete: "off", autocorrect: "off",
    autocapitalize: exact ? "none" : "words",
    spellcheck: "false", enterkeyhint: "done", maxlength: 200, "aria-label": t("Type here"),
  });

/** Show the companion's text in the field when it changes; a password's letters are hidden.
 * @param {Frame} frame */
export function agree({ entry, typing }) {
  const text = (entry?.text ?? "").replace(/_$/, "");
  const field = input();
  if (field && text !== had && !text.includes("*")) field.value = text;
  had = typing ? text : "";
}

/** Return the typed text. */
export const typed = () => input()?.value ?? "";
