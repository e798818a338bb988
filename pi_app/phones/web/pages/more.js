// Everything but playing: past games, this phone, the network, and the keypad for the table's
// menus.

import { h } from "./dom.js";
import { table } from "./live.js";
import { t } from "./words.js";

function view() {
  /** @type {(href: string, words: string, about?: string) => Element} */
  const way = (href, words, about) => h("li", {}, h("a", { href }, h("b", {}, words), about && h("span", {}, about)));
  const ways = [
    way("/invite", t("Let everybody in")),
    way("/history", t("History")),
    way("/history#moments", t("Moments")),
    way("/keys", t("Keypad"), t("The table's own keys, for its menus")),
    way("/pair", t("This phone"), table.hello?.name),
    table.hello?.wifi && way("/network", t("The table's Wi-Fi")),
  ];
  return h("section", {}, h("h1", {}, t("More")), h("ul", { class: "games" }, ways));
}

/** @type {Place} */
export const more = { paired: true, view };
