/**
 * How the cards look and what they say of themselves. The pictures are icons on painted grounds; a colour never
 * speaks alone: every card has its name and its picture.
 */
import airplane from 'icon:airplane';
import backpack from 'icon:backpack';
import bug from 'icon:mosquito';
import camera from 'icon:camera';
import cash from 'icon:euro-banknote';
import chick from 'icon:baby-chick';
import coat from 'icon:coat';
import credit from 'icon:credit-card';
import flag from 'icon:triangular-flag';
import gloves from 'icon:gloves';
import handshake from 'icon:handshake';
import hikingBoot from 'icon:hiking-boot';
import hut from 'icon:hut';
import island from 'icon:desert-island';
import knife from 'icon:kitchen-knife';
import lantern from 'icon:red-paper-lantern';
import lens from 'icon:magnifying-glass-tilted-left';
import lotion from 'icon:lotion-bottle';
import luggage from 'icon:luggage';
import map from 'icon:world-map';
import megaphone from 'icon:megaphone';
import mixed from 'icon:left-luggage';
import money from 'icon:money-with-wings';
import passport from 'icon:passport-control';
import phrasebook from 'icon:orange-book';
import pill from 'icon:pill';
import plug from 'icon:electric-plug';
import raccoon from 'icon:raccoon';
import shopping from 'icon:shopping-bags';
import swimsuit from 'icon:one-piece-swimsuit';
import trap from 'icon:mouse-trap';

export interface Drawing {
  body: string;
  width: number;
  height: number;
}

export type Sort = 'item' | 'passport' | 'postcard' | 'forbidden' | 'special' | 'event' | 'character';

export interface CardLook {
  name: string;
  sort: Sort;
  /** Null: drawn by the card itself. */
  icon: Drawing | null;
  ground: string;
  /** When it is used, in a word or two. */
  when: string;
  text: string;
  rule: string;
}

const item = (name: string, icon: Drawing, ground: string): CardLook => ({
  name,
  sort: 'item',
  icon,
  ground,
  when: 'Item',
  text: 'Countries ask for it.',
  rule: 'IF-4',
});

const special = (name: string, icon: Drawing, when: string, text: string, rule: string): CardLook => ({
  name,
  sort: 'special',
  icon,
  ground: 'var(--navy)',
  when,
  text,
  rule,
});

const event = (name: string, icon: Drawing, text: string, rule: string): CardLook => ({
  name,
  sort: 'event',
  icon,
  ground: 'var(--plum)',
  when: 'Event',
  text,
  rule,
});

const character = (name: string, icon: Drawing, text: string, rule: string): CardLook => ({
  name,
  sort: 'character',
  icon,
  ground: 'var(--teal)',
  when: 'Character',
  text,
  rule,
});

export const ITEMS: CardLook[] = [
  item('Rain Jacket', coat, '#9cc7d8'),
  item('Power Adapter', plug, '#e3a52b'),
  item('Camera', camera, '#d98fa0'),
  item('Hiking Boots', hikingBoot, '#a7b56a'),
  item('Local Cash', cash, '#4f9c8f'),
  item('Phrasebook', phrasebook, '#8a6aa0'),
  item('Stomach Pills', pill, '#f0d9b0'),
  item('Swimsuit', swimsuit, '#5f8fc4'),
  item('Bug Spray', bug, '#c9d39a'),
  item('Sunscreen', lotion, '#e9824e'),
];

const PASSPORT: CardLook = {
  name: 'Passport',
  sort: 'passport',
  icon: null,
  ground: '#f0e2c0',
  when: 'Passport',
  text: 'Every travel needs one, and you keep it. Any passport will do.',
  rule: 'IF-5',
};

const POSTCARD: CardLook = {
  name: 'Postcard',
  sort: 'postcard',
  icon: island,
  ground: '#bfe0ea',
  when: 'Postcard',
  text: 'Whoever has four in the hand wins at once.',
  rule: 'IF-85',
};

const FORBIDDEN: CardLook = {
  name: 'Forbidden Item',
  sort: 'forbidden',
  icon: knife,
  ground: '#f3d9cf',
  when: 'Forbidden',
  text: 'With it in your hand you cannot travel. It goes with one other card, as an action.',
  rule: 'IF-79',
};

export const SPECIALS: CardLook[] = [
  special(
    'Mousetrap',
    trap,
    'Reaction',
    'When someone steals from you: nothing is stolen, and their turn is over.',
    'IF-63',
  ),
  special("Mom's Credit Card", credit, 'With a travel', 'Stands in for one item when you travel.', 'IF-69'),
  special('Local Guide', flag, 'Action', 'Look at the top four cards of the draw pile and take one.', 'IF-71'),
  special('Trading Post', hut, 'Action', 'Discard one to three cards, then draw one more than that.', 'IF-73'),
  special('Poorly Drawn Map', map, 'Action', 'Replace the own country of a player who has not been there.', 'IF-75'),
  special('Red-Eye Flight', airplane, 'Free', 'Before your first action: you have two actions this turn.', 'IF-76'),
  special('Customs Bribe', money, 'Free', 'Discard a forbidden item, at no other cost.', 'IF-77'),
  special('Lost and Found', lens, 'Action', 'Take any card but an event from the discard pile.', 'IF-78'),
  special(
    'Passport Control',
    passport,
    'Reaction',
    'When someone travels: the travel does not take place, and their turn is over.',
    'IF-66',
  ),
];

const EVENTS: CardLook[] = [
  event('Civil Unrest', megaphone, 'The country in the centre is replaced.', 'IF-56'),
  event('Lost Luggage', luggage, 'Everyone loses a random item, special item or postcard.', 'IF-58'),
  event('Luggage Mix-Up', mixed, 'Everyone passes a card to the left.', 'IF-59'),
  event('Night Market', lantern, 'Everyone draws a card.', 'IF-60'),
];

const CHARACTERS: CardLook[] = [
  character('The Smuggler', raccoon, 'Once a turn, before your action, give a forbidden item to another.', 'IF-88'),
  character('The Early Bird', chick, 'Draw two cards, then discard one.', 'IF-90'),
  character('The Second-Hander', shopping, 'Recycle for one card.', 'IF-91'),
  character('The Pickpocket', gloves, 'When you steal, look at two cards and take one.', 'IF-92'),
  character('The Haggler', handshake, 'Draw two cards as the bonus of a trade.', 'IF-93'),
  character('The Overpacker', backpack, 'You can have nine cards in your hand.', 'IF-94'),
];

const looks = new Map(
  [...ITEMS, PASSPORT, POSTCARD, FORBIDDEN, ...SPECIALS, ...EVENTS, ...CHARACTERS].map((one) => [one.name, one]),
);

export const lookOf = (card: string): CardLook => looks.get(card) ?? { ...PASSPORT, name: card, text: '' };

/** A name that may be parted where there is little room. */
export const soft = (name: string): string =>
  name.replace('Phrasebook', 'Phrase\u00adbook').replace('Sunscreen', 'Sun\u00adscreen').replace('Swimsuit', 'Swim\u00adsuit');

/** The kinds of card that can be in a hand, with the extensions that are on. */
export function kindsInPlay(extensions: Record<string, boolean>): string[] {
  return [
    ...ITEMS.map((one) => one.name),
    'Passport',
    ...(extensions.postcards ? ['Postcard'] : []),
    ...(extensions.forbidden_items ? ['Forbidden Item'] : []),
    ...(extensions.special_items ? SPECIALS.map((one) => one.name) : []),
  ];
}
