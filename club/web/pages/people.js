// Who is here: people who come, come late, leave, and two of one name.

import { main } from "./around.js";
import { h } from "./dom.js";
import { t } from "./words.js";

let renamed = ""; // whose name is being changed

/** @param {any} desk
 * @param {(verb: string, fields?: object) => Record<string, any>} doing */
export function people(desk, doing) {
  const here = desk.people.filter((/** @type {any} */ each) => each.present).length;
  const rows = desk.people.map((/** @type {any} */ { p, name, present }) =>
    h(
      "li",
      { class: present ? "row" : "row gone", id: `person-${p}` },
      p === renamed
        ? h(
            "form",
            { "data-form": "rename", "data-p": p },
            h("label", {}, t("new-name", { name: desk.names[p] }), h("input", { name: "name", maxlength: 40, value: name })),
            h("p", { class: "buttons" }, h("button", { class: "main", type: "submit", "data-renamed": true }, t("rename"))),
          )
        : h("span", {}, h("b", {}, p.slice(1)), " ", name || p, h("small", {}, t(present ? "here" : "away"))),
      p !== renamed && h("button", { type: "button", "data-rename": p }, t("rename")),
      h("button", doing(present ? "leave" : "arrive", { p }), t(present ? "leave" : "arrive")),
    ),
  );
  return [
    h("p", {}, t("count-here", { n: here, away: desk.people.length - here })),
    h(
      "form",
      { class: "panel", "data-form": "people" },
      h("label", {}, t("add-people"), h("textarea", { name: "names", rows: 3 })),
      h("p", { class: "buttons" }, h("button", { class: "main", type: "submit" }, t("add"))),
    ),
    h("ul", {}, rows),
  ];
}

main.addEventListener("click", (event) => {
  const facts = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-rename],[data-renamed]"))?.dataset;
  if (!facts) return;
  renamed = facts.rename ?? "";
  if (facts.rename) dispatchEvent(new Event("hashchange"));
});
