// Made from grandtour.protocol.messages, grandtour.protocol.draws, grandtour.server.http.requests, grandtour.server.tables.records by `make types`: do not edit.

export type Incoming =
  | Hello
  | Move
  | Undo
  | Bot
  | Free
  | Concede
  | Start
  | Consult
  | Say
  | Pause
  | Rematch
  | Hint
  | AskSeat
  | Admit
  | Look
  | Visible
  | BotPause
  | JoinRoom
  | Show
  | Ping;

export interface Hello {
  type: 'hello';
  secret: string | null;
  last: number;
  /** The secret of the device's passport, for the seat that the passport has at this table. */
  passport?: string | null;
  /** What a spectator without a passport is called. */
  name?: string;
}

export interface Move {
  type: 'move';
  id: string;
  at: number;
  move: unknown;
}

export interface Undo {
  type: 'undo';
  id: string;
  at: number;
}

export interface Bot {
  type: 'bot';
  id: string;
  seat: number;
  bot: string | null;
}

export interface Free {
  type: 'free';
  id: string;
  seat: number;
}

export interface Concede {
  type: 'concede';
  id: string;
}

export interface Start {
  type: 'start';
  id: string;
}

export interface Consult {
  type: 'consult';
  id: string;
}

export interface Say {
  type: 'say';
  id: string;
  text: string;
}

export interface Pause {
  type: 'pause';
  id: string;
  /** Whether to ask for a pause, or to go on. */
  on: boolean;
}

export interface Rematch {
  type: 'rematch';
  id: string;
  /** Another game for the same people; null plays the same one again, with the same options. */
  game?: string | null;
}

export interface Hint {
  type: 'hint';
  id: string;
}

export interface AskSeat {
  type: 'ask-seat';
  id: string;
  name?: string;
}

export interface Admit {
  type: 'admit';
  id: string;
  ask: number;
  /** The seat to give; null for none. */
  seat: number | null;
}

export interface Look {
  type: 'look';
}

export interface Visible {
  type: 'visible';
  /** Whether somebody can see the page: to those who can, no notice is sent. */
  on: boolean;
}

export interface BotPause {
  type: 'bot-pause';
  /** Whether bots pause before each move, so that people can follow. */
  on: boolean;
}

export interface JoinRoom {
  type: 'room';
  id: string;
  room: string;
  /** Whether to take the lead. */
  lead?: boolean;
}

export interface Show {
  type: 'show';
  step: number;
  /** A seat, a spectator ("none"), or a spectator who sees all hands ("all"). */
  viewer: string;
}

export interface Ping {
  type: 'ping';
}

export type Asked = Move | Undo | Bot | Free | Concede | Start | Consult | Say | Pause | Rematch;

export type Outgoing =
  | Welcome
  | StartEvent
  | MoveEvent
  | UndoEvent
  | SeatEvent
  | SayEvent
  | OverEvent
  | RematchEvent
  | ClockEvent
  | Now
  | Change
  | Ack
  | Hinted
  | Asking
  | Admitted
  | Spectators
  | GalleryMessage
  | RoomMessage
  | Refused
  | TableMessage
  | Notice
  | Pong;

export interface Welcome {
  type: 'welcome';
  table: Table;
  seat: number | null;
  last: number;
}

export interface Table {
  table: string;
  game: string;
  title: string;
  seats: Seat[];
  state: Phase;
  made: string;
  /** The players' clocks; null if there are none. */
  time: TimeControl | null;
  options: Record<string, Scalar>;
  public: boolean;
  host: number | null;
  seal: string | null;
  result: number[] | null;
  /** Whether those who play here may ask for hints. */
  hints: boolean;
  /** Seconds after which a bot moves for someone who is away while others wait; 0 is never. */
  patience: number;
  /** A guided first game, whose deal is known: it is never public. */
  guided: boolean;
  branch: Branch | null;
  /** Whether the match counts for ratings. */
  rated: boolean;
  /** Whether the host decides who takes over from a bot during the match. */
  ask: boolean;
  /** A quick match, whose free seats are for anyone, and after a moment for bots. */
  quick: boolean;
  /** The day whose deal this is. */
  daily: string | null;
}

export interface Seat {
  seat: number;
  name: string;
  kind: 'open' | 'person' | 'bot';
  bot: string | null;
  here: boolean;
  /** Seconds since a person's last connection ended. */
  away: number | null;
  /** The person has given up this match, and a bot plays it to the end. */
  conceded: boolean;
}

export type Phase = 'waiting' | 'playing' | 'over';

/** How much time people have: for the whole match, with some added after each turn, or for each move. */
export interface TimeControl {
  kind: 'match' | 'move';
  seconds: number;
  added?: number;
}

export type Scalar = string | number | boolean;

/**
 * A match that is played on from a moment of a finished one: which table, which step of its replay, and the
 * branch's name.
 */
export interface Branch {
  table: string;
  step: number;
  name: string;
}

export interface StartEvent {
  type: 'event';
  n: number;
  events: GameEvent[];
  text: string[];
  seal: string;
  kind: 'start';
}

/** What happened, as this client may see it: `{"event": "took", "seat": 1, …}`. */
export type GameEvent = { event: string; [more: string]: unknown };

export interface MoveEvent {
  type: 'event';
  n: number;
  seat: number;
  by: By;
  events: GameEvent[];
  text: string[];
  /** Only for the seat that made it. */
  move?: NamedMove;
  kind: 'move';
}

/**
 * Who made a move. A stand-in is a bot that moved for a person who was away while the others waited. The clock moves
 * for itself, and for a person whose time has run out.
 */
export type By = 'person' | 'bot' | 'clock' | 'stand-in';

/** A move as people name it: `{"do": "take", "pile": "Milano"}`. */
export type NamedMove = { do: string; [more: string]: unknown };

export interface UndoEvent {
  type: 'event';
  n: number;
  seat: number;
  back: number;
  text: string[];
  kind: 'undo';
}

export interface SeatEvent {
  type: 'event';
  n: number;
  seat: number;
  text: string[];
  kind: 'seat';
}

export interface SayEvent {
  type: 'event';
  n: number;
  seat: number;
  text: string;
  kind: 'say';
}

export interface OverEvent {
  type: 'event';
  n: number;
  result: number[];
  secret: string;
  text: string[];
  kind: 'over';
}

export interface RematchEvent {
  type: 'event';
  n: number;
  seat: number;
  /** The table where the same people play on. */
  table: string;
  game: string;
  text: string[];
  kind: 'rematch';
}

export interface ClockEvent {
  type: 'event';
  n: number;
  /** Who asked for a pause or ended it; null if the server was down, which nobody's time is charged for. */
  seat: number | null;
  text: string[];
  kind: 'clock';
}

export interface Now {
  type: 'now';
  n: number;
  view: View | null;
  legal: LegalMove[];
  prompt: Prompt;
  waiting: number[];
  undo: boolean;
  result: number[] | null;
  final: Final[] | null;
  clock: Clock | null;
  times: Times | null;
}

/** What a seat may see. Its shape is the game's own: `view_types.py` in the game's folder. */
export type View = Record<string, unknown>;

export interface LegalMove {
  move: NamedMove;
  text: string;
}

export interface Prompt {
  text: string;
  rules: string[];
}

export interface Final {
  seat: number;
  /** Null where no number decided: then there is an outcome in words. */
  score: number | null;
  won: boolean;
  lines: FinalLine[];
  outcome: string | null;
}

export interface FinalLine {
  label: string;
  value: Scalar;
}

/** The clock: what runs out, the seconds it was set to, and the seconds left when this was sent. */
export type Clock = { of: string; seconds: number; left: number; [more: string]: unknown };

/** The players' clocks when this was sent. */
export interface Times {
  /** Seconds left for each seat; empty if the players have no clocks of their own. */
  left: number[];
  /** The seats whose clocks run, unless they are paused. */
  running: number[];
  paused: boolean;
  /** The seats that would like to pause. */
  wishes: number[];
}

/**
 * The differences between the position after event `n` and the one after event `base`. What is left out has not
 * changed.
 */
export interface Change {
  type: 'change';
  n: number;
  base: number;
  view?: Patch;
  /** A number is the index of a move in the last list before this one that was not empty. */
  legal?: (number | LegalMove)[];
  prompt?: Prompt;
  waiting?: number[];
  undo?: boolean;
  result?: number[] | null;
  final?: Final[] | null;
  clock?: Clock | null;
  times?: Times | null;
}

/** Edits of a view: `grandtour.protocol.changes`. */
export type Patch = unknown[][];

export interface Ack {
  type: 'ack';
  id: string;
  n: number;
}

export interface Hinted {
  type: 'hint';
  id: string;
  n: number;
  /** Whether these are the choices of the game's own bot. */
  own: boolean;
  /** How often the bot looked ahead. */
  looked: number;
  moves: HintedMove[];
}

export interface HintedMove {
  move: NamedMove;
  text: string;
  /** A sentence on why, or "" if the game has none. */
  why: string;
  share: number;
  cost: number | null;
}

/** For the host: the spectators who would like a seat. */
export interface Asking {
  type: 'asking';
  people: Asker[];
}

export interface Asker {
  ask: number;
  name: string;
}

/** The host's answer to a spectator; seat and secret are null if it is no. */
export interface Admitted {
  type: 'admitted';
  seat: number | null;
  secret: string | null;
  text: string;
}

/** How many watch, and the names of those who have one. */
export interface Spectators {
  type: 'spectators';
  count: number;
  names: string[];
}

/** What spectators said; for players only once the match is over. */
export interface GalleryMessage {
  type: 'gallery';
  lines: GalleryLine[];
}

export interface GalleryLine {
  n: number;
  name: string;
  text: string;
}

/** Who watches a finished match together, and what the leader looks at. */
export interface RoomMessage {
  type: 'room';
  count: number;
  names: string[];
  leader: string;
  /** Whether it is this client. */
  leading: boolean;
  step: number;
  viewer: string;
}

export interface Refused {
  type: 'refused';
  id: string | null;
  code: string;
  rule: string | null;
  reason: string;
}

export interface TableMessage {
  type: 'table';
  table: Table;
}

export interface Notice {
  type: 'notice';
  reason: string | null;
}

export interface Pong {
  type: 'pong';
}

export type EventMessage =
  | StartEvent
  | MoveEvent
  | UndoEvent
  | SeatEvent
  | SayEvent
  | OverEvent
  | RematchEvent
  | ClockEvent;

/** Seats that may not talk just now, and why: what a view may have as `silent`. */
export interface Silence {
  seats: number[];
  rule: string | null;
  reason: string;
}

export interface GameInfo {
  name: string;
  title: string;
  subtitle: string;
  summary: string;
  players: [number, number];
  minutes: number;
  version: number;
  options: OptionInfo[];
  /** The strengths, weakest first. */
  bots: BotInfo[];
  /** Whether there is a guided first game. */
  guided: boolean;
}

export interface OptionInfo {
  name: string;
  label: string;
  help: string;
  default: Scalar;
  /** What to suggest to one person who plays with bots. */
  alone: Scalar;
  choices: Scalar[];
}

export interface BotInfo {
  name: string;
  label: string;
}

export interface Rulebook {
  title: string;
  /** The game in a few lines, as HTML. */
  short: string;
  sections: Section[];
}

export interface Section {
  title: string;
  paragraphs: Paragraph[];
}

export interface Paragraph {
  id: string;
  ruling: boolean;
  html: string;
}

/** A guided first game: who plays, how it is dealt, and what the player is told. */
export interface Guide {
  /** Any words; the dice of the match are made from them. */
  deal: string;
  players: number;
  bots: string;
  notes: Note[];
  options?: Record<string, Scalar>;
}

/** A short note of a guided game. Notes come in order; one whose moment does not come is skipped. */
export interface Note {
  text: string;
  /** What it points at: names of anchors on the page. */
  at: string[];
  /** Part of a move: the note is for when such a move is legal. Without it, it follows the note before. */
  when?: Json | null;
  /** Part of a move: the note stays until the player has made such a move. Without it, until it has been read. */
  until?: Json | null;
}

export type Json = Record<string, unknown>;

/** A table as the lobby lists it. */
export interface Card {
  table: string;
  game: string;
  title: string;
  seats: Seat[];
  state: Phase;
  made: string;
  /** The players' clocks; null if there are none. */
  time: TimeControl | null;
}

export interface OpenedTable {
  table: string;
  seat: number | null;
  secret: string | null;
}

export interface WantedTable {
  game: string;
  seats: WantedSeat[];
  options?: Json;
  public?: boolean;
  hints?: boolean;
  patience?: number;
  /** A guided first game: one seat, yours; the guide says who else plays, by which options and how it is dealt. */
  guided?: boolean;
  /** Whether the match counts for ratings. There are no hints then, and no move is taken back. */
  rated?: boolean;
  /** Whether the host decides who takes over from a bot during the match. */
  ask?: boolean;
  /** The secret of the device's passport, if it has one: the seat is then the passport's, too. */
  passport?: string | null;
  /** The players' clocks. With them, `patience` does not matter: the clock decides when a bot moves for someone. */
  time?: TimeControl | null;
}

export interface WantedSeat {
  kind: 'me' | 'open' | 'bot';
  name?: string;
  bot?: string | null;
}

export interface Place {
  seat: number;
  secret: string;
}

export interface WantedPlace {
  name?: string;
  seat?: number | null;
  secret?: string | null;
  passport?: string | null;
  /** A random text that only the client knows: sent again with the same one, a request gets the same seat. */
  id?: string | null;
}

export interface Replay {
  game: string;
  options: Record<string, Scalar>;
  names: string[];
  seal: string | null;
  result: number[] | null;
  final: Final[] | null;
  steps: ReplayStep[];
}

export interface ReplayStep {
  n: number;
  seat: number | null;
  move: NamedMove | null;
  events: GameEvent[];
  text: string[];
  view: View;
  prompt: Prompt;
  /** Only where all hands are open. */
  hands?: OpenHand[];
  /** What was chosen, or that something was, where no event says what happened. */
  note?: string;
}

/** What a seat could see and spectators could not. */
export interface OpenHand {
  seat: number;
  parts: HandPart[];
}

/** Some lines about what only one seat could see. */
export interface HandPart {
  title: string;
  lines: string[];
}

export interface OpenedBranch {
  table: string;
  seat: number | null;
  secret: string | null;
  /** The secrets of all seats, if the player has all of them; otherwise empty. */
  secrets: string[];
}

export interface WantedBranch {
  /** The step of the replay from which it is played on. */
  step: number;
  seat: number;
  /** Who plays the other seats. */
  bot?: string | null;
  name?: string;
  /** Whether there are no bots: the player has all seats. */
  alone?: boolean;
  passport?: string | null;
}

/** The secret of a match's dice, and every step in which something was drawn, in order. */
export interface DrawnDice {
  secret: string;
  steps: DiceStep[];
}

/** What was drawn in one step of the replay. */
export interface DiceStep {
  n: number;
  draws: (Drawn | Shuffled)[];
}

/** One number from 0 to `below` - 1. */
export interface Drawn {
  kind: 'number';
  below: number;
  value: number;
}

/** Cards, by their numbers, in the order before and after a shuffle. */
export interface Shuffled {
  kind: 'shuffle';
  before: number[];
  after: number[];
}

/** The turning points of a seat in a finished match; `done` of `of` decisions have been reviewed so far. */
export interface Moments {
  seat: number;
  done: number;
  of: number;
  over: boolean;
  moments: Moment[];
}

export interface Moment {
  /** The step of the replay in which the move was made. */
  n: number;
  played: string;
  better: string;
  /** How much of a win the move gave away, from 0 to 1. */
  cost: number;
}

/** The chances over a finished match; `done` of `of` positions have been looked at so far. */
export interface Curve {
  done: number;
  of: number;
  over: boolean;
  points: CurvePoint[];
  /** The steps at which the chances changed most. */
  turns: number[];
}

export interface CurvePoint {
  /** The step of the replay. */
  n: number;
  /** The chance of each seat to win, from 0 to 1; in a team game, one number for the team. */
  chances: number[];
}

/** What a player wrote about a moment of their match. */
export interface ReplayNote {
  step: number;
  seat: number;
  name: string;
  text: string;
}

export interface WrittenNote {
  passport: string;
  /** The step of the replay. */
  step: number;
  /** Empty to delete it. */
  text: string;
}

/** What somebody has played, and with whom. */
export interface Profile {
  id: string;
  name: string;
  picture: Picture;
  public: boolean;
  since: string;
  games: PlayedGame[];
  /** The most frequent first; in public, those whose own profile is public. */
  opponents: Opponent[];
}

/** The pictures that a passport can have, by their names in the icon set. */
export type Picture =
  | 'compass'
  | 'luggage'
  | 'locomotive'
  | 'sailboat'
  | 'airplane'
  | 'bicycle'
  | 'camping'
  | 'camera'
  | 'fox'
  | 'owl'
  | 'cat-face'
  | 'panda'
  | 'penguin'
  | 'koala'
  | 'frog'
  | 'octopus'
  | 'parrot'
  | 'turtle'
  | 'hedgehog'
  | 'flamingo';

/** What somebody has played of a game. */
export interface PlayedGame {
  game: string;
  title: string;
  played: number;
  /** Null where everyone plays together. */
  won: number | null;
  rating: Rated | null;
  /** What they had in their last match, and usually have, with as many players as mostly. */
  counts: Count[];
}

/** A rating (openskill), and the bot that plays like it: "easy +"; null where no bot was measured. */
export interface Rated {
  mu: number;
  sigma: number;
  games: number;
  like: string | null;
}

/** How many things of a kind somebody had in a match, and usually has; null where it is not known. */
export interface Count {
  kind: string;
  mine: number;
  /** The mean of one's own earlier matches of this game with as many players. */
  usual: number | null;
  /** What bots have on average, by strength. */
  bots: Record<string, number>;
}

/** Somebody played with. */
export interface Opponent {
  /** Null if their profile is private. */
  id: string | null;
  name: string;
  picture: Picture;
  games: number;
  /** In how many they did better. */
  ahead: number;
}

export interface ShownPassport {
  /** The secret of the device. */
  passport: string;
}

export interface WantedDaily {
  passport: string;
}

/** The deal of a day of one game, and how people did. */
export interface DailyDeal {
  game: string;
  title: string;
  day: string;
  /** One's own table, if it is not over. */
  running: string | null;
  people: number;
  mine: DailyResult | null;
  /** What a normal bot makes of it; null until that is known. */
  par: DailyResult | null;
  /** The best. */
  results: DailyResult[];
}

/** How somebody did with a deal of the day. */
export interface DailyResult {
  name: string;
  /** Among all people; 0 for the bots. */
  rank: number;
  /** At their own table. */
  place: number;
  score: number | null;
  /** Their share of the win. */
  share: number;
  /** The finished match; null while the day lasts, for others than oneself. */
  table: string | null;
  mine: boolean;
}

export interface WantedDay {
  passport?: string | null;
  /** The day, by UTC; null for today. */
  day?: string | null;
}

/** Which notices somebody gets, and where. */
export interface NoticeSettings {
  on: boolean;
  webhook: string;
  /** The key with which a browser subscribes; null if this server cannot send to browsers. */
  key: string | null;
  /** Whether this device takes notices. */
  here: boolean;
  /** How many devices do. */
  devices: number;
}

/** What is left out stays. */
export interface WantedNotices {
  passport: string;
  on?: boolean;
  /** An address to which notices are sent as JSON; empty for none. */
  webhook?: string;
  /** This browser takes notices, or does not any more (null). */
  push?: PushKeys | null;
}

/** How a browser takes notices, as `PushSubscription` has it. */
export interface PushKeys {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface WantedQuick {
  name?: string;
  passport?: string | null;
}

export interface NewPassport {
  /** The device's own; it is told once. */
  secret: string;
  me: Me;
}

/** A passport as its holder sees it. */
export interface Me {
  id: string;
  name: string;
  picture: Picture;
  public: boolean;
  devices: DeviceInfo[];
}

export interface DeviceInfo {
  id: string;
  name: string;
  made: string;
  seen: string;
  /** Whether it is the one that asks. */
  this: boolean;
}

export interface WantedPassport {
  name?: string;
  picture?: Picture;
  /** What to call the device in the list of devices. */
  device?: string;
}

export interface ChangedPassport {
  passport: string;
  name?: string | null;
  picture?: Picture | null;
  /** Whether everyone may see the profile. */
  public?: boolean | null;
}

export interface DeviceLink {
  code: string;
  /** How long it is good, for one device. */
  seconds: number;
}

export interface UsedLink {
  code: string;
  device?: string;
}

export interface NamedDevice {
  passport: string;
  device: string;
}

/** What was removed with a passport. */
export interface Forgotten {
  tables: number;
  lines: number;
}

/** Somebody with whom the holder of a passport has played, and how often. */
export interface Companion {
  id: string;
  name: string;
  picture: Picture;
  games: number;
}

export interface Invited {
  name: string;
}

export interface InvitedPerson {
  passport: string;
  /** The id of somebody's passport with whom the inviter has played. */
  to: string;
}

/** What one's own seat did in a finished match. */
export interface MatchReport {
  seat: number;
  rated: boolean;
  /** The rating before and after it; null if it was not rated. */
  before: Rated | null;
  after: Rated | null;
  counts: Count[];
  /** The bot that one plays like, going by this match alone; null if no measured bot took part. */
  like: string | null;
}

export interface MyGames {
  /** Those where it is one's turn first. */
  running: MyTable[];
  invitations: Invitation[];
  finished: MyTable[];
}

/** A table at which the passport has a seat. */
export interface MyTable {
  table: Card;
  seat: number;
  /** Whether the game waits for this seat. */
  turn: boolean;
  /** The seconds left on this seat's clock while it runs. */
  left: number | null;
  result: number[] | null;
  /** Whether the match is still stored. */
  replay: boolean;
  /** When the seat was taken or, of a finished match, when it ended. */
  when: string;
}

/** A table where somebody would like to see the holder of the passport. */
export interface Invitation {
  table: Card;
  by: string;
  when: string;
}

export interface Health {
  ok: boolean;
  tables: number;
  sockets: number;
}

export interface Ready {
  ok: boolean;
}

export interface RefusalBody {
  code: string;
  rule: string | null;
  reason: string;
}
