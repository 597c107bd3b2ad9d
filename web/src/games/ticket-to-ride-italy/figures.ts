import { show, type Figure } from '../../kit/figures';
import Stretch from './Stretch.svelte';
import TicketRow from './TicketRow.svelte';
import TrainCard from './TrainCard.svelte';

const card = (name: string) => show(TrainCard, { card: name }, 92, 46);
const ticket = (name: string, points: number, met: boolean) => show(TicketRow, { ticket: name, points, met }, 250);

export const figures: Figure[] = [
  {
    at: 'short',
    alt: 'Your goal: the ticket Roma–Messina, worth 12 points. To claim a route of two orange spaces on the way, pay two orange cards.',
    pieces: [ticket('Roma-Messina', 12, false), card('orange'), card('orange')],
  },
  {
    at: 'TR-11',
    alt: 'The eight colours, and the locomotive, which stands for any of them.',
    pieces: ['purple', 'blue', 'orange', 'white', 'green', 'yellow', 'black', 'red', 'locomotive'].map(card),
  },
  {
    at: 'TR-37',
    alt: 'One way to pay for a route of two blue spaces: a blue card and a locomotive.',
    pieces: [card('blue'), card('locomotive')],
  },
  {
    at: 'TR-46',
    alt: 'Roma–Olbia, paid with two green cards and a ferry card, which serves for both waves.',
    pieces: [show(Stretch, { routes: ['R068'] }, 260), card('green'), card('green'), card('ferry')],
  },
  {
    at: 'TR-45',
    alt: 'Other ways to pay for Roma–Olbia: two green cards, a locomotive and a ferry card, which then serves for one wave only; or four locomotives.',
    pieces: ['green', 'green', 'locomotive', 'ferry', 'locomotive', 'locomotive', 'locomotive', 'locomotive'].map(card),
  },
  {
    at: 'TR-48',
    alt: 'Roma–Napoli with two or three players: once one track is claimed, the other two are closed to everybody.',
    pieces: [show(Stretch, { routes: ['R085', 'R086', 'R087'], owners: { R086: 1 }, closed: ['R085', 'R087'] }, 300)],
  },
  {
    at: 'TR-57',
    alt: 'One network through Toscana, Lazio, Abruzzo, Campania and Puglia: five regions, 1 point.',
    pieces: [
      show(
        Stretch,
        { routes: ['R079', 'R084', 'R088', 'R091'], owners: { R079: 0, R084: 0, R088: 0, R091: 0 } },
        300,
      ),
    ],
  },
  {
    at: 'TR-13',
    alt: 'A ticket that is not completed yet, and one that is.',
    pieces: [ticket('Venezia-Napoli', 12, false), ticket('Bologna-Messina', 18, true)],
  },
];
