// A player's stone: colour, shape and letter, so that colour never speaks alone.

import { h } from "./dom.js";

const EDGE = "#161a20";
const BLACK = "#161a20";
const WHITE = "#ffffff";

/** Filling, ink, shape: as the window paints them.
 * @type {Record<string, [ground: string, ink: string, shape: string]>} */
const PAINTS = {
  yellow: ["#f7c937", BLACK, "circle"],
  red: ["#c2272d", WHITE, "square"],
  white: ["#f8f7f2", BLACK, "triangle"],
  pink: ["#f49ec7", BLACK, "diamond"],
  green: ["#217a48", WHITE, "hexagon"],
  blue: ["#2d5cbe", WHITE, "star"],
};
/** @type {[ground: string, ink: string, shape: string]} */
const STRANGER = ["#969ca6", BLACK, "cross"];

/** @type {(count: number, radius: number, turn: number) => Point[]} */
const around = (count, radius, turn) =>
  Array.from({ length: count }, (_, n) => {
    const angle = ((turn + (360 * n) / count) * Math.PI) / 180;
    return [50 + radius * Math.cos(angle), 50 + radius * Math.sin(angle)];
  });
/** @param {Point[]} points */
const path = (points) =>
  `M${points.map((point) => point.map((each) => each.toFixed(1)).join(" ")).join("L")}Z`;
const star = around(5, 47, -90).flatMap((point, at) => [point, around(5, 29, -54)[at]]);

/** @type {Record<string, string>} */
const OUTLINES = {
  circle: "M50 4a46 46 0 1 0 .1 0Z",
  square: "M10 10H90V90H10Z",
  triangle: "M50 6 96 90H4Z",
  diamond: path(around(4, 47, -90)),
  hexagon: path(around(6, 47, 0)),
  star: path(star.map(([x, y]) => [x, y + 3])),
  cross: "M30 5H70V30H95V70H70V95H30V70H5V30H30Z",
};
/** The middle of the letter in shapes whose own middle is lower than that of their box.
 * @type {Record<string, number>} */
const LOW = { triangle: 66, star: 54 };
/** The size of a single letter in shapes with less room.
 * @type {Record<string, number>} */
const ROOM = { triangle: 42, star: 46, diamond: 52 };

/** @param {string} colour */
export const paintOf = (colour) => PAINTS[colour] ?? STRANGER;

/** Return a stone around (x, y), so many units wide, as a part of an SVG.
 * @param {string} colour
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size */
export function stoneAt(colour, text, x, y, size) {
  const [ground, ink, shape] = paintOf(colour);
  const scale = size / 100;
  const place = `translate(${x - size / 2} ${y - size / 2}) scale(${scale})`;
  // Two letters are smaller, but not half as large: they are narrower than high.
  const letter = (ROOM[shape] ?? 58) / Math.max(1, text.length) ** 0.45;
  return h(
    "g",
    { transform: place },
    h("path", {
      d: OUTLINES[shape],
      fill: ground,
      stroke: EDGE,
      "stroke-width": 6,
      "stroke-linejoin": "round",
    }),
    text &&
      h("text", { x: 50, y: LOW[shape] ?? 50, "font-size": letter, fill: ink, dy: ".35em" }, text),
  );
}

/** Return a stone as a picture of its own; words beside it name its owner.
 * @param {string} colour
 * @param {string} [text] */
export function stone(colour, text) {
  const picture = { viewBox: "0 0 100 100", class: "stone", "aria-hidden": "true" };
  return h("svg", picture, stoneAt(colour, text ?? "", 50, 50, 98));
}
