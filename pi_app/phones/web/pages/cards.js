// What stands on a player's own page: the cards, the moves on offer, what the last move asks for.

import { playingCard, suit } from "./board.js";
import { h } from "./dom.js";
import { SIGNS, sign } from "./parts.js";
import { t } from "./words.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["S", "H", "D", "C"];
const FREE = "*";

/** @typedef {{ game: string | null, cards: string[], picks: number[], rank: string, free: number, full: number, picture?: Picture }} Holding */

/** @param {string} letter */
const suitSign = (letter) => h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, suit(letter, 0, 0, 100));

/** @type {(text: string, at: number, picked: boolean) => Element} */
function card(text, at, picked) {
  const face = playingCard(text);
  const words = face
    ? [face[0], suitSign(face[1]), h("span", { class: "unseen" }, t(`suit-${face[1]}`))]
    : [text, text === FREE && h("span", { class: "unseen" }, t("free-card"))];
  const red = face && "HD".includes(face[1]) ? "red" : "";
  return h("button", { type: "button", class: `card ${red}`, "data-pick": at, "aria-pressed": String(picked) }, words);
}

/** @param {string} rank */
function ranksAndSuits(rank) {
  const ranks = RANKS.map((each) =>
    h("button", { type: "button", "data-rank": each, "aria-pressed": String(each === rank) }, each),
  );
  const suits = SUITS.map((letter) =>
    h("button", { type: "button", "data-suit": letter, "aria-label": t(`suit-${letter}`), disabled: !rank, class: "suit" }, suitSign(letter)),
  );
  return [ranks, h("div", { class: "suits" }, suits)];
}

/** @param {Holding} holding */
function numbers({ game, cards, free, picture }) {
  const listed = (picture?.cells ?? []).filter((each) => !each.large).map((each) => each.name);
  const all = game === "just4fun" ? Array.from({ length: 19 }, (_, at) => String(at + 1)) : listed;
  /** @type {(card: string, copies: number) => boolean} */
  const gone = (card, copies) => cards.filter((each) => each === card).length >= copies;
  const single = game === "einmaleins"; // the deck has one of each number
  const buttons = all.map((number) =>
    h("button", { type: "button", "data-add": number, disabled: single && gone(number, 1) }, number),
  );
  const look = { type: "button", "data-add": FREE, class: "free", disabled: gone(FREE, free) };
  return free ? [...buttons, h("button", look, `${FREE} ${t("free-card")}`)] : buttons;
}

/** Return the cards that are held, and, while some are missing, the buttons that add them.
 * @param {Holding} holding */
export function holding(holding) {
  const { game, cards, picks, rank, full } = holding;
  const put = h("button", { type: "button", class: "put", "data-drop": "" }, t("drop"));
  const adding = game === "sequence" ? ranksAndSuits(rank) : numbers(holding);
  return [
    cards.length > 0 && h(
      "div",
      { class: "cards", role: "group", "aria-label": t("page-hand") },
      cards.map((text, at) => card(text, at, picks.includes(at))),
      picks.length ? put : null,
    ),
    cards.length < full && h("div", { class: "picker", role: "group", "aria-label": t("add") }, adding),
  ];
}

/** Return a move on offer, or why it is none.
 * @type {(option: Option, now: { turn?: boolean, sent: string, apart: string }) => Element} */
export function row(option, { turn, sent, apart }) {
  // Below the highest levels of help nobody says what is legal: then it is open.
  const tone = option.legal === true ? "good" : option.legal === false ? "bad" : "open";
  const asks = option.then && option.text !== apart;
  const words = [
    tone !== "open" && [h("span", { class: "unseen" }, t(`sign-${tone}`)), sign(SIGNS[tone])],
    h("span", {}, option.then && !asks ? option.then : option.text, option.why && h("small", {}, option.why)),
  ];
  const look = `option ${tone} ${sent === option.token ? "sent" : ""}`;
  if (tone === "bad" || !turn) return h("li", {}, h("div", { class: look }, words));
  const does = asks ? { "data-apart": option.text } : option.task ? { "data-task": option.token } : { "data-play": option.token };
  return h("li", {}, h("button", { type: "button", class: look, ...does }, words));
}

/** Return what the last move was and asks for; who made it may take it back.
 * @param {View} place */
export function told(place) {
  const doubts = place.doubts.map((line) => h("p", { class: "verdict doubt" }, sign(SIGNS.doubt), h("span", {}, line)));
  const won = place.result[0];
  const lines = [...place.result.slice(1), ...(won ? [] : place.told)].filter((line) => !place.doubts.includes(line));
  return h(
    "div",
    { class: "told" },
    won && h("p", { class: "verdict win" }, sign(SIGNS.win), h("span", {}, won)),
    doubts,
    lines.length ? lines.map((line) => h("p", {}, line)) : h("p", {}, place.last),
    place.undo && h("button", { type: "button", "data-undo": "" }, t("take-back", { what: place.undo })),
  );
}
