import admissionTickets from 'icon:admission-tickets';
import bagel from 'icon:bagel';
import baseball from 'icon:baseball';
import chartIncreasing from 'icon:chart-increasing';
import chestnut from 'icon:chestnut';
import chipmunk from 'icon:chipmunk';
import deciduousTree from 'icon:deciduous-tree';
import deliveryTruck from 'icon:delivery-truck';
import dog from 'icon:dog';
import door from 'icon:door';
import dress from 'icon:dress';
import duck from 'icon:duck';
import faceWithTearsOfJoy from 'icon:face-with-tears-of-joy';
import ferry from 'icon:ferry';
import fireEngine from 'icon:fire-engine';
import glowingStar from 'icon:glowing-star';
import highHeeledShoe from 'icon:high-heeled-shoe';
import horse from 'icon:horse';
import hotDog from 'icon:hot-dog';
import iceSkate from 'icon:ice-skate';
import man from 'icon:man';
import manBiking from 'icon:man-biking';
import manInTuxedo from 'icon:man-in-tuxedo';
import manOfficeWorker from 'icon:man-office-worker';
import manStanding from 'icon:man-standing';
import metro from 'icon:metro';
import microphone from 'icon:microphone';
import musicalNotes from 'icon:musical-notes';
import musicalScore from 'icon:musical-score';
import olderPerson from 'icon:older-person';
import ox from 'icon:ox';
import packageIcon from 'icon:package';
import performingArts from 'icon:performing-arts';
import personWalking from 'icon:person-walking';
import pizza from 'icon:pizza';
import poodle from 'icon:poodle';
import pretzel from 'icon:pretzel';
import raccoon from 'icon:raccoon';
import rollerCoaster from 'icon:roller-coaster';
import rose from 'icon:rose';
import sailboat from 'icon:sailboat';
import sandwich from 'icon:sandwich';
import saxophone from 'icon:saxophone';
import shortcake from 'icon:shortcake';
import snowflake from 'icon:snowflake';
import softIceCream from 'icon:soft-ice-cream';
import statueOfLiberty from 'icon:statue-of-liberty';
import taxi from 'icon:taxi';
import telephone from 'icon:telephone';
import trumpet from 'icon:trumpet';
import umbrellaOnGround from 'icon:umbrella-on-ground';
import violin from 'icon:violin';
import waterWave from 'icon:water-wave';
import wheel from 'icon:wheel';
import womanDancing from 'icon:woman-dancing';
import { drawn } from './drawnNewYork';
import type { Scene } from './scenes';
import { pigeon } from './pigeon';

/** The places of New York, row by row from the north-west corner; the centre bears the city's name. */
export const scenes: (Scene | null)[] = [
  {
    place: 'Hot Dog Cart',
    ground: 'street',
    text: 'A cart with a striped umbrella, and a hot dog with mustard',
    layers: [[umbrellaOnGround, 50, 36, 58], [wheel, 34, 80, 24], [wheel, 66, 80, 24], [hotDog, 50, 62, 46]],
  },
  {
    place: 'Brownstone Steps',
    ground: 'street',
    text: 'A flight of stone steps up to the door of a brown row house',
    layers: [[drawn.brownstone, 50, 50, 88]],
  },
  {
    place: 'Broadway Theater',
    ground: 'stage',
    text: 'A theatre front with masks, a star and bright lamps',
    layers: [[performingArts, 50, 46, 58], [glowingStar, 20, 24, 22], [glowingStar, 80, 24, 22], [admissionTickets, 50, 82, 30]],
  },
  { place: 'Yellow Taxi', ground: 'street', text: 'A yellow taxi in the traffic', layers: [[taxi, 50, 52, 66]] },
  { place: 'Bagel', ground: 'table', text: 'A round bagel with a hole', layers: [[bagel, 50, 52, 66]] },
  {
    place: 'Central Park Horse Carriage',
    ground: 'garden',
    text: 'A horse pulling an open carriage under trees',
    layers: [[deciduousTree, 80, 34, 46], [horse, 38, 56, 56], [wheel, 76, 72, 34]],
  },
  {
    place: 'Dinosaur Skeleton',
    ground: 'room',
    text: 'The bones of a dinosaur on a stand in a hall',
    layers: [[drawn.dinosaurBones, 50, 48, 90]],
  },
  {
    place: 'Pizza Slice',
    ground: 'table',
    text: 'A pointed slice of pizza with melted cheese',
    layers: [[pizza, 50, 52, 66]],
  },
  {
    place: 'Street Saxophonist',
    ground: 'street',
    text: 'A man playing a golden saxophone on the pavement',
    layers: [[manStanding, 36, 54, 66], [saxophone, 64, 58, 44], [musicalNotes, 74, 22, 28]],
  },
  {
    place: 'Baseball Glove and Ball',
    ground: 'garden',
    text: 'A leather glove with a white ball',
    layers: [[drawn.mitt, 44, 50, 78], [baseball, 66, 66, 34]],
  },
  {
    place: 'Chess Players',
    ground: 'garden',
    text: 'Two men bent over a chessboard in the park',
    layers: [[olderPerson, 20, 42, 40], [man, 80, 42, 40], [drawn.chessTable, 50, 54, 84]],
  },
  {
    place: 'Bike Courier',
    ground: 'street',
    text: 'A courier racing by on a bike with a parcel',
    layers: [[manBiking, 48, 54, 68], [packageIcon, 76, 28, 26]],
  },
  {
    place: 'Ice Skating Rink',
    ground: 'ice',
    text: 'Skates on shining ice, with snowflakes',
    layers: [[iceSkate, 50, 52, 58], [snowflake, 18, 22, 20], [snowflake, 82, 26, 16]],
  },
  {
    place: 'Art Deco Spire',
    ground: 'sky',
    text: 'The shining, pointed top of an old skyscraper',
    layers: [[drawn.spire, 50, 50, 94]],
  },
  { place: 'Pigeon', ground: 'street', text: 'A grey pigeon on the pavement', layers: [[pigeon, 50, 50, 84]] },
  {
    place: 'Graffiti Wall',
    ground: 'street',
    text: 'A brick wall with bright painted letters, and a spray can',
    layers: [[drawn.graffiti, 50, 50, 100]],
  },
  {
    place: 'Fire Hydrant Spray',
    ground: 'street',
    text: 'Water spraying from a hydrant on a summer street',
    layers: [[drawn.hydrant, 48, 52, 84]],
  },
  {
    place: 'Rooftop Water Tower',
    ground: 'sky',
    text: 'A round wooden water tank on a roof',
    layers: [[drawn.waterTower, 50, 50, 88]],
  },
  {
    place: 'Fashion Runway',
    ground: 'stage',
    text: 'A model in a dress and high heels on a lit runway',
    layers: [[dress, 34, 46, 46], [womanDancing, 64, 44, 58], [highHeeledShoe, 36, 80, 26]],
  },
  {
    place: 'Doorman',
    ground: 'street',
    text: 'A doorman in a fine coat at a door',
    layers: [[door, 34, 48, 62], [manInTuxedo, 66, 58, 56]],
  },
  {
    place: 'Bull Statue',
    ground: 'street',
    text: 'A charging bull of bronze on a stone',
    layers: [[drawn.plinth, 50, 88, 74], [ox, 50, 46, 66]],
  },
  {
    place: 'Statue with Torch',
    ground: 'water',
    text: 'A green giant of a statue, holding up a torch',
    layers: [[statueOfLiberty, 50, 48, 80]],
  },
  {
    place: 'Steaming Manhole',
    ground: 'street',
    text: 'Steam rising from a round hole in the street',
    layers: [[drawn.steam, 50, 52, 84]],
  },
  {
    place: 'Ferry',
    ground: 'water',
    text: 'A ferry on the water',
    layers: [[ferry, 42, 48, 56], [waterWave, 74, 72, 36]],
  },
  null,
  {
    place: 'Comedy Club',
    ground: 'room',
    text: 'A microphone and a laughing face in the dark',
    layers: [[microphone, 42, 48, 56], [faceWithTearsOfJoy, 74, 72, 36]],
  },
  { place: 'Subway Car', ground: 'underground', text: 'A full subway car in a tunnel', layers: [[metro, 50, 52, 66]] },
  {
    place: 'Stock Trader',
    ground: 'room',
    text: 'A trader with a telephone before a rising chart',
    layers: [[chartIncreasing, 62, 32, 44], [manOfficeWorker, 38, 56, 56], [telephone, 76, 76, 30]],
  },
  {
    place: 'Suspension Bridge',
    ground: 'sky',
    text: 'A long bridge hung from cables',
    layers: [[drawn.suspension, 50, 50, 100]],
  },
  { place: 'Pretzel', ground: 'table', text: 'A big twisted pretzel with salt', layers: [[pretzel, 50, 52, 66]] },
  { place: 'Fire Truck', ground: 'street', text: 'A red fire truck', layers: [[fireEngine, 50, 56, 76]] },
  {
    place: 'Dog Walker',
    ground: 'garden',
    text: 'A walker with several dogs on leads',
    layers: [[personWalking, 26, 46, 58], [dog, 60, 66, 40], [poodle, 84, 74, 30]],
  },
  {
    place: 'Jazz Club',
    ground: 'night',
    text: 'A trumpet and a violin in a dim club',
    layers: [[trumpet, 42, 42, 50], [violin, 68, 64, 46], [musicalScore, 22, 76, 28]],
  },
  {
    place: 'Skyscraper Window Washers',
    ground: 'sky',
    text: 'Two men in a hanging cradle washing a wall of windows',
    layers: [[drawn.windowCradle, 50, 50, 100]],
  },
  {
    place: 'Spiral Museum',
    ground: 'sky',
    text: 'A white museum built like a spiral',
    layers: [[drawn.spiralMuseum, 50, 54, 86]],
  },
  {
    place: 'Roller Coaster',
    ground: 'sky',
    text: 'A roller coaster plunging down',
    layers: [[rollerCoaster, 50, 52, 66]],
  },
  {
    place: 'Cheesecake',
    ground: 'table',
    text: 'A creamy slice of cheesecake',
    layers: [[shortcake, 50, 52, 66]],
  },
  {
    place: 'Swirling Night Sky Painting',
    ground: 'room',
    text: 'A framed painting of a swirling night sky',
    layers: [[drawn.swirls, 50, 46, 88]],
  },
  {
    place: 'Memorial Pool',
    ground: 'street',
    text: 'Water falling into a deep square pool, with a rose',
    layers: [[drawn.memorialPool, 50, 50, 92], [rose, 80, 24, 28]],
  },
  {
    place: 'Newspaper Stand',
    ground: 'street',
    text: 'A stand with a seller and folded newspapers',
    layers: [[drawn.newsstand, 50, 50, 92]],
  },
  {
    place: 'Ice Cream Truck',
    ground: 'street',
    text: 'A colourful truck with a big ice cream cone',
    layers: [[deliveryTruck, 50, 60, 70], [softIceCream, 32, 30, 36]],
  },
  {
    place: 'Elevated Park',
    ground: 'sky',
    text: 'Trees, flowers and a bench on an old railway high above the street',
    layers: [[drawn.viaduct, 50, 50, 100]],
  },
  {
    place: 'Deli Sandwich',
    ground: 'table',
    text: 'A tall sandwich stuffed with meat',
    layers: [[sandwich, 50, 52, 66]],
  },
  {
    place: 'Boat in the Pond',
    ground: 'water',
    text: 'A little sailing boat and a duck on a pond',
    layers: [[sailboat, 44, 46, 60], [duck, 78, 76, 30]],
  },
  {
    place: 'Times Square Billboards',
    ground: 'night',
    text: 'Giant glowing screens over a crowd in the street',
    layers: [[drawn.billboards, 50, 50, 100]],
  },
  {
    place: 'Raccoon at the Bins',
    ground: 'night',
    text: 'A raccoon at the rubbish bins by night',
    layers: [[drawn.bin, 72, 54, 50], [raccoon, 38, 62, 50]],
  },
  {
    place: 'New Year Ball',
    ground: 'night',
    text: 'A glittering ball of many colours on a pole in the night sky',
    layers: [[drawn.yearBall, 50, 50, 100]],
  },
  {
    place: 'Library Lion',
    ground: 'street',
    text: 'A stone lion lying on a block before a library',
    layers: [[drawn.stoneLion, 50, 51, 92]],
  },
  {
    place: 'Squirrel',
    ground: 'garden',
    text: 'A squirrel with a nut',
    layers: [[chipmunk, 46, 52, 64], [chestnut, 78, 76, 26]],
  },
];
