// Who is here: by touch, as last time, by a list; who comes late or leaves, names, fixed teams.

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
function teams(desk, doing) {
  const paired = new Set(desk.partners.flat());
  const free = desk.people.filter((/** @type {any} */ each) => each.present && !paired.has(each.p));
  const choice = (/** @type {string} */ name) => h("select", { name, "aria-label": t("fixed-teams") }, free.map((/** @type {any} */ { p }) => h("option", { value: p }, desk.names[p])));
  return h(
    "form",
    { class: "panel", "data-form": "team" },
    h("h2", {}, t("fixed-teams")),
    h("ul", {}, desk.partners.map((/** @type {string[]} */ team) => h("li", {}, team.map((p) => desk.names[p] ?? p).join(" + ")))),
    free.length > 1 && [choice("a"), choice("b")],
    free.length > 1 && h("p", { class: "buttons" }, h("button", { class: "main", type: "submit" }, t("form-team")), h("button", doing("team"), t("team-rest"))),
    free.length === 1 && h("p", {}, t("no-partner", { name: desk.names[free[0].p] })),
  );
}

/** @param {any} desk
 * @param {(verb: string, fields?: object) => Record<string, any>} doing */
export function people(desk, doing) {
  const here = desk.people.filter((/** @type {any} */ each) => each.present).length;
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const sorted = desk.people.toSorted((/** @type {any} */ one, /** @type {any} */ other) => order.compare(desk.names[one.p], desk.names[other.p]));
  const rows = sorted.filter((/** @type {any} */ each) => !sought || isSought(each)).map((/** @type {any} */ { p, name, present }) =>
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
        : h("button", { ...doing(present ? "leave" : "arrive", { p }), class: present ? "person main" : "person", "aria-pressed": String(present) }, h("b", {}, name || p), h("small", {}, p.slice(1), " · ", t(present ? "here" : "away"))),
      p !== renamed && h("button", { type: "button", "data-rename": p, "aria-label": `${t("rename")}: ${desk.names[p]}` }, "✎"),
      p === renamed && h("button", { ...doing("forget", { p }), "data-sure": t("forget-means") }, t("forget")),
    ),
  );
  return [
    h("p", {}, t("count-here", { n: here, away: desk.people.length - here })),
    here === 0 && desk.people.length > 0 && h("p", { class: "buttons" }, h("button", { ...doing("same"), class: "main" }, t("same"))),
    desk.people.length >= MANY && h("input", { id: "sought", type: "search", autocomplete: "off", maxlength: 40, "aria-label": t("find"), placeholder: t("find"), value: sought || null }),
    h("ul", { class: "people" }, rows),
    desk.evening?.teams && !desk.evening.closed && teams(desk, doing),
    h(
      "form",
      { class: "panel", "data-form": "people" },
      h("label", {}, t("add-people"), h("textarea", { name: "names", rows: 3 })),
      h("p", { class: "buttons" }, h("button", { class: "main", type: "submit" }, t("add"))),
      h("label", {}, t("list-file"), h("input", { type: "file", accept: ".csv,text/csv", "data-file": "list" })),
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
