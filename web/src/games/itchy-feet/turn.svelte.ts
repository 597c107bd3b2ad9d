import type { Move, Refusal } from '../../kit/protocol';
import { refusals } from '../../kit/refusals.svelte';
import { countryOf } from './countries';
import type { Drafting } from './draft.svelte';
import type { Show } from './show.svelte';
import type { Situation } from './situation.svelte';
import { withKeys, type Held } from './view';

type Answer = Promise<Refusal | null> | void;
type WithSomebody = 'trade' | 'steal' | 'smuggle';
const SLOT = { trade: 'with', steal: 'from', smuggle: 'to' } as const;

/** What the viewer is about to do: the cards chosen, the question asked of them, and the moves it comes to. */
export class Turn {
  picked = $state.raw<string[]>([]);
  mode = $state<WithSomebody | 'travel' | 'country' | null>(null);
  /** The player whose details are open. */
  person = $state<number | null>(null);

  hand = $derived.by(() => withKeys(this.at.view.hand ?? []).filter((held) => !this.show.gone.includes(held.key)));
  chosen = $derived.by(() => this.hand.filter((held) => this.picked.includes(held.key)));
  /** The purpose for which a player is being picked, if any. */
  picking = $derived.by(() =>
    this.at.acting && (this.mode === 'trade' || this.mode === 'steal' || this.mode === 'smuggle') ? this.mode : null,
  );
  /** How many cards are to be chosen now. */
  due = $derived.by(() => {
    const { passing, paying, view, myself } = this.at;
    if (passing) return 1;
    if (!paying) return 0;
    if (view.step === 'limit') return this.hand.length - (myself?.limit ?? 0);
    // The choices for the second card depend on the first, so they are asked for one by one.
    if (view.payment?.for === 'country') return Math.min(1, view.payment.left);
    return view.payment?.left ?? 0;
  });

  constructor(
    readonly at: Situation,
    readonly offer: Drafting,
    readonly show: Show,
    readonly object: (refusal: Refusal) => void,
  ) {}

  /** There is a new position, so the viewer's open questions are settled. */
  settle(): void {
    this.show.settle();
    this.mode = null;
    if (!this.chosen.length) this.picked = [];
  }

  clear = (): void => {
    this.picked = [];
    this.mode = null;
    if (!this.at.sending) this.offer.putAway();
  };

  /** A move that belongs to no piece: its refusal appears above the hand. */
  async send(move: Move): Promise<void> {
    refusals.clear();
    const refusal = await this.at.act(move);
    if (refusal) this.object(refusal);
  }

  pick = (held: Held): void => {
    if (this.offer.composing) {
      if (this.offer.given(held)) this.offer.remove('give', held.card);
      else this.offer.add('give', held.card);
      return;
    }
    if (this.picked.includes(held.key)) this.picked = this.picked.filter((key) => key !== held.key);
    else if (this.due > 1) this.picked = [...this.chosen.map((one) => one.key), held.key].slice(-this.due);
    else this.picked = [held.key];
  };

  marked = (held: Held): boolean =>
    this.offer.composing ? this.offer.given(held) : this.picked.includes(held.key);

  usable = (held: Held): boolean => {
    if (this.offer.composing) return true;
    if (this.at.paying || this.at.passing) return this.at.discarding.has(held.card);
    return this.at.asked && this.at.playable.has(held.card);
  };

  noteOf = (held: Held): string => {
    if (!this.marked(held)) return '';
    return this.offer.composing ? 'on the tray' : 'chosen';
  };

  lift = (held: Held): void => {
    if (this.at.acting && !this.offer.draft && !this.picked.includes(held.key)) this.picked = [held.key];
  };

  drop = (held: Held, place: string): void => {
    const other = place.startsWith('seat:') ? Number(place.slice(5)) : null;
    if (other !== null && this.at.acting && !this.offer.draft) this.#open(other, held.card);
    else if (place === 'tray:give' && this.offer.composing && !this.offer.given(held)) this.offer.add('give', held.card);
    else if (place === 'discard' && (this.at.paying || this.at.passing)) {
      if (!this.picked.includes(held.key)) this.pick(held);
      if (this.chosen.length >= this.due) void this.pay();
    }
  };

  /** The chosen cards, one after another. */
  pay = async (): Promise<void> => {
    const verb = this.at.passing ? 'hand-on' : 'discard';
    const moves = this.chosen.map(({ card }): Move => ({ do: verb, card }));
    if (this.at.post && moves.length < this.due) moves.push({ do: 'stop' });
    this.picked = [];
    const ended = await this.at.actAll(moves);
    if (ended && ended !== 'passed') this.object(ended);
  };

  travel = (): Answer => {
    const { travels, view, goal, act } = this.at;
    const [first, ...more] = travels;
    if (first && !more.length) return act(first);
    if (first) {
      this.mode = 'travel';
      return;
    }
    return act(view.variant === 'classic' ? { do: 'travel' } : { do: 'travel-with', card: countryOf(goal ?? '').items[0] });
  };

  /** Trading, stealing and smuggling need another player: with one choice there is nothing to ask. */
  begin(verb: WithSomebody): Answer {
    const seats = this.#seatsFor(verb);
    if (seats.length > 1) {
      this.picked = [];
      this.mode = verb;
      return;
    }
    return this.#withSeat(verb, seats[0] ?? this.at.others[0]!.seat);
  }

  pickPlayer = (other: number): Answer => {
    if (this.picking) return this.#withSeat(this.picking, other);
    if (this.at.asked && this.at.view.step === 'redraw') return this.at.act({ do: 'redraw', seat: other });
    this.person = other;
  };

  playerUsable = (other: number): boolean =>
    this.picking
      ? this.#seatsFor(this.picking).includes(other)
      : this.at.legal('redraw').some((move) => move.seat === other);

  #seatsFor = (verb: WithSomebody) => this.at.legal(verb).map((move) => move[SLOT[verb]] as number);

  #withSeat(verb: WithSomebody, other: number): Answer {
    if (verb === 'trade' && this.#seatsFor('trade').includes(other)) return this.#open(other, this.chosen[0]?.card);
    return this.at.act({ do: verb, [SLOT[verb]]: other });
  }

  #open(other: number, card?: string): void {
    this.mode = null;
    this.picked = [];
    this.offer.open(other, card);
  }
}
