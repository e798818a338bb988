// What is not played with: past games, this phone, the network, and the keypad for the table's menus.

import { fill, h } from "./dom.js";
import { table } from "./live.js";
import { main, pairFirst } from "./shell.js";
import { t } from "./words.js";

function draw() {
  const { hello } = table;
  if (!hello?.paired) {
    fill(main, hello ? pairFirst(t("This phone may look. To play it has to be paired.")) : h("p", { class: "lonely" }, t("Looking for the table …")));
    return;
  }
  /** @type {(href: string, words: string, about?: string) => Element} */
  const way = (href, words, about) => h("li", {}, h("a", { href }, h("b", {}, words), about && h("span", {}, about)));
  fill(
    main,
    h(
      "section",
      {},
      h("h1", {}, t("More")),
      h(
        "ul",
        { class: "games" },
        way("/invite", t("Let everybody in")),
        way("/history", t("History")),
        way("/history#moments", t("Moments")),
        way("/keys", t("Keypad"), t("The table's own keys, for its menus")),
        way("/pair", t("This phone"), hello.name),
        hello.wifi && way("/network", t("The table's Wi-Fi")),
      ),
    ),
  );
}

/** @type {Place} */
export const more = { draw };
