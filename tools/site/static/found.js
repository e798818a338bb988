/* After a search: show the first place that was found, not the top of a long page. */
"use strict";
// once the pictures have their places
window.addEventListener("load", () => {
  // the generator's script marks what was found 10 ms after the page was read
  window.setTimeout(() => {
    const found = document.querySelector("article .highlighted");
    if (found && !window.location.hash) {
      found.scrollIntoView({ block: "center" });
    }
  }, 20);
});
