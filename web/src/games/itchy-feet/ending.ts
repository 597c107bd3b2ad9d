import type { Headline } from '../../kit/boards';
import type { View } from './view';

const HOW = {
  postcards: 'with four postcards',
  countries: 'with the most countries',
  limit: 'after the last round',
};

/** Who won, and how. */
export const headline: Headline<View> = ({ view }, names, seat) => {
  const won = names.map((_, other) => other).filter((other) => view?.result?.[other]);
  const who = won.map((other) => (other === seat ? 'You' : names[other]));
  const share = who.length > 1 ? `${who.slice(0, -1).join(', ')} and ${who.at(-1)} share the win` : '';
  const wins = share || `${who[0]} ${won[0] === seat ? 'win' : 'wins'}`;
  if (view?.ended === 'centre') return `${who[0]} ${won[0] === seat ? 'reach the centre and win' : 'reaches the centre and wins'}`;
  return view?.ended ? `${wins} ${HOW[view.ended]}` : wins;
};
