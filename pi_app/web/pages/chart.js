// Everybody's points over a game.

import { h } from "./dom.js";
import { stoneAt } from "./stone.js";
import { t } from "./words.js";

const [WIDTH, HEIGHT, LEFT, BELOW] = [800, 420, 60, 40];

/** Return the round numbers of an axis: steps of 1, 2 or 5 and a power of ten. */
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

/** Return curves [{name, colour, points}] as SVG; `letters` are those on the stones. */
export function chart(curves, letters = {}) {
  const long = Math.max(0, ...curves.map(({ points }) => points.length));
  if (long < 2) return null;
  const most = Math.max(1, ...curves.flatMap(({ points }) => points));
  const right = WIDTH - 60;
  const x = (at) => LEFT + (at * (right - LEFT)) / (long - 1);
  const y = (value) => HEIGHT - BELOW - (value * (HEIGHT - BELOW - 24)) / most;
  const label = curves.map(({ name, points }) => `${name} ${points[points.length - 1]}`).join(", ");
  const ends = [];
  for (const { points } of curves) {
    // Stones at the end stand below each other where curves meet.
    let place = y(points[points.length - 1]);
    while (ends.some((other) => Math.abs(other - place) < 30)) place += 6;
    ends.push(place);
  }
  return h(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `${t("chart")}: ${label}` },
    ticks(most, 5).map((value) => [
      h("line", { x1: LEFT, x2: right, y1: y(value), y2: y(value) }),
      h("text", { x: LEFT - 10, y: y(value), dy: ".35em", class: "end" }, value),
    ]),
    ticks(long - 1, 8).map((at) => h("text", { x: x(at), y: HEIGHT - 12 }, at)),
    curves.map(({ colour, points }) => {
      const line = points.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
      return [
        h("polyline", { points: line, class: "under" }),
        h("polyline", { points: line, class: `of-${colour}` }),
      ];
    }),
    curves.map(({ colour, name }, at) =>
      stoneAt(colour, letters[colour] ?? name.slice(0, 1), right + 30, ends[at], 34),
    ),
  );
}
