// The organiser's page: what is to be done now, results, people, tables, and what was done.

import { called, gameName, groupWords, keyed, main, namesOf, number, one, places, run, say } from "./around.js";
import { fill, h } from "./dom.js";
import { evening, now, touch } from "./evening.js";
import { listen, table } from "./live.js";
import { people } from "./people.js";
import { ask } from "./send.js";
import { t } from "./words.js";

/** @type {any} */
let desk = null; // what the hub said last
/** @type {any} */
let asked = null; // the act that the dialog is about
let busy = false;
let again = false;
let looked = 0; // when it was asked last
let acted = 0; // when something was done here last
let round = 0; // the round whose results are shown, 0: the last one
const dialog = document.body.appendChild(document.createElement("dialog"));
const LEAST_MS = 1_000;
const TABS = ["now", "results", "people", "tables", "journal"];
const tab = () => TABS.find((name) => `#${name}` === location.hash) ?? "now";

/** @param {string} p */
const name = (p) => desk.names[p] ?? p;

/** What an act is about, for the button that asks for it.
 * @param {string} verb
 * @param {object} [fields] */
const doing = (verb, fields = {}) => ({ type: "button", "data-act": verb, "data-fields": JSON.stringify(fields) });

// --- coming in

function login() {
  return h(
    "form",
    { class: "login", "data-login": true },
    h("h1", {}, t("page-organiser")),
    desk.other && h("p", { class: "warn" }, t("other-device")),
    h("label", {}, t("password"), h("input", { id: "password", type: "password", autocomplete: "current-password", maxlength: 200 })),
    h("button", { class: "main", type: "submit" }, t(desk.other ? "take-over" : "log-in")),
  );
}

/** Return what this device is called in the journal. */
function device() {
  const agent = navigator.userAgent;
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"].find((word) => agent.includes(word));
  const browser = ["Firefox", "Edg", "Chrome", "Safari"].find((word) => agent.includes(word));
  return [browser, system].filter(Boolean).join(", ");
}

// --- results

/** Who keyed a result, and what can be done about it: let a report count, refuse what counts.
 * @param {any} group
 * @param {any} shown */
function phoned(group, shown) {
  const { report, keyed: by } = group;
  const isLast = shown === desk.rounds.at(-1) && !desk.evening.closed;
  if (report) {
    const told = { ...group, ranks: group.seats.map((/** @type {string} */ p) => report.ranks[p]) };
    return [h("small", {}, t("keyed-by", { name: name(report.p) }), " ", groupWords(desk.names, told)), isLast && h("button", doing("result", { round: shown.n, places: report.ranks }), t("accept"))];
  }
  if (!by?.confirmed) return [];
  return [h("small", {}, t("keyed-confirmed", { name: name(by.p), other: name(by.confirmed) })), isLast && h("button", { ...doing("reject", { act: by.act }), "data-look": true }, t("refuse"))];
}

function results() {
  if (!desk.rounds.length) return h("p", {}, t("no-round"));
  const shown = desk.rounds.find((/** @type {any} */ each) => each.n === round) ?? desk.rounds.at(-1);
  const ways = desk.rounds.map((/** @type {any} */ { n }) =>
    h("button", { type: "button", "data-round": n, "aria-pressed": String(n === shown.n), class: n === shown.n ? "main" : null }, n),
  );
  const rows = shown.tables.map((/** @type {any} */ group) => {
    return h(
      "li",
      { class: "row" },
      h("span", {}, h("b", {}, called(group)), h("small", {}, gameName(group.game)), groupWords(desk.names, group)),
      phoned(group, shown),
      !desk.evening.closed &&
        h("button", { type: "button", "data-key": group.place, "data-of": shown.n }, t(group.ranks ? "correct" : "key-result")),
    );
  });
  return [
    h("p", { class: "buttons" }, t("round", { n: "" }).trim(), ways),
    h("ul", {}, rows),
    shown.byes.length ? h("p", {}, `${t("byes")}: ${namesOf(desk.names, shown.byes)}`) : null,
  ];
}

function proposals() {
  const rows = desk.proposals.map((/** @type {any} */ each) => {
    const fields = { game_id: each.game_id, revision: each.revision, id: each.id };
    const placed = each.seats.toSorted((/** @type {any} */ one, /** @type {any} */ other) => one.rank - other.rank);
    const seats = placed.map((/** @type {any} */ seat) => `${seat.rank}. ${seat.p ? name(seat.p) : seat.show}`).join(", ");
    const where = [each.round && t("round", { n: each.round }), each.table && called(each), each.game && gameName(each.game)];
    return h(
      "li",
      { class: "row" },
      h("span", {}, h("b", {}, where.filter(Boolean).join(" · ")), h("small", {}, t(`why-${each.why ?? each.verdict}`) || each.why), each.withdrawn ? t("withdrawn") : seats),
      h("button", { ...doing("accept", fields), "data-look": true }, t("accept")),
      h("button", { ...doing("refuse", fields), "data-look": true }, t("refuse")),
    );
  });
  return h("section", {}, h("h2", {}, t("proposals")), rows.length ? h("ul", {}, rows) : h("p", {}, t("no-proposals")));
}

// --- tables and the journal

/** @param {string | null} at */
const hour = (at) => (at ? new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) : "");

function tables() {
  const rows = desk.tables.map((/** @type {any} */ each) => {
    const state = [t(each.online ? "online" : "offline"), !each.online && hour(each.seen)];
    if (each.online && each.progress) state.push(t(`progress-${each.progress}`));
    else if (each.game) state.push(t("plays", { game: gameName(each.game) }));
    if (each.waiting) state.push(t("waits", { n: each.waiting }));
    return h(
      "li",
      { class: each.online ? "row" : "row bad" },
      h("span", {}, h("b", {}, called({ table: each.id })), h("small", {}, [each.id, ...state].filter(Boolean).join(" · ")), each.twice && h("small", { class: "warn" }, t("twice"))),
      each.twice && h("button", { ...doing("replace", { table: each.id }), "data-sure": t("replace-means") }, t("replace")),
      h("button", { ...doing("remove-table", { table: each.id }), "data-sure": t("remove") }, t("remove")),
    );
  });
  const join = desk.joining;
  const code = [
    join.code && h("p", {}, t("join-code"), " ", h("span", { class: "code" }, join.code)),
    h("p", {}, `${t("join-at")}: `, h("span", { class: "mark" }, `${join.host}:${join.port}`)),
    h("p", {}, `${t("mark")}: `, h("span", { class: "mark" }, join.mark)),
    h("p", { class: "buttons" }, join.code ? h("button", doing("end-code"), t("end-joining")) : h("button", doing("code"), t("let-join")), h("button", doing("add-table"), t("add-table"))),
  ];
  const fresh = desk.unconfirmed.map((/** @type {any} */ { id }) =>
    h(
      "li",
      { class: "row bad" },
      h("span", {}, h("b", {}, id), h("small", {}, `${t("wants-in")} ${t("mark")}: `, h("span", { class: "mark" }, join.mark))),
      h("button", { ...doing("confirm", { table: id }), class: "main" }, t("confirm")),
      h("button", doing("remove-table", { table: id }), t("no")),
    ),
  );
  return [
    h("section", { class: "panel" }, code),
    fresh.length ? h("ul", {}, fresh) : null,
    rows.length ? h("ul", {}, rows) : h("p", {}, t("no-tables")),
  ];
}

/** @param {any} act */
function told({ kind, facts }) {
  const words = { n: facts.people?.length ?? "", name: facts.p ? name(facts.p) : "", round: facts.round ?? "", table: facts.table ? called(facts) : "", text: facts.text ?? "" };
  const places = Object.entries(facts.ranks ?? {}).toSorted(([, one], [, other]) => one - other);
  const who = places.map(([p, rank]) => `${rank}. ${name(p)}`).join(", ");
  return [t(`act-${kind}`, words) || kind, who].filter(Boolean).join(": ");
}

function journal() {
  const last = desk.acts.find((/** @type {any} */ act) => act.undoable);
  const rows = desk.acts.map((/** @type {any} */ act) =>
    h(
      "li",
      { class: "row" },
      h("span", { class: act.undone ? "done" : null }, told(act)),
      h("small", {}, [hour(act.at), act.who, act.undone && t("taken-back")].filter(Boolean).join(" · ")),
      // the act itself would be too long for a button on a small screen
      act === last && h("button", { ...doing("undo"), "data-look": true, "data-title": t("undo", { what: told(act) }), class: "main" }, t("take-back")),
    ),
  );
  return [
    h("h2", {}, t("journal")),
    h("ul", {}, rows),
    h(
      "p",
      { class: "buttons" },
      h("a", { class: "button", href: "/api/backup", download: true }, t("backup")),
      h("button", { ...doing("password"), "data-sure": t("password-means") }, t("new-password")),
      h("button", { type: "button", "data-out": true }, t("log-out")),
    ),
  ];
}

// --- the page

function draw() {
  if (!desk) return fill(main, h("p", { class: "lonely" }, t("waiting")));
  if (!desk.organiser) return fill(main, login());
  const counts = { results: desk.proposals.length };
  const ways = TABS.map((each) => {
    const n = /** @type {Record<string, number>} */ (counts)[each];
    const text = t(each);
    return h("a", { href: `#${each}`, "aria-current": each === tab() ? "page" : null }, text, n ? h("b", {}, n) : null);
  });
  const parts = {
    now: () => now(desk, doing),
    results: () => [proposals(), h("section", {}, h("h2", {}, t("results")), results())],
    people: () => people(desk, doing),
    tables,
    journal,
  };
  fill(
    main,
    h(
      "div",
      { class: "desk", id: tab() },
      h("h1", { class: "unseen" }, t("page-organiser")),
      h("div", { class: "tabs" }, ways),
      parts[/** @type {keyof typeof parts} */ (tab())](),
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
  if (looked < acted) again = true; // what was asked for before the last act is old
  else if (status === 200) {
    if (desk?.organiser && !body.organiser && !asked?.secret) close(); // another device has taken over
    desk = body;
    draw();
  }
  busy = false;
  if (again) look();
}

// --- acts

/** @param {string} verb
 * @param {object} fields
 * @param {"act" | "preview"} how */
async function send(verb, fields, how) {
  const { status, body } = await ask(`/api/${how}/${verb}`, { ...fields, after: desk.after });
  if (status !== 200) {
    look();
    return { code: body.error, error: body.text || t("not-sent") };
  }
  return body;
}

/** @param {string} verb
 * @param {object} fields */
async function act(verb, fields) {
  const done = await send(verb, fields, "act");
  touch("");
  if (["missing", "not-empty"].includes(done.code)) {
    open({ verb, fields: { ...fields, anyway: true }, title: t("anyway"), text: done.error });
    return;
  }
  const isLate = verb === "arrive" && done.round > 1;
  // the next act is on this state, though it is still to be looked at
  if (done.after) [desk.after, acted] = [done.after, Date.now()];
  if (done.error && dialog.open) return open({ ...asked, error: done.error });
  say(done.error ?? (isLate ? t("arrived", { name: name(done.p), n: done.round }) : ""));
  if (!done.error) close();
  // what is shown only once: a password, or what a table needs
  const secret = done.password ?? (done.token && JSON.stringify(done, null, 1));
  if (secret) open({ title: t("only-now"), secret });
  await look();
}

/** Send the list of people that a file has.
 * @param {HTMLInputElement} input */
async function sendFile(input) {
  const file = input.files?.[0];
  if (!file) return;
  const text = await file.text();
  input.value = "";
  await act("list", { csv: text, name: file.name });
}

function close() {
  asked = null;
  dialog.close();
}

/** Ask before an act: with what it changes if that was looked up, or with a text.
 * @param {any} about */
function open(about) {
  asked = about;
  ask_();
  if (!dialog.open) dialog.showModal();
}

function changes() {
  if (!asked.changes) return asked.text && h("p", {}, asked.text);
  const value = (/** @type {any} */ line) => (line ? `${line.rank}. (${number(line.points)})` : "–");
  // first who has other points: the others only move up or down
  const moved = (/** @type {any} */ each) => each.before?.points === each.after?.points && each.before?.wins === each.after?.wins;
  const row = (/** @type {any} */ each) => h("tr", {}, h("td", {}, name(each.p)), h("td", {}, value(each.before)), h("td", {}, "→ ", value(each.after)));
  const head = () => [t("name"), `${t("rank")} (${t("points")})`, ""].map((text) => h("th", text ? { scope: "col" } : { "aria-hidden": "true" }, text));
  const listed = (/** @type {any[]} */ some) => some.length > 0 && h("table", {}, h("thead", {}, h("tr", {}, head())), h("tbody", {}, some.map(row)));
  const others = asked.changes.filter(moved);
  return [
    h("h3", {}, t("changes")),
    asked.changes.length ? listed(asked.changes.filter((/** @type {any} */ each) => !moved(each))) : h("p", {}, t("changes-nothing")),
    others.length > 0 && h("details", {}, h("summary", {}, t("only-move", { n: others.length })), listed(others)),
    asked.verb === "undo" ? null : h("p", {}, t("rounds-stay")),
  ];
}

function ask_() {
  const ready = !asked.group || asked.changes;
  // a first result counts at once: it can be corrected, and there is nothing to compare it with
  const first = asked.group && !asked.group.ranks && !asked.changes;
  const what = ready ? "yes" : first ? "save-result" : "look";
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
      h("p", { class: "buttons" }, !asked.secret && h("button", { class: "main", type: "submit", value: what }, t(what)), first && h("button", { type: "submit", value: "look" }, t("look")), h("button", { type: "button", "data-close": true }, t(asked.secret ? "done-reading" : "no"))),
    ),
  );
}

/** Show what an act would change, and ask.
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
  const said = keyed(/** @type {HTMLFormElement} */ (event.target), asked.group);
  const group = { ...asked.group, ranks: asked.group.seats.map((/** @type {string} */ p) => said[p]) };
  const about = { ...asked, group, fields: { round: asked.round, places: said } };
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (button?.value === "save-result") act(about.verb, about.fields);
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
    const group = shown.tables[Number(facts.key) - 1];
    open({ verb: "result", title: `${t("round", { n: shown.n })} · ${called(group)}`, round: shown.n, group });
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
    const fields = evening(form);
    if (!fields) return;
    const verb = form.dataset.form ?? "";
    await act(verb === "rename" ? "people" : verb, fields);
    if (!one("#notice").textContent) form.reset();
    return;
  }
  const password = /** @type {HTMLInputElement} */ (one("#password"));
  const { status, body } = await ask("/api/login", { password: password.value, device: device() });
  say(status === 200 ? "" : body.text || t("not-sent"));
  password.value = "";
  await look();
});

main.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.dataset.file) sendFile(input);
});
addEventListener("hashchange", draw);
let known = /** @type {unknown} */ (null);
let waits = 0;
/** Look for what tables have sent, once for all of it: own acts are looked for at once. */
function soon() {
  clearTimeout(waits);
  waits = setTimeout(look, Math.max(0, looked + LEAST_MS - Date.now()));
}
run(() => {
  draw();
  if (table.frame !== known && table.frame) soon();
  known = table.frame;
});
listen(soon);
