// People present: by touch, as last time, by a list; coming late, leaving, names, fixed teams.

import { main } from "./around.js";
import { h } from "./dom.js";
import { buttons, desk, doing, form, input, name, select, submit } from "./forms.js";
import { t } from "./words.js";

let renamed = ""; // the person to rename

function teams() {
  const paired = new Set(desk.partners.flat());
  const free = desk.people.filter((/** @type {any} */ each) => each.present && !paired.has(each.p)).map((/** @type {any} */ { p }) => [p, name(p)]);
  return form(
    "team",
    h("h2", {}, t("Fixed teams of two (Sequence)")),
    h("ul", {}, desk.partners.map((/** @type {string[]} */ team) => h("li", {}, team.map(name).join(" + ")))),
    free.length > 1 && [select("1.", "a", free), select("2.", "b", free), buttons(submit(t("These two are a team")), doing(t("Draw teams for the rest"), "team"))],
  );
}

/** @param {any} person */
function person({ p, name: own, present }) {
  const rename = h("form", { "data-form": "people", "data-p": p }, input(t("New name of {name}", { name: name(p) }), "people", { maxlength: 40, value: own }), buttons(h("button", { class: "main", type: "submit", "data-rename": "" }, t("Rename")), h("button", { type: "button", "data-rename": "" }, t("No, leave it"))));
  const words = [h("b", {}, own || p), h("small", {}, p.slice(1), " · ", present ? t("is here") : t("has left"))];
  return h(
    "li",
    { class: present ? "row" : "row gone", id: `person-${p}` },
    p === renamed
      ? [rename, doing(t("Forget the name"), "forget", { p }, { "data-sure": t("The number stays, the name is gone for good.") })]
      : [
          doing(words, present ? "leave" : "arrive", { p }, { class: present ? "person main" : "person", "aria-pressed": String(present) }),
          h("button", { type: "button", "data-rename": p, "aria-label": `${t("Rename")}: ${name(p)}` }, "✎"),
        ],
  );
}

export function people() {
  const here = desk.people.filter((/** @type {any} */ each) => each.present).length;
  const order = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const sorted = desk.people.toSorted((/** @type {any} */ one, /** @type {any} */ other) => order.compare(name(one.p), name(other.p)));
  return [
    h("p", {}, t("{n} here, {away} not", { n: here, away: desk.people.length - here })),
    here === 0 && desk.people.length > 0 && buttons(doing(t("The same as last time"), "same", {}, { class: "main" })),
    h("ul", { class: "people" }, sorted.map(person)),
    desk.evening?.teams && !desk.evening.closed && teams(),
    form(
      "people",
      h("label", {}, t("Who is here, one name a line"), h("textarea", { name: "people", rows: 3 })),
      buttons(submit(t("Add"))),
    ),
  ];
}

const again = () => dispatchEvent(new Event("hashchange"));

main.addEventListener("click", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (/** @type {Element} */ (event.target).closest("[data-rename]"));
  if (!button) return;
  event.stopImmediatePropagation(); // drawing now would put another button in this one's place
  renamed = button.dataset.rename ?? "";
  if (button.type === "button") again();
});
