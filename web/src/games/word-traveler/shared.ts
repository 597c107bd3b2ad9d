import artistPalette from 'icon:artist-palette';
import baseball from 'icon:baseball';
import bone from 'icon:bone';
import books from 'icon:books';
import bread from 'icon:bread';
import bucket from 'icon:bucket';
import chestnut from 'icon:chestnut';
import coin from 'icon:coin';
import deciduousTree from 'icon:deciduous-tree';
import door from 'icon:door';
import dress from 'icon:dress';
import drum from 'icon:drum';
import fireworks from 'icon:fireworks';
import framedPicture from 'icon:framed-picture';
import frenchFries from 'icon:french-fries';
import gemStone from 'icon:gem-stone';
import glowingStar from 'icon:glowing-star';
import hotBeverage from 'icon:hot-beverage';
import manStanding from 'icon:man-standing';
import megaphone from 'icon:megaphone';
import microphone from 'icon:microphone';
import mirrorBall from 'icon:mirror-ball';
import musicalNotes from 'icon:musical-notes';
import musicalScore from 'icon:musical-score';
import officeBuilding from 'icon:office-building';
import olderPerson from 'icon:older-person';
import packageIcon from 'icon:package';
import performingArts from 'icon:performing-arts';
import personWalking from 'icon:person-walking';
import poodle from 'icon:poodle';
import rose from 'icon:rose';
import seedling from 'icon:seedling';
import shortcake from 'icon:shortcake';
import softIceCream from 'icon:soft-ice-cream';
import sparkles from 'icon:sparkles';
import tRex from 'icon:t-rex';
import teddyBear from 'icon:teddy-bear';
import tennis from 'icon:tennis';
import trumpet from 'icon:trumpet';
import womanDancing from 'icon:woman-dancing';

/** Icons that more than one city shows, kept together so that they are fetched together. */
export const shared = {
  artistPalette,
  baseball,
  bone,
  books,
  bread,
  bucket,
  chestnut,
  coin,
  deciduousTree,
  door,
  dress,
  drum,
  fireworks,
  framedPicture,
  frenchFries,
  gemStone,
  glowingStar,
  hotBeverage,
  manStanding,
  megaphone,
  microphone,
  mirrorBall,
  musicalNotes,
  musicalScore,
  officeBuilding,
  olderPerson,
  packageIcon,
  performingArts,
  personWalking,
  poodle,
  rose,
  seedling,
  shortcake,
  softIceCream,
  sparkles,
  tRex,
  teddyBear,
  tennis,
  trumpet,
  womanDancing,
};
