// Puts what has changed into the hall that the page has (club/web/changes.py).

/** Each run: from where in the old list how many are kept, and what comes behind them anew.
 * @template T
 * @param {T[]} old
 * @param {any[][]} runs
 * @returns {T[]} */
const joined = (old, runs) => runs.flatMap(([from, count, ...fresh]) => [...old.slice(from, from + count), ...fresh]);

/** Return the hall as it is after a change.
 * @param {Hall} hall
 * @param {HallChange} change
 * @returns {Hall} */
export function after(hall, change) {
  const next = { ...hall, ...change.set };
  if (change.standings) next.standings = joined(hall.standings, change.standings);
  if (change.tables && hall.round) next.round = { ...hall.round, tables: joined(hall.round.tables, change.tables) };
  if (change.names) {
    const names = Object.entries({ ...hall.names, ...change.names }).filter(([, name]) => name !== null);
    next.names = /** @type {Record<string, string>} */ (Object.fromEntries(names));
  }
  return next;
}
