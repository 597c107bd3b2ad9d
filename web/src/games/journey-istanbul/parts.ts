/** What is printed on the cards and the board, and how days and sums are written. */
export type Kind = 'police' | 'journey' | 'work';

export interface EventCard {
  name: string;
  day: string;
  kind: Kind;
  place: string | null;
  amount: number;
}

export interface Task {
  /** A place for every circle. */
  circles: string[];
  task: string;
  story: string;
  rule: string;
  bonus?: string;
}

export const DAYS = ['1st', '2nd', '3rd', '4th', '5th', '6th'];
export const PLACES = ['Taksim', 'Fatih', 'Sultanahmet', 'Üsküdar', 'Kadıköy'];

/** `3rd-journey-Fatih-12000` or `3rd-police-4000`. */
export function cardOf(name: string): EventCard {
  const [day = '', kind = '', ...rest] = name.split('-');
  return {
    name,
    day,
    kind: kind as Kind,
    place: rest.length > 1 ? rest[0]! : null,
    amount: Number(rest.at(-1)),
  };
}

const dealt: Record<string, string[]> = {
  '1st': ['police-2000', 'police-4000', 'journey-Sultanahmet-12000', 'journey-Üsküdar-11000', 'work-Taksim-8000', 'work-Fatih-6000'],
  '2nd': ['police-1000', 'police-3000', 'journey-Taksim-9000', 'journey-Fatih-11000', 'work-Sultanahmet-6000', 'work-Üsküdar-4000'],
  '3rd': ['police-4000', 'police-5000', 'journey-Fatih-12000', 'journey-Sultanahmet-10000', 'work-Taksim-7000', 'work-Üsküdar-5000'],
  '4th': ['police-2000', 'police-4000', 'journey-Taksim-8000', 'journey-Üsküdar-13000', 'work-Sultanahmet-7000', 'work-Fatih-6000'],
  '5th': ['police-1000', 'police-3000', 'journey-Sultanahmet-11000', 'journey-Fatih-10000', 'work-Taksim-8000', 'work-Üsküdar-5000'],
  '6th': ['police-2000', 'police-3000', 'journey-Taksim-10000', 'journey-Üsküdar-12000', 'work-Fatih-7000', 'work-Sultanahmet-7000'],
};

/** The 36 event cards, which everybody knows; where they lie is another matter. */
export const CARDS: Record<string, string[]> = Object.fromEntries(
  DAYS.map((day) => [day, dealt[day]!.map((rest) => `${day}-${rest}`)]),
);

export const sum = (amount: number): string => String(amount).replace(/\B(?=(\d{3})+$)/g, '\u202f');
export const lira = (amount: number): string => `${sum(amount)}\u00a0TL`;

export const codeOf = (place: string): string => place.slice(0, 3).toLocaleUpperCase(place === 'Kadıköy' ? 'tr' : 'en');

export const kindNames: Record<Kind, string> = { police: 'Police raid', journey: 'Journey', work: 'Work' };

/** In a few words: "a journey from Fatih for 12 000 TL". */
export function told(name: string): string {
  const card = cardOf(name);
  if (card.kind === 'police') return `a police raid with a fine of ${lira(card.amount)}`;
  return `${card.kind === 'journey' ? 'a journey from' : 'work in'} ${card.place} for ${lira(card.amount)}`;
}

export const weekOf = (day: number): number => Math.floor((day - 1) / 6) + 1;
export const dayName = (day: number): string => DAYS[(day - 1) % 6]!;

/** "today", "tomorrow", "on the 4th day", with the week where it is another one. */
export function when(day: number, today: number): string {
  if (day === today) return 'today';
  if (day === today + 1) return 'tomorrow';
  const week = weekOf(day) === weekOf(today) ? '' : ` of week ${weekOf(day)}`;
  return `on the ${dayName(day)} day${week}`;
}

/** The windows still open of a task: "Fatih, exactly tomorrow". */
export function windowText(place: string, days: number[] | null, today: number): string {
  if (days === null) return `${place}, on any day`;
  if (days.length === 0) return `${place}, but first go away from there`;
  if (days.length === 1) return `${place}, exactly ${when(days[0]!, today)}`;
  const names = days.map((day) => when(day, today));
  return `${place}, ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}

export const tasks: Record<string, Task> = {
  'Burden of memories': {
    circles: ['Fatih', 'Fatih'],
    task: 'Spend two consecutive days in Fatih.',
    story: 'Your daughter has not spoken since the raid you barely survived. An imam may help her.',
    rule: 'JI-55',
  },
  Documents: {
    circles: ['Taksim', 'Fatih'],
    task: 'Go to Taksim. Two days later, go to Fatih.',
    story: 'You came from Afghanistan without a passport, and need papers that say who you are.',
    rule: 'JI-56',
  },
  'Scattered family': {
    circles: ['Fatih', 'Sultanahmet', 'Üsküdar'],
    task: 'Be in Fatih, Sultanahmet and Üsküdar, in any order.',
    story: 'Your family was separated on the way. You look for them before you go on.',
    rule: 'JI-57',
  },
  Medicine: {
    circles: ['Üsküdar', 'Sultanahmet'],
    task: 'Go to Üsküdar. On one of the next three days be in Sultanahmet and pay 1 000 TL.',
    story: 'Your father needs his medicine for the crossing. A doctor writes what a pharmacist must find.',
    rule: 'JI-58',
  },
  'Old debt': {
    circles: ['Taksim', 'Taksim'],
    task: 'Be in Taksim on two different days and pay 1 000 TL each time.',
    story: 'Someone paid for your way here, and wants it back before you leave.',
    rule: 'JI-58',
  },
  'Money Transfer': {
    circles: ['Taksim', 'Taksim'],
    task: 'Go to Taksim. Go back there on one of the following three days.',
    bonus: 'You collect 10 000 TL.',
    story: 'People at home have collected money for you.',
    rule: 'JI-59',
  },
  'Knowing the Driver': {
    circles: ['Taksim'],
    task: 'Be in Taksim on a day when a journey is offered there.',
    bonus: 'From the next day on you come first, and journeys cost 5 000 TL less.',
    story: 'Your old teacher has friends who drive for those who organise the boats.',
    rule: 'JI-60',
  },
  'Work Permit': {
    circles: ['Fatih', 'Taksim'],
    task: 'Go to Fatih, and then to Taksim.',
    bonus: 'You ignore police raids where work is offered.',
    story: 'You worked for the authorities at home, and know which papers to ask for.',
    rule: 'JI-61',
  },
  'Trusted source': {
    circles: ['Üsküdar', 'Fatih'],
    task: 'Be in Üsküdar, and on a later day in Fatih.',
    bonus: 'From your next turn on you may look at two more cards.',
    story: 'A neighbour from home hears much in the tea house.',
    rule: 'JI-63',
  },
  "Cousin's workshop": {
    circles: ['Sultanahmet'],
    task: 'Be in Sultanahmet on a day when work is offered there.',
    bonus: 'From the next day on you come first for work, and are paid 3 000 TL more.',
    story: 'Your cousin sews in a workshop, and puts in a word for you.',
    rule: 'JI-63',
  },
};

/** One or two letters that tell the players apart. */
export function letterOf(names: string[], seat: number): string {
  const first = (name: string | undefined) => (name || '?').slice(0, 1).toUpperCase();
  const own = first(names[seat]);
  return names.some((name, other) => other !== seat && first(name) === own) ? `${own}${seat + 1}` : own;
}

export const colourOf = (seat: number): string =>
  ['var(--vermilion)', 'var(--navy)', 'var(--olive)', 'var(--plum)', 'var(--teal)'][seat % 5]!;
