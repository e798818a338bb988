// Return what is wrong with how the page that is shown is laid out, as it is now.
(zoomed) => {
  const [WIDE, HIGH] = [innerWidth, innerHeight];
  const [FINGER, CELL] = [44, 24];
  const found = new Set();
  const called = (element) => {
    const names = typeof element.className === "string" ? element.className : element.className.baseVal;
    const own = names.trim().split(/\s+/).filter(Boolean)[0];
    return element.localName + (element.id ? `#${element.id}` : own ? `.${own}` : "");
  };
  const place = (element) => {
    const near = element.closest("li,button,a,section,h1,h2,nav,header,.pad,.side") ?? element;
    return near === element ? called(element) : `${called(near)} ${called(element)}`;
  };
  const fault = (element, what, text = "") => found.add(`${what}: ${place(element)} ${text.slice(0, 30)}`.trim());
  const seen = (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest(".unseen,noscript");
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const boxy = (style) =>
    style.borderLeftWidth !== "0px" || style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.overflowX !== "visible";

  // Walk out of a text to the page's edge; return the part of a line of it that is not cut off.
  function inBox(node, line) {
    const slack = line.height * 0.25;
    let [x, y] = [true, true];
    let { left, right, top, bottom } = line;
    for (let box = node.parentElement; box; box = box.parentElement) {
      const style = styleOf(box);
      const edge = box.getBoundingClientRect();
      const inline = style.display === "inline";
      if (x && !inline && (left < edge.left - 1 || right > edge.right + 1)) {
        if (style.overflowX === "visible") {
          if (boxy(style)) fault(box, "text beside its box", node.data);
        } else {
          if (style.overflowX === "hidden" && style.textOverflow !== "ellipsis") fault(box, "text cut at its side", node.data);
          if (style.overflowX === "auto") fault(box, "text to be scrolled sideways", node.data);
          x = false;
          [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        }
      }
      if (y && !inline && (top < edge.top - slack || bottom > edge.bottom + slack)) {
        if (style.overflowY === "visible") {
          if (boxy(style)) fault(box, "text below its box", node.data);
        } else {
          if (style.overflowY === "hidden" && style.webkitLineClamp === "none") fault(box, "text cut below", node.data);
          y = false;
          if (style.overflowY === "hidden") [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        }
      }
      if (style.overflowY === "auto" && box.scrollHeight > box.clientHeight + 1) {
        y = false;
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
    }
    return { left, right, top, bottom };
  }

  const apart = (element) => {
    for (let box = element; box; box = box.parentElement) {
      if (["sticky", "fixed"].includes(styleOf(box).position)) return box;
    }
    return null;
  };
  const lap = (one, other) => [
    Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
  ];

  function texts() {
    const lines = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!node.data.trim() || parent.closest("svg") || !seen(parent)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const layer = apart(parent);
      for (const line of range.getClientRects()) {
        if (line.width) lines.push({ node, layer, ...inBox(node, line) });
      }
      if (parent.closest("pre")) continue;
      for (const word of node.data.matchAll(/\p{L}{2,}/gu)) {
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1 && styleOf(parent).hyphens !== "auto") fault(parent, "a word broken over lines", word[0]);
        if (tops.size > 2) fault(parent, "a column of letters", word[0]);
      }
    }
    for (const [at, one] of lines.entries()) {
      for (const other of lines.slice(at + 1)) {
        if (one.node === other.node || one.layer !== other.layer) continue;
        const [x, y] = lap(one, other);
        if (x > 2 && y > 3 && y > 0.4 * Math.min(one.bottom - one.top, other.bottom - other.top)) {
          fault(one.node.parentElement, "text over text", `${one.node.data.slice(0, 14)}/${other.node.data.slice(0, 14)}`);
        }
      }
    }
  }

  // Pictures: letters stay in their cell or their chart, badges have room.
  function pictures() {
    for (const text of document.querySelectorAll("main svg text")) {
      if (!seen(text)) continue;
      const around = text.closest("g[aria-label]")?.querySelector(".hit") ?? text.closest("svg");
      const [box, edge] = [text.getBoundingClientRect(), around.getBoundingClientRect()];
      const slack = 1 + box.height * 0.2;
      if (box.left < edge.left - 1 || box.right > edge.right + 1 || box.top < edge.top - slack || box.bottom > edge.bottom + slack) {
        fault(text.closest("svg"), "letters outside their field", text.textContent);
      }
    }
    for (const chart of document.querySelectorAll(".chart")) {
      const edge = chart.getBoundingClientRect();
      const badges = [...chart.querySelectorAll(":scope > g[transform]")].map((each) => each.getBoundingClientRect());
      const signs = [...chart.querySelectorAll(":scope > text")].map((each) => each.getBoundingClientRect());
      for (const [at, one] of badges.entries()) {
        if (one.bottom > edge.bottom + 1 || one.top < edge.top - 1 || one.right > edge.right + 1) fault(chart, "a badge outside its chart");
        for (const other of [...badges.slice(at + 1), ...signs]) {
          if (Math.min(...lap(one, other)) > 0.3 * one.height) fault(chart, "badges over each other");
        }
      }
      for (const [at, one] of signs.entries()) {
        if (one.height < 8) fault(chart, "letters too small to read");
        for (const other of signs.slice(at + 1)) if (Math.min(...lap(one, other)) > 1) fault(chart, "text over text");
      }
    }
  }

  // What can be touched can be brought to the screen, is large enough, and nothing lies over it.
  function touched() {
    for (const each of document.querySelectorAll("button,a[href],input,summary,[data-tap]")) {
      if (!seen(each)) continue;
      const cell = each.matches("[data-tap]");
      const target = cell ? each.querySelector(".hit") : each;
      const what = each.textContent || each.getAttribute("aria-label") || "";
      each.scrollIntoView({ block: "center", inline: "nearest" });
      const { left, right, top, bottom, width, height } = target.getBoundingClientRect();
      if (Math.min(width, height) < (cell ? CELL : FINGER) - 0.5) {
        fault(each, `only ${Math.round(Math.min(width, height))} pixels`, cell ? "" : what);
      }
      if (left < -1 || right > WIDE + 1 || top < -1 || bottom > HIGH + 1) {
        fault(each, "to be touched outside the screen", cell ? "" : what);
      }
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const [dx, dy] = [width / 2 - 5, height / 2 - 5];
      for (const [px, py] of [[x, y], [x - dx, y], [x + dx, y], [x, y - dy], [x, y + dy]]) {
        const top = document.elementFromPoint(px, py);
        if (!top || !(each.contains(top) || (cell && top.closest("[data-tap]")))) {
          fault(each, `covered by ${top ? called(top) : "the edge"}`, cell ? "" : what);
          break;
        }
      }
    }
    if (document.body.scrollTop || document.documentElement.scrollTop) fault(document.body, "the whole page scrolls");
    for (const each of document.querySelectorAll("*")) if (each.scrollTop) each.scrollTop = 0;
  }

  // Between two things to be touched there is a gap.
  function gaps() {
    const scrolled = (element) => element && (styleOf(element).overflowY === "auto" ? element : scrolled(element.parentElement));
    const all = [...document.querySelectorAll("main :is(button,a.button,input)")].filter(seen);
    const boxes = all.map((each) => [each, apart(each) ?? scrolled(each), each.getBoundingClientRect()]);
    for (const [at, [one, layer, box]] of boxes.entries()) {
      for (const [other, above, edge] of boxes.slice(at + 1)) {
        if (layer === above && Math.min(...lap(box, edge)) > -0.9) fault(one, `touches ${called(other)}`, one.textContent);
      }
    }
  }

  // Who looks at the table touches nothing: verdict and instruction are there without scrolling.
  function table() {
    if (document.documentElement.dataset.page !== "table" || zoomed) return;
    const main = document.querySelector("main[data-kind=board]");
    for (const each of main?.querySelectorAll("h1,.verdict,.keyed,.big,.lines p:first-child") ?? []) {
      if (each.getBoundingClientRect().bottom > HIGH + 1) fault(each, "below the screen", each.textContent);
    }
  }

  function names() {
    const all = [...document.querySelectorAll(".seat b")];
    if (new Set(all.map((each) => styleOf(each).fontSize)).size > 1) fault(all[0], "names of different sizes");
    for (const each of all) {
      if (each.getBoundingClientRect().width < 24) fault(each, "no room for a name", each.textContent);
      if (each.getClientRects().length > 1 || each.offsetHeight > 1.9 * parseFloat(styleOf(each).fontSize)) {
        fault(each, "a name on two lines", each.textContent);
      }
    }
  }

  for (const each of document.querySelectorAll("*")) if (each.scrollTop) each.scrollTop = 0;
  texts();
  pictures();
  names();
  table();
  gaps();
  touched();
  return [...found];
}
