// Elements are made again for every frame; existing ones are only changed where they differ, so
// that focus, scrolling and a screen reader's place stay.

const SVG = "http://www.w3.org/2000/svg";
/** The elements that belong to SVG. */
const SHAPES = new Set(["svg", "g", "path", "rect", "circle", "text", "line", "polyline", "title"]);

// A suit is a letter here, never a coloured picture of the phone's own.
/** @param {string | number | true} text */
const plain = (text) => String(text).replace(/[♠♥♦♣]/g, "$&\uFE0E");

/** Return an element. Attributes that are null, undefined or false are left out; texts are
 * texts, whatever is in them.
 * @param {string} name
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {Element} */
export function h(name, attributes = {}, ...children) {
  const element = SHAPES.has(name)
    ? document.createElementNS(SVG, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of /** @type {Leaf[]} */ (children.flat(9))) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : plain(child));
  }
  return element;
}

/** Make `old` look like `next`, keeping every element that is of the same kind.
 * @param {ChildNode} old
 * @param {ChildNode} next */
function morph(old, next) {
  const elements = old instanceof Element && next instanceof Element;
  if (old.nodeName !== next.nodeName || (elements && old.id !== next.id)) {
    old.replaceWith(next);
    return;
  }
  if (!elements) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!next.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const wanted = [...next.childNodes];
  const there = [...old.childNodes];
  for (const [at, child] of wanted.entries()) {
    if (there[at]) morph(there[at], child);
    else old.append(child);
  }
  for (const rest of there.slice(wanted.length)) rest.remove();
}

/** Make these the children of an element.
 * @param {Element} element
 * @param {Child[]} children */
export function fill(element, ...children) {
  const next = /** @type {Element} */ (element.cloneNode(false));
  const leaves = /** @type {Leaf[]} */ (children.flat(9));
  next.append(...leaves.filter((child) => child instanceof Node));
  morph(element, next);
}

/** Let the page wear a theme, and the browser's own bar its ground.
 * @param {string} theme */
export function wear(theme) {
  const root = document.documentElement;
  if (root.dataset.theme === theme) return;
  root.dataset.theme = theme;
  const ground = getComputedStyle(root).getPropertyValue("--ground").trim();
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", ground);
}

/** Return a link to each page, with its name and sign; `here` is the one that is shown.
 * @param {Record<string, string>} pages
 * @param {Record<string, string>} names
 * @param {Record<string, string>} signs
 * @param {string} here */
export const ways = (pages, names, signs, here) =>
  Object.entries(pages).map(([name, href]) =>
    h(
      "a",
      { href, "aria-current": name === here && "page" },
      h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: signs[name] })),
      h("span", {}, names[name]),
    ),
  );
