/** The text and the buttons of the bar above the backpack. */
import cards from 'icon:joker';
import handshake from 'icon:handshake';
import plane from 'icon:airplane-departure';
import gloves from 'icon:gloves';
import recycling from 'icon:recycling-symbol';
import bin from 'icon:wastebasket';
import island from 'icon:desert-island';
import raccoon from 'icon:raccoon';
import wave from 'icon:waving-hand';
import type { Move } from '../../kit/protocol';
import type { Choice } from './Bar.svelte';
import { lookOf } from './cards';
import { textOf } from './countries';
import type { Turn } from './turn.svelte';
import { counted, named, without } from './view';

export interface Said {
  strong?: string;
  more?: string;
  rule?: string | null;
  choices: Choice[];
}

const button = (
  id: string,
  label: string,
  usable: boolean,
  run: Choice['run'],
  more: Partial<Choice> = {},
): Choice => ({ id, label, usable, run, ...more });

export function said(turn: Turn): Said {
  const { at } = turn;
  if (!at.mine) return { choices: [] };
  if (turn.offer.composing) return ofDraft(turn);
  if (at.answering) return ofAnswer(turn);
  if (at.asked && at.reaction) return ofReaction(turn);
  if (at.paying || at.passing) return ofPayment(turn);
  if (at.acting) return ofAction(turn);
  const single = turn.chosen[0];
  if (single) return aboutCard(single.card, []);
  return { choices: at.can('stop') ? [button('stop', 'Take none', true, () => at.act({ do: 'stop' }), { main: true })] : [] };
}

function ofDraft({ at, offer }: Turn): Said {
  const { gives, wants, to } = offer.current();
  const verb = gives.length && wants.length ? 'Propose' : gives.length ? 'Offer' : 'Ask';
  const strong = gives.length || wants.length ? '' : `What would you trade with ${at.names[to]}?`;
  const more =
    gives.length && wants.length
      ? `${named(gives)} for ${named(wants)}`
      : gives.length
        ? `You offer ${named(gives)}`
        : wants.length
          ? `You ask for ${named(wants)}`
          : 'Offer, ask, or both';
  return {
    strong,
    more,
    rule: 'IF-29',
    choices: [
      at.speaking && !at.sending
        ? button('withdraw', 'Withdraw', true, offer.withdraw)
        : button('put-away', 'Cancel', true, offer.putAway),
      button('propose', verb, gives.length + wants.length > 0 && !at.sending, () => void offer.propose(), {
        main: gives.length + wants.length > 0,
      }),
    ],
  };
}

function ofAnswer({ at, offer }: Turn): Said {
  const { gives, wants } = at.view.trade!;
  const lacking = without(wants, at.view.hand ?? []);
  return {
    more: !gives.length || !wants.length
      ? 'There is nothing to accept yet: answer with a proposal, or decline.'
      : lacking.length
        ? `You have no ${counted(lacking)}. Decline, or offer something else.`
        : '',
    choices: [
      button('decline', 'Decline', at.can('decline'), () => at.act({ do: 'decline' })),
      button(
        'counter',
        'Counter',
        at.can('counter'),
        () => (at.can('counter') ? offer.counter() : at.act({ do: 'counter' })),
        { full: 'Make a counter-offer' },
      ),
      button('accept', 'Accept', at.can('accept'), () => at.act({ do: 'accept' }), { main: at.can('accept') }),
    ],
  };
}

function ofReaction({ at }: Turn): Said {
  return {
    choices: [
      ...at.legal('play').map((move) => button('react', at.wordsOf(move), true, () => at.act(move), { main: true })),
      button('allow', 'Let it happen', true, () => at.act({ do: 'allow' })),
    ],
  };
}

function ofPayment({ at, chosen, due, pay }: Turn): Said {
  const left = due - chosen.length;
  const ready = chosen.length > 0 && (left === 0 || at.post);
  const verb = at.passing ? `Pass it to ${at.names[(at.me + 1) % at.names.length]}` : 'Discard';
  const more = chosen.length
    ? left > 0 && !at.post
      ? `${counted(chosen.map((held) => held.card))}, and one more`
      : counted(chosen.map((held) => held.card))
    : at.post
      ? `Choose up to ${due} cards; you draw one more than you discard`
      : due === 1
        ? 'Choose a card from your backpack'
        : `Choose ${due} cards from your backpack`;
  const choices = [button('pay', verb, ready, () => (chosen.length ? void pay() : undefined), { main: ready })];
  if (at.can('stop') && !chosen.length && at.view.payment?.paid.length)
    choices.unshift(button('stop', 'That is all', true, () => at.act({ do: 'stop' })));
  return { more, choices };
}

function ofAction(turn: Turn): Said {
  const { at, mode } = turn;
  const back = button('back', 'Back', true, turn.clear);
  if (mode === 'travel')
    return {
      strong: 'Travel with what?',
      choices: [
        ...at.travels.map((move, index) =>
          button(`travel-${index}`, withWhat(move), true, () => at.act(move), {
            full: at.wordsOf(move),
            main: index === 0,
          }),
        ),
        back,
      ],
    };
  if (mode) return { strong: '', more: '', choices: [back] };
  const held = turn.chosen[0];
  if (!held) return { choices: actions(turn) };
  const choices = [back];
  const playable = at.playable.has(held.card);
  if (lookOf(held.card).sort === 'special')
    choices.push(button('play', 'Play it', playable, () => at.act({ do: 'play', card: held.card }), { main: playable }));
  choices.push(button('offer', 'Offer it', at.can('trade'), () => turn.begin('trade')));
  return aboutCard(held.card, choices);
}

function actions(turn: Turn): Choice[] {
  const { at } = turn;
  const { can, act, goal, travels } = at;
  const list = [
    button('travel', 'Travel', travels.length > 0, turn.travel, {
      icon: plane,
      main: travels.length > 0,
      full: goal ? `Travel to ${goal}` : 'Travel',
    }),
    button('draw', 'Draw', can('draw'), () => act({ do: 'draw' }), { icon: cards }),
    button('recycle', 'Recycle', can('recycle'), () => act({ do: 'recycle' }), { icon: recycling }),
    button('trade', 'Trade', can('trade'), () => turn.begin('trade'), { icon: handshake }),
    button('steal', 'Steal', can('steal'), () => turn.begin('steal'), { icon: gloves }),
  ];
  if (can('steal-country'))
    list.push(
      button('steal-country', 'Country', true, () => void (turn.mode = 'country'), { icon: island, full: 'Steal a country' }),
    );
  if (can('get-rid'))
    list.push(
      button('get-rid', 'Get rid', true, () => act({ do: 'get-rid' }), { icon: bin, full: 'Get rid of a forbidden item' }),
    );
  if (can('smuggle')) list.push(button('smuggle', 'Smuggle', true, () => turn.begin('smuggle'), { icon: raccoon }));
  if (can('pass')) list.push(button('pass', 'Pass', true, () => act({ do: 'pass' }), { icon: wave }));
  return list;
}

function withWhat(move: Move): string {
  if (move.do === 'travel') return 'The three items';
  if (move.do === 'travel-with') return move.card as string;
  return `Credit card for ${move.item as string}`;
}

function aboutCard(card: string, choices: Choice[]): Said {
  return { strong: card, more: textOf(card), rule: lookOf(card).rule, choices };
}
