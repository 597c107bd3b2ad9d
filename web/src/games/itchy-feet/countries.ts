/** How the thirteen countries look: flag, colour, a picture of their own, and the three items their card shows. */
import parts from '../../../../src/grandtour/games/itchy_feet/parts.json';
import au from 'circle-flags/flags/au.svg';
import br from 'circle-flags/flags/br.svg';
import ca from 'circle-flags/flags/ca.svg';
import de from 'circle-flags/flags/de.svg';
import eg from 'circle-flags/flags/eg.svg';
import fr from 'circle-flags/flags/fr.svg';
import ind from 'circle-flags/flags/in.svg';
import is from 'circle-flags/flags/is.svg';
import it from 'circle-flags/flags/it.svg';
import jp from 'circle-flags/flags/jp.svg';
import ke from 'circle-flags/flags/ke.svg';
import mx from 'circle-flags/flags/mx.svg';
import th from 'circle-flags/flags/th.svg';
import leaf from 'icon:maple-leaf';
import cactus from 'icon:cactus';
import camel from 'icon:camel';
import castle from 'icon:castle';
import croissant from 'icon:croissant';
import elephant from 'icon:elephant';
import fuji from 'icon:mount-fuji';
import kangaroo from 'icon:kangaroo';
import lion from 'icon:lion';
import parrot from 'icon:parrot';
import temple from 'icon:hindu-temple';
import theatre from 'icon:classical-building';
import volcano from 'icon:volcano';
import { lookOf, type Drawing } from './cards';

export interface CountryLook {
  name: string;
  flag: string;
  souvenir: Drawing;
  colour: string;
  items: string[];
}

const LOOKS: Record<string, [flag: string, souvenir: Drawing, colour: string]> = {
  Japan: [jp, fuji, '#b8465c'],
  Germany: [de, castle, '#3d4f66'],
  Italy: [it, theatre, '#5d7029'],
  France: [fr, croissant, '#2f5790'],
  Brazil: [br, parrot, '#1c7c56'],
  Egypt: [eg, camel, '#8f5a1a'],
  India: [ind, temple, '#a84a1c'],
  Iceland: [is, volcano, '#1f5f7a'],
  Australia: [au, kangaroo, '#1f3b63'],
  Mexico: [mx, cactus, '#1c7c7a'],
  Thailand: [th, elephant, '#7a3b69'],
  Kenya: [ke, lion, '#8a3324'],
  Canada: [ca, leaf, '#c83d25'],
};

const COUNTRIES: CountryLook[] = parts.countries.cards.map(({ name, items }) => {
  const [flag, souvenir, colour] = LOOKS[name]!;
  return { name, flag, souvenir, colour, items };
});

const looks = new Map(COUNTRIES.map((one) => [one.name, one]));

export const countryOf = (name: string): CountryLook => looks.get(name) ?? COUNTRIES[0]!;

/** The explanation of a card. For an item, it names the countries that ask for it. */
export function textOf(card: string): string {
  const look = lookOf(card);
  if (look.sort !== 'item') return look.text;
  const asking = COUNTRIES.filter((one) => one.items.includes(card)).map((one) => one.name);
  return `Asked for by ${asking.slice(0, -1).join(', ')} and ${asking.at(-1)}.`;
}

/** For the log and for the confetti. */
export const colours: Record<string, string> = Object.fromEntries(COUNTRIES.map((one) => [one.name, one.colour]));
