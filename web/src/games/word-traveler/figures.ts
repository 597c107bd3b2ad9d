import { show, type Figure } from '../../kit/figures';
import Arrow from './Arrow.svelte';
import Foot from './Foot.svelte';
import MapMark from './MapMark.svelte';
import Street from './Street.svelte';
import WordCard from './WordCard.svelte';

const colour = 'var(--vermilion)';
const word = (name: string, side: 'white' | 'black' = 'white') => show(WordCard, { word: name, side }, 120);

export const figures: Figure[] = [
  {
    at: 'short',
    alt: 'The 1st arrow points east, with two words under it: Dark and Not Lively. The locals place footprint 1 where they think it ends.',
    pieces: [
      show(Arrow, { number: 1, to: 'east', colour }, 52),
      word('Dark'),
      word('Lively', 'black'),
      show(Foot, { number: 1, colour }, 44),
    ],
  },
  { at: 'WT-7', alt: 'The white and the black side of a word card: Warm and Not Warm.', pieces: [word('Warm'), word('Warm', 'black')] },
  {
    at: 'WT-8',
    alt: 'On a map, a circle is worth 1 point and a star 2 points.',
    pieces: [show(MapMark, { shape: 'circle' }, 40), show(MapMark, { shape: 'star' }, 40)],
  },
  {
    at: 'WT-21',
    alt: 'An arrow points north, east, south or west.',
    pieces: (['north', 'east', 'south', 'west'] as const).map((to, index) => show(Arrow, { number: index + 1, to, colour }, 52)),
  },
  {
    at: 'WT-23',
    alt: 'From the centre of New York, the subway car is two spaces to the east: arrow 1 points east, with Busy and Not Comfortable.',
    pieces: [
      show(Street, { spaces: ['D4', 'E4', 'F4', 'G4'], arrow: 1, meant: 'F4' }, 246),
      word('Busy'),
      word('Comfortable', 'black'),
    ],
  },
  {
    at: 'WT-56',
    alt: 'The third arrow meant baseball, but footprint 3 is on the courier’s bike.',
    pieces: [show(Street, { spaces: ['C2', 'D2', 'E2'], meant: 'C2', guessed: { space: 'E2', number: 3 } }, 184)],
  },
];
