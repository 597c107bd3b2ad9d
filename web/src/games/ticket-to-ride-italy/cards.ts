/** The look of each kind of card and route: a colour, the colour of the text on it, and a letter. */
export interface Look {
  colour: string;
  on: string;
  letter: string;
}

const DARK = '#fffaf0';
const LIGHT = '#1d2b3a';

export const LOOKS: Record<string, Look> = {
  purple: { colour: '#7d4a93', on: DARK, letter: 'P' },
  blue: { colour: '#2d6cb0', on: DARK, letter: 'B' },
  orange: { colour: '#e5892a', on: LIGHT, letter: 'O' },
  white: { colour: '#fdfaf2', on: LIGHT, letter: 'W' },
  green: { colour: '#3f7d3a', on: DARK, letter: 'G' },
  yellow: { colour: '#f0cc3d', on: LIGHT, letter: 'Y' },
  black: { colour: '#2c2d33', on: DARK, letter: 'K' },
  red: { colour: '#c83d25', on: DARK, letter: 'R' },
  locomotive: { colour: '#f5ecd9', on: LIGHT, letter: '★' },
  ferry: { colour: '#bfdfe6', on: LIGHT, letter: '≈' },
  grey: { colour: '#dfe4e2', on: LIGHT, letter: '' },
};
export const COLOURS = ['purple', 'blue', 'orange', 'white', 'green', 'yellow', 'black', 'red'];
export const KINDS = [...COLOURS, 'locomotive'];

export const lookOf = (card: string): Look => LOOKS[card] ?? LOOKS.grey!;

/** "a red card", "a locomotive" */
export const aCard = (card: string): string =>
  card === 'locomotive' ? 'a locomotive' : card === 'ferry' ? 'a ferry card' : `${card === 'orange' ? 'an' : 'a'} ${card} card`;

/** "2 green, 1 locomotive and 1 ferry card": colours first, then locomotives and ferry cards. */
export function inWords(pay: Record<string, number>): string[] {
  return [...COLOURS, 'locomotive', 'ferry'].flatMap((card) => {
    const count = pay[card] ?? 0;
    if (!count) return [];
    const word = card === 'locomotive' ? (count === 1 ? 'locomotive' : 'locomotives') : card;
    return [card === 'ferry' ? `${count} ferry ${count === 1 ? 'card' : 'cards'}` : `${count} ${word}`];
  });
}

/** The colours of the seats, as in the list of players; each has a pattern of its own too. */
export const SEATS = ['var(--vermilion)', 'var(--navy)', 'var(--olive)', 'var(--plum)', 'var(--teal)'];
export const PATTERNS = ['bars', 'stripes', 'dots', 'chevrons', 'lines'];
