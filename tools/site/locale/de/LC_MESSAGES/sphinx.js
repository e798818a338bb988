/* The search's words. With the generator's own the search stops: its plural is no number. */
Documentation.addTranslations({
  locale: "de",
  plural_expr: "n != 1 ? 1 : 0",
  messages: {
    ", in ": ", in ",
    "Hide Search Matches": "Fundstellen nicht mehr hervorheben",
    "Preparing search...": "Die Suche wird vorbereitet ...",
    "Search Results": "Suchergebnisse",
    "Search finished, found one page matching the search query.": [
      "Eine Seite gefunden.",
      "${resultCount} Seiten gefunden.",
    ],
    Searching: "Suche",
    "Your search did not match any documents. Please make sure that all words are spelled correctly and that you've selected enough categories.":
      "Nichts gefunden. Stimmt die Schreibweise? Vieles steht nur auf den englischen Seiten.",
  },
});
