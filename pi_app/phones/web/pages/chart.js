// Everybody's points over a game.

import { h } from "./dom.js";
import { stoneAt } from "./stone.js";
import { t } from "./words.js";

const [WIDTH, HEIGHT, LEFT, BELOW] = [800, 420, 66, 40];
const BADGE = 40;

/** Return the round numbers of an axis: steps of 1, 2 or 5 and a power of ten.
 * @param {number} most
 * @param {number} count */
function ticks(most, count) {
  for (let power = 1; ; power *= 10) {
    for (const unit of [1, 2, 5]) {
      const step = unit * power;
      if (most / step <= count) {
        return Array.from({ length: Math.floor(most / step) + 1 }, (_, at) => at * step);
      }
    }
  }
}

/** Return curves [{name, colour, points, unit, spreads, turns}] as SVG.
 * `letters` are those on the stones, `named` is the chart's name.
 * @param {Curve[]} curves
 * @param {Record<string, string>} letters
 * @param {string} named */
export function chart(curves, letters = {}, named = t("Points")) {
  const initials = curves.map(({ name }) => name.slice(0, 1).toUpperCase());
  const apart = new Set(initials).size === curves.length;
  const long = Math.max(0, ...curves.map(({ points }) => points.length));
  if (long < 2) return null;
  const percent = curves.every(({ unit }) => unit === "%");
  const most = percent ? 100 : Math.max(1, ...curves.flatMap(({ points }) => points));
  const right = WIDTH - 60;
  /** @param {number} at */
  const x = (at) => LEFT + (at * (right - LEFT)) / (long - 1);
  /** @param {number} value */
  const y = (value) => HEIGHT - BELOW - (value * (HEIGHT - BELOW - 24)) / most;
  const label = curves.map(({ name, points, unit }) => `${name} ${points[points.length - 1]}${unit}`).join(", ");
  /** @type {(value: number, at: number) => string} */
  const place = (value, at) => `${x(at).toFixed(1)},${y(Math.max(0, Math.min(most, value))).toFixed(1)}`;
  // Badges at the end stand below each other where curves meet, and all of them in the chart.
  const ends = curves.map(({ points }) => y(points[points.length - 1]));
  const down = ends.map((_, at) => at).sort((one, other) => ends[one] - ends[other]);
  // From the top: none above the chart, each below the one before. Then from the bottom: none below
  // the chart, each above the next.
  let room = HEIGHT - BADGE / 2 + BADGE;
  for (const at of down) ends[at] = Math.max(ends[at], BADGE / 2);
  for (const [place, at] of down.entries()) if (place) ends[at] = Math.max(ends[at], ends[down[place - 1]] + BADGE);
  for (const at of down.reverse()) ends[at] = room = Math.min(ends[at], room - BADGE);
  return h(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `${named}: ${label}` },
    ticks(most, 5).map((value) => [
      h("line", { x1: LEFT, x2: right, y1: y(value), y2: y(value) }),
      h("text", { x: LEFT - 10, y: y(value), dy: ".35em", class: "end" }, value),
    ]),
    ticks(long - 1, 8).map((at) => h("text", { x: x(at), y: HEIGHT - 12 }, at)),
    curves.map(({ colour, points, spreads }) => {
      /** @param {number} side */
      const edge = (side) => points.map((value, at) => place(value + side * spreads[at], at));
      return spreads.length > 0 && h("path", { d: `M${[...edge(1), ...edge(-1).reverse()].join("L")}Z`, class: `band of-${colour}` });
    }),
    curves.map(({ colour, points }) => {
      const line = points.map(place).join(" ");
      return [
        h("polyline", { points: line, class: "under" }),
        h("polyline", { points: line, class: `of-${colour}` }),
      ];
    }),
    curves.map(({ points, turns }) => turns.map((at) => h("circle", { cx: x(at), cy: y(points[at]), r: 14, class: "ring" }))),
    curves.map(({ colour }, at) =>
      stoneAt(colour, letters[colour] ?? (apart ? initials[at] : t(`colour-${colour}`).slice(0, 1).toUpperCase()), right + 32, ends[at], BADGE),
    ),
  );
}
