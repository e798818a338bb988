// What is not played with: past games, this phone, the network, and the keypad for the table's menus.

import { fill, h } from "./dom.js";
import { table } from "./live.js";
import { main, pairFirst } from "./shell.js";
import { t } from "./words.js";

function draw() {
  const { hello } = table;
  if (!hello?.paired) {
    fill(main, hello ? pairFirst(t("look-only")) : h("p", { class: "lonely" }, t("waiting")));
    return;
  }
  /** @type {(href: string, words: string, about?: string) => Element} */
  const way = (href, words, about) => h("li", {}, h("a", { href }, h("b", {}, words), about && h("span", {}, about)));
  fill(
    main,
    h(
      "section",
      {},
      h("h1", {}, t("page-more")),
      h(
        "ul",
        { class: "games" },
        way("/invite", t("page-invite")),
        way("/history", t("page-history")),
        way("/history#moments", t("moments")),
        way("/keys", t("page-keys"), t("keys-are-for")),
        way("/pair", t("this-phone"), hello.name),
        hello.wifi && way("/network", t("page-network")),
      ),
    ),
  );
}

/** @type {Place} */
export const more = { draw };
