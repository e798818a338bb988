// A player's own page: the cards, the possible moves, the actions after the last move.

import { board, playingCard, suit } from "./board.js";
import { h } from "./dom.js";
import { SIGNS, sign, signSaid } from "./parts.js";
import { stone } from "./stone.js";
import { lacks } from "./task.js";
import { t } from "./words.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["S", "H", "D", "C"];
/** @type {() => Record<string, string>} */
const suitsSaid = () => ({ S: t("spades"), H: t("hearts"), D: t("diamonds"), C: t("clubs") });
const FREE = "*";
const NAMED_SIDES_LIMIT = 3; // sides whose names have room beside their scores

/** @typedef {{ game: string | null, cards: string[], picks: number[], rank: string, free: number, full: number, picture?: Picture }} Holding */

/** @param {string} letter */
const suitSign = (letter) => h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, suit(letter, 0, 0, 100));

/** Return the words on a card.
 * @param {string} text */
function face(text) {
  const found = playingCard(text);
  return found
    ? [found[0], suitSign(found[1]), h("span", { class: "unseen" }, suitsSaid()[found[1]])]
    : [text, text === FREE && h("span", { class: "unseen" }, t("free card"))];
}

/** @type {(text: string, at: number, picked: boolean) => Element} */
function card(text, at, picked) {
  const red = "HD".includes(playingCard(text)?.[1] ?? "-") ? "red" : "";
  return h("button", { type: "button", class: `card ${red}`, "data-pick": at, "aria-pressed": String(picked) }, face(text));
}

/** @param {string} rank */
function ranksAndSuits(rank) {
  const ranks = RANKS.map((each) =>
    h("button", { type: "button", "data-rank": each, "aria-pressed": String(each === rank) }, each),
  );
  const suits = SUITS.map((letter) =>
    h("button", { type: "button", "data-suit": letter, "aria-label": suitsSaid()[letter], disabled: !rank, class: "suit" }, suitSign(letter)),
  );
  return [ranks, h("div", { class: "suits" }, suits)];
}

/** @param {Holding} holding */
function numbers({ game, cards, free, picture }) {
  const listed = (picture?.cells ?? []).filter((each) => !each.large).map((each) => each.name);
  // Just 4 Fun's cards are 1 to 19; those of other games are the cells of their picture.
  const all = game === "just4fun" ? Array.from({ length: 19 }, (_, at) => String(at + 1)) : listed;
  /** @type {(card: string, copies: number) => boolean} */
  const gone = (card, copies) => cards.filter((each) => each === card).length >= copies;
  const single = game === "einmaleins"; // the deck has one of each number
  const buttons = all.map((number) =>
    h("button", { type: "button", "data-add": number, disabled: single && gone(number, 1) }, number),
  );
  const look = { type: "button", "data-add": FREE, class: "free", disabled: gone(FREE, free) };
  return free ? [...buttons, h("button", look, `${FREE} ${t("free card")}`)] : buttons;
}

/** Tell whether cards are being added. In Einmaleins the board has the same numbers: it is there
 * instead, as soon as a card is picked to be played.
 * @param {Holding} holding */
export const isPicking = ({ game, cards, picks, full }) => cards.length < full && !(game === "einmaleins" && picks.length);

/** Return the cards that are held, and, while some are missing, the buttons that add them.
 * @param {Holding} holding */
export function holding(holding) {
  const { game, cards, picks, rank } = holding;
  const put = h("button", { type: "button", class: "put", "data-drop": "" }, t("Put away"));
  const adding = game === "sequence" ? ranksAndSuits(rank) : numbers(holding);
  return [
    cards.length > 0 && h(
      "div",
      { class: "cards", role: "group", "aria-label": t("My hand") },
      cards.map((text, at) => card(text, at, picks.includes(at))),
      picks.length ? put : null,
    ),
    isPicking(holding) && h("div", { class: "picker", role: "group", "aria-label": t("Add a card") }, adding),
  ];
}

/** Return a move on offer, or the reason why it cannot be played.
 * @type {(option: Option, now: { turn?: boolean, sent: string, apart: string, cards: boolean }) => Element} */
function row(option, { turn, sent, apart, cards }) {
  // At lower help levels the page does not know what is legal.
  const tone = option.legal === true ? "good" : option.legal === false ? "bad" : "open";
  // After the first touch, options with the same text are distinguished by their `then`.
  const asks = option.then && option.text !== apart;
  const words = [
    tone !== "open" && [h("span", { class: "unseen" }, signSaid(tone)), sign(SIGNS[tone])],
    cards && !asks && h("span", { class: "minis", "aria-hidden": "true" }, (option.uses ?? []).map((each) => h("b", { class: "mini" }, face(String(each))))),
    h("span", {}, option.then && !asks ? option.then : option.text, option.why && h("small", {}, option.why)),
  ];
  const look = `option ${tone} ${sent === option.token ? "sent" : ""}`;
  if (tone === "bad" || !turn) return h("li", {}, h("div", { class: look }, words));
  const does = asks ? { "data-apart": option.text } : lacks(option.token) ? { "data-task": option.token } : { "data-play": option.token };
  return h("li", {}, h("button", { type: "button", class: look, ...does }, words));
}

/** Return the possible moves; moves with the same text are one until the next touch. Moves shown
 * on the lit board are listed only for a touched field.
 * @type {(options: Option[], now: { turn?: boolean, sent: string, apart: string, bare: boolean, chosen: boolean, cards: boolean, cell: string, tip: Child }) => Element} */
export function offer(options, { turn, sent, apart, bare, chosen, cards, cell, tip }) {
  // At first a text's first option stands for all; after the touch only its options are shown.
  const all = options.filter(({ text: each, then }) => !apart || !then || each === apart);
  const shown = all.filter((each, at) => !each.then || apart || all.findIndex(({ text: same }) => same === each.text) === at);
  const listed = shown.filter((each) => bare || cell || apart || !each.cell);
  const sorted = [...listed.filter((each) => each.legal !== false), ...listed.filter((each) => each.legal === false)];
  return h(
    "section",
    { class: `options ${chosen ? "chosen" : ""}` },
    apart ? h("h2", {}, t("Which one?")) : !bare && !chosen && !turn && h("h2", {}, t("What this hand can do")),
    tip,
    sorted.length > 0 && h("ul", {}, sorted.map((option) => row(option, { turn, sent, apart, cards }))),
    !bare && !shown.some(({ legal }) => legal !== false) && h("p", {}, t("Nothing can be played with these cards.")),
  );
}

/** Return the last move and its actions; its player may take it back.
 * @param {View} place */
function told(place) {
  const doubts = place.doubts.map((line) => h("p", { class: "verdict doubt" }, sign(SIGNS.doubt), h("span", {}, line)));
  const won = place.result[0];
  const lines = [...place.result.slice(1), ...(won ? [] : place.told)].filter((line) => !place.doubts.includes(line));
  return h(
    "div",
    { class: "told" },
    won && h("p", { class: "verdict win" }, sign(SIGNS.win), h("span", {}, won)),
    doubts,
    lines.length ? lines.map((line) => h("p", {}, line)) : h("p", {}, place.last),
    place.undo && h("button", { type: "button", "data-undo": "" }, t("Take back: {what}", { what: place.undo })),
  );
}

/** Return everybody's score in one line; players of a team have it together.
 * @param {OwnSeat[]} seats */
function scores(seats) {
  const sides = [...new Set(seats.map(({ colour }) => colour))].map((colour) => seats.filter((seat) => seat.colour === colour));
  return h(
    "ul",
    { class: "scores", "aria-label": t("Players") },
    sides.map((side) => {
      const [{ colour, letter, score }] = side;
      const moves = side.some(({ to_move }) => to_move);
      const names = h("span", { class: sides.length > NAMED_SIDES_LIMIT ? "unseen" : "" }, side.map(({ name }) => name).join(" + "));
      return h("li", { class: `of-${colour} ${moves ? "to-move" : ""}` }, stone(colour, letter), names, h("b", {}, score), moves && h("span", { class: "unseen" }, t("to move")));
    }),
  );
}

/** Return the player's name, everybody's score, what to do now, the last move, and the parts of the
 * hand.
 * @type {(seat: OwnSeat & { place: View }, seats: OwnSeat[], to_do: string, [away, held]: Child[]) => Element} */
export function side(seat, seats, to_do, [away, held]) {
  return h(
    "div",
    { class: "side" },
    h("h1", { class: `title of-${seat.colour}` }, stone(seat.colour, seat.letter), h("span", {}, t("Hand of {name}", { name: seat.name }))),
    scores(seats),
    away,
    to_do && h("p", { class: `to-do ${seat.to_move ? "mine" : ""}` }, to_do),
    told(seat.place),
    held,
  );
}

/** Return the end of the page. The ways to other players are shown on demand: nothing that comes or
 * goes above them puts one under a finger. `thinks` may think again about the game's moments.
 * @type {(shown: boolean, ways: Child, thinks: string | false) => Element} */
export function leave(shown, ways, thinks) {
  const button = h("button", { type: "button", "data-ways": "", "aria-expanded": String(shown) }, t("More"));
  const to = `/history#moments=${encodeURIComponent(thinks || "")}`;
  return h("div", { class: "leave" }, thinks && h("a", { class: "button", href: to }, t("Moments")), button, ways);
}

/** Return a hand without these cards.
 * @type {(hand: string[], gone: string[]) => string[]} */
export function without(hand, gone) {
  const left = [...hand];
  for (const card of gone) {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/** Return the options with these cards and on a field, if one was tapped.
 * @type {(options: Option[], cell: string, picked: string[]) => Option[]} */
export const fitting = (options, cell, picked) =>
  options.filter(({ cell: at, uses = [] }) => {
    const used = uses.map(String);
    // Each of the picked cards is one that the move uses.
    return (!cell || at === cell) && without(used, picked).length === used.length - picked.length;
  });

/** Let a hand follow the moves of the game, wherever they were made, taken back or changed.
 * `edits` counts the changes of earlier moves: those move no card that was drawn.
 * @type {(known: Held, laid: Laid[], edits?: number) => Omit<Held, "whole">} */
export function followed(known, laid, edits = known.edits) {
  const seen = known.seen ?? laid;
  /** @param {Laid[]} moves */
  const cardsOf = (moves) => moves.flatMap((move) => move.cards);
  if (known.seen && edits !== known.edits) {
    const [was, is] = [cardsOf(seen), cardsOf(laid)];
    const cards = without([...known.cards, ...without(was, is)], without(is, was));
    return { cards, seen: laid, past: {}, edits };
  }
  // The moves up to the first one that was taken back lie as before.
  const same = seen.findIndex((one) => !laid.some(({ n, token }) => n === one.n && token === one.token));
  const back = same < 0 ? [] : seen.slice(same);
  const last = seen[seen.length - back.length - 1]?.n ?? -1;
  let { cards } = known;
  const past = { ...known.past };
  // The hand before the moves that were taken back; without a keyed hand, the cards of the next move.
  if (back.length) cards = past[back[0].n] ?? back.find((move) => move.cards.length)?.cards ?? cards;
  for (const move of laid.filter(({ n }) => n > last)) {
    past[move.n] = cards;
    cards = without(cards, move.cards);
  }
  return { cards, seen: laid, past, edits };
}

/** Return the board, with what the moves on offer reach; where its numbers are those of the
 * picker above it, only the cards that lie open.
 * @type {(picture: Picture, options: Option[], cell: string, about: { seats?: OwnSeat[], tappable: boolean, picking: boolean }) => Element} */
export function reach(picture, options, cell, { picking, ...about }) {
  /** @type {Map<string, Shown>} */
  const marks = new Map();
  for (const { cell: at = "", legal } of options) {
    // A field that one option reaches is not blocked by another; "offered" if legality is unknown.
    if (legal !== false || !marks.has(at)) marks.set(at, legal ? "legal" : legal === false ? "blocked" : "offered");
  }
  const there = picture.cells.filter(({ large }) => large || !picking || picture.kind !== "cards");
  const cells = there.map((each) => {
    /** @type {Shown | undefined} */
    const reached = each.name === cell ? "selected" : marks.get(each.name);
    const stays = each.marks.filter((mark) => mark === "secured" || (!marks.size && mark === "last"));
    const shown = /** @type {Mark[]} */ (reached ? [reached, ...stays] : stays);
    return { ...each, note: picture.kind === "grid" && marks.size ? "" : each.note, marks: shown };
  });
  return h("div", { class: "stage" }, board({ ...picture, cells }, about));
}

/** @param {string | null} game */
export const isHeld = (game) => ["just4fun", "einmaleins", "sequence"].includes(game ?? "");

/** Say what to do now; `mover` is who is to move, `lit` whether the board shows moves.
 * @type {(seat: OwnSeat, about: { game: string | null, hand: Held, mover: string, lit: boolean }) => string} */
export function toDo({ place, holds, to_move }, { game, hand, mover, lit }) {
  const lacks = isHeld(game) && holds !== null ? holds - hand.cards.length : 0;
  if (!place || place.result.length) return "";
  if (lacks < 0) return t("Too many cards: tap what you do not hold, then “Put away”.");
  if (lacks && !hand.cards.length) return place.hold;
  if (lacks && !hand.whole) return t("Still to tap: {n}", { n: lacks });
  if (lacks) return lacks === 1 ? t("Draw a card and tap it.") : t("Draw {n} cards and tap them.", { n: lacks });
  if (!to_move) return t("{name} is to move.", { name: mover });
  if (game === "numeri" && !lit) return t("Your turn: roll and tap the number");
  if (lit) return t("Your turn: touch a lit field");
  if (place.help !== "none") return t("Your turn");
  return game === "sequence" ? t("Your turn: tap a card, then its square on the board") : t("Your turn: tap the cards that you play");
}
