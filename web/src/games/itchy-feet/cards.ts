/**
 * The looks of the cards and their explanations, in the words of the game's own parts. The pictures are icons on
 * painted grounds. Colour is never the only signal: every card has its name and its picture.
 */
import parts from '../../../../src/grandtour/games/itchy_feet/parts.json';
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
import type { Extensions } from './view';

export interface Drawing {
  body: string;
  width: number;
  height: number;
}

type Sort = 'item' | 'passport' | 'postcard' | 'forbidden' | 'special' | 'event' | 'character';

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

const ON_ITEMS: Record<string, [Drawing, string]> = {
  'Rain Jacket': [coat, '#9cc7d8'],
  'Power Adapter': [plug, '#e3a52b'],
  Camera: [camera, '#d98fa0'],
  'Hiking Boots': [hikingBoot, '#a7b56a'],
  'Local Cash': [cash, '#4f9c8f'],
  Phrasebook: [phrasebook, '#8a6aa0'],
  'Stomach Pills': [pill, '#f0d9b0'],
  Swimsuit: [swimsuit, '#5f8fc4'],
  'Bug Spray': [bug, '#c9d39a'],
  Sunscreen: [lotion, '#e9824e'],
};

const DRAWINGS: Record<string, Drawing> = {
  Mousetrap: trap,
  "Mom's Credit Card": credit,
  'Local Guide': flag,
  'Trading Post': hut,
  'Poorly Drawn Map': map,
  'Red-Eye Flight': airplane,
  'Customs Bribe': money,
  'Lost and Found': lens,
  'Passport Control': passport,
  'Civil Unrest': megaphone,
  'Lost Luggage': luggage,
  'Luggage Mix-Up': mixed,
  'Night Market': lantern,
  'The Smuggler': raccoon,
  'The Early Bird': chick,
  'The Second-Hander': shopping,
  'The Pickpocket': gloves,
  'The Haggler': handshake,
  'The Overpacker': backpack,
};

const TIMINGS: Record<string, string> = { reaction: 'Reaction', travel: 'When you travel', action: 'Action', free: 'Free' };

interface Printed {
  name: string;
  text: string;
  rule: string;
  timing?: string;
}

const looking = (sort: Sort, ground: string, when: string, cards: Printed[]): CardLook[] =>
  cards.map(({ name, text, rule, timing }) => ({
    name,
    sort,
    icon: DRAWINGS[name] ?? null,
    ground,
    when: timing ? (TIMINGS[timing] ?? timing) : when,
    text,
    rule,
  }));

const ITEMS: CardLook[] = parts.items.names.map((name) => {
  const [icon, ground] = ON_ITEMS[name] ?? [null, 'var(--sunk)'];
  return { name, sort: 'item', icon, ground, when: 'Item', text: 'Countries ask for it.', rule: 'IF-4' };
});

const PASSPORT: CardLook = {
  name: 'Passport',
  sort: 'passport',
  icon: null,
  ground: '#f0e2c0',
  when: 'Passport',
  text: 'You need one every time you travel, and you keep it. Any passport will do.',
  rule: 'IF-5',
};

const POSTCARD: CardLook = {
  name: 'Postcard',
  sort: 'postcard',
  icon: island,
  ground: '#bfe0ea',
  when: 'Postcard',
  text: 'Four of them in your hand win the game at once.',
  rule: 'IF-85',
};

const FORBIDDEN: CardLook = {
  name: 'Forbidden Item',
  sort: 'forbidden',
  icon: knife,
  ground: '#f3d9cf',
  when: 'Forbidden',
  text: 'With it in your hand you cannot travel. Get rid of it with one other card, as an action.',
  rule: 'IF-79',
};

const SPECIALS = looking('special', 'var(--navy)', '', parts['special items']);
const EVENTS = looking('event', 'var(--plum)', 'Event', parts.events);
const CHARACTERS = looking('character', 'var(--teal)', 'Character', parts.characters);

const looks = new Map(
  [...ITEMS, PASSPORT, POSTCARD, FORBIDDEN, ...SPECIALS, ...EVENTS, ...CHARACTERS].map((one) => [one.name, one]),
);

export const lookOf = (card: string): CardLook => looks.get(card) ?? { ...PASSPORT, name: card, text: '' };

/** A name that may be hyphenated if there is little room. */
export const soft = (name: string): string =>
  name.replace('Phrasebook', 'Phrase\u00adbook').replace('Sunscreen', 'Sun\u00adscreen').replace('Swimsuit', 'Swim\u00adsuit');

/** The kinds of card that can be in a hand, with the extensions that are on. */
export function kindsInPlay(extensions: Extensions): string[] {
  return [
    ...ITEMS.map((one) => one.name),
    'Passport',
    ...(extensions.postcards ? ['Postcard'] : []),
    ...(extensions.forbidden_items ? ['Forbidden Item'] : []),
    ...(extensions.special_items ? SPECIALS.map((one) => one.name) : []),
  ];
}
