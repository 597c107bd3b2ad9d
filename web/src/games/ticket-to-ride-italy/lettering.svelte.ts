/** How wide words are on the map. The font comes a moment after the page, and changes that. */
const SIZE = 100;
/** Between letters, in parts of their size. */
export const SPACING = 0.01;

export class Lettering {
  /** Until the font has come, what the browser shows in its place is measured. */
  #widths = $state.raw(new Map<string, number>());
  #pen = document.createElement('canvas').getContext('2d');
  #font = `700 ${SIZE}px ${getComputedStyle(document.documentElement).getPropertyValue('--display')}`;

  constructor(words: string[]) {
    const measure = () => (this.#widths = new Map(words.map((word) => [word, this.#measured(word)])));
    measure();
    document.fonts.load(this.#font, words.join('')).then(measure, measure);
  }

  /** The width of one of the words, in parts of the size of its letters. */
  widthOf(word: string): number {
    return this.#widths.get(word) ?? this.#measured(word);
  }

  #measured(word: string): number {
    if (!this.#pen) return word.length * 0.7;
    this.#pen.font = this.#font;
    return this.#pen.measureText(word).width / SIZE + word.length * SPACING;
  }
}
