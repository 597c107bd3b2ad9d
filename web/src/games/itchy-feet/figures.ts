import { show, type Figure } from '../../kit/figures';
import Back from './Back.svelte';
import Country from './Country.svelte';
import Face from './Face.svelte';

const face = (card: string) => show(Face, { card }, 96);

export const figures: Figure[] = [
  {
    at: 'short',
    alt: 'France asks for a Rain Jacket, a Phrasebook and Stomach Pills. With all three and a passport in your backpack, you can travel there.',
    pieces: [
      show(Country, { country: 'France', have: ['Rain Jacket', 'Phrasebook', 'Stomach Pills'] }, 230),
      ...['Rain Jacket', 'Phrasebook', 'Stomach Pills', 'Passport'].map(face),
    ],
  },
  {
    at: 'IF-4',
    alt: 'A country and the three items it asks for.',
    pieces: [show(Country, { country: 'Egypt' }, 230)],
  },
  {
    at: 'IF-25',
    alt: 'Recycle: discard two cards, for example a Camera and Sunscreen, and take one back from the discard pile.',
    pieces: ['Camera', 'Sunscreen'].map(face),
  },
  {
    at: 'IF-31',
    alt: 'Three cards for two is a trade like any other.',
    pieces: ['Swimsuit', 'Bug Spray', 'Camera', 'Passport', 'Local Cash'].map(face),
  },
  {
    at: 'IF-41',
    alt: 'Steal: discard a card, here a Swimsuit, and take an unseen card from someone else’s hand.',
    pieces: [face('Swimsuit'), show(Back, {}, 96, 130)],
  },
];
