// What the browser keeps for us; where it keeps nothing, it lasts as long as the page.

/** @typedef {"localStorage" | "sessionStorage"} Store */

/** @type {Record<string, any>} */
const here = {};

/** Return what was kept, undefined if nothing was.
 * @param {Store} store
 * @param {string} name */
export function recall(store, name) {
  try {
    return JSON.parse(window[store].getItem(name) ?? "null") ?? here[name];
  } catch {
    return here[name];
  }
}

/** @param {Store} store
 * @param {string} name
 * @param {unknown} value */
export function keep(store, name, value) {
  try {
    window[store].setItem(name, JSON.stringify(value));
  } catch {
    here[name] = value;
  }
}
