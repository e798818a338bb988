// A player's own place. Only this tab has the hand, and asks about it when it changes; everything
// else comes from the table.

import * as shows from "./cards.js";
import * as dice from "./dice.js";
import { h } from "./dom.js";
import { follow, table } from "./live.js";
import * as sitting from "./seats.js";
import { ask, followRow } from "./send.js";
import { main, notSent, redraw, say, sendIfLive, speak } from "./shell.js";
import * as starting from "./start.js";
import { keep, recall } from "./store.js";
import * as task from "./task.js";
import * as tip from "./tip.js";
import { t } from "./words.js";

const STORE = "beisitzer.hand";
const MOST = 20; // the size of a hand, if it is unknown
const ROLLED = "numeri";
const AGAIN_MS = 1_000; // until an unanswered question is repeated

const wide = matchMedia("(orientation: landscape) and (min-width: 25em)");
/** @type {Held} */
const BLANK = { cards: [], seen: null, past: {}, edits: 0, whole: false };
/** @type {Hands} */
let mine = { game: null, id: 0, seat: null, name: "", hands: {}, ...recall("sessionStorage", STORE) };
/** @type {OwnSeat[] | null} */
let seats = null;
let free = 0; // cards of the deck that stand for any other
let position = 0; // the number of the seats' position
let star = 0; // the face of the die with a star, if there is one
/** @type {Found | null} */
let found = null; // the companion's answer about this hand
let asked = ""; // the question that `found` answers, or that is on its way
let looked = 0; // how often the seats were asked for
let cell = ""; // the field that was tapped
let rank = ""; // the rank of the card being added, before its suit
let sent = ""; // the move that is on its way
let apart = ""; // the text with options to distinguish
/** @type {number[]} */
let picks = []; // places in the hand
let sentPicks = picks; // those of the move that is on its way
let ways = false; // whether the ways to other players are shown
/** @type {number | null} */
let cover = null; // the seat of the next person at this phone

const own = () => (seats ?? []).filter((seat) => seat.mine);
const current = () => own().find((seat) => seat.seat === mine.seat);
/** @param {number | null} seat */
const handOf = (seat) => ({ ...BLANK, ...mine.hands[seat ?? -1] });
const cards = () => handOf(mine.seat).cards;
const full = () => current()?.holds ?? MOST;
const picked = () => picks.map((at) => cards()[at]);
const bare = () => current()?.place?.help === "none";
const over = () => Boolean(current()?.place?.result.length);

/** @param {Partial<Hands>} what */
function change(what) {
  mine = { ...mine, ...what };
  keep("sessionStorage", STORE, mine);
}

/** @param {Partial<Held>} what */
function hold(what, seat = mine.seat) {
  if (seat !== null) change({ hands: { ...mine.hands, [seat]: { ...handOf(seat), ...what } } });
}

/** Forget taps that led to no move. */
function unpick() {
  [picks, cell, rank, apart] = [[], "", "", ""];
  task.close();
}

/** @param {string[]} next */
function deal(next) {
  const held = next.slice(0, MOST);
  hold({ cards: held, whole: handOf(mine.seat).whole || held.length >= full() });
  unpick();
  refresh();
}

function refresh() {
  look();
  redraw();
}

/** Let a hand follow the moves of its seat.
 * @param {OwnSeat} seat */
function reconcile({ seat, place }) {
  const known = handOf(seat);
  const next = place && shows.followed(known, place.laid, place.edits);
  if (!next) return;
  if (next.cards !== known.cards) unpick();
  hold(next, seat);
}

/** Take the newest seats: somebody else's, another game's, or with new moves. */
function seated() {
  const all = own();
  const game = all[0]?.place?.game ?? mine.id;
  if (all.length && game !== mine.id) {
    const first = all.find((seat) => seat.to_move) ?? all[0];
    unpick();
    change({ id: game, seat: first.seat, hands: {} });
  }
  const { seat, name, hands } = mine;
  if (seat !== null && !current()) {
    const lost = seats?.find((each) => each.seat === seat && each.name === name);
    if (lost && !lost.claimed) {
      sit("/api/claim", { seat }, true); // the companion was restarted
      return;
    }
    if (lost) say(t("Another phone has the seat of {name} now.", { name }));
    unpick();
    change({ seat: all[0]?.seat ?? null, hands: { ...hands, [seat]: BLANK } });
  }
  if (mine.seat === null && all.length) change({ seat: all[0].seat });
  change({ name: current()?.name ?? "" });
  all.forEach(reconcile);
  // A roll is of one turn.
  if (mine.game === ROLLED && !current()?.to_move) hold({ cards: [] });
}

async function lookForSeats() {
  if (!table.hello?.paired) return;
  looked += 1;
  const mark = looked;
  const { status, body } = await ask("/api/seats", {});
  // Not the newest question: its answer may be older than what is shown.
  if (mark !== looked) return;
  if (status === 0 || status >= 429) setTimeout(lookForSeats, AGAIN_MS);
  if (status !== 200) return;
  seats = /** @type {OwnSeat[]} */ (body.seats);
  ({ free, position, star } = body);
  if (seats.length) starting.leave();
  seated();
  refresh();
}

/** Ask for the hand's moves now; the newest question wins. */
async function look() {
  const { frame, hello } = table;
  const seat = current();
  // A sum may take any cards of a hand: it is asked about when all four are keyed.
  const fewest = mine.game === "just4fun" ? 4 : 1;
  const wanted = mine.game === ROLLED || !bare() ? cards().length >= fewest : seat?.to_move;
  if (!hello?.paired || !seat || over() || !wanted) {
    [found, asked] = [null, ""];
    return;
  }
  /** @type {Record<string, unknown>} */
  const sending = { seat: mine.seat, cards: cards().join(" ") };
  if (bare()) Object.assign(sending, { picked: picked().join(" "), cell });
  const question = JSON.stringify([hello.epoch, sending, frame?.news, seat.place?.moves]);
  if (question === asked) return;
  asked = question;
  const { status, body } = await ask("/api/hand", sending);
  if (asked !== question) return;
  // Not reached, too busy or failed: a later try may succeed.
  if (status === 0 || status >= 429) {
    asked = "";
    setTimeout(look, AGAIN_MS);
  } else found = status === 200 ? body : { options: [], text: body.text };
  // A roll with a single move is played at once, as at the table.
  const { turn, options = [] } = found ?? {};
  if (mine.game === ROLLED && turn && options.length === 1 && options[0].cell) lay(options[0].token);
  else redraw();
}

/** Play a move that was offered in a position.
 * @param {string} token */
function lay(token, seen = found?.position ?? position) {
  if (token !== sent && sendIfLive("/api/play", { seat: mine.seat, move: token, seen })) {
    [sent, sentPicks] = [token, picks];
    // Before the answer: after a chain the same player rolls again, and not the same.
    if (mine.game === ROLLED) {
      [found, asked] = [null, ""];
      hold({ cards: [] });
    }
  }
  redraw();
}

function think() {
  if (!found?.tips) return;
  tip.think(asked, { seen: found.position, seat: mine.seat, cards: cards().join(" ") }, redraw);
}

/** @param {string} token */
function askTask(token) {
  const seen = found?.position;
  task.open(token, (whole) => lay(whole, seen), redraw);
}

/** A request was answered: a refused move leaves the hand unchanged.
 * @param {Row} row */
function answered({ waiting, said }) {
  if (!sent || waiting.some(({ body }) => body.move === sent)) return;
  if (said) task.wrong();
  else if (picks === sentPicks) unpick(); // otherwise the table was quicker
  if (!said) main.scrollTop = 0; // the next action is shown there
  // A second touch plays nothing, also before the move is seen to lie.
  const done = sent;
  lookForSeats().finally(() => {
    sent = sent === done ? "" : sent;
    redraw();
  });
}

// --- what is shown

/** Return the options with the picked cards and on the tapped field. */
const wanted = (at = cell) => (bare() ? found?.options : shows.fitting(found?.options ?? [], at, picked())) ?? [];

/** Say the mistake beside the cards. */
function impossible() {
  const wrong = !bare() && !over() && found && !found.options.length && found.text;
  return wrong && h("p", { class: "verdict bad", role: "status" }, wrong);
}

function options() {
  const pad = task.view();
  if (pad) return h("section", { class: "options chosen asking" }, pad);
  if (!found) return null;
  const { tips } = found;
  const chosen = Boolean(cell || picks.length || apart);
  const good = tips && !chosen && (tip.list(asked) ?? h("button", { type: "button", "data-tip": "" }, t("What would be good?")));
  const turn = found.turn && current()?.to_move;
  return shows.offer(wanted(), { tip: good, chosen, cell, apart, sent, bare: bare(), turn, cards: shows.isHeld(mine.game) });
}

/** @param {OwnSeat} seat */
function holding(seat) {
  const { game } = mine;
  if (game === ROLLED) return seat.to_move && !over() ? dice.row(cards()[0], star) : null;
  if (!shows.isHeld(game)) return h("p", {}, t("This game is played at the table: nobody holds cards or rolls."));
  if (over()) return null;
  return shows.holding(held(seat));
}

/** @param {OwnSeat} seat */
const held = (seat) => ({ game: mine.game, cards: cards(), picks, rank, free, full: full(), picture: seat.place?.picture });

/** Return the playable moves that the board shows.
 * @param {string} [at] the field, else all */
const lit = (at) => (bare() || !found?.turn ? [] : wanted(at).filter(({ cell: there, legal }) => there && legal !== false));

function view() {
  const seat = current();
  if (cover !== null || !seat?.place) {
    if (!seats) return h("p", { class: "lonely" }, t("Looking for the table …"));
    return seats.length ? sitting.choose(seats, cover) : starting.view();
  }
  const mover = seats?.find((each) => each.to_move)?.name ?? "";
  const to_do = sent ? t("On its way …") : shows.toDo(seat, { game: mine.game, hand: handOf(seat.seat), mover, lit: lit("").length > 0 });
  main.dataset.moves = `${seat.place.moves}`;
  speak([...seat.place.result, ...seat.place.told, to_do].filter(Boolean).join(" "));
  // Without help a card goes to a tapped field only where its own field is not fixed.
  const tappable = Boolean(found && (!bare() || mine.game === "sequence" || picked().includes("*")));
  const offered = bare() ? [] : cell ? (found?.options ?? []) : wanted();
  const picking = shows.isHeld(mine.game) && !over() && shows.isPicking(held(seat));
  const stage = shows.reach(seat.place.picture, offered, cell, { seats: seats ?? [], tappable, picking });
  const away = own().length > 1 && sitting.away(own(), seat);
  const hand = shows.side(/** @type {OwnSeat & { place: View }} */ (seat), seats ?? [], to_do, [away, [holding(seat), impossible()]]);
  // Beside the board there is room where the screen is wide, else above and below it.
  const below = over() ? starting.again() : impossible() ? null : options();
  return [wide.matches ? [stage, hand] : [hand, stage], below, shows.leave(ways, ways && sitting.leave(), over() && mine.game === ROLLED && seat.name)];
}

/** Take or leave a seat; an `untouched` request, which nobody made by hand, fails silently.
 * @type {(path: string, body: Sent, untouched?: boolean) => Promise<void>} */
async function sit(path, body, untouched) {
  const { status, body: answer } = await ask(path, { seen: position, ...body });
  if (untouched && status !== 200) return;
  say(status === 200 ? "" : answer.text || notSent());
  if (status === 200 && path === "/api/claim") {
    cover = null;
    change({ seat: body.seat });
  }
  await lookForSeats();
}

/** @type {Record<string, (value: string) => void>} */
const ACTS = {
  // A field that one way leads to is played; of several ways one has to be chosen.
  tap: (name) => {
    const [only, ...more] = cell === name ? [] : lit(name);
    [cell, apart] = [cell === name ? "" : name, ""];
    if (!only || more.length) refresh();
    else if (task.lacks(only.token)) askTask(only.token);
    else lay(only.token);
  },
  pick: (at) => {
    const place = Number(at);
    picks = picks.includes(place) ? picks.filter((each) => each !== place) : [...picks, place];
    // One card is played at a time where no sums are made.
    if (mine.game !== "just4fun") picks = picks.slice(-1);
    [cell, apart] = ["", ""];
    say("");
    refresh();
  },
  drop: () => deal(cards().filter((_, at) => !picks.includes(at))),
  add: (card) => deal([...cards(), card]),
  rank: (each) => {
    rank = each;
    redraw();
  },
  suit: (letter) => deal([...cards(), rank + letter]),
  roll: (face) => deal([face]),
  play: lay,
  apart: (text) => {
    apart = text;
    redraw();
  },
  task: askTask,
  key: task.press,
  tip: think,
  undo: () => sendIfLive("/api/undo", { seat: mine.seat, seen: position }),
  claim: (seat) => sit("/api/claim", { seat: Number(seat) }),
  over: (seat) => sit("/api/claim", { seat: Number(seat), over: 1 }),
  release: () => {
    const { seat, hands } = mine;
    unpick();
    change({ seat: null, hands: { ...hands, [seat ?? -1]: BLANK } });
    sit("/api/release", { seat });
  },
  doubt: (seat) => {
    sitting.doubt(Number(seat));
    redraw();
  },
  ways: () => {
    ways = !ways;
    redraw();
    main.querySelector(".leave")?.scrollIntoView({ block: "end" });
  },
  share: () => {
    sitting.doubt(-1);
    // No seat's number: the seats of others are shown to choose from.
    cover = -1;
    redraw();
  },
  give: (seat) => {
    unpick();
    cover = Number(seat);
    redraw();
  },
  reveal: (seat) => {
    cover = null;
    if (seat) change({ seat: Number(seat) });
    refresh();
  },
};

/** @param {Event} event */
function clicked(event) {
  const touched = /** @type {Element} */ (event.target);
  /** @type {HTMLButtonElement | null} */
  const target = touched.closest?.("button,[data-tap]");
  if (!target || target.disabled) return;
  if (!("ways" in target.dataset)) ways = false;
  for (const [name, value] of Object.entries(target.dataset)) {
    ACTS[name]?.(value ?? "");
    starting.ACTS[name]?.(value ?? "", position);
  }
}

wide.addEventListener("change", redraw);
// A shared phone shows no hand when it wakes.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden" && own().length > 1 && cover === null) {
    cover = mine.seat;
    redraw();
  }
});

// Before the place itself hears of it, and also while another place is open.
follow(() => {
  const { game } = table.frame ?? {};
  // The first frame after loading keeps the hands of the same game.
  if (game && game !== mine.game) change({ game, hands: mine.game ? {} : mine.hands });
});
followRow(answered);

/** @param {Event} event */
function submitted(event) {
  event.preventDefault();
  starting.submitted();
}

let known = "";
/** Tell whether there is anything new for this place: menus at the table are nothing to it. */
function changed() {
  const { frame, hello, link } = table;
  const now = JSON.stringify([hello?.epoch, hello?.paired, frame?.news, link]);
  look();
  if (now === known) return false;
  known = now;
  ways = false;
  if (frame) lookForSeats();
  return true;
}

/** @type {Place} */
export const play = { paired: true, view, opened: changed, changed, on: { click: clicked, submit: submitted } };
