/** How the six cities look: a colour always comes with a name, two letters and a building. */
export interface Look {
  code: string;
  colour: string;
  on: string;
}

const white = 'var(--on-dark)';

const looks: Record<string, Look> = {
  Milano: { code: 'MI', colour: 'var(--navy)', on: white },
  Venezia: { code: 'VE', colour: 'var(--teal)', on: white },
  Napoli: { code: 'NA', colour: 'var(--vermilion)', on: white },
  Palermo: { code: 'PA', colour: 'var(--orange)', on: 'var(--on-light)' },
  Turino: { code: 'TU', colour: 'var(--olive)', on: white },
  Roma: { code: 'RO', colour: 'var(--plum)', on: white },
};

export const lookOf = (city: string): Look =>
  looks[city] ?? { code: city.slice(0, 2).toUpperCase(), colour: 'var(--slab)', on: white };

export const colours: Record<string, string> = Object.fromEntries(
  Object.entries(looks).map(([city, look]) => [city, look.colour]),
);

/** "Milano-Venezia" came from the Milano pile and joins Milano and Venezia. */
export function endsOf(ticket: string): [pile: string, other: string] {
  const [pile = '', other = ''] = ticket.split('-');
  return [pile, other];
}

/** As people write it: "Milano–Venezia". */
export const written = (ticket: string): string => ticket.replace('-', '–');
