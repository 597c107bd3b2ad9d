import type { BoardProps } from '../boards';
import type { Move, Refusal } from '../protocol';
import { choicesOf, type Choice, type Sources } from './choices';
import { layoutOf, type PlainView, type Section } from './layout';

const NOTHING_TO_DO: Refusal = { code: 'not-now', rule: null, reason: 'There is nothing for you to do at the moment.' };
const NOT_WITH_THIS: Refusal = { code: 'not-now', rule: null, reason: 'No move uses this at the moment.' };

const nameOf = (key: string): string => key.slice(key.indexOf(':') + 1);

/** Everything that a move names is picked; of things with the same name one is enough. */
function isAll(choice: Choice, keys: string[]): boolean {
  const picked = new Set(keys.map(nameOf));
  return choice.things.every((thing) => picked.has(nameOf(thing)));
}

/** The legal moves at a plain board, and the things picked so far to select one. */
export class Desk {
  picked = $state<string[]>([]);

  #sources: Sources = new Map();

  constructor(readonly props: () => BoardProps<PlainView>) {}

  readonly layout: Section[] = $derived.by(() => layoutOf(this.props().now.view) ?? []);
  readonly choices: Choice[] = $derived.by(() => (this.readonly ? [] : choicesOf(this.props().now.legal, this.layout, this.#sources)));
  /** The moves that name everything picked. */
  readonly left: Choice[] = $derived(this.#naming(this.picked));

  get seat(): number | null {
    return this.props().seat;
  }
  get readonly(): boolean {
    return this.props().readonly;
  }

  nameOf(seat: number): string {
    return seat === this.seat ? 'You' : (this.props().names[seat] ?? `Seat ${seat + 1}`);
  }

  #naming(keys: string[]): Choice[] {
    return this.choices.filter((choice) => keys.every((key) => choice.things.includes(key)));
  }

  usable = (key: string): boolean => this.left.some((choice) => choice.things.includes(key));
  chosen = (key: string): boolean => this.picked.includes(key);

  /** What the moves that name it say, so that a suggested one lights it and nothing of the same name elsewhere. */
  named = (key: string, name: string): Record<string, unknown>[] =>
    this.choices
      .filter((choice) => choice.things.includes(key))
      .map(({ move }) =>
        Object.fromEntries(
          Object.entries(move).flatMap(([field, value]) =>
            !Array.isArray(value) ? [[field, value]] : value.includes(name) ? [[field, name]] : [],
          ),
        ),
      );

  /** Plays the move that this can only mean; else it is picked, and the moves that name it are left to choose from. */
  pick = (key: string): Promise<Refusal | null> | void => {
    if (this.picked.includes(key)) {
      this.picked = this.picked.filter((one) => one !== key);
      return;
    }
    if (!this.choices.length) return Promise.resolve(NOTHING_TO_DO);
    let keys = [...this.picked, key];
    if (!this.#naming(keys).length) keys = [key];
    const [only, ...more] = this.#naming(keys);
    if (!only) return Promise.resolve(NOT_WITH_THIS);
    if (!more.length && only.sure && isAll(only, keys)) return this.play(only.move);
    this.picked = keys;
  };

  play = (move: Move): Promise<Refusal | null> => {
    this.picked = [];
    return this.props().act(move);
  };

  clear = (): void => {
    this.picked = [];
  };
}
