// "Where do I sit?": by name or number, which the phone remembers; from there people say that they
// are here, and key and confirm the result of their group.

import { called, clock, gameName, groupWords, hall, keyed, main, nothing, number, places, run, say, sides } from "./around.js";
import { fill, h } from "./dom.js";
import { ask } from "./send.js";
import { keep, recall } from "./store.js";
import { t } from "./words.js";

const STORE = "beisitzer.club.me";
let me = String(recall("localStorage", STORE) ?? ""); // the number of the person with this phone, such as p17
let sought = "";
let anew = false; // whether another person's report is keyed anew

/** @param {string} verb
 * @param {object} fields */
async function tell(verb, fields) {
  const { status, body } = await ask(`/api/hall/${verb}`, fields);
  say(status === 200 ? "" : body.text || t("Not live: nothing was done."));
  return status === 200 ? body : null;
}

/** @param {string} p */
function be(p) {
  [me, sought, anew] = [p, "", false];
  keep("localStorage", STORE, p);
  say("");
  draw();
}

/** Key the result of the own group, or confirm another person's.
 * @param {Hall} now
 * @param {Group} group */
function result(now, group) {
  const { report } = group;
  const form = (/** @type {Group} */ shown) => h("form", { "data-report": true }, h("h3", {}, t("Key the places")), places(now.names, shown), h("p", { class: "buttons" }, h("button", { class: "main", type: "submit" }, t("Send the result"))));
  if (!report || anew) return form(group);
  const told = { ...group, ranks: group.seats.map((p) => report.ranks[p]) };
  return [
    h("p", {}, t("{name} has keyed:", { name: now.names[report.p] ?? report.p }), " ", groupWords(now.names, told)),
    report.p === me
      ? h("p", {}, t("It counts once another one of your group confirms it."))
      : h("p", { class: "buttons" }, h("button", { class: "main", type: "button", "data-agree": true }, t("That is right")), h("button", { type: "button", "data-anew": true }, t("No, key it anew"))),
  ];
}

/** @param {Hall} now */
function place(now) {
  if (now.closed) return h("p", { class: "big" }, t("The evening is over."));
  if (!now.here.includes(me)) return h("p", { class: "buttons" }, h("button", { class: "main", type: "button", "data-here": me }, t("I am here")));
  if (now.mode === "free") return h("p", { class: "big" }, t("Free play: whoever wants to sits down anywhere."));
  if (!now.round) return h("p", { class: "big" }, t("You are here. The first round is still to come."));
  if (now.round.byes.includes(me)) return h("p", { class: "big" }, t("You sit out this round."));
  const group = now.round.tables.find(({ seats }) => seats.includes(me));
  if (!group) return h("p", { class: "big" }, t("You play from round {n} on.", { n: now.round.n + 1 }));
  const all = sides(now.names, group);
  const mine = all.find(({ people }) => people.includes(me));
  const partner = mine?.people.filter((p) => p !== me).map((p) => now.names[p] ?? p).join(", ");
  const others = all.filter((side) => side !== mine).map(({ words }) => words).join(", ");
  return [
    h("p", { class: "big there" }, called(group)),
    h("p", { class: "big" }, t("Seat {n}", { n: group.seats.indexOf(me) + 1 })),
    h("p", {}, gameName(group.game)),
    partner && h("p", { class: "big" }, t("with {name} as partner", { name: partner })),
    h("p", {}, partner ? t("against {names}", { names: others }) : t("with {names}", { names: others })),
    h("p", {}, `${now.names[group.seats[0]] ?? group.seats[0]} ${t("has the first move")}`),
    mine?.rank ? h("p", { class: "badge" }, t("Done: place {n}", { n: mine.rank })) : result(now, group),
  ];
}

/** @param {Hall} now */
function mine(now) {
  const line = now.standings.find((each) => each[0] === me);
  return h(
    "section",
    { class: "mine", "aria-live": "polite" },
    h("h2", {}, now.round && !now.closed ? t("Round {n}", { n: now.round.n }) : "", clock()),
    h("p", { class: "who" }, now.names[me] ?? me),
    place(now),
    line?.[3] ? h("p", {}, `${t("Rank")} ${line[5]} · ${t("Points")} ${number(line[1])}`) : null,
    h("p", { class: "buttons" }, h("button", { type: "button", "data-me": "" }, t("That is not me"))),
  );
}

/** @param {Hall} now */
function search(now) {
  const text = sought.trim().toLowerCase();
  const found = Object.entries(now.names).filter(([p, name]) => text && (p === `p${Number(text)}` || name.toLowerCase().includes(text)));
  return h(
    "form",
    { class: "where", "data-search": true },
    h("h1", {}, t("Where do I sit?")),
    h("input", { id: "sought", autocomplete: "off", maxlength: 40, value: sought || null, "aria-label": t("My name or number"), placeholder: t("My name or number"), enterkeyhint: "search" }),
    found.slice(0, 12).map(([p, name]) => h("button", { type: "button", "data-me": p }, name)),
    text && !now.closed && h("button", { class: found.length ? null : "main", type: "button", "data-here": sought.trim() }, t("I am here: {name}", { name: sought.trim() })),
  );
}

function draw() {
  const now = hall();
  if (!now || now.evening === null) return fill(main, nothing());
  fill(main, me ? h("div", { class: "where" }, h("h1", {}, t("Where do I sit?")), mine(now)) : search(now));
}

main.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const group = hall()?.round?.tables.find(({ seats }) => seats.includes(me));
  if (form.dataset.report !== undefined && group) {
    if (await tell("report", { p: me, places: keyed(form, group) })) anew = false;
  }
  /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
});
main.addEventListener("click", async (event) => {
  const facts = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button"))?.dataset ?? {};
  if (facts.me !== undefined) be(facts.me);
  if (facts.anew !== undefined) anew = true;
  if (facts.agree !== undefined) await tell("agree", { p: me });
  if (facts.here) {
    const done = await tell("here", { name: facts.here });
    if (done) be(done.p);
  }
  draw();
});
main.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.id !== "sought") return;
  sought = input.value;
  draw();
});
run(draw);
