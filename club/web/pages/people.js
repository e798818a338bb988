// Who is here: people who come, come late, leave, and two of one name.

import { main } from "./around.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** From so many people on, one is looked for by name or number. */
const MANY = 12;
let renamed = ""; // whose name is being changed
let sought = "";

/** @param {any} person */
const isSought = ({ p, name }) => p === `p${sought}` || name.toLowerCase().includes(sought);

/** @param {any} desk
 * @param {(verb: string, fields?: object) => Record<string, any>} doing */
export function people(desk, doing) {
  const here = desk.people.filter((/** @type {any} */ each) => each.present).length;
  const rows = desk.people.filter((/** @type {any} */ each) => !sought || isSought(each)).map((/** @type {any} */ { p, name, present }) =>
    h(
      "li",
      { class: present ? "row" : "row gone", id: `person-${p}` },
      p === renamed
        ? h(
            "form",
            { "data-form": "rename", "data-p": p },
            h("label", {}, t("new-name", { name: desk.names[p] }), h("input", { name: "name", maxlength: 40, value: name })),
            h("p", { class: "buttons" }, h("button", { class: "main", type: "submit", "data-rename": "" }, t("rename")), h("button", { type: "button", "data-rename": "" }, t("no"))),
          )
        : h("span", {}, h("b", {}, p.slice(1)), " ", name || p, h("small", {}, t(present ? "here" : "away"))),
      p !== renamed && h("button", { type: "button", "data-rename": p }, t("rename")),
      p !== renamed && h("button", doing(present ? "leave" : "arrive", { p }), t(present ? "leave" : "arrive")),
      p === renamed && h("button", { ...doing("forget", { p }), "data-sure": t("forget-means") }, t("forget")),
    ),
  );
  return [
    h("p", {}, t("count-here", { n: here, away: desk.people.length - here })),
    h(
      "form",
      { class: "panel", "data-form": "people" },
      h("label", {}, t("add-people"), h("textarea", { name: "names", rows: 3 })),
      h("p", { class: "buttons" }, h("button", { class: "main", type: "submit" }, t("add"))),
      h("label", {}, t("list-file"), h("input", { type: "file", accept: ".csv,text/csv", "data-file": "list" })),
    ),
    desk.people.length >= MANY && h("input", { id: "sought", type: "search", autocomplete: "off", maxlength: 40, "aria-label": t("find"), placeholder: t("find"), value: sought || null }),
    h("ul", {}, rows),
    h(
      "p",
      { class: "buttons" },
      desk.ratings && desk.evening && h("a", { class: "button", href: "/download/ratings.csv", download: "ratings.csv" }, t("file-ratings.csv")),
      h("button", doing("ratings", { on: !desk.ratings }), t(desk.ratings ? "ratings-off" : "ratings-on")),
    ),
  ];
}

const again = () => dispatchEvent(new Event("hashchange"));

main.addEventListener("click", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (/** @type {Element} */ (event.target).closest("[data-rename]"));
  if (!button) return;
  event.stopImmediatePropagation(); // what is drawn now puts another button in this one's place
  renamed = button.dataset.rename ?? "";
  if (button.type === "button") again();
});
main.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.id !== "sought") return;
  sought = input.value.trim().toLowerCase();
  again();
});
