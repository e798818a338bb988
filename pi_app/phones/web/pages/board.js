// The board of a frame as SVG: fields in a grid, a track that winds, cards that lie open.

import { h } from "./dom.js";
import { paintOf, stoneAt } from "./stone.js";
import { t } from "./words.js";

// The width of a board in the units of its SVG.
const SIDE = 1000;
const SHADES = ["#f4f1e8", "#cde4f4", "#92c1e5", "#4f8ac4", "#23538c"];
const EDGE = "#161a20";
const CARD = "#fcfbf7";
const CARD_EDGE = "#767c86";
const INK = "#161a20";
const RED = "#b21824";
const GREEN = "#12703a";
const GLOW = "#ffb000";
/** @type {Record<string, string>} */
const FRAMES = { legal: "#128048", blocked: "#c41e1e" };
/** A screen reader's word for each mark.
 * @type {() => Record<Shown, string>} */
const marksSaid = () => ({
  legal: t("can be played"), blocked: t("blocked"), selected: t("chosen"), offered: t("can be touched"),
  last: t("last move"), row: t("completed row"), secured: t("secured"),
});
/** The marks that frame a cell; the first of several counts.
 * @type {Shown[]} */
const FRAMED = ["selected", "legal", "blocked", "offered", "row", "last"];
/** @type {Record<string, string>} */
const SIGNS = {
  legal: "M-50 8-16 40 50-40",
  blocked: "M-40-40 40 40M40-40-40 40",
  row: "M0-54 14-18 52-16 22 8 32 46 0 24-32 46-22 8-52-16-14-18Z",
};
/** @type {Record<string, string>} */
const SUITS = {
  S: "M50 2C58 22 92 38 92 62 92 80 70 88 58 72 60 84 64 92 70 97H30C36 92 40 84 42 72 30 88 8 80 8 62 8 38 42 22 50 2Z",
  H: "M50 97C44 76 5 58 5 31 5 5 38 0 50 25 62 0 95 5 95 31 95 58 56 76 50 97Z",
  D: "M50 2 87 50 50 98 13 50Z",
  C: "M50 3a22 22 0 0 1 17 36 22 22 0 1 1-9 33C59 84 64 92 70 97H30c6-5 11-13 12-25a22 22 0 1 1-9-33A22 22 0 0 1 50 3Z",
};
/** @type {Record<string, string>} */
const LETTERS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

/** @param {number} shade */
const inkOn = (shade) => (shade >= 4 ? "#ffffff" : INK);

/** Return rank and suit of a playing card such as "10♥" or "10H", else null; B and D are the German
 * jack and queen.
 * @param {string} text */
export function playingCard(text) {
  const found = /^(10|[2-9AKQJBD])([SHDC♠♥♦♣])$/.exec(text);
  return found && [found[1], LETTERS[found[2]] ?? found[2]];
}

/** @type {(letter: string, x: number, y: number, size: number) => Element} */
export const suit = (letter, x, y, size) =>
  h("path", {
    d: SUITS[letter],
    fill: "HD".includes(letter) ? RED : INK,
    transform: `translate(${x} ${y}) scale(${size / 100})`,
  });

/** Return boxes in a grid.
 * @type {(whole: Box, columns: number, rows: number, gap: number) => Box[]} */
function grid([x, y, width, height], columns, rows, gap) {
  const wide = (width - gap * (columns - 1)) / columns;
  const high = (height - gap * (rows - 1)) / rows;
  return Array.from({ length: columns * rows }, (_, at) => [
    x + (at % columns) * (wide + gap),
    y + Math.floor(at / columns) * (high + gap),
    wide,
    high,
  ]);
}

/** @typedef {(picture: Picture) => { high: number, boxes: Box[] }} Layout */

/** @type {Layout} */
function gridBoxes({ columns, cells }) {
  const rows = Math.ceil(cells.length / columns);
  const high = (SIDE * rows) / columns;
  return { high, boxes: grid([6, 6, SIDE - 12, high - 12], columns, rows, columns > 8 ? 2 : 10) };
}

/** Wind the track from the top left; large fields at its end take a row of their own.
 * @type {Layout} */
function trackBoxes({ cells }) {
  let large = 0;
  while (large < cells.length && cells[cells.length - 1 - large].large) large += 1;
  const small = cells.length - large;
  // Above a row of large fields, the part for the small ones is wider than high.
  const columns = Math.max(1, Math.round(Math.sqrt(small || 1) * (large ? 1.18 : 1)));
  const rows = Math.ceil(small / columns);
  // The height of the row of large fields: the whole height without other fields above.
  const lower = large && small ? SIDE * 0.27 : large ? SIDE - 20 : 0;
  /** @type {Box} */
  const upper = [10, 10, SIDE - 20, SIDE - 20 - lower - (lower ? 10 : 0)];
  const places = rows ? grid(upper, columns, rows, 10) : [];
  const boxes = Array.from({ length: small }, (_, at) => {
    const row = Math.floor(at / columns);
    const column = at % columns;
    // Every other row runs from right to left.
    return places[row * columns + (row % 2 ? columns - 1 - column : column)];
  });
  if (large) {
    const last = grid([10, SIDE - 10 - lower, SIDE - 20, lower], large, 1, 10);
    boxes.push(...(rows % 2 ? last.reverse() : last));
  }
  return { high: SIDE, boxes };
}

/** Lay large cells out as cards above, the others as a table below.
 * @type {Layout} */
function cardBoxes({ columns, cells }) {
  const lying = cells.filter((cell) => cell.large).length;
  const rows = Math.ceil((cells.length - lying) / Math.max(1, columns));
  const upper = lying ? 250 : 0;
  const wide = Math.min(195, (SIDE - 20) / Math.max(1, lying) - 12);
  const left = (SIDE - lying * (wide + 12) + 12) / 2;
  const open = grid([left, 10, lying * (wide + 12) - 12, upper], Math.max(1, lying), 1, 12);
  const below = upper ? upper + 30 : 10;
  const listed = rows ? grid([10, below, SIDE - 20, rows * 112 - 10], columns, rows, 10) : [];
  const boxes = cells.map((cell) => /** @type {Box} */ ((cell.large ? open : listed).shift()));
  return { high: below + rows * 112, boxes };
}

/** @type {(box: Box) => Point} */
const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];

/** @type {(text: string, x: number, y: number, size: number, ink: string, more?: Attributes) => Child} */
function write(text, x, y, size, ink, more = {}) {
  return text && h("text", { x, y, "font-size": size.toFixed(1), fill: ink, dy: ".35em", ...more }, text);
}

/** Return the size at which a text is no wider than `width`: a letter takes about 0.58 of its size.
 * @type {(text: string, size: number, width: number) => number} */
const fitting = (text, size, width) => Math.min(size, width / (0.58 * Math.max(1, text.length)));

/** @type {(box: Box, fill: string, stroke?: string, more?: Attributes) => Element} */
function plate([x, y, width, height], fill, stroke, more = {}) {
  return h("rect", { x, y, width, height, rx: Math.max(6, width / 10), fill, stroke, ...more });
}

/** The direction from the middle of a field to each side, right and down: below, left, above,
 * right. */
const SIDES = [[0, 1], [-1, 0], [0, -1], [1, 0]];

/** Return up to three stones on each other, the lowest first; only the top one has its letter.
 * @type {(token: Token, x: number, y: number, size: number) => Element[]} */
function pile(token, x, y, size) {
  const count = Math.min(token.count, 3);
  const lift = size / 12;
  return Array.from({ length: count }, (_, at) => count - 1 - at).map((layer) =>
    stoneAt(token.colour, layer ? "" : token.text, x, y + layer * lift, size),
  );
}

/** Stones of one player at the edge before them, their number clockwise beside.
 * @type {(token: Token, box: Box, ink: string) => Child[]} */
function atSide(token, box, ink) {
  const [right, down] = SIDES[(token.side ?? 0) % 4];
  const [cx, cy] = middle(box);
  const high = box[3];
  const size = high * 0.34;
  const reach = (high - size) / 2 - high / 32;
  let [x, y] = [cx + right * reach, cy + down * reach];
  /** @type {Child[]} */
  const parts = [];
  if (token.count > 1) {
    // A quarter turn from the way to the middle: along the edge.
    const [along, aside] = [-down, right];
    const after = size * 0.22;
    parts.push(write(`×${token.count}`, x - along * after, y - aside * after, high * 0.18, ink));
    x += along * size * 0.66;
    y += aside * size * 0.66;
  }
  return [parts, pile(token, x, y, size)];
}

/** @type {(cell: Cell, box: Box, ink: string) => Child[]} */
function field(cell, box, ink) {
  const [x, y, width, high] = box;
  const [cx, cy] = middle(box);
  const inside = cell.tokens.filter((token) => token.side === null);
  const sides = cell.tokens.filter((token) => token.side !== null);
  /** @type {Child[]} */
  const parts = [];
  if (inside.length) {
    parts.push(write(cell.text, x + high * 0.235, y + high * 0.16, high / 5, ink));
    const size = high * (inside.length === 1 ? 0.6 : 0.42);
    inside.forEach((token, at) => {
      const shift = (at - (inside.length - 1) / 2) * size * 0.95;
      parts.push(pile(token, cx + shift, cy + high * 0.06, size));
      if (token.count > 1) {
        parts.push(write(`×${token.count}`, x + width - high * 0.24, y + high * 0.83, high / 5, ink));
      }
    });
  } else {
    const size = high * (sides.length ? 0.27 : 0.42);
    parts.push(write(cell.text, cx, cy, fitting(cell.text, size, width - 12), ink));
  }
  parts.push(sides.map((token) => atSide(token, box, ink)));
  if (cell.note && !cell.tokens.length) {
    parts.push(write(cell.note, cx, y + high * 0.86, high / 6, ink));
  }
  return parts;
}

/** @type {(cell: Cell, box: Box, ink: string) => Child[]} */
function space(cell, box, ink) {
  const [x, y, width, height] = box;
  const [cx, cy] = middle(box);
  const high = Math.min(width, height);
  const corner = y + high * 0.17;
  const parts = [write(cell.text, x + high / 10, corner, high * 0.2, ink, { class: "start" })];
  const size = high * 0.66;
  cell.tokens.forEach((token, at) => {
    const shift = (at - (cell.tokens.length - 1) / 2) * size * 0.6;
    parts.push(stoneAt(token.colour, token.text, cx + shift, cy + high / 12, size));
  });
  if (cell.note && cell.tokens.length) {
    parts.push(write(cell.note, x + width - high / 10, corner, high * 0.2, ink, { class: "end" }));
  } else {
    parts.push(write(cell.note, cx, cy + high / 10, high * 0.42, ink));
  }
  return parts;
}

/** @type {(cell: Cell, box: Box) => Child[]} */
function openCard(cell, box) {
  const [x, y, width, high] = box;
  const [cx] = middle(box);
  return [
    write(cell.text, cx, y + high * 0.42, fitting(cell.text, high * 0.42, width - 24), INK),
    write(cell.text, x + 14, y + high * 0.12, high * 0.11, cell.shade ? GREEN : RED, { class: "start" }),
    cell.note && plate([x + 8, y + high * 0.7, width - 16, high * 0.27], SHADES[1]),
    write(cell.note, cx, y + high * 0.835, fitting(cell.note, high * 0.18, width - 30), INK),
  ];
}

/** @type {(cell: Cell, box: Box) => Child[]} */
function card(cell, box) {
  const [x, y, width, high] = box;
  const face = playingCard(cell.text);
  /** @type {Child[]} */
  const parts = [];
  if (face) {
    const [rank, letter] = face;
    const ink = "HD".includes(letter) ? RED : INK;
    const chip = cell.tokens.length > 0;
    const size = width * (chip ? 0.32 : 0.46);
    parts.push(write(rank, x + 6, y + size * 0.52, size, ink, { class: "start" }));
    const sign = width * (chip ? 0.24 : 0.4);
    parts.push(
      chip
        ? suit(letter, x + 10 + rank.length * size * 0.58, y + 7, sign)
        : suit(letter, x + width - sign - 7, y + high - sign - 7, sign),
    );
  } else {
    const [cx, cy] = middle(box);
    const star = `translate(${cx} ${cy}) scale(${width / 170})`;
    parts.push(h("path", { d: SIGNS.row, transform: star, fill: SHADES[4] }));
  }
  const size = width * 0.64;
  for (const token of cell.tokens) {
    parts.push(
      stoneAt(token.colour, token.text, x + width - size / 2 - 3, y + high - size / 2 - 3, size),
    );
  }
  return parts;
}

/** Frame a cell by its marks; each frame also has a sign or a number.
 * @type {(cell: Cell, box: Box, unsigned?: boolean, number?: string) => Child} */
function marks(cell, [x, y, width, high], unsigned, number) {
  const all = /** @type {Shown[]} */ (cell.marks);
  const mark = FRAMED.find((each) => all.includes(each));
  const thick = Math.max(6, width / 20);
  /** @type {Box} */
  const inner = [x + thick / 2, y + thick / 2, width - thick, high - thick];
  if (!mark) {
    if (!cell.marks.includes("secured")) return null;
    return plate(inner, "none", inkOn(cell.shade), { "stroke-width": thick / 2 });
  }
  const colour = FRAMES[mark] ?? GLOW;
  /** @type {Child[]} */
  const parts = [
    plate(inner, "none", EDGE, { "stroke-width": thick + 4 }),
    plate(inner, "none", colour, { "stroke-width": thick }),
  ];
  const size = Math.min(width, high) * (number ? 0.46 : 0.27);
  const [cx, cy] = [x + width - size * 0.56, y + size * 0.56];
  const ink = colour === GLOW ? INK : "#ffffff";
  const disc = h("circle", { cx, cy, r: size / 2, fill: colour, stroke: EDGE, "stroke-width": 3 });
  if (number) parts.push(disc, write(number, cx, cy, size * 0.78, ink));
  else if (SIGNS[mark] && !(unsigned && mark === "row")) {
    const form = mark === "row" ? { fill: ink } : { fill: "none", stroke: ink, "stroke-width": 24 };
    const place = `translate(${cx} ${cy}) scale(${size / 180})`;
    parts.push(disc, h("path", { d: SIGNS[mark], transform: place, ...form }));
  }
  return parts;
}

/** Say a cell in words: its name, the owners of its stones, its marks.
 * @type {(cell: Cell, ownerOf: (colour: string) => string) => string} */
function said(cell, ownerOf) {
  const stones = cell.tokens.map((token) =>
    `${ownerOf(token.colour)}${token.count > 1 ? ` ×${token.count}` : ""}`,
  );
  const special = cell.marks.map((mark) => marksSaid()[mark]);
  const name = cell.text || t("free corner");
  return [name, cell.note, ...stones, ...special].filter(Boolean).join(", ");
}

/** Return the boxes of the existing cells.
 * @type {(names: string[], where: Map<string, Box>) => Box[]} */
function found(names, where) {
  const boxes = names.map((name) => where.get(name));
  return boxes.filter((box) => box !== undefined);
}

/** @type {(stroke: Stroke, where: Map<string, Box>) => Child} */
function stroke({ colour, cells }, where) {
  const boxes = found(cells, where);
  // Then the first and the last are the ends, however the board is turned.
  boxes.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  if (boxes.length < 2) return null;
  const [x1, y1] = middle(boxes[0]);
  const [x2, y2] = middle(boxes[boxes.length - 1]);
  const line = { x1, y1, x2, y2, "stroke-linecap": "round" };
  const thick = Math.max(10, boxes[0][2] / 8);
  return [
    h("line", { ...line, stroke: EDGE, "stroke-width": thick * 1.4 }),
    h("line", { ...line, stroke: paintOf(colour)[0], "stroke-width": thick }),
  ];
}

/** @typedef {{ ground: Element, paint: Child, number?: string, unsigned?: boolean }} Look */

/** Return the ground of a cell and the parts on it.
 * @type {(picture: Picture, cell: Cell, box: Box) => Look} */
function looks({ kind }, cell, box) {
  const ink = inkOn(cell.shade);
  const plain = plate(box, SHADES[cell.shade], EDGE);
  if (kind === "track") return { ground: plain, paint: space(cell, box, ink) };
  if (kind === "cards" && cell.large) {
    return { ground: plate(box, CARD, EDGE, { "stroke-width": 4 }), paint: openCard(cell, box) };
  }
  // A board of playing cards; its corners have no text.
  if (kind === "grid" && (!cell.text || playingCard(cell.text))) {
    const ground = plate(box, cell.text ? CARD : SHADES[1], CARD_EDGE, { "stroke-width": 2 });
    return { ground, paint: card(cell, box), number: cell.note, unsigned: true };
  }
  if (kind === "cards" && !cell.marks.includes("legal") && !cell.tokens.length) {
    const ground = h("rect", { ...ends(box), class: "listed" });
    return { ground, paint: field(cell, box, "currentColor") };
  }
  return { ground: plain, paint: field(cell, box, ink) };
}

/** @param {Box} box */
const ends = ([x, y, width, height]) => ({ x, y, width, height, rx: 10 });

/** @type {(points: Point[], thick: number) => Element} */
function polyline(points, thick) {
  const line = points.map((point) => point.map(Math.round).join(",")).join(" ");
  return h("polyline", { points: line, class: "printed", "stroke-width": thick });
}

/** Return the board as SVG. Cells can be tapped if `tappable`; `seats` name the owners of the colours.
 * @param {Picture | null} picture
 * @param {{ seats?: Pick<Seat, "name" | "colour">[], tappable?: boolean }} about */
export function board(picture, { seats = [], tappable = false } = {}) {
  if (!picture?.cells.length) return null;
  /** @type {Record<string, Layout>} */
  const layouts = { track: trackBoxes, cards: cardBoxes };
  const { high, boxes } = (layouts[picture.kind] ?? gridBoxes)(picture);
  const there = picture.cells
    .map((cell, at) => ({ cell, box: boxes[at], ...looks(picture, cell, boxes[at]) }))
    // A cell of a grid without a name is a gap.
    .filter(({ cell }) => cell.name || picture.kind !== "grid");
  const where = new Map(there.map(({ cell, box }) => [cell.name, box]));
  /** @param {string} colour */
  const ownerOf = (colour) => {
    const owners = seats.filter((seat) => seat.colour === colour);
    return owners.length === 1 ? owners[0].name : t(`colour-${colour}`) || colour;
  };
  // Tab reaches the lit cells, or all where none is lit.
  const lit = there.filter(({ cell }) => cell.marks.some((mark) => ["legal", "offered", "selected"].includes(mark)));
  const reached = lit.length ? lit : there;
  const lines = picture.lines.map((names) =>
    polyline(found(names, where).map(middle), 8),
  );
  const road = picture.kind === "track" ? polyline(boxes.map(middle), Math.max(20, boxes[0][2] / 4)) : null;
  return h(
    "svg",
    {
      viewBox: `0 0 ${SIDE} ${Math.round(high)}`,
      class: `board ${picture.kind}${picture.kind === "grid" && picture.columns < 9 ? "" : " fine"}`,
      role: "group",
      "aria-label": t("Board"),
    },
    h("g", { "aria-hidden": "true" }, road, lines, there.map(({ ground }) => ground)),
    h("g", { "aria-hidden": "true" }, picture.strokes.map((each) => stroke(each, where))),
    there.map(({ cell, box, paint, number, unsigned }) =>
      h(
        "g",
        {
          role: tappable && cell.name ? "button" : "img",
          "aria-label": said(cell, ownerOf),
          "data-tap": tappable ? cell.name : null,
          tabindex: tappable && cell.name ? (reached.some((each) => each.cell === cell) ? 0 : -1) : null,
        },
        h("rect", { ...ends(box), class: "hit" }),
        paint,
        marks(cell, box, unsigned, number),
      ),
    ),
  );
}
