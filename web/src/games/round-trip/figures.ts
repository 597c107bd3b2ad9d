import { show, type Figure } from '../../kit/figures';
import Back from './Back.svelte';
import MiniTrip from './MiniTrip.svelte';
import Selection from './Selection.svelte';
import Ticket from './Ticket.svelte';

const ring = ['Milano', 'Venezia', 'Napoli', 'Palermo', 'Turino'];
const back = (city: string) => show(Back, { city }, 78);
const ticket = (name: string) => show(Ticket, { ticket: name, ring }, 92);

export const figures: Figure[] = [
  {
    at: 'short',
    alt: 'Three tickets that form a ring: Milano to Venezia, Venezia to Napoli, and from Napoli back to Milano. A round trip of length 3.',
    pieces: [
      ...['Milano-Venezia', 'Venezia-Napoli', 'Napoli-Milano'].map(ticket),
      show(MiniTrip, { tickets: ['Milano-Venezia', 'Venezia-Napoli', 'Napoli-Milano'], ring, size: 110 }, 110),
    ],
  },
  {
    at: 'RT-11',
    alt: 'A Milano ticket. The black circle: Turino, from your left neighbour. The grey circle: Venezia, from your right neighbour.',
    pieces: [ticket('Milano-Napoli')],
  },
  {
    at: 'RT-22',
    alt: 'The selection card shows Venezia and Palermo: take a ticket from one of these piles.',
    pieces: [show(Selection, { cities: ['Venezia', 'Palermo'], left: 20 }, 210)],
  },
  {
    at: 'RT-30',
    alt: 'A Venezia ticket can be exchanged for a Milano ticket from your left neighbour, or for a Napoli ticket from your right neighbour.',
    pieces: [back('Milano'), ticket('Venezia-Roma'), back('Napoli')],
  },
  {
    at: 'RT-31',
    alt: 'With two players: for a Turino ticket, the starting player gets a Palermo ticket, the other player a Milano ticket.',
    pieces: [back('Palermo'), ticket('Turino-Roma'), back('Milano')],
  },
  {
    at: 'RT-39',
    alt: 'From Turino to Venezia, on to Roma, to Milano and back to Turino: a round trip of length 4.',
    pieces: [
      ...['Turino-Venezia', 'Venezia-Roma', 'Milano-Roma', 'Milano-Turino'].map(ticket),
      show(MiniTrip, { tickets: ['Turino-Venezia', 'Venezia-Roma', 'Milano-Roma', 'Milano-Turino'], ring, size: 110 }, 110),
    ],
  },
  {
    at: 'RT-40',
    alt: 'There and back: two tickets between Palermo and Turino are a round trip of length 2.',
    pieces: ['Palermo-Turino', 'Turino-Palermo'].map(ticket),
  },
  {
    at: 'RT-48',
    alt: 'The grand tour: six tickets through all six cities, Roma among them.',
    pieces: [
      show(
        MiniTrip,
        {
          tickets: ['Milano-Venezia', 'Venezia-Napoli', 'Napoli-Roma', 'Palermo-Roma', 'Palermo-Turino', 'Turino-Milano'],
          ring,
          size: 150,
        },
        150,
      ),
    ],
  },
];
