// The parts of the organiser's page: the hub's latest answer, buttons of acts, forms, rows.

import { h } from "./dom.js";

/** The hub's latest answer; empty before the first one.
 * @type {any} */
export const desk = {};

/** @param {any} now */
export const keepDesk = (now) => {
  for (const key of Object.keys(desk)) delete desk[key];
  Object.assign(desk, now);
};

/** @param {string} p */
export const name = (p) => desk.names[p] ?? p;

/** A button that carries out an act. In `more`, `data-sure` is a question to confirm; `data-look`
 * confirms with a preview of the act's changes.
 * @param {Child} text
 * @param {string} verb
 * @param {object} [fields]
 * @param {Record<string, any>} [more] */
export const doing = (text, verb, fields = {}, more = {}) => h("button", { type: "button", "data-act": verb, "data-fields": JSON.stringify(fields), ...more }, text);

/** @param {Child[]} children */
export const buttons = (...children) => h("p", { class: "buttons" }, children);

/** @param {string} text */
export const submit = (text) => h("button", { class: "main", type: "submit" }, text);

/** @param {string} verb
 * @param {Child[]} children */
export const form = (verb, ...children) => h("form", { class: "panel", "data-form": verb }, children);

/** @param {string} label
 * @param {string} field
 * @param {Record<string, any>} [more] */
export const input = (label, field, more = {}) => h("label", {}, label, h("input", { name: field, ...more }));

/** @param {string} label
 * @param {string} field
 * @param {Record<string, any>} more */
export const tick = (label, field, more) => h("label", { class: "tick" }, h("input", { type: "checkbox", name: field, ...more }), label);

/** @param {string} label
 * @param {string} field
 * @param {[string | number, string | number][]} options
 * @param {string | number} [chosen] */
export const select = (label, field, options, chosen) => h("label", {}, label, h("select", { name: field }, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));

/** @param {string} head
 * @param {Child} small
 * @param {Child[]} rest */
export const row = (head, small, ...rest) => h("li", { class: "row" }, h("span", {}, h("b", {}, head), h("small", {}, small), rest.shift()), rest);

/** Return the values of a form as the fields of its act. Boxes with the same name become a list,
 * and so do the lines of a text: each is a person.
 * @param {HTMLFormElement} element */
export function said(element) {
  /** @type {Record<string, any>} */
  const fields = {};
  for (const part of /** @type {Iterable<HTMLInputElement>} */ (element.elements)) {
    const { name: field, type, value, checked } = part;
    if (!field) continue;
    if (part.dataset.list !== undefined) fields[field] = [...(fields[field] ?? []), ...(checked ? [value] : [])];
    else if (field === "people") fields.people = value.split("\n").map((text) => ({ ...element.dataset, form: undefined, name: text.trim() })).filter((each) => each.name);
    else if (type === "checkbox") fields[field] = checked;
    else fields[field] = type === "number" || (type === "select-one" && Number(value)) ? Number(value) : type === "select-one" ? value || null : value;
  }
  return fields;
}
