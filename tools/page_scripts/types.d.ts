// The companion's messages to the pages, for checking their scripts; docs/remote.md describes them.

type Tone = Frame["tone"] | "open";
type Mark = Cell["marks"][number];
/** A mark on a page; on a player's own one, a field may be offered, too. */
type Shown = Mark | "offered";
type Link = "wait" | "live" | "away" | "off" | "ends" | "lost";

/** A frame has its own fields, from frame.d.ts, and what the companion adds. */
interface Frame {
  game: string | null;
  secret: boolean;
  news: number;
  /** A number that grows with each input. */
  keyed: number;
}

interface Hello {
  epoch: string;
  language: string;
  theme: string;
  /** Whether the board page shows how to join. */
  invites: boolean;
  /** Whether the first start shows the code for the first phone. */
  first: boolean;
  /** How many phones the shown code has let in; null without a code. */
  joined: number | null;
  /** The addresses that phones open, the surest first. */
  urls: string[];
  /** Whether the table has a Wi-Fi that phones may manage. */
  wifi: boolean;
  paired: boolean;
  name: string;
}

/** The table as a page knows it. */
interface Live {
  link: Link;
  hello: Hello | null;
  frame: Frame | null;
  n: number;
}

/** What a page sends: a key, a tap on the board, or a move of a hand. */
interface Sent {
  key?: string;
  tap?: string;
  text?: string;
  move?: string;
  seat?: number | null;
  cards?: string;
  over?: number;
  /** The run of the companion, and the number of what the page showed when it was touched. */
  epoch?: string;
  seen?: number;
}

interface Waiting {
  n: number;
  at: number;
  epoch: string;
  path: string;
  body: Sent;
}

interface Row {
  waiting: Waiting[];
  said: string;
}

/** A place of the page. */
interface Place {
  /** Whether it is for paired phones alone, and shown only with a frame. */
  paired?: boolean;
  /** Return the content of `main`. */
  view(): Child;
  /** It was drawn. */
  drawn?(): void;
  /** The address has led here, perhaps from here. */
  opened?(): void;
  left?(): void;
  /** Something of the table has changed; it is drawn afterwards, unless this is false. */
  changed?(): unknown;
  /** The row of what is on its way has changed; `refused` says why something was not done. */
  answered?(waiting: Waiting[], refused: string): void;
  /** The handlers of events in `main`, and of keys. */
  on?: Record<string, (event: any) => void>;
}

/** An answer to a page's request; the asking code knows its fields. */
interface Answer {
  status: number;
  body: any;
}

/** A seat for people who may take it. */
interface OwnSeat {
  seat: number;
  name: string;
  colour: string;
  letter: string;
  score: string;
  mine: boolean;
  claimed: boolean;
  /** How many cards it holds; null where it needs none. */
  holds: number | null;
  to_move: boolean;
  /** Its player's view; null for others. */
  place: View | null;
}

/** A game that may be begun, with those who played it last. */
interface OfferedGame {
  game: string;
  name: string;
  counts: number[];
  players: string[];
}

interface Offered {
  /** The games that wait in words, by their numbers. */
  waiting: Record<string, string>;
  games: OfferedGame[];
  /** The colours of the requested people. */
  worn: Record<string, string>;
  /** Everybody who is known. */
  people: string[];
}

/** The code for more phones, valid for so many seconds. */
interface Invitation {
  code: string;
  left_s: number;
  urls: string[];
}

interface Laid {
  n: number;
  token: string;
  cards: string[];
}

interface View {
  game: number;
  help: "none" | "sums" | "legal" | "tips";
  hold: string;
  moves: number;
  laid: Laid[];
  edits: number;
  last: string;
  told: string[];
  doubts: string[];
  undo: string;
  result: string[];
  picture: Picture;
}

interface Option {
  token: string;
  text: string;
  why?: string;
  legal?: boolean | null;
  cell?: string;
  uses?: (string | number)[];
  then?: string;
}

/** What the companion says about a hand. */
interface Found {
  position?: number;
  options: Option[];
  turn?: boolean;
  text?: string;
  tips?: boolean;
}

interface Tip {
  token: string;
  text: string;
  chance: number;
  reasons: string[];
}

/** The cards of one seat, and its earlier hands by moves. */
interface Held {
  cards: string[];
  seen: Laid[] | null;
  past: Record<number, string[]>;
  /** How often earlier moves had been changed. */
  edits: number;
  /** Whether the hand was once complete. */
  whole: boolean;
}

/** A tab's stored facts about its seats. */
interface Hands {
  game: string | null;
  id: number;
  seat: number | null;
  name: string;
  hands: Record<number, Held>;
}

interface Report {
  title: string;
  lines: string[];
  curves: Curve[];
}

interface PlayedGame {
  id: string;
  game: string;
  day: string;
  players: string;
  over?: boolean;
  result: string;
  lines: string[];
  curves: Curve[];
  course: Report | null;
}

interface Listing {
  games: PlayedGame[];
  statistics?: string;
}

/** The statistics of each kind of game. */
interface Statistics {
  title: string;
  text?: string;
  reports: Report[];
}

/** The players who have moments, or one player's, with the first question. */
interface MomentPlayers {
  title: string;
  text: string;
  players: { name: string; waiting: number }[];
}

interface PlayersMoments {
  players?: undefined;
  title: string;
  text: string;
  working: boolean;
  question: MomentQuestion | null;
}

interface MomentQuestion {
  game: number;
  move: number;
  asked: number;
  lines: string[];
  picture: Picture;
  seats: Seat[];
  options: { token: string; text: string; cell: string; why: string }[];
}

/** The verdict on an answer. */
interface Judged {
  right: boolean;
  text: string;
  lines: string[];
  picture: Picture;
  seats: Seat[];
}

/** A corner and a size, in the units of an SVG. */
type Box = [x: number, y: number, width: number, height: number];
type Point = [x: number, y: number];
type Leaf = Node | string | number | boolean | null | undefined;
type Child = Leaf | readonly Child[];
type Attributes = Record<string, string | number | boolean | null | undefined>;

/** A Wi-Fi network in reach; `other` cannot be joined here. */
interface Network {
  name: string;
  signal: number;
  kind: "open" | "wpa-psk" | "sae" | "other";
}

interface Wifi {
  link: "none" | "joining" | "joined" | "starting" | "own";
  name: string;
  own: string;
  asked: string;
  where: string;
  why: string;
  known: string[];
  networks: Network[];
}

/** A table of a round: `ranks` are in the order of the seats, null while nobody has won. */
interface Group {
  number: number;
  table: string | null;
  game: string;
  seats: string[];
  teams: number[];
  ranks: number[] | null;
  report: { p: string; ranks: Record<string, number> } | null;
  keyed: { act: number; p?: string; confirmed?: string } | null;
}

/** People who play together in a group; `rank` is null while nobody has won. */
interface Side {
  people: string[];
  seats: number[];
  rank: number | null;
  words: string;
}

interface PairedRound {
  n: number;
  tables: Group[];
  byes: string[];
}

/** Best first; people whom only the lot separates share a rank. */
type Standing = [p: string, points: number, wins: number, games: number, decided: string, rank: number];

/** The facts for the hall's pages. */
interface Hall {
  club: string;
  evening: string | null;
  title: string;
  day: string;
  mode: string | null;
  games: string[];
  planned: number;
  closed: boolean;
  names: Record<string, string>;
  here: string[];
  standings: Standing[];
  round: PairedRound | null;
  ends: number | null;
}

/** All rounds of an evening, the other evenings, and the season. */
interface Lists extends Hall {
  rounds: PairedRound[];
  evenings: { id: string; title: string; day: string }[];
  season: {
    since: string;
    best: number;
    evenings: number;
    lines: { p: string; name: string; points: number; evenings: number; rank: number }[];
  };
}
