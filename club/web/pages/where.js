// "Where do I sit?": by one's number, which the phone remembers.

import { called, clock, gameName, hall, main, namesOf, nothing, run } from "./around.js";
import { fill, h } from "./dom.js";
import { keep, recall } from "./store.js";
import { t } from "./words.js";

const STORE = "beisitzer.club.number";
let number = String(recall("localStorage", STORE) ?? "");

/** @param {Hall} now
 * @param {string} p */
function place(now, p) {
  if (now.closed) return [h("p", { class: "big" }, t("closed"))];
  if (!now.round) return [h("p", { class: "big" }, t(now.mode === "free" ? "free-play" : "no-round"))];
  if (now.round.byes.includes(p)) return [h("p", { class: "big" }, t("sits-out"))];
  const group = now.round.tables.find(({ seats }) => seats.includes(p));
  if (!group) return [h("p", { class: "big" }, t("not-paired"))];
  const seat = group.seats.indexOf(p);
  const first = now.names[group.seats[0]] ?? group.seats[0];
  const others = group.seats.filter((each) => each !== p);
  return [
    h("p", { class: "big there" }, called(group)),
    h("p", { class: "big" }, t("seat", { n: seat + 1 })),
    h("p", {}, gameName(group.game)),
    h("p", {}, t("with", { names: namesOf(now.names, others) })),
    h("p", {}, `${first} ${t("first-move")}`),
    group.ranks && h("p", { class: "badge" }, t("my-place", { n: group.ranks[seat] })),
  ];
}

/** @param {Hall} now */
function answer(now) {
  if (!number) return null;
  const p = `p${Number(number)}`;
  const name = now.names[p];
  if (name === undefined) return h("p", {}, t("unknown-number", { n: number }));
  const line = now.standings.find((each) => each[0] === p);
  return h(
    "section",
    { class: "mine", "aria-live": "polite" },
    h("h2", {}, now.round && !now.closed ? t("round", { n: now.round.n }) : "", clock()),
    h("p", { class: "who" }, name),
    place(now, p),
    line?.[3] ? h("p", {}, `${t("rank")} ${line[5]} · ${t("points")} ${line[1]}`) : null,
  );
}

function draw() {
  const now = hall();
  if (!now || now.evening === null) return fill(main, nothing());
  const field = {
    id: "number", inputmode: "numeric", autocomplete: "off", maxlength: 6, value: number || null,
    "aria-label": t("my-number"), placeholder: t("my-number"), enterkeyhint: "done",
  };
  fill(
    main,
    h("form", { class: "where" }, h("h1", {}, t("where")), h("input", field), answer(now)),
  );
}

main.addEventListener("submit", (event) => {
  event.preventDefault();
  /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
});
main.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  number = input.value.replace(/\D/g, "").slice(0, 6);
  if (input.value !== number) input.value = number;
  keep("localStorage", STORE, number);
  draw();
});
run(draw);
