// The browser's storage; without one, values last as long as the page.

/** @typedef {"localStorage" | "sessionStorage"} Store */

/** @type {Record<string, any>} */
const here = {};

/** Return a stored value, undefined without one.
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
