// The organiser's page: next steps, results, people, tables, and the journal.

import { called, gameName, groupWords, keyed, main, namesOf, number, one, places, run, say } from "./around.js";
import { fill, h } from "./dom.js";
import { now, touch } from "./evening.js";
import { buttons, desk, doing, keepDesk, name, row, said } from "./forms.js";
import { listen, table } from "./live.js";
import { people } from "./people.js";
import { ask } from "./send.js";
import { t } from "./words.js";

/** @type {any} */
let asked = null; // the act in the dialog
let busy = false;
let again = false;
let looked = 0; // the time of the last request
let acted = 0; // the time of the last act here
let sent = Promise.resolve(/** @type {any} */ (null)); // the last act sent
let round = 0; // the round with the shown results, 0: the last one
const dialog = document.body.appendChild(document.createElement("dialog"));
const POLL_INTERVAL_MS = 1_000;
const TABS = { now: () => t("Now"), results: () => t("Results"), people: () => t("People"), tables: () => t("Tables"), journal: () => t("Log") };
const tab = () => /** @type {keyof typeof TABS} */ (Object.keys(TABS).find((each) => `#${each}` === location.hash) ?? "now");

// --- coming in

function login() {
  return h(
    "form",
    { class: "login", "data-login": true },
    h("h1", {}, t("Organiser")),
    desk.other && h("p", { class: "warn" }, t("Another device is the organiser's now.")),
    h("label", {}, t("Password"), h("input", { id: "password", type: "password", autocomplete: "current-password", maxlength: 200 })),
    h("button", { class: "main", type: "submit" }, desk.other ? t("Take over from the other device") : t("Be the organiser")),
  );
}

// --- results

/** The author of a result, and buttons: let a report count, refuse a counted result.
 * @param {any} group
 * @param {any} shown */
function phoned(group, shown) {
  const { report, keyed: by } = group;
  const isLast = shown === desk.rounds.at(-1) && !desk.evening.closed;
  if (report) {
    const told = { ...group, ranks: group.seats.map((/** @type {string} */ p) => report.ranks[p]) };
    return [h("small", {}, t("{name} has keyed:", { name: name(report.p) }), " ", groupWords(desk.names, told)), isLast && doing(t("Let it count"), "result", { round: shown.n, places: report.ranks })];
  }
  if (!by?.confirmed) return [];
  return [h("small", {}, t("keyed by {name}, confirmed by {other}", { name: name(by.p), other: name(by.confirmed) })), isLast && doing(t("Leave it out"), "reject", { act: by.act }, { "data-look": true })];
}

function results() {
  if (!desk.rounds.length) return h("p", {}, t("No round is paired yet."));
  const shown = desk.rounds.find((/** @type {any} */ each) => each.n === round) ?? desk.rounds.at(-1);
  const ways = desk.rounds.map((/** @type {any} */ { n }) =>
    h("button", { type: "button", "data-round": n, "aria-pressed": String(n === shown.n), class: n === shown.n ? "main" : null }, n),
  );
  const rows = shown.tables.map((/** @type {any} */ group) =>
    row(called(group), gameName(group.game), groupWords(desk.names, group), phoned(group, shown), !desk.evening.closed && h("button", { type: "button", "data-key": group.number, "data-of": shown.n }, group.ranks ? t("Correct") : t("Key the places"))),
  );
  return [
    buttons(t("Round {n}", { n: "" }).trim(), ways),
    h("ul", {}, rows),
    shown.byes.length ? h("p", {}, `${t("Sitting out")}: ${namesOf(desk.names, shown.byes)}`) : null,
  ];
}

function proposals() {
  const rows = desk.proposals.map((/** @type {any} */ each) => {
    const fields = { game_id: each.game_id, revision: each.revision, id: each.id };
    const placed = each.seats.toSorted((/** @type {any} */ one, /** @type {any} */ other) => one.rank - other.rank);
    const seats = placed.map((/** @type {any} */ seat) => `${seat.rank}. ${seat.p ? name(seat.p) : seat.show}`).join(", ");
    const where = [each.round && t("Round {n}", { n: each.round }), each.table && called(each), each.game && gameName(each.game)];
    return row(where.filter(Boolean).join(" · "), each.text, each.withdrawn ? t("the game was taken out") : seats, doing(t("Let it count"), "accept", fields, { "data-look": true }), doing(t("Leave it out"), "refuse", fields, { "data-look": true }));
  });
  return h("section", {}, h("h2", {}, t("To decide")), rows.length ? h("ul", {}, rows) : h("p", {}, t("There is nothing to decide.")));
}

// --- tables and the journal

/** @param {string | null} at */
const hour = (at) => (at ? new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) : "");

function tables() {
  const rows = desk.tables.map((/** @type {any} */ each) => {
    const state = [each.online ? t("connected") : t("not connected: key its result by hand"), !each.online && hour(each.seen)];
    if (each.online && each.progress) state.push(each.progress);
    else if (each.game) state.push(t("plays {game}", { game: gameName(each.game) }));
    if (each.waiting) state.push(t("still to come: {n}", { n: each.waiting }));
    return h(
      "li",
      { class: each.online ? "row" : "row bad" },
      h("span", {}, h("b", {}, called(each)), h("small", {}, [each.id, ...state].filter(Boolean).join(" · ")), each.twice && h("small", { class: "warn" }, t("the same card is in two machines"))),
      each.twice && doing(t("Let the other one in"), "replace", { table: each.id }, { "data-sure": t("The machine that reports now is refused then.") }),
      doing(t("Take it out of the club"), "remove-table", { table: each.id }, { "data-sure": t("Take it out of the club") }),
    );
  });
  const { code, host, port, mark } = desk.joining;
  const marked = [`${t("Mark")}: `, h("span", { class: "mark" }, mark)];
  const fresh = desk.unconfirmed.map((/** @type {any} */ { id }) =>
    row(id, [`${t("wants to join: compare what it shows.")} `, marked], "", doing(t("Let it in"), "confirm", { table: id }, { class: "main" }), doing(t("No, leave it"), "remove-table", { table: id })),
  );
  return [
    h(
      "section",
      { class: "panel" },
      code && h("p", {}, t("Code at the table"), " ", h("span", { class: "code" }, code)),
      h("p", {}, `${t("Address of the hub")}: `, h("span", { class: "mark" }, `${host}:${port}`)),
      h("p", {}, marked),
      !code && buttons(doing(t("Let tables join"), "code")),
    ),
    fresh.length > 0 && h("ul", {}, fresh),
    rows.length ? h("ul", {}, rows) : h("p", {}, t("No table has joined yet.")),
  ];
}

function journal() {
  const last = desk.acts.find((/** @type {any} */ act) => act.undoable);
  const rows = desk.acts.map((/** @type {any} */ act) =>
    h(
      "li",
      { class: "row" },
      h("span", { class: act.undone ? "done" : null }, act.text),
      h("small", {}, [hour(act.at), act.undone && t("taken back")].filter(Boolean).join(" · ")),
      // the act itself would be too long for a button on a small screen
      act === last && doing(t("Take back"), "undo", {}, { "data-look": true, "data-title": t("Take back: {what}", { what: act.text }), class: "main" }),
    ),
  );
  return [
    h("h2", {}, t("Log")),
    h("ul", {}, rows),
    buttons(
      doing(t("New password"), "password", {}, { "data-sure": t("The old one is worth nothing then, and you are logged out.") }),
      h("button", { type: "button", "data-out": true }, t("Leave the organiser's page")),
    ),
  ];
}

// --- the page

function draw() {
  if (desk.organiser === undefined) return fill(main, h("p", { class: "lonely" }, t("Looking for the evening …")));
  if (!desk.organiser) return fill(main, login());
  const counts = /** @type {Record<string, number>} */ ({ results: desk.proposals.length });
  const ways = Object.entries(TABS).map(([each, text]) =>
    h("a", { href: `#${each}`, "aria-current": each === tab() && "page" }, text(), counts[each] > 0 && h("b", {}, counts[each])),
  );
  const parts = { now, results: () => [proposals(), h("section", {}, h("h2", {}, t("Results")), results())], people, tables, journal };
  fill(
    main,
    h(
      "div",
      { class: "desk", id: tab() },
      h("h1", { class: "unseen" }, t("Organiser")),
      h("div", { class: "tabs" }, ways),
      parts[tab()](),
    ),
  );
}

async function look() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  again = false;
  looked = Date.now();
  const { status, body } = await ask("/api/desk");
  if (looked < acted) again = true; // an answer from before the last act is old
  else if (status === 200) {
    if (desk.organiser && !body.organiser && !asked?.secret) close(); // another device has taken over
    keepDesk(body);
    draw();
  }
  busy = false;
  if (again) look();
}

// --- acts

/** Send an act after the earlier ones are done, because it applies to the state after them.
 * @param {string} verb
 * @param {object} fields
 * @param {"act" | "preview"} how */
function send(verb, fields, how) {
  sent = sent.then(async () => {
    const { status, body } = await ask(`/api/${how}/${verb}`, { ...fields, after: desk.after });
    // the next act applies to this state, which is not drawn yet
    if (body.after) [desk.after, acted] = [body.after, Date.now()];
    if (status === 200) return body;
    look();
    return { code: body.error, error: body.text || t("Not live: nothing was done.") };
  });
  return sent;
}

/** @param {string} verb
 * @param {object} fields */
async function act(verb, fields) {
  const done = await send(verb, fields, "act");
  touch("");
  if (["missing", "not-empty"].includes(done.code)) {
    open({ verb, fields: { ...fields, anyway: true }, title: t("Do it anyway?"), text: done.error });
    return;
  }
  const isLate = verb === "arrive" && done.round > 1;
  if (done.error && dialog.open) return open({ ...asked, error: done.error });
  say(done.error ?? (isLate ? t("{name} plays from round {n} on.", { name: name(done.p), n: done.round }) : ""));
  if (!done.error) close();
  if (done.password) open({ title: t("Shown only now: write it down"), secret: done.password });
  await look();
}

function close() {
  asked = null;
  dialog.close();
}

/** Confirm an act: with a preview of its changes, or with a text.
 * @param {any} about */
function open(about) {
  asked = about;
  ask_();
  if (!dialog.open) dialog.showModal();
}

function changes() {
  if (!asked.changes) return asked.text && h("p", {}, asked.text);
  const value = (/** @type {any} */ line) => (line ? `${line.rank}. (${number(line.points)})` : "–");
  const row = (/** @type {any} */ each) => h("tr", {}, h("td", {}, name(each.p)), h("td", {}, value(each.before)), h("td", {}, "→ ", value(each.after)));
  const head = () => [t("Name"), `${t("Rank")} (${t("Points")})`, ""].map((text) => h("th", text ? { scope: "col" } : { "aria-hidden": "true" }, text));
  return [
    h("h3", {}, t("What this changes")),
    asked.changes.length ? h("table", {}, h("thead", {}, h("tr", {}, head())), h("tbody", {}, asked.changes.map(row))) : h("p", {}, t("Nothing in the standings.")),
    asked.verb === "undo" ? null : h("p", {}, t("Rounds that were paired stay as they are.")),
  ];
}

function ask_() {
  const what = !asked.group || asked.changes ? t("Yes, do it") : asked.group.ranks ? t("Show what this changes") : t("Save the result");
  fill(
    dialog,
    h(
      "form",
      { "data-ask": true },
      h("h2", {}, asked.title),
      asked.error && h("p", { class: "warn" }, asked.error),
      asked.secret && h("pre", {}, asked.secret),
      asked.group && !asked.changes && places(desk.names, asked.group),
      changes(),
      buttons(
        !asked.secret && h("button", { class: "main", type: "submit" }, what),
        h("button", { type: "button", "data-close": true }, asked.secret ? t("Close") : t("No, leave it")),
      ),
    ),
  );
}

/** Show an act's changes, and ask.
 * @param {any} about */
async function preview(about) {
  const { error, changes } = await send(about.verb, about.fields, "preview");
  if (error && !about.group) return say(error);
  open({ ...about, error, changes: error ? null : changes });
}

dialog.addEventListener("submit", (event) => {
  event.preventDefault();
  if (asked.changes || !asked.group) {
    act(asked.verb, asked.fields);
    return;
  }
  const placed = keyed(/** @type {HTMLFormElement} */ (event.target), asked.group);
  const group = { ...asked.group, ranks: asked.group.seats.map((/** @type {string} */ p) => placed[p]) };
  const about = { ...asked, group, fields: { round: asked.round, places: placed } };
  // a first result counts at once: it can be corrected, and there is nothing to compare it with
  if (!asked.group.ranks) act(about.verb, about.fields);
  else preview(about);
});
dialog.addEventListener("click", (event) => {
  if (/** @type {Element} */ (event.target).closest("[data-close]")) close();
});

main.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button"));
  const facts = button?.dataset;
  if (!button || !facts) return;
  if (facts.round) {
    round = Number(facts.round);
    draw();
  } else if (facts.first !== undefined) {
    touch(facts.first);
    draw();
  } else if (facts.key) {
    const shown = desk.rounds.find((/** @type {any} */ each) => each.n === Number(facts.of));
    const group = shown.tables.find((/** @type {any} */ each) => each.number === Number(facts.key));
    open({ verb: "result", title: `${t("Round {n}", { n: shown.n })} · ${called(group)}`, round: shown.n, group });
  } else if (facts.act) {
    const fields = JSON.parse(facts.fields ?? "{}");
    const title = facts.title ?? button.textContent;
    if (facts.look !== undefined) preview({ verb: facts.act, fields, title });
    else if (facts.sure) open({ verb: facts.act, fields, title, text: facts.sure });
    else act(facts.act, fields);
  } else if (facts.out !== undefined) ask("/api/logout", {}).then(look);
});

main.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.dataset.login === undefined) {
    const fields = said(form);
    if (fields.people && !fields.people.length) return;
    if (fields.mode === "round-robin") fields.per_table = 2;
    await act(form.dataset.form ?? "", fields);
    if (!one("#notice").textContent) form.reset();
    return;
  }
  const password = /** @type {HTMLInputElement} */ (one("#password"));
  const { status, body } = await ask("/api/login", { password: password.value });
  say(status === 200 ? "" : body.text || t("Not live: nothing was done."));
  password.value = "";
  await look();
});

addEventListener("hashchange", draw);
let known = /** @type {unknown} */ (null);
let waits = 0;
/** Fetch news from tables, several at once; own acts are fetched at once. */
function soon() {
  clearTimeout(waits);
  waits = setTimeout(look, Math.max(0, looked + POLL_INTERVAL_MS - Date.now()));
}
run(() => {
  draw();
  if (table.frame !== known && table.frame) soon();
  known = table.frame;
});
listen(soon);
