import type { Headline } from '../../kit/boards';
import type { View } from './view';

/** Who won, and how: the winner of a grand tour can have made fewer round trips than the others. */
export const headline: Headline<View> = ({ view }, names, seat) => {
  const won = names.map((_, other) => other).filter((other) => view?.result?.[other]);
  const who = won.map((other) => (other === seat ? 'You' : (names[other] ?? '')));
  if (who.length > 1) return `${who.slice(0, -1).join(', ')} and ${who.at(-1)} share the win`;
  const lengths = view?.players[won[0]!]?.trips.map((trip) => trip.length) ?? [];
  const how = lengths.includes(6) ? 'with a grand tour' : lengths.length > 3 ? 'with all four round trips' : 'after the last round';
  return `${who[0]} ${won[0] === seat ? 'win' : 'wins'} ${how}`;
};
