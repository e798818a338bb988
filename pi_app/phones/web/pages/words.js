// The words of the pages in the table's language, by the English ones.

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

/** Return words with their facts filled in.
 * @param {string} english
 * @param {Record<string, string | number>} facts */
export function t(english, facts = {}) {
  const text = words[english] ?? "";
  return text.replace(/\{(\w+)\}/g, (whole, fact) => String(facts[fact] ?? whole));
}
