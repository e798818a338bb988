// The cards of a hand, and the buttons that add one.

import { playingCard, suit } from "./board.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["S", "H", "D", "C"];
const FREE = "*";

/** @typedef {{ game: string | null, cards: string[], picks: number[], rank: string, free: number, full: number, picture?: Picture }} Holding */

/** @param {string} letter */
const sign = (letter) => h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, suit(letter, 0, 0, 100));

/** @type {(text: string, at: number, picked: boolean) => Element} */
function card(text, at, picked) {
  const face = playingCard(text);
  const words = face
    ? [face[0], sign(face[1]), h("span", { class: "unseen" }, t(`suit-${face[1]}`))]
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
    h("button", { type: "button", "data-suit": letter, "aria-label": t(`suit-${letter}`), disabled: !rank, class: "suit" }, sign(letter)),
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
