// Moves the focus over the board by a keyboard. Loaded after the keypad is shown.

/** Move from cell to cell with the arrows, tap with Space; return whether the key was used.
 * @type {(event: KeyboardEvent, tap: (name: string | undefined) => void) => boolean} */
export function walk(event, tap) {
  /** @type {NodeListOf<SVGElement>} */
  const taps = document.querySelectorAll("main [data-tap]");
  const cells = [...taps];
  const here = cells.indexOf(/** @type {SVGElement} */ (document.activeElement));
  if (here < 0) return false;
  if (event.key === " ") {
    tap(cells[here].dataset.tap);
    return true;
  }
  /** @type {Record<string, Point>} */
  const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  const towards = ways[event.key];
  if (!towards) return false;
  const { x, y } = cells[here].getBoundingClientRect();
  /** @param {Element} cell */
  const far = (cell) => {
    const box = cell.getBoundingClientRect();
    const [dx, dy] = [box.x - x, box.y - y];
    // The distance in this direction; a step aside counts three times.
    const ahead = dx * towards[0] + dy * towards[1];
    return ahead > 4 ? ahead + 3 * Math.abs(dx * towards[1] + dy * towards[0]) : Infinity;
  };
  cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best), cells[here]).focus();
  return true;
}
