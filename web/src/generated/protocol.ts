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
  /** The name of a spectator who has no passport. */
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
  /** True asks for a pause; false ends it, or withdraws the request. */
  on: boolean;
}

export interface Rematch {
  type: 'rematch';
  id: string;
  /** Another game for the same people; null means the same game with the same options. */
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
  /** The seat that the spectator gets; null declines the request. */
  seat: number | null;
}

export interface Look {
  type: 'look';
}

export interface Visible {
  type: 'visible';
  /** Whether the page is visible. People who can see the page get no notices about this table. */
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
  /** Whether this client becomes the leader. */
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

/** The messages to which the server responds with `ack` or `refused`. */
export type Acknowledged = Move | Undo | Bot | Free | Concede | Start | Consult | Say | Pause | Rematch;

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
  /** Whether players may ask for hints. */
  hints: boolean;
  /** Seconds after which a bot moves for somebody who is away while others wait; 0 means never. */
  patience: number;
  /** Whether this is a guided first game. It is never public, because its dice are known. */
  guided: boolean;
  branch: Branch | null;
  /** Whether the match counts for ratings. */
  rated: boolean;
  /** Whether the host decides who takes over from a bot during the match. */
  ask: boolean;
  /** Whether this is a quick match. Anyone can take a free seat; after a moment, bots take them. */
  quick: boolean;
  /** The day, if this is a deal of the day. */
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
  /** Whether the person has conceded, so that a bot plays the match to its end. */
  conceded: boolean;
}

export type Phase = 'waiting' | 'playing' | 'over';

/** The players' clocks: time for the whole match, with some added after each turn, or time for each move. */
export interface TimeControl {
  kind: 'match' | 'move';
  seconds: number;
  added?: number;
}

export type Scalar = string | number | boolean;

/** Where a branch of a finished match started: the table, the step of its replay, and the name of the branch. */
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

/** An event of the game, as this client may see it: `{"event": "took", "seat": 1, …}`. */
export type GameEvent = { event: string; [more: string]: unknown };

export interface MoveEvent {
  type: 'event';
  n: number;
  seat: number;
  by: By;
  events: GameEvent[];
  text: string[];
  /** Sent only to the seat that made the move. */
  move?: NamedMove;
  kind: 'move';
}

/**
 * Who made a move. A stand-in is a bot that moves for a person who is away while others wait. The clock makes the
 * clock's own moves, and moves for a person whose time has run out.
 */
export type By = 'person' | 'bot' | 'clock' | 'stand-in';

/** A move by name: `{"do": "take", "pile": "Milano"}`. */
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
  /** The table of the rematch. */
  table: string;
  game: string;
  text: string[];
  kind: 'rematch';
}

export interface ClockEvent {
  type: 'event';
  n: number;
  /** Who asked for a pause or ended it; null for an outage of the server, which costs no player time. */
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

/** What a seat may see. Each game declares the type of its views in `view_types.py`. */
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
  /** Null if the game has no score; then there is an outcome in words. */
  score: number | null;
  won: boolean;
  lines: FinalLine[];
  outcome: string | null;
}

export interface FinalLine {
  label: string;
  value: Scalar;
}

/** The game's clock: what it times, the seconds it was set to, and the seconds left when this was sent. */
export type Clock = { of: string; seconds: number; left: number; [more: string]: unknown };

/** The players' clocks when this was sent. */
export interface Times {
  /** Seconds left for each seat; empty if the players have no clocks. */
  left: number[];
  /** The seats whose clocks are running, unless they are paused. */
  running: number[];
  paused: boolean;
  /** The seats that have asked for a pause. */
  wishes: number[];
}

/**
 * The differences between the position after event `base` and the one after event `n`. Fields that are left out
 * have not changed.
 */
export interface Change {
  type: 'change';
  n: number;
  base: number;
  view?: Patch;
  /** A number is the index of a move in the client's last list of moves that was not empty. */
  legal?: (number | LegalMove)[];
  prompt?: Prompt;
  waiting?: number[];
  undo?: boolean;
  result?: number[] | null;
  final?: Final[] | null;
  clock?: Clock | null;
  times?: Times | null;
}

/** The edits of a view. `grandtour.protocol.patch` describes them. */
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
  /** Whether the game's own bot decided, because a search is no help here. */
  own: boolean;
  /** The number of iterations of the search or, with `own`, of imagined worlds. */
  looked: number;
  moves: HintedMove[];
}

export interface HintedMove {
  move: NamedMove;
  text: string;
  /** A sentence on what the move is good for, or "" if the game has none. */
  why: string;
  share: number;
  cost: number | null;
}

/** For the host: the spectators who have asked for a seat. */
export interface Asking {
  type: 'asking';
  people: Asker[];
}

export interface Asker {
  ask: number;
  name: string;
}

/** The host's answer to a spectator. If the host declined, seat and secret are null. */
export interface Admitted {
  type: 'admitted';
  seat: number | null;
  secret: string | null;
  text: string;
}

/** The number of spectators, and the names of those who have one. */
export interface Spectators {
  type: 'spectators';
  count: number;
  names: string[];
}

/** The chat of spectators. Players get it only after the match. */
export interface GalleryMessage {
  type: 'gallery';
  lines: GalleryLine[];
}

export interface GalleryLine {
  n: number;
  name: string;
  text: string;
}

/** The people who watch a replay together, and what the leader looks at. */
export interface RoomMessage {
  type: 'room';
  count: number;
  names: string[];
  leader: string;
  /** Whether this client is the leader. */
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

/** The seats that may not chat at the moment, and why. A view may have it as `silent`. */
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
  /** The value to suggest to one person who plays with bots. */
  alone: Scalar;
  choices: Scalar[];
  /** How each choice reads. */
  words: string[];
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

/** A guided first game: the players, the dice, and the notes that explain the game. */
export interface Guide {
  /** Any text. The dice of the match are derived from it. */
  deal: string;
  players: number;
  bots: string;
  notes: Note[];
  options?: Record<string, Scalar>;
}

/** A short note of a guided game. Notes are shown in order. A note whose moment does not come is skipped. */
export interface Note {
  text: string;
  /** The anchors on the page that it points at. */
  at: string[];
  /** Part of a move. The note is shown when such a move is legal; if null, after the note before it. */
  when?: Json | null;
  /** Part of a move. The note stays until the player has made such a move; if null, until it has been read. */
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
  /**
   * Whether this is a guided first game. It has one seat here, yours; the guide sets the bots, the options and the
   * dice.
   */
  guided?: boolean;
  /** Whether the match counts for ratings. A rated match has no hints and no undo. */
  rated?: boolean;
  /** Whether the host decides who takes over from a bot during the match. */
  ask?: boolean;
  /** The secret of the device's passport, if it has one. The seat is then added to the passport. */
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
  /**
   * A random text that only the client knows. If the client repeats a request with the same text, it gets the same
   * seat.
   */
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
  /** Only if all hands are shown. */
  hands?: OpenHand[];
  /** If no event describes the move: the choice, or that a hidden choice was made. */
  note?: string;
}

/** The things that a seat could see and spectators could not. */
export interface OpenHand {
  seat: number;
  parts: HandPart[];
}

/** Lines about things that only one seat could see. */
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
  /** The step of the replay from which the branch continues. */
  step: number;
  seat: number;
  /** The bot that plays the other seats. */
  bot?: string | null;
  name?: string;
  /** Whether the player plays all seats, without bots. */
  alone?: boolean;
  passport?: string | null;
}

/** The secret of a match's dice, and every step in which the dice were used, in order. */
export interface DrawnDice {
  secret: string;
  steps: DiceStep[];
}

/** The random numbers and shuffles of one step of the replay. */
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

/** The turning points of a seat in a finished match. So far, `done` of `of` decisions have been reviewed. */
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

/** The chances over a finished match. So far, `done` of `of` positions have been examined. */
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

/** A player's note about a moment of their match. */
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

/** The games that somebody has played, and their opponents. */
export interface Profile {
  id: string;
  name: string;
  picture: Picture;
  public: boolean;
  since: string;
  games: PlayedGame[];
  /** The most frequent first. Others see only those opponents whose own profiles are public. */
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
  /** Null in games in which everyone plays together. */
  won: number | null;
  rating: Rated | null;
  /** The figures of their last match and their usual figures, with their most frequent number of players. */
  counts: Count[];
}

/** A rating (openskill), and the bot that plays at this level, such as "easy +"; null if no bot was measured. */
export interface Rated {
  mu: number;
  sigma: number;
  games: number;
  like: string | null;
}

/** One of somebody's figures in a match, such as the number of round trips, and their usual figure. */
export interface Count {
  kind: string;
  mine: number;
  /** The mean of their earlier matches of this game with the same number of players; null if there are none. */
  usual: number | null;
  /** The means of bots, by strength. */
  bots: Record<string, number>;
}

/** Somebody with whom the owner of a profile has played. */
export interface Opponent {
  /** Null if their profile is private. */
  id: string | null;
  name: string;
  picture: Picture;
  games: number;
  /** The number of games in which they did better than the owner. */
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
  /** The holder's own table, if its match is not over. */
  running: string | null;
  people: number;
  mine: DailyResult | null;
  /** The result of a normal bot; null until it is known. */
  par: DailyResult | null;
  /** The best results. */
  results: DailyResult[];
}

/** How somebody did with a deal of the day. */
export interface DailyResult {
  name: string;
  /** The rank among all people; 0 for the bots. */
  rank: number;
  /** The rank at their own table. */
  place: number;
  score: number | null;
  /** Their share of the win. */
  share: number;
  /** The finished match. Until the day is over, null for matches of other people. */
  table: string | null;
  mine: boolean;
}

export interface WantedDay {
  passport?: string | null;
  /** The day, by UTC; null for today. */
  day?: string | null;
}

/** Somebody's notice settings. */
export interface NoticeSettings {
  on: boolean;
  webhook: string;
  /** The key with which a browser subscribes; null if this server cannot send to browsers. */
  key: string | null;
  /** Whether this device gets notices. */
  here: boolean;
  /** The number of devices that get notices. */
  devices: number;
}

/** Changes of the notice settings. Those that are left out stay as they are. */
export interface WantedNotices {
  passport: string;
  on?: boolean;
  /** An address to which notices are sent as JSON; empty for none. */
  webhook?: string;
  /** The subscription of this browser; null ends it. */
  push?: PushKeys | null;
}

/** A browser's Web Push subscription, with the names of JavaScript's `PushSubscription`. */
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
  /** The secret of the device. It is sent only in this response. */
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
  /** Whether it is the device that sent the request. */
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
  /** The number of seconds for which one device can use it. */
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

/** The number of tables and chat lines from which a person was removed. */
export interface Forgotten {
  tables: number;
  lines: number;
}

/** Somebody with whom the holder of a passport has played, and the number of their matches. */
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
  /** The id of the passport of somebody with whom the inviter has played. */
  to: string;
}

/** A player's figures in a finished match. */
export interface MatchReport {
  seat: number;
  rated: boolean;
  /** The player's rating before the match, and after it; null if it was not rated. */
  before: Rated | null;
  after: Rated | null;
  counts: Count[];
  /** The bot that the player plays like, judged by this match alone; null if no measured bot took part. */
  like: string | null;
}

export interface MyGames {
  /** Tables at which it is the holder's turn come first. */
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
  /** The time at which the seat was taken or, for a finished match, the time at which it ended. */
  when: string;
}

/** An invitation of the holder of a passport to a table. */
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
