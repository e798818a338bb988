// The words of the pages in the table's language, and the letters that digits write.

/** @type {Record<string, string>} */
let words = { language: "" };

export async function loadWords() {
  try {
    const answer = await fetch(`/texts.json?page=${document.documentElement.dataset.page ?? ""}`, { signal: AbortSignal.timeout(4_000) });
    if (!answer.ok) return;
    words = await answer.json();
  } catch {
    // The next beat tries again.
    return;
  }
  document.documentElement.lang = words.language;
}

export const spoken = () => words.language;

/** Return the words called `name`, with their facts filled in.
 * @param {string} name
 * @param {Record<string, string | number>} facts */
export function t(name, facts = {}) {
  const text = words[name] ?? "";
  return text.replace(/\{(\w+)\}/g, (whole, fact) => String(facts[fact] ?? whole));
}

/** Return the keys that write a letter, none for one that no digit has.
 * @param {string} letter
 * @returns {string[]} */
export function keysOf(letter) {
  const sign = letter === "ß" ? letter : letter.toUpperCase();
  for (let digit = 0; digit <= 9; digit += 1) {
    const at = t(`digit-${digit}`).indexOf(sign);
    if (at >= 0) return [...Array(at + 1).fill(String(digit)), "STAR"];
  }
  return [];
}
