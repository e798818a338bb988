// The words of the pages in the table's language, by the English ones.

/** @type {Record<string, string>} */
const words = JSON.parse(document.querySelector("#words")?.textContent ?? "{}");

/** The language of the words. */
export const language = words.language;

/** Return words with their facts filled in.
 * @param {string} english
 * @param {Record<string, string | number>} facts */
export function t(english, facts = {}) {
  const text = words[english] ?? "";
  return text.replace(/\{(\w+)\}/g, (whole, fact) => String(facts[fact] ?? whole));
}
