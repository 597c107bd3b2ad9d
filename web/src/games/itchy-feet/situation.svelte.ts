import type { BoardProps } from '../../kit/boards';
import type { Move, Refusal } from '../../kit/protocol';
import { seatsFrom } from '../../kit/viewer';
import { countryOf } from './countries';
import { goalOf, type View } from './view';

/** The position as one seat sees it: what it is asked, and which moves it has. */
export class Situation {
  /** Several moves that belong together are on their way. */
  sending = $state(false);
  now = $derived.by(() => this.props().now);
  names = $derived.by(() => this.props().names);
  seat = $derived.by(() => this.props().seat);
  followed = $derived.by(() => this.props().followed ?? null);
  view = $derived.by(() => this.now.view!);
  me = $derived.by(() => this.seat ?? -1);
  mine = $derived.by(() => !this.props().readonly && this.seat !== null);
  asked = $derived.by(() => this.mine && this.now.waiting.includes(this.me));
  myself = $derived.by(() => (this.seat === null ? null : this.view.players[this.seat]!));
  others = $derived.by(() => {
    const { players } = this.view;
    const near = this.seat ?? this.followed;
    return near === null ? players : seatsFrom(near, players.length).slice(1).map((seat) => players[seat]!);
  });

  acting = $derived.by(() => this.asked && this.view.step === 'act');
  speaking = $derived.by(() => this.view.step === 'tray' && this.view.trade?.from === this.me && this.asked);
  answering = $derived.by(() => this.view.step === 'answer' && this.view.trade?.to === this.me && this.asked);
  paying = $derived.by(() => this.asked && (this.view.step === 'pay' || this.view.step === 'limit'));
  passing = $derived.by(() => this.asked && this.view.step === 'mix-up');
  reaction = $derived.by(() => (this.view.step === 'react' ? this.view.reaction : null));
  /** The Trading Post: as many cards as one likes. */
  post = $derived.by(() => this.view.step === 'pay' && this.view.payment?.for === 'post');

  goal = $derived.by(() => (this.seat === null ? null : goalOf(this.view, this.seat)));
  travels = $derived.by(() => [...this.legal('travel'), ...this.legal('travel-on-credit'), ...this.legal('travel-with')]);
  playable = $derived.by(() => new Set(this.legal('play').map((move) => move.card as string)));
  discarding = $derived.by(
    () => new Set([...this.legal('discard'), ...this.legal('hand-on')].map((move) => move.card as string)),
  );

  #wanted = $derived.by(() =>
    this.seat === null
      ? []
      : [
          ...(this.goal ? countryOf(this.goal).items : []),
          ...(this.view.centre ? countryOf(this.view.centre).items : []),
          ...(this.view.hand?.includes('Passport') ? [] : ['Passport']),
        ],
  );

  constructor(readonly props: () => BoardProps<View>) {}

  act = (move: Move) => this.props().act(move);
  actAll = async (moves: Move[]): Promise<Refusal | 'passed' | null> => {
    this.sending = true;
    try {
      return await this.props().actAll(moves, () => this.asked);
    } finally {
      this.sending = false;
    }
  };
  legal = (verb: string): Move[] => this.now.legal.map((one) => one.move).filter((move) => move.do === verb);
  can = (verb: string): boolean => this.now.legal.some((one) => one.move.do === verb);
  wordsOf = (move: Move): string => this.now.legal.find((one) => one.move === move)?.text ?? '';
  /** Whether a card would bring the viewer closer to a country. */
  needed = (card: string): boolean => this.#wanted.includes(card) && !(this.view.hand ?? []).includes(card);
}
