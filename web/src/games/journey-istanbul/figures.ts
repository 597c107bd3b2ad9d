import { show, type Figure } from '../../kit/figures';
import Bill from './Bill.svelte';
import EventCard from './EventCard.svelte';
import Marker from './Marker.svelte';
import SmallCity from './SmallCity.svelte';
import TaskCard from './TaskCard.svelte';
import type { Task } from './view';

const up = (day: string, card: string) => show(EventCard, { day, card }, 128);
const down = (day: string) => show(EventCard, { day }, 128);

const marker = (seat: number, letter: string) => show(Marker, { seat, letter }, 32);
const bill = (amount: number) => show(Bill, { amount }, 62);

const city = (props: Parameters<typeof SmallCity>[1]) => show(SmallCity, props, 380);
const task = (kind: 'obstacle' | 'opportunity', name: string, circles: boolean[]) =>
  show(TaskCard, { state: { name, circles, complete: true, place: null, days: null } as Task, kind, day: 10 }, 300);

export const figures: Figure[] = [
  {
    at: 'short',
    alt: 'Event cards lie face down, with their day on the back. In the evening they turn out to be police raids, journeys or work.',
    pieces: [
      down('2nd'),
      up('2nd', '2nd-police-3000'),
      up('2nd', '2nd-journey-Taksim-9000'),
      up('2nd', '2nd-work-Sultanahmet-6000'),
    ],
  },
  {
    at: 'JI-10',
    alt: 'The three types: a police raid with its fine, a journey with its place and price, and work with its place and wage.',
    pieces: [
      up('1st', '1st-police-4000'),
      up('1st', '1st-journey-Sultanahmet-12000'),
      up('1st', '1st-work-Taksim-8000'),
    ],
  },
  {
    at: 'JI-12',
    alt: 'Three cards of the 5th day on the event sheet, face down.',
    pieces: [down('5th'), down('5th'), down('5th')],
  },
  {
    at: 'JI-23',
    alt: 'From Kadıköy, Red may go to Sultanahmet or Üsküdar, or stay. Fatih and Taksim are out of reach.',
    pieces: [city({ piles: { Kadıköy: [[0, 'R']] }, lit: ['Kadıköy-Sultanahmet', 'Kadıköy-Üsküdar'] })],
  },
  {
    at: 'JI-24',
    alt: 'Green comes to Taksim, where Red is already: the green marker goes on top of the red one.',
    pieces: [city({ piles: { Taksim: [[0, 'R'], [2, 'G']] }, lit: ['Sultanahmet-Taksim'] })],
  },
  {
    at: 'JI-26',
    alt: 'The eyes of each place. In Sultanahmet Red looks at one card, in Fatih Green looks at two, in Kadıköy Purple at none.',
    pieces: [city({ piles: { Sultanahmet: [[0, 'R']], Fatih: [[2, 'G']], Kadıköy: [[3, 'P']] }, eyes: true }), down('2nd'), down('4th')],
  },
  {
    at: 'JI-30',
    alt: 'On the 3rd day Red draws two cards: the one for the 4th day goes into its row, the one for the 3rd goes sideways.',
    pieces: [down('4th'), down('3rd')],
  },
  {
    at: 'JI-34',
    alt: 'One raid: only players in Taksim are affected.',
    pieces: [up('3rd', '3rd-police-4000'), city({ piles: { Taksim: [[1, 'B'], [0, 'R']], Fatih: [[2, 'G']] }, raided: ['Taksim'] })],
  },
  {
    at: 'JI-36',
    alt: 'A raid of 4 000 TL on the 3rd day. Blue, in Taksim, pays; Red cannot: the card is laid beside the board with the red marker on it until the 6th day.',
    pieces: [city({ piles: { Taksim: [[1, 'B']] }, raided: ['Taksim'] }), up('3rd', '3rd-police-4000'), marker(0, 'R')],
  },
  {
    at: 'JI-39',
    alt: 'A journey from Fatih is revealed, and nobody is there: nobody can use it.',
    pieces: [up('3rd', '3rd-journey-Fatih-12000'), city({ piles: { Taksim: [[0, 'R']], Sultanahmet: [[2, 'G']] } })],
  },
  {
    at: 'JI-56',
    alt: 'Documents, completed: in Taksim on the 2nd day, in Fatih two days later.',
    pieces: [task('obstacle', 'Documents', [true, true])],
  },
  {
    at: 'JI-60',
    alt: 'Purple is in Taksim on the 4th day, when a journey from there is revealed: Knowing the Driver is completed.',
    pieces: [
      up('4th', '4th-journey-Taksim-8000'),
      city({ piles: { Taksim: [[3, 'P']] } }),
      task('opportunity', 'Knowing the Driver', [true]),
    ],
  },
  {
    at: 'JI-65',
    alt: 'Green offers 1 000 TL to whoever tells what is on a card of the 5th day.',
    pieces: [marker(2, 'G'), bill(1000), down('5th')],
  },
  {
    at: 'JI-61',
    alt: 'With the Work Permit, in Sultanahmet: two raids, but work is offered there, so you pay no fine and can take it.',
    pieces: [
      task('opportunity', 'Work Permit', [true, true]),
      up('4th', '4th-police-4000'),
      up('4th', '4th-police-2000'),
      up('4th', '4th-work-Sultanahmet-7000'),
    ],
  },
  {
    at: 'JI-35',
    alt: 'Raids with fines of 2 000 and 4 000 TL on one evening: everyone affected pays the smaller fine, 2 000 TL.',
    pieces: [up('1st', '1st-police-2000'), up('1st', '1st-police-4000')],
  },
];
