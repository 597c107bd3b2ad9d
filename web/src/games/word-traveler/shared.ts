import baseball from 'icon:baseball';
import bread from 'icon:bread';
import coin from 'icon:coin';
import deciduousTree from 'icon:deciduous-tree';
import dress from 'icon:dress';
import drum from 'icon:drum';
import frenchFries from 'icon:french-fries';
import gemStone from 'icon:gem-stone';
import hotBeverage from 'icon:hot-beverage';
import manStanding from 'icon:man-standing';
import megaphone from 'icon:megaphone';
import microphone from 'icon:microphone';
import mirrorBall from 'icon:mirror-ball';
import musicalNotes from 'icon:musical-notes';
import musicalScore from 'icon:musical-score';
import olderPerson from 'icon:older-person';
import packageIcon from 'icon:package';
import performingArts from 'icon:performing-arts';
import personWalking from 'icon:person-walking';
import poodle from 'icon:poodle';
import rose from 'icon:rose';
import shortcake from 'icon:shortcake';
import softIceCream from 'icon:soft-ice-cream';
import sparkles from 'icon:sparkles';
import teddyBear from 'icon:teddy-bear';
import tennis from 'icon:tennis';
import trumpet from 'icon:trumpet';
import womanDancing from 'icon:woman-dancing';

/** Icons that more than one city shows, kept together so that they are fetched together. */
export const shared = {
  baseball,
  bread,
  coin,
  deciduousTree,
  dress,
  drum,
  frenchFries,
  gemStone,
  hotBeverage,
  manStanding,
  megaphone,
  microphone,
  mirrorBall,
  musicalNotes,
  musicalScore,
  olderPerson,
  packageIcon,
  performingArts,
  personWalking,
  poodle,
  rose,
  shortcake,
  softIceCream,
  sparkles,
  teddyBear,
  tennis,
  trumpet,
  womanDancing,
};
