import { lookOf } from './cards';
import type { Situation } from './situation.svelte';

/** The cards to choose one from, to take or put back; null if there are none. */
export function choiceOf({ asked, view, legal, act }: Situation) {
  if (!asked) return null;
  const able = (verb: string) => (card: string) => legal(verb).some((move) => move.card === card);
  const pick = (verb: string) => (card: string) => act({ do: verb, card });
  if (view.step === 'take')
    return {
      title: 'Take a card from the discard pile',
      more: '',
      cards: view.discards.filter((one) => lookOf(one.card).sort !== 'event'),
      legal: able('take'),
      pick: pick('take'),
    };
  const cards = (view.looking ?? []).map((card) => ({ card, count: 1 }));
  if (view.step === 'pick' || view.step === 'look')
    return {
      title: view.step === 'pick' ? 'Take one of the two' : 'Your guide shows you',
      more: view.step === 'look' ? 'The top card of the draw pile first. Take one; the others go back.' : '',
      cards,
      legal: able('take'),
      pick: pick('take'),
    };
  if (view.step === 'return')
    return {
      title: 'Put the others back',
      more: 'The last card you put back ends up on top.',
      cards,
      legal: able('return'),
      pick: pick('return'),
    };
  return null;
}
