/** The messages of docs/protocol.md, under the names that the page has for them. Their types come from the server. */
import type * as wire from '../generated/protocol';

export type {
  BotInfo as Strength,
  Card as ListedTable,
  Change,
  Curve,
  Clock,
  Companion,
  DailyDeal,
  DailyResult,
  DeviceInfo,
  DeviceLink,
  DrawnDice,
  EventMessage as TableEvent,
  Final as FinalRow,
  Forgotten,
  GameEvent,
  GalleryLine,
  GameInfo,
  Guide,
  Hinted as Hint,
  LegalMove,
  MatchReport,
  Me,
  Moment,
  Moments,
  MyGames,
  MyTable,
  NamedMove as Move,
  NewPassport,
  NoticeSettings,
  Note,
  OpenHand,
  OpenedBranch,
  OpenedTable,
  Outgoing as FromServer,
  Picture,
  Place,
  Profile,
  Prompt as PromptText,
  RefusalBody as Refusal,
  Replay as ReplayText,
  ReplayNote,
  RoomMessage,
  Rulebook as RulebookText,
  Scalar,
  Silence,
  TimeControl,
  Times,
  WantedBranch,
  WantedPlace,
  WantedTable,
} from '../generated/protocol';

/** The position after event `n`, with the view that the game's board knows the type of. */
export type Now<View = unknown> = Omit<wire.Now, 'type' | 'view'> & { view: View | null };

/** The messages that the page gets; the line has turned changes into full positions. */
export type Heard = Exclude<wire.Outgoing, wire.Change>;

export interface Seat extends wire.Seat {
  /** Since when a person has been away, as a time of this browser's clock. */
  since?: number | null;
}

export type Table = Omit<wire.Table, 'seats'> & { seats: Seat[] };

/** A spectator who would like a seat, as the host hears of it. */
export type Asker = wire.Asker;

type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never;

/** What a client may ask for; the line adds the id. */
export type Asking = WithoutId<wire.Acknowledged | wire.Hint | wire.AskSeat | wire.Admit | wire.JoinRoom>;
