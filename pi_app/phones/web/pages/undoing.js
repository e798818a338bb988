// Protects against a double tap that undoes what its first tap did: buttons that take something back
// are hidden for a second if they appear where somebody has just touched something else.

const UNDOES = "[data-undo],[data-undoes],[data-drop],[data-release],[data-over],[data-forget],[data-key=BACK],[data-key=BACK_HELD]";
const REACH = 24; // pixels around a finger's middle
const WAIT_MS = 1_000;

/** The last touch, and the undoing buttons that were already there.
 * @type {{ x: number, y: number, there: string[] } | null} */
let touched = null;
let timer = 0;
/** @type {HTMLElement[]} */
let hidden = [];

/** @param {HTMLElement} element */
const say = ({ dataset, textContent }) => JSON.stringify(dataset) + textContent;

/** Return the undoing buttons within a finger's reach.
 * @param {{ x: number, y: number }} at */
const near = ({ x, y }) =>
  [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(UNDOES))].filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return left - REACH < x && x < right + REACH && top - REACH < y && y < bottom + REACH;
  });

function hide() {
  const next = touched ? near(touched).filter((each) => !touched?.there.includes(say(each))) : [];
  for (const each of hidden) if (!next.includes(each)) each.style.visibility = "";
  for (const each of next) if (!each.style.visibility) each.style.visibility = "hidden";
  hidden = next;
}

// In the capturing phase, before anything acts on the touch; a click by a keyboard has no place and `detail` 0.
addEventListener("click", ({ clientX: x, clientY: y, detail }) => {
  if (!detail) return;
  touched = { x, y, there: near({ x, y }).map(say) };
  clearTimeout(timer);
  timer = setTimeout(() => {
    touched = null;
    hide();
  }, WAIT_MS);
}, true);
for (const kind of ["scroll", "resize"]) addEventListener(kind, hide, true);
new MutationObserver(hide).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
