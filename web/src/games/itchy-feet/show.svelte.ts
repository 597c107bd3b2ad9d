import { departs, pause, SWIFT, travel } from '../../kit/motion.svelte';
import type { GameEvent } from '../../kit/protocol';
import { lookOf } from './cards';
import Flying from './Flying.svelte';
import type { MomentText } from './Moment.svelte';
import { counted, type Held, type View } from './view';

export interface Deal {
  from: number;
  to: number;
  gives: string[];
  wants: string[];
}

/** Milliseconds to read a poster, and one line of it. */
const POSTER_DURATION = 1500;
const LINE_DURATION = 420;

/** Shows what happened, event by event: cards travel, posters fill the screen for a moment, trades are stamped. */
export class Show {
  /** Cards that have left the hand on the page but not yet in the position. */
  gone = $state.raw<string[]>([]);
  moment = $state.raw<MomentText | null>(null);
  /** A trade that is just being settled, and how. */
  deal = $state.raw<Deal | null>(null);
  verdict = $state('');
  /** The last event that concerns everyone; it stays for those who did not see its poster. */
  latest = $state.raw<{ text: string; country: string | null } | null>(null);

  /** What was discarded last, the latest at the end. */
  recent = $state.raw<string[]>([]);

  #coming = new Map<string, number>();

  constructor(
    readonly view: () => View,
    readonly names: () => string[],
    readonly seat: () => number | null,
  ) {}

  /** The new position has been drawn, so no animation is in progress. */
  settle(): void {
    this.gone = [];
    this.moment = null;
    this.deal = null;
    this.verdict = '';
    this.#coming.clear();
  }

  async event(event: GameEvent, hand: Held[]): Promise<void> {
    const by = event.seat as number;
    const card = (event.card as string | undefined) ?? null;
    switch (event.event) {
      case 'drew':
        if (event.why === 'market') this.#line(`${this.#who(by)} ${by === this.seat() ? 'draw' : 'draws'} a card`);
        await this.#arrive(by, card, 'draw-pile');
        return;
      case 'took':
        await this.#arrive(by, card, event.why === 'guide' ? 'draw-pile' : 'discard-pile');
        return;
      case 'returned':
        await travel({ from: 'hand', to: 'draw-pile', show: Flying, props: { card } });
        return;
      case 'discarded':
        await this.#discarded(by, event.cards as string[], event.why as string, hand);
        return;
      case 'played':
        await this.#leave(by, card!, 'discard-pile', hand);
        return;
      case 'stole':
        await this.#move(event.whom as number, by, card, hand);
        return;
      case 'smuggled':
        await this.#move(by, event.to as number, 'Forbidden Item', hand);
        return;
      case 'handed-on':
        await this.#move(by, event.to as number, card, hand);
        return;
      case 'traded':
        await this.#traded(event, hand);
        return;
      case 'declined':
        await this.#stamp('Declined', this.view().trade);
        return;
      case 'event':
        this.#lies(card!);
        this.#poster({
          title: card!,
          over: `${this.#who(by)} ${by === this.seat() ? 'draw' : 'draws'} an event`,
          text: lookOf(card!).text,
          card: card!,
        });
        if (card === 'Luggage Mix-Up') this.#neighbours();
        await pause(POSTER_DURATION);
        return;
      case 'no-effect':
        this.#line(`${card}: no effect here`);
        await pause(LINE_DURATION);
        return;
      case 'new-centre':
        this.#line(`${event.new as string} replaces ${event.old as string}`);
        await pause(POSTER_DURATION);
        return;
      case 'new-country':
        this.#poster(
          {
            title: event.new as string,
            over: 'Poorly Drawn Map',
            text: `replaces ${event.old as string} as ${by === this.seat() ? 'your' : `${this.#who(by)}’s`} country.`,
            country: event.new as string,
          },
          `${by === this.seat() ? 'Your' : `${this.#who(by)}’s`} country is now ${event.new as string}`,
        );
        await pause(POSTER_DURATION);
        return;
      case 'stole-country':
        this.#poster({
          title: event.country as string,
          over: 'Stolen',
          text: `${this.#who(by)} ${by === this.seat() ? 'take' : 'takes'} it from ${this.#whom(event.whom as number)}.`,
          country: event.country as string,
        });
        await pause(POSTER_DURATION);
        return;
      case 'travelled':
        await this.#travelled(by, event.country as string, event.cards as string[], hand);
        return;
      case 'interrupted':
        this.#poster({
          title: card!,
          over: `${this.#who(by)} ${by === this.seat() ? 'react' : 'reacts'}`,
          text: card === 'Mousetrap' ? 'Nothing is stolen, and the turn is over.' : 'The journey is cancelled, and the turn is over.',
          card: card!,
        });
        await pause(POSTER_DURATION);
        return;
      case 'turn':
        if (this.moment?.lines.length) await pause(POSTER_DURATION / 2);
        this.moment = null;
    }
  }

  #who(seat: number): string {
    return seat === this.seat() ? 'You' : (this.names()[seat] ?? '');
  }

  #whom(seat: number): string {
    return seat === this.seat() ? 'you' : (this.names()[seat] ?? '');
  }

  #poster(moment: Omit<MomentText, 'lines'>, latest = `${moment.title}: ${moment.text}`): void {
    this.moment = { ...moment, lines: [] };
    this.latest = { text: latest, country: moment.country ?? null };
  }

  /** Who passes a card to the viewer, and to whom the viewer passes one. */
  #neighbours(): void {
    const [seat, seats] = [this.seat(), this.names().length];
    if (seat === null) return;
    this.#line(`You pass one to ${this.names()[(seat + 1) % seats]}`);
    this.#line(`${this.names()[(seat + seats - 1) % seats]} passes one to you`);
  }

  #line(text: string): void {
    if (this.moment) this.moment = { ...this.moment, lines: [...this.moment.lines, text] };
  }

  /** A card comes into a hand: the player's own arrives when the new position is drawn. */
  async #arrive(by: number, card: string | null, from: string): Promise<void> {
    if (by !== this.seat() || !card) return travel({ from, to: `seat:${by}`, show: Flying, props: { card } });
    const coming = (this.#coming.get(card) ?? 0) + 1;
    this.#coming.set(card, coming);
    const held = (this.view().hand ?? []).filter((one) => one === card).length;
    departs(`${card}#${held + coming}`, from);
  }

  #keyOf(card: string, hand: Held[]): string | null {
    return hand.findLast((held) => held.card === card && !this.gone.includes(held.key))?.key ?? null;
  }

  async #leave(by: number, card: string | null, to: string, hand: Held[]): Promise<void> {
    const key = by === this.seat() && card ? this.#keyOf(card, hand) : null;
    const flight = travel({ from: key ? `card:${key}` : `seat:${by}`, to, show: Flying, props: { card } });
    if (key) this.gone = [...this.gone, key];
    await flight;
    if (to === 'discard-pile' && card) this.#lies(card);
  }

  #lies(card: string): void {
    this.recent = [...this.recent, card].slice(-6);
  }

  async #move(from: number, to: number, card: string | null, hand: Held[]): Promise<void> {
    if (to === this.seat() && card) return this.#arrive(to, card, `seat:${from}`);
    await this.#leave(from, card, to === this.seat() ? 'hand' : `seat:${to}`, hand);
  }

  async #discarded(by: number, cards: string[], why: string, hand: Held[]): Promise<void> {
    if (why === 'luggage')
      this.#line(`${this.#who(by)} ${by === this.seat() ? 'lose' : 'loses'} ${counted(cards)}`);
    for (const card of cards) await this.#leave(by, card, 'discard-pile', hand);
    if (why === 'luggage') await pause(LINE_DURATION);
  }

  async #stamp(verdict: string, deal: Deal | null): Promise<void> {
    this.deal = deal ? { from: deal.from, to: deal.to, gives: deal.gives, wants: deal.wants } : null;
    this.verdict = verdict;
    await pause(900);
  }

  async #traded(event: GameEvent, hand: Held[]): Promise<void> {
    const [from, to] = [event.seat as number, event.to as number];
    const [gives, wants] = [event.gives as string[], event.wants as string[]];
    await this.#stamp('Agreed', { from, to, gives, wants });
    await Promise.all([
      ...gives.map((card) => this.#move(from, to, card, hand)),
      ...wants.map((card) => this.#move(to, from, card, hand)),
    ]);
    this.latest = {
      text: `${this.#who(from)} traded with ${this.#whom(to)}: ${counted(gives)} for ${counted(wants)}`,
      country: null,
    };
  }

  async #travelled(by: number, country: string, cards: string[], hand: Held[]): Promise<void> {
    await Promise.all(cards.map((card) => this.#leave(by, card, 'discard-pile', hand)));
    this.#poster(
      {
        title: country,
        over: by === this.seat() ? 'You have arrived' : `${this.#who(by)} has arrived`,
        text: `with ${counted(cards)}.`,
        country,
      },
      `${this.#who(by)} travelled to ${country}`,
    );
    const { variant, centre } = this.view();
    if (variant === 'classic' && centre && centre !== country) this.#line(`Next stop: ${centre}`);
    await pause(POSTER_DURATION + SWIFT);
    this.moment = null;
  }
}
