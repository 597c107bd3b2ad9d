import type { Move, Refusal } from '../../kit/protocol';
import { refusals } from '../../kit/refusals.svelte';
import type { Deal } from './show.svelte';
import type { Situation } from './situation.svelte';
import { without, type Held } from './view';

interface Draft {
  to: number;
  counter: boolean;
  gives: string[];
  wants: string[];
}

/** An offer that is being put together on the tray, before anybody sees it. */
export class Drafting {
  draft = $state.raw<Draft | null>(null);

  /** Cards that already lie on the tray for all to see, and stay. */
  committed = $derived.by(() => {
    const { speaking, view } = this.at;
    return speaking && view.trade ? { gives: view.trade.gives, wants: view.trade.wants } : { gives: [], wants: [] };
  });
  composing = $derived.by(() => this.draft !== null || this.at.speaking);

  constructor(
    readonly at: Situation,
    readonly object: (refusal: Refusal) => void,
  ) {}

  /** What is on the tray: the player's draft, the public offer, or a deal that is just being settled. */
  tray(settled: Deal | null) {
    const { view, me, speaking } = this.at;
    if (this.draft) return { from: me, to: this.draft.to, gives: this.draft.gives, wants: this.draft.wants, composing: true };
    if (view.trade) return { ...view.trade, composing: speaking };
    return settled ? { ...settled, composing: false } : null;
  }

  current = (): Draft => this.draft ?? { to: this.at.view.trade?.to ?? 0, counter: false, ...this.committed };

  open(to: number, card?: string): void {
    this.draft = { to, counter: false, gives: card ? [card] : [], wants: [] };
  }

  /** A counter-offer begins with the offer turned round. */
  counter(): void {
    const { trade, hand = [] } = this.at.view;
    if (!trade) return;
    const gives = without(trade.wants, without(trade.wants, hand));
    this.draft = { to: trade.from, counter: true, gives, wants: [...trade.gives] };
  }

  putAway = (): void => {
    this.draft = null;
  };

  add = (side: 'give' | 'want', card: string): void => {
    const old = this.current();
    this.draft = side === 'give' ? { ...old, gives: [...old.gives, card] } : { ...old, wants: [...old.wants, card] };
  };

  remove = (side: 'give' | 'want', card: string): void => {
    const old = this.current();
    const fixed = side === 'give' ? this.committed.gives : this.committed.wants;
    const cards = side === 'give' ? old.gives : old.wants;
    const copies = (some: string[]) => some.filter((one) => one === card).length;
    if (copies(cards) <= copies(fixed)) return;
    const rest = without(cards, [card]);
    this.draft = side === 'give' ? { ...old, gives: rest } : { ...old, wants: rest };
  };

  /** Whether this copy of a card lies on the tray. */
  given = (held: Held): boolean =>
    Number(held.key.split('#')[1]) <= this.current().gives.filter((card) => card === held.card).length;

  /** A draft is for the player's turn or for a counter-offer; afterwards it is dropped. */
  expire(): void {
    const { now, acting, speaking, answering } = this.at;
    if (!this.draft || this.at.sending || !now.legal.length) return;
    if (acting || speaking || (answering && this.draft.counter)) return;
    this.draft = null;
  }

  withdraw = (): Promise<Refusal | null> => {
    this.draft = null;
    return this.at.act({ do: 'withdraw' });
  };

  /** Places everything on the tray, card by card, and then makes the offer. */
  propose = async (): Promise<void> => {
    const { to, counter, gives, wants } = this.current();
    // The trade would begin for all to see before the question is refused.
    if (!gives.length && !wants.length)
      return this.object({ code: 'illegal', rule: 'IF-29', reason: 'Say what you would give, or what you want.' });
    const begin: Move[] = this.at.speaking ? [] : [counter ? { do: 'counter' } : { do: 'trade', with: to }];
    refusals.clear();
    const ended = await this.at.actAll([
      ...begin,
      ...without(gives, this.committed.gives).map((card): Move => ({ do: 'give', card })),
      ...without(wants, this.committed.wants).map((card): Move => ({ do: 'want', card })),
      { do: 'propose' },
    ]);
    if (ended === 'passed') return;
    this.putAway();
    if (ended) this.object(ended);
  };
}
