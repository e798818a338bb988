// What the browser keeps for us; where it keeps nothing, it lasts as long as the page.

const here = {};

export function recall(store, name) {
  try {
    return JSON.parse(window[store].getItem(name)) ?? here[name];
  } catch {
    return here[name];
  }
}

export function keep(store, name, value) {
  try {
    window[store].setItem(name, JSON.stringify(value));
  } catch {
    here[name] = value;
  }
}
