// Sound and vibration, where the browser has them.

/** Notes [hertz, from, to] in seconds, and how a phone shakes, in milliseconds.
 * @type {Record<string, [notes: [hertz: number, from: number, to: number][], shake: number | number[]]>} */
const SIGNALS = {
  tick: [[[1400, 0, 0.02]], 12],
  ok: [[[660, 0, 0.08], [880, 0.09, 0.2]], 30],
  again: [[[660, 0, 0.08], [660, 0.12, 0.2], [880, 0.24, 0.34]], [30, 40, 30]],
  row: [[[659, 0, 0.1], [784, 0.11, 0.2], [988, 0.21, 0.4]], [40, 40, 80]],
  turn: [[[990, 0, 0.06]], 20],
  bad: [[[220, 0, 0.12], [180, 0.14, 0.3]], [50, 40, 50]],
  win: [[[523, 0, 0.12], [659, 0.13, 0.25], [784, 0.26, 0.38], [1047, 0.39, 0.8]], [80, 60, 80, 60, 200]],
};

/** @type {AudioContext | null} */
let sound = null;

/** Vibrate, and sound unless muted.
 * @param {string} name
 * @param {boolean} muted */
export function feel(name, muted) {
  // A browser lets a page sound and shake only once somebody has touched it.
  if (!SIGNALS[name] || !(navigator.userActivation?.hasBeenActive ?? true)) return;
  const [notes, shake] = SIGNALS[name];
  navigator.vibrate?.(shake);
  if (muted || !window.AudioContext) return;
  sound ??= new AudioContext();
  sound.resume();
  for (const [hertz, from, to] of notes) {
    const tone = new OscillatorNode(sound, { type: "triangle", frequency: hertz });
    const loud = new GainNode(sound, { gain: 0.12 });
    // The tone fades away before it stops: an abrupt end would click.
    loud.gain.setTargetAtTime(0, sound.currentTime + to, 0.02);
    tone.connect(loud).connect(sound.destination);
    tone.start(sound.currentTime + from);
    tone.stop(sound.currentTime + to + 0.1);
  }
}
