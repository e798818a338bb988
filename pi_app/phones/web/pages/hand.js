// A hand that nobody else sees: it is kept by this tab alone and asked about when it changes.

import { board, playingCard, suit } from "./board.js";
import { fill, h } from "./dom.js";
import { follow, table } from "./live.js";
import { SIGNS, sign } from "./parts.js";
import { ask, followRow, pump, sameCompanion, send } from "./send.js";
import { ownName, run, say } from "./shell.js";
import { stone } from "./stone.js";
import { keep, recall } from "./store.js";
import { t } from "./words.js";

const STORE = "beisitzer.hand";
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = ["S", "H", "D", "C"];
const FREE = "*";
const MOST = 20; // cards, where nobody knows how many a hand has

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
/** @type {Omit<Hand, "game">} */
const EMPTY = { seat: null, cards: [], rank: "", playing: null };
/** @type {Hand} */
let mine = { game: null, ...EMPTY, ...recall("sessionStorage", STORE) };
/** @type {OwnSeat[] | null} */
let seats = null;
let free = 0; // cards of the deck that stand for any other
/** @type {Found | null} */
let found = null; // what the companion says about this hand
let asked = "";
let cell = ""; // the field that was tapped
/** @type {typeof import("./tip.js") | null} */
let tip = null; // what thinks about tips, once it was asked

const full = () => seats?.find((seat) => seat.seat === mine.seat)?.holds ?? MOST;
/** A sum may take any cards of a hand: it is asked about when all four are keyed. */
const fewest = () => (mine.game === "just4fun" ? 4 : 1);
/** @param {string} card */
const more = (card) => [...mine.cards, card].slice(0, full());

/** @param {Partial<Hand>} what */
function change(what) {
  mine = { ...mine, ...what };
  keep("sessionStorage", STORE, mine);
  look();
  draw();
}

async function lookForSeats() {
  if (!table.hello?.paired) return;
  const { status, body } = await ask("/api/seats");
  if (status !== 200) return;
  seats = /** @type {OwnSeat[]} */ (body.seats);
  free = body.free;
  const own = seats.find((seat) => seat.mine);
  if (own && mine.seat === null) change({ seat: own.seat });
  else if (!own && mine.seat !== null) change(EMPTY);
  else draw();
}

/** @param {number} seat */
async function claim(seat) {
  const { status, body } = await ask("/api/claim", { seat });
  if (status === 200) change({ ...EMPTY, seat });
  else say(body.text || t("not-sent"));
  lookForSeats();
}

async function release() {
  const { seat } = mine;
  change(EMPTY);
  await ask("/api/release", { seat });
  lookForSeats();
}

/** Ask what the hand can do now; the newest question wins. */
async function look() {
  const { frame, hello } = table;
  const count = mine.cards.length;
  if (!hello?.paired || mine.seat === null || frame?.secret || count < fewest()) {
    if (!frame?.secret) found = null;
    asked = "";
    return;
  }
  const question = JSON.stringify([hello.epoch, mine.seat, mine.cards, frame?.moves, frame?.seats]);
  if (question === asked) return;
  asked = question;
  const { status, body } = await ask("/api/hand", { seat: mine.seat, cards: mine.cards.join(" ") });
  if (asked !== question) return;
  if (status === 0 || status >= 429) asked = "";
  else found = status === 200 ? body : { options: [], text: body.text };
  draw();
}

/** @param {string} token */
function play(token) {
  const option = found?.options.find((each) => each.token === token);
  if (table.link !== "live" || !table.hello || !option) {
    say(t("not-sent"));
    return;
  }
  const { epoch } = table.hello;
  change({ playing: { token, uses: option.uses ?? [] } });
  send(epoch, "/api/play", { seat: mine.seat, move: token });
}

async function think() {
  if (!found?.tips) return;
  const { tips } = found;
  tip ??= await import("./tip.js");
  tip.think(asked, tips, mine, draw);
}

/** Take the cards that were played out of the hand.
 * @param {Row} row */
function played({ waiting, said }) {
  if (said) say(said);
  const { playing } = mine;
  if (!playing || waiting.some(({ body }) => body.move === playing.token)) return;
  const cards = [...mine.cards];
  for (const used of said ? [] : playing.uses) {
    const at = cards.indexOf(String(used));
    if (at >= 0) cards.splice(at, 1);
  }
  cell = "";
  change({ cards, playing: null });
}

// --- what is shown

/** @type {(text: string, at: number) => Element} */
function card(text, at) {
  const face = playingCard(text);
  const words = face
    ? [face[0], h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, suit(face[1], 0, 0, 100)), h("span", { class: "unseen" }, t(`suit-${face[1]}`))]
    : [text, text === FREE && h("span", { class: "unseen" }, t("free-card"))];
  const red = face && "HD".includes(face[1]) ? "red" : "";
  return h("button", { type: "button", class: `card ${red}`, "data-drop": at, title: t("drop") }, words);
}

/** @param {Frame} frame */
function numbers(frame) {
  if (mine.game === "just4fun") return Array.from({ length: 19 }, (_, at) => String(at + 1));
  if (mine.game !== "einmaleins") return [];
  const listed = frame.picture?.kind === "cards" ? frame.picture.cells.filter((each) => !each.large) : [];
  return listed.map((each) => each.name);
}

/** @param {Frame} frame */
function picker(frame) {
  if (mine.game === "sequence") {
    const ranks = RANKS.map((rank) =>
      h("button", { type: "button", "data-rank": rank, "aria-pressed": String(rank === mine.rank) }, rank),
    );
    const suits = SUITS.map((letter) =>
      h(
        "button",
        { type: "button", "data-suit": letter, "aria-label": t(`suit-${letter}`), disabled: !mine.rank, class: "suit" },
        h("svg", { viewBox: "0 0 100 100", "aria-hidden": "true" }, suit(letter, 0, 0, 100)),
      ),
    );
    return h("div", { class: "picker", role: "group", "aria-label": t("add") }, ranks, h("div", { class: "suits" }, suits));
  }
  /** @type {(card: string, copies: number) => boolean} */
  const gone = (card, copies) => mine.cards.filter((each) => each === card).length >= copies;
  const single = mine.game === "einmaleins"; // the deck has one of each number
  const buttons = numbers(frame).map((number) =>
    h("button", { type: "button", "data-add": number, disabled: single && gone(number, 1) }, number),
  );
  if (free) {
    const look = { type: "button", "data-add": FREE, class: "free", disabled: gone(FREE, free) };
    buttons.push(h("button", look, `${FREE} ${t("free-card")}`));
  }
  return h("div", { class: "picker", role: "group", "aria-label": t("add") }, buttons);
}

function options() {
  if (!found) return null;
  const { turn, tips, text } = found;
  const all = found.options.filter((each) => !cell || each.cell === cell || each.cells?.includes(cell));
  /** @param {Option} option */
  const row = (option) => {
    const playing = mine.playing?.token === option.token;
    // Below the highest level of help nobody says what is legal: then it is open.
    const tone = option.legal === true ? "good" : option.legal === false ? "bad" : "open";
    const words = [
      tone !== "open" && [h("span", { class: "unseen" }, t(`sign-${tone}`)), sign(SIGNS[tone])],
      h("span", {}, option.text, option.why && h("small", {}, option.why)),
    ];
    const look = `option ${tone} ${playing ? "sent" : ""}`;
    return h(
      "li",
      {},
      tone !== "bad" && turn
        ? h("button", { type: "button", class: look, "data-play": option.token }, words)
        : h("div", { class: look }, words),
    );
  };
  const sorted = [...all.filter((each) => each.legal !== false), ...all.filter((each) => each.legal === false)];
  return h(
    "section",
    { class: "options" },
    h("h2", {}, t(turn ? "your-turn" : "not-your-turn")),
    tips && (tip?.list(asked) ?? h("button", { type: "button", "data-tip": "" }, tips.ask)),
    sorted.length ? h("ul", {}, sorted.map(row)) : h("p", {}, text ?? t("nothing-fits")),
  );
}

/** Return the board with what this hand can reach.
 * @param {Frame} frame */
function reach(frame) {
  if (!frame.picture || !found?.options.length) return null;
  /** @type {Map<string, Mark>} */
  const marks = new Map();
  for (const option of found.options) {
    for (const name of option.cells ?? [option.cell ?? ""]) {
      /** @type {Mark} */
      const mark = option.legal === true ? "legal" : option.legal === false ? "blocked" : "last";
      if (mark !== "blocked" || !marks.has(name)) marks.set(name, mark);
    }
  }
  const { picture } = frame;
  const cells = picture.cells.map((each) => {
    /** @type {Mark | undefined} */
    const own = each.name === cell ? "selected" : marks.get(each.name);
    const stays = each.marks.filter((mark) => mark === "secured");
    return { ...each, note: picture.kind === "grid" ? "" : each.note, marks: own ? [own, ...stays] : stays };
  });
  return h("div", { class: "stage" }, board({ ...picture, cells }, { seats: frame.seats, tappable: true }));
}

function chooseSeat() {
  if (!seats) return h("p", { class: "lonely" }, t("waiting"));
  if (!seats.length) return h("p", { class: "lonely" }, t("no-game"));
  const rows = seats.map((seat) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", "data-claim": seat.seat, disabled: Boolean(seat.claimed) && !seat.mine },
        stone(seat.colour, seat.letter),
        h("span", {}, seat.name, seat.claimed && h("small", {}, t("claimed"))),
      ),
    ),
  );
  return h("section", { class: "choose" }, h("h1", {}, t("who-are-you")), h("ol", { class: "choices" }, rows), ownName());
}

function draw() {
  const { frame, hello } = table;
  if (!hello || !frame) {
    fill(main, h("p", { class: "lonely" }, t("waiting")));
    return;
  }
  if (!hello.paired) {
    const pair = h("a", { href: "/pair", class: "button" }, t("pair-this"));
    fill(main, h("div", { class: "lonely" }, h("p", {}, t("hand-needs-pairing")), pair));
    return;
  }
  const own = seats?.find((seat) => seat.seat === mine.seat);
  if (!own) {
    fill(main, chooseSeat());
    return;
  }
  const leave = h("button", { type: "button", "data-release": "" }, t("leave-seat"));
  const held = ["just4fun", "einmaleins", "sequence"].includes(mine.game ?? "");
  fill(
    main,
    held ? reach(frame) : null,
    h(
      "div",
      { class: "side" },
      h("h1", { class: `title of-${own.colour}` }, stone(own.colour, own.letter), h("span", {}, t("hand-of", { name: own.name }))),
      held
        ? [
            h("div", { class: "cards", role: "group", "aria-label": t("page-hand") }, mine.cards.map(card), found ? null : h("p", {}, t("hand-empty"))),
            mine.cards.length >= full() ? null : picker(frame),
            options(),
          ]
        : h("p", { class: "lonely" }, t("no-hands")),
      leave,
      ownName(),
    ),
  );
}

main.addEventListener("click", (event) => {
  const touched = /** @type {Element} */ (event.target);
  /** @type {HTMLButtonElement | null} */
  const target = touched.closest?.("button,[data-tap]");
  if (!target || target.disabled) return;
  const { add, drop, rank, suit: letter, claim: seat, play: token, tap } = target.dataset;
  if (tap) {
    cell = cell === tap ? "" : tap;
    draw();
  } else if (seat) claim(Number(seat));
  else if (token) play(token);
  else if ("tip" in target.dataset) think();
  else if ("release" in target.dataset) release();
  else if (drop) change({ cards: mine.cards.filter((_, at) => at !== Number(drop)) });
  else if (rank) change({ rank });
  else if (letter) change({ cards: more(mine.rank + letter), rank: "" });
  else if (add) change({ cards: more(add) });
});

follow(() => {
  const { frame, hello } = table;
  if (hello) sameCompanion(hello.epoch);
  if (frame && !frame.secret && "game" in frame && frame.game !== mine.game) change({ game: frame.game, cards: mine.game ? [] : mine.cards });
});
let known = "";
run(() => {
  const { frame, hello } = table;
  const now = JSON.stringify([hello?.epoch, hello?.paired, frame?.seats?.map((seat) => seat.name), frame?.moves]);
  if (now !== known) {
    known = now;
    lookForSeats();
  }
  draw();
  look();
});
followRow(played);
pump();
