// Made from pi_app/view/frame.py: pytest --golden write test_frame_types.py

interface Alert {
  text: string;
  tone: "plain" | "good" | "bad" | "doubt" | "win";
}

interface Cell {
  name: string;
  text: string;
  shade: number;
  tokens: Token[];
  marks: ("legal" | "blocked" | "selected" | "last" | "row" | "secured")[];
  note: string;
  large: boolean;
}

interface Curve {
  name: string;
  colour: string;
  points: number[];
  unit: string;
  spreads: number[];
  turns: number[];
}

interface Entry {
  text: string;
  verdict: string;
  tone: "plain" | "good" | "bad" | "doubt" | "win";
  result: string;
  aloud: string;
}

interface ListRow {
  digit: string;
  text: string;
  sentence: string;
  greyed: boolean;
  undoes: boolean;
}

interface Picture {
  kind: "grid" | "track" | "cards" | "table";
  columns: number;
  cells: Cell[];
  strokes: Stroke[];
  turned: number;
  lines: string[][];
}

interface Played {
  name: string;
  text: string;
}

interface Seat {
  name: string;
  colour: string;
  letter: string;
  score: string;
  note: string;
  to_move: boolean;
  winner: boolean;
}

interface SoftKey {
  key: string;
  label: string;
  scrolls: boolean;
  spare: boolean;
  sign: string;
}

interface Stroke {
  colour: string;
  cells: string[];
}

interface Token {
  colour: string;
  text: string;
  count: number;
  side: number | null;
  letter: string;
}

interface Frame {
  alert: Alert | null;
  title: string;
  colour: string | null;
  corner: string;
  score: string;
  big: string;
  tone: "plain" | "good" | "bad" | "doubt" | "win";
  lines: string[];
  top: number;
  entry: Entry | null;
  choices: { items: ListRow[]; selected: number; numbered: boolean } | null;
  counts: number;
  picture: Picture | null;
  close_up: boolean;
  curves: Curve[];
  code: string[];
  details: string[];
  moves: Played[];
  seats: Seat[];
  soft: SoftKey[];
  dice: number[];
  star: number;
  typing: boolean;
  lettered: boolean;
  exact: boolean;
}
