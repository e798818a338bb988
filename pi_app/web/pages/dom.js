// Elements are made anew for every frame; what is there already is only changed where it
// differs, so that focus, scrolling and what a screen reader has said stay.

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = new Set(["svg", "g", "path", "rect", "circle", "text", "line", "polyline", "title"]);

// A suit is a letter here, never a coloured picture of the phone's own.
const plain = (text) => String(text).replace(/[♠♥♦♣]/g, "$&\uFE0E");

/** Return an element. Attributes that are null, undefined or false are left out; texts are
 * texts, whatever is in them. */
export function h(name, attributes = {}, ...children) {
  const element = SHAPES.has(name)
    ? document.createElementNS(SVG, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : plain(child));
  }
  return element;
}

/** Make `old` look like `next`, keeping every element that is of the same kind. */
export function morph(old, next) {
  if (old.nodeName !== next.nodeName || old.id !== next.id) {
    old.replaceWith(next);
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== next.data) old.data = next.data;
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
  wanted.forEach((child, at) => (there[at] ? morph(there[at], child) : old.append(child)));
  for (const rest of there.slice(wanted.length)) rest.remove();
}

/** Make these the children of an element. */
export function fill(element, ...children) {
  const next = element.cloneNode(false);
  next.append(...children.flat(9).filter((child) => child instanceof Node));
  morph(element, next);
}
