// The parts of a frame that every page shows alike.

import { h } from "./dom.js";
import { stone } from "./stone.js";
import { t } from "./words.js";

const TICK = "M4 13 10 19 20 5";
const CROSS = "M5 5 19 19M19 5 5 19";
const CUP = "M7 3H17V10A5 5 0 0 1 7 10ZM7 5H3V7A4 4 0 0 0 7 11M17 5H21V7A4 4 0 0 1 17 11M12 15V19M8 20H16";
/** @type {Record<string, string>} */
export const SIGNS = { good: TICK, bad: CROSS, win: CUP, doubt: "M8 8A4 4 0 1 1 13 12Q12 12.5 12 15M12 20V20" };

/** Return a screen reader's word for a sign, "" for a tone without one.
 * @param {string} tone */
export const signSaid = (tone) => ({ good: t("yes"), bad: t("no"), doubt: t("perhaps"), win: t("won") })[tone] ?? "";

/** @param {string} d */
export const sign = (d) =>
  h("svg", { viewBox: "0 0 24 24", class: "sign", "aria-hidden": "true" }, h("path", { d }));

/** @param {Frame} frame */
const letterOf = (frame) =>
  frame.seats.find((seat) => seat.colour === frame.colour)?.letter ?? "";

/** @param {Frame} frame */
export const won = (frame) => frame.seats.some((seat) => seat.winner);

/** Return the player to move, or the title of the companion's page.
 * @param {Frame} frame */
export function title(frame) {
  return h(
    "h1",
    { class: `title${frame.colour ? ` of-${frame.colour}` : ""}` },
    frame.colour ? stone(frame.colour, letterOf(frame)) : null,
    h("span", {}, frame.title),
    // Beside the players' own scores the corner says nothing new, except that a digit waits for another.
    frame.corner && (!frame.seats.length || frame.corner.endsWith("…")) && h("small", {}, frame.corner),
  );
}

/** @type {(text: string, tone: Tone) => Element} */
function verdict(text, tone) {
  const heard = SIGNS[tone] && [sign(SIGNS[tone]), h("span", { class: "unseen" }, `${signSaid(tone)}: `)];
  return h("p", { class: `verdict ${tone}` }, heard, h("span", {}, text));
}

/** @param {string[]} lines */
export const paragraphs = (lines) => h("div", { class: "lines" }, lines.map((line) => h("p", {}, line)));

/** Phones do not explain how digits write letters.
 * @param {Frame} frame */
const sentences = (frame) => (frame.typing ? [] : frame.lines);

/** Return the keyed text, unless it is `boxed` elsewhere, its verdict, and the sentences.
 * @param {Frame} frame
 * @param {boolean} [boxed] */
export function said(frame, boxed) {
  let lines = sentences(frame);
  const parts = [];
  if (frame.alert) parts.push(verdict(frame.alert.text, frame.alert.tone));
  // Unless scrolled away, the first line says who has won.
  if (won(frame) && !frame.top && lines.length) {
    parts.push(verdict(`${frame.big} ${lines[0]}`.trim(), "win"));
    lines = lines.slice(1);
  } else if (frame.big) {
    parts.push(h("p", { class: `big ${frame.tone}` }, frame.big));
  }
  if (frame.entry) {
    const { text, verdict: words, tone } = frame.entry;
    parts.push(
      h("div", { class: "entry" }, !boxed && h("p", { class: "keyed" }, text || "…"), words && verdict(words, tone)),
    );
  }
  if (lines.length) parts.push(paragraphs(lines));
  return h("section", { class: "said", "aria-label": t("What to do") }, parts);
}

/** Return all players, with the deciding number and their remaining stones or cards.
 * @param {Frame} frame */
export function players(frame) {
  if (!frame.seats.length) return null;
  const many = frame.seats.length > 8 ? "many" : "";
  const long = frame.seats.some(({ name }) => name.length > 7) ? "long" : "";
  return h(
    "ul",
    { class: `players ${many || long}`, "aria-label": t("Players") },
    frame.seats.map((seat) => {
      const state = seat.winner ? "winner" : seat.to_move ? "to-move" : "";
      const heard = seat.winner ? t("won") : seat.to_move ? t("to move") : "";
      return h(
        "li",
        { class: `seat ${state} of-${seat.colour}` },
        stone(seat.colour, seat.letter),
        h("span", { class: "who" }, h("b", {}, seat.name), seat.note && h("small", {}, seat.note)),
        seat.winner && sign(CUP),
        heard && h("span", { class: "unseen" }, heard),
        seat.score && h("strong", {}, seat.score),
      );
    }),
  );
}

/** Return the list that is to be chosen from; items are buttons if they can be `tapped`.
 * @param {Frame} frame
 * @param {boolean} [tapped] */
export function choices(frame, tapped) {
  if (!frame.choices) return null;
  const { items, selected, numbered } = frame.choices;
  return h(
    "ol",
    { class: "choices", "aria-label": t("To choose from") },
    items.map((item, at) => {
      const state = { class: `${at === selected ? "selected" : ""} ${item.greyed ? "greyed" : ""}` };
      const words = [numbered && h("i", {}, item.digit), h("span", {}, item.sentence || item.text)];
      const now = at === selected ? "true" : null;
      return h(
        "li",
        {},
        tapped
          ? h("button", { ...state, type: "button", "data-choose": at, "data-undoes": item.undoes, "aria-current": now }, words)
          : h("div", { ...state, "aria-current": now }, words),
      );
    }),
  );
}

/** Return the frame as a few sentences for screen readers.
 * @param {Frame} frame */
export function aloud(frame) {
  if (frame.secret) return t("Only who sits at the table sees what is on the screen now.");
  if (frame.alert) return frame.alert.text;
  const { entry } = frame;
  const spoken = entry
    ? [entry.text, signSaid(entry.tone), entry.verdict]
    : [frame.big];
  const chosen = frame.choices?.items[frame.choices.selected];
  return [frame.title, ...spoken, ...sentences(frame), chosen && (chosen.sentence || chosen.text)]
    .filter(Boolean)
    .join(". ");
}
