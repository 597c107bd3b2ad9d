import type { Headline } from '../../kit/boards';
import type { View } from './view';

const HOW = {
  centre: 'the centre is reached',
  postcards: 'with four postcards',
  countries: 'with the most countries',
  limit: 'the last round is over',
};

/** Who won, and how. */
export const headline: Headline<View> = ({ view }, names, seat) => {
  const won = names.map((_, other) => other).filter((other) => view?.result?.[other]);
  const who = won.map((other) => (other === seat ? 'You' : names[other]));
  const how = view?.ended ? HOW[view.ended] : '';
  const share = who.length > 1 ? `${who.slice(0, -1).join(', ')} and ${who.at(-1)} share the win` : '';
  const wins = share || `${who[0]} ${won[0] === seat ? 'win' : 'wins'}`;
  return view?.ended === 'centre' || view?.ended === 'limit' ? `${wins}: ${how}` : `${wins} ${how}`;
};
