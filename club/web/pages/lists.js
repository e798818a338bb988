// Lists to hang on the wall, and files.

import { called, gameName, hall, main, nothing, roundName, run } from "./around.js";
import { fill, h } from "./dom.js";
import { t } from "./words.js";

const FILES = ["standings.csv", "round.csv", "results.csv", "evening.json"];

/** @param {string[]} names */
const heads = (...names) => h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col", class: name === "decided" && "more" }, t(name)))));

/** Everybody by name, as they look for themselves.
 * @param {Hall} now */
function seats(now) {
  if (!now.round) return null;
  const rows = now.round.tables.flatMap((group) =>
    group.seats.map((p, at) => ({ p, where: called(group), seat: String(at + 1), game: gameName(group.game) })),
  );
  for (const p of now.round.byes) rows.push({ p, where: t("byes"), seat: "", game: "" });
  const name = (/** @type {string} */ p) => now.names[p] ?? p;
  rows.sort((one, other) => name(one.p).localeCompare(name(other.p)));
  return h(
    "section",
    {},
    h("h2", {}, roundName(now)),
    h(
      "table",
      { class: "seats" },
      h("thead", {}, h("tr", {}, [t("number"), t("name"), t("table", { n: "" }).trim(), t("seat", { n: "" }).trim()].map((head) => h("th", { scope: "col" }, head)))),
      h(
        "tbody",
        {},
        rows.map(({ p, where, seat, game }) =>
          h("tr", {}, h("td", {}, p.slice(1)), h("td", {}, name(p)), h("td", {}, where, game && now.games.length > 1 && h("small", {}, game)), h("td", {}, seat)),
        ),
      ),
    ),
  );
}

/** @param {Hall} now */
function standings(now) {
  const rows = now.standings.map(([p, points, wins, games, decided, rank]) =>
    h(
      "tr",
      {},
      [rank, p.slice(1)].map((text) => h("td", {}, text)),
      h("td", {}, now.names[p] ?? p),
      [points, wins, games].map((text) => h("td", {}, String(text))),
      h("td", { class: "more" }, t(`decided-${decided}`)),
    ),
  );
  return h(
    "section",
    {},
    h("h2", {}, t("standings")),
    h("table", { class: "standings" }, heads("rank", "number", "name", "points", "wins", "games", "decided"), h("tbody", {}, rows)),
  );
}

function draw() {
  const now = hall();
  if (!now || now.evening === null) return fill(main, nothing());
  fill(
    main,
    h(
      "article",
      {},
      h("h1", {}, t("page-lists")),
      h("p", { class: "buttons" }, h("button", { type: "button", "data-print": true }, t("print"))),
      seats(now),
      standings(now),
      h(
        "section",
        { class: "files" },
        h("h2", {}, t("download")),
        FILES
          .filter((name) => now.round || name !== "round.csv")
          .map((name) => h("a", { class: "button", href: `/download/${name}`, download: name }, t(`file-${name}`))),
      ),
    ),
  );
}

main.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-print]")) print();
});
run(draw);
