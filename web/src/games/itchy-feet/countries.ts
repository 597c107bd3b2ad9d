/** How the thirteen countries look: flag, colour, a picture of their own, and the three items their card shows. */
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
  items: [string, string, string];
}

const country = (
  name: string,
  flag: string,
  souvenir: Drawing,
  colour: string,
  ...items: [string, string, string]
): CountryLook => ({ name, flag, souvenir, colour, items });

export const COUNTRIES: CountryLook[] = [
  country('Japan', jp, fuji, '#b8465c', 'Rain Jacket', 'Power Adapter', 'Camera'),
  country('Germany', de, castle, '#3d4f66', 'Hiking Boots', 'Power Adapter', 'Local Cash'),
  country('Italy', it, theatre, '#5d7029', 'Phrasebook', 'Camera', 'Local Cash'),
  country('France', fr, croissant, '#2f5790', 'Rain Jacket', 'Phrasebook', 'Stomach Pills'),
  country('Brazil', br, parrot, '#1c7c56', 'Swimsuit', 'Phrasebook', 'Bug Spray'),
  country('Egypt', eg, camel, '#8f5a1a', 'Camera', 'Stomach Pills', 'Sunscreen'),
  country('India', ind, temple, '#a84a1c', 'Power Adapter', 'Bug Spray', 'Stomach Pills'),
  country('Iceland', is, volcano, '#1f5f7a', 'Hiking Boots', 'Swimsuit', 'Camera'),
  country('Australia', au, kangaroo, '#1f3b63', 'Swimsuit', 'Power Adapter', 'Sunscreen'),
  country('Mexico', mx, cactus, '#1c7c7a', 'Swimsuit', 'Stomach Pills', 'Local Cash'),
  country('Thailand', th, elephant, '#7a3b69', 'Bug Spray', 'Sunscreen', 'Local Cash'),
  country('Kenya', ke, lion, '#8a3324', 'Hiking Boots', 'Phrasebook', 'Sunscreen'),
  country('Canada', ca, leaf, '#c83d25', 'Hiking Boots', 'Rain Jacket', 'Bug Spray'),
];

const looks = new Map(COUNTRIES.map((one) => [one.name, one]));

export const countryOf = (name: string): CountryLook => looks.get(name) ?? COUNTRIES[0]!;

/** What a card says of itself; an item names the countries that ask for it. */
export function textOf(card: string): string {
  const look = lookOf(card);
  if (look.sort !== 'item') return look.text;
  const asking = COUNTRIES.filter((one) => one.items.includes(card)).map((one) => one.name);
  return `Asked for by ${asking.slice(0, -1).join(', ')} and ${asking.at(-1)}.`;
}

/** For the log and for the confetti. */
export const colours: Record<string, string> = Object.fromEntries(COUNTRIES.map((one) => [one.name, one.colour]));
