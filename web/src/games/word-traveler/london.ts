import aerialTramway from 'icon:aerial-tramway';
import amphora from 'icon:amphora';
import bread from 'icon:bread';
import castle from 'icon:castle';
import chains from 'icon:chains';
import christmasTree from 'icon:christmas-tree';
import coin from 'icon:coin';
import compass from 'icon:compass';
import crown from 'icon:crown';
import curryRice from 'icon:curry-rice';
import deciduousTree from 'icon:deciduous-tree';
import departmentStore from 'icon:department-store';
import detective from 'icon:detective';
import drum from 'icon:drum';
import ferrisWheel from 'icon:ferris-wheel';
import frenchFries from 'icon:french-fries';
import gemStone from 'icon:gem-stone';
import guard from 'icon:guard';
import guitar from 'icon:guitar';
import hikingBoot from 'icon:hiking-boot';
import honeybee from 'icon:honeybee';
import hotPepper from 'icon:hot-pepper';
import houses from 'icon:houses';
import jar from 'icon:jar';
import lightBulb from 'icon:light-bulb';
import locomotive from 'icon:locomotive';
import magnifyingGlassTiltedLeft from 'icon:magnifying-glass-tilted-left';
import manMage from 'icon:man-mage';
import manSinger from 'icon:man-singer';
import megaphone from 'icon:megaphone';
import oldKey from 'icon:old-key';
import packageIcon from 'icon:package';
import performingArts from 'icon:performing-arts';
import personRunning from 'icon:person-running';
import personStanding from 'icon:person-standing';
import personWalking from 'icon:person-walking';
import postalHorn from 'icon:postal-horn';
import ring from 'icon:ring';
import rose from 'icon:rose';
import sauropod from 'icon:sauropod';
import scarf from 'icon:scarf';
import shoppingBags from 'icon:shopping-bags';
import shortcake from 'icon:shortcake';
import signOfTheHorns from 'icon:sign-of-the-horns';
import soccerBall from 'icon:soccer-ball';
import sparkles from 'icon:sparkles';
import sportsMedal from 'icon:sports-medal';
import swan from 'icon:swan';
import tRex from 'icon:t-rex';
import tangerine from 'icon:tangerine';
import teapot from 'icon:teapot';
import telescope from 'icon:telescope';
import tennis from 'icon:tennis';
import topHat from 'icon:top-hat';
import trumpet from 'icon:trumpet';
import umbrellaWithRainDrops from 'icon:umbrella-with-rain-drops';
import { drawn } from './drawnLondon';
import type { Scene } from './scenes';

/** The places of London, row by row from the north-west corner; the centre bears the city's name. */
export const scenes: (Scene | null)[] = [
  {
    place: 'Guard in Bearskin',
    ground: 'street',
    text: 'A guard in a red coat and a tall fur hat',
    layers: [[guard, 50, 52, 66]],
  },
  { place: 'Red Phone Box', ground: 'street', text: 'A red telephone box', layers: [[drawn.phoneBox, 50, 50, 90]] },
  {
    place: 'Afternoon Tea',
    ground: 'table',
    text: 'A teapot and cakes on a stand',
    layers: [[teapot, 40, 50, 54], [shortcake, 74, 64, 38]],
  },
  {
    place: 'Clock Tower',
    ground: 'sky',
    text: 'A tall tower with a great clock',
    layers: [[drawn.clockTower, 50, 50, 94]],
  },
  {
    place: 'Fish and Chips',
    ground: 'table',
    text: 'Fried fish with chips in paper',
    layers: [[frenchFries, 62, 40, 46], [drawn.friedFish, 46, 60, 66]],
  },
  { place: 'Black Cab', ground: 'street', text: 'A round-backed black taxi', layers: [[drawn.blackCab, 50, 54, 86]] },
  {
    place: 'Ravens in the Tower',
    ground: 'sky',
    text: 'Black ravens on a castle wall',
    layers: [[castle, 50, 60, 70], [drawn.raven, 32, 34, 44], [drawn.raven, 74, 26, 32]],
  },
  {
    place: 'Ferris Wheel by the River',
    ground: 'water',
    text: 'A giant wheel beside the river',
    layers: [[ferrisWheel, 50, 44, 72]],
  },
  {
    place: 'Punk Rocker',
    ground: 'stage',
    text: 'A singer with spiked hair and an electric guitar',
    layers: [[manSinger, 40, 52, 60], [guitar, 72, 58, 44], [signOfTheHorns, 74, 22, 28]],
  },
  {
    place: 'Double-Decker Bus',
    ground: 'street',
    text: 'A red bus with two decks',
    layers: [[drawn.doubleDecker, 50, 54, 84]],
  },
  {
    place: 'Umbrella',
    ground: 'street',
    text: 'An open umbrella in the rain',
    layers: [[umbrellaWithRainDrops, 50, 52, 66]],
  },
  {
    place: 'Crown Jewels',
    ground: 'room',
    text: 'A crown, a ring and a great gem',
    layers: [[crown, 42, 50, 52], [gemStone, 76, 34, 36], [ring, 72, 76, 32]],
  },
  {
    place: 'Detective',
    ground: 'street',
    text: 'A man in a long coat with a magnifying glass',
    layers: [[detective, 42, 48, 62], [magnifyingGlassTiltedLeft, 74, 68, 38]],
  },
  {
    place: 'Swans in the Park',
    ground: 'water',
    text: 'White swans on a park lake',
    layers: [[deciduousTree, 78, 32, 42], [swan, 38, 60, 54], [swan, 74, 72, 34]],
  },
  {
    place: 'Drawbridge',
    ground: 'sky',
    text: 'Two towers with a bridge that opens between them',
    layers: [[drawn.drawbridge, 50, 50, 100]],
  },
  {
    place: 'Football Scarf',
    ground: 'garden',
    text: 'A striped scarf and a football',
    layers: [[scarf, 44, 46, 58], [soccerBall, 72, 72, 36]],
  },
  {
    place: 'Underground Entrance',
    ground: 'street',
    text: 'Stairs leading down to the trains',
    layers: [[drawn.stairsDown, 50, 52, 84]],
  },
  {
    place: 'Pub Sign',
    ground: 'street',
    text: 'A painted sign with a foaming beer',
    layers: [[drawn.pubSign, 50, 50, 84]],
  },
  {
    place: 'Zebra Crossing',
    ground: 'street',
    text: 'White stripes across a street',
    layers: [[drawn.crossing, 50, 50, 100], [personWalking, 46, 48, 46]],
  },
  {
    place: 'Telescope at the Meridian',
    ground: 'night',
    text: 'A brass telescope and a compass',
    layers: [[telescope, 48, 52, 62], [compass, 78, 24, 28]],
  },
  {
    place: 'Corgi',
    ground: 'garden',
    text: 'A short-legged dog with a little crown',
    layers: [[drawn.corgi, 50, 54, 84]],
  },
  {
    place: 'Round Wooden Theatre',
    ground: 'street',
    text: 'A round theatre of timber, with masks',
    layers: [[drawn.woodenTheatre, 50, 52, 88], [performingArts, 26, 30, 28]],
  },
  {
    place: 'Rubbish Barge',
    ground: 'sky',
    text: 'A barge heaped with black bags and rubbish, with gulls above',
    layers: [[drawn.barge, 50, 50, 100]],
  },
  {
    place: 'Spicy Curry',
    ground: 'table',
    text: 'A plate of curry with a red pepper',
    layers: [[curryRice, 46, 56, 62], [hotPepper, 76, 32, 36]],
  },
  null,
  {
    place: 'Street Market',
    ground: 'street',
    text: 'A stall of fruit and vegetables under a striped roof',
    layers: [[drawn.marketStall, 50, 52, 92]],
  },
  {
    place: 'Glass Shard Tower',
    ground: 'sky',
    text: 'A tower like a splinter of glass',
    layers: [[drawn.shard, 50, 50, 96]],
  },
  {
    place: 'Brass Band',
    ground: 'street',
    text: 'Trumpet, horn and drum on the march',
    layers: [[trumpet, 36, 34, 42], [postalHorn, 70, 42, 42], [drum, 50, 74, 42]],
  },
  {
    place: 'Gherkin-Shaped Tower',
    ground: 'sky',
    text: 'A rounded tower of green glass',
    layers: [[drawn.gherkin, 50, 50, 94]],
  },
  {
    place: 'Toast and Marmalade',
    ground: 'table',
    text: 'Toast with a jar of orange marmalade',
    layers: [[bread, 36, 54, 50], [jar, 70, 52, 42], [tangerine, 56, 80, 26]],
  },
  {
    place: 'Rain Puddle',
    ground: 'street',
    text: 'Rain falling into a puddle',
    layers: [[drawn.puddle, 50, 52, 90]],
  },
  { place: 'Postbox', ground: 'street', text: 'A red letter box', layers: [[drawn.pillarBox, 50, 52, 84]] },
  {
    place: 'Tennis on Grass',
    ground: 'garden',
    text: 'A tennis racket and ball on a lawn',
    layers: [[tennis, 50, 48, 62]],
  },
  {
    place: 'Film Premiere',
    ground: 'night',
    text: 'A star in a golden dress on a red carpet, under lights',
    layers: [[drawn.redCarpet, 50, 50, 100]],
  },
  {
    place: 'Canal Boat',
    ground: 'water',
    text: 'A long, narrow boat on a canal',
    layers: [[drawn.narrowboat, 50, 54, 86]],
  },
  { place: 'Top Hat', ground: 'room', text: 'A tall black hat', layers: [[topHat, 50, 50, 64]] },
  {
    place: 'Mummy in a Museum',
    ground: 'room',
    text: 'A mummy in its painted coffin',
    layers: [[drawn.mummy, 50, 50, 90]],
  },
  {
    place: 'Speaker on a Box',
    ground: 'garden',
    text: 'Someone making a speech from a box',
    layers: [[packageIcon, 40, 80, 38], [personStanding, 40, 40, 54], [megaphone, 72, 34, 36]],
  },
  {
    place: "Mudlark's Find",
    ground: 'water',
    text: 'An old coin, a jar and a boot from the river mud',
    layers: [[amphora, 34, 46, 50], [coin, 68, 40, 34], [hikingBoot, 64, 74, 38]],
  },
  {
    place: 'Cable Car',
    ground: 'sky',
    text: 'A glass cabin hanging from a cable',
    layers: [[aerialTramway, 50, 48, 66]],
  },
  {
    place: 'Palace Gates',
    ground: 'sky',
    text: 'High golden gates before a palace',
    layers: [[drawn.palaceGates, 50, 52, 92]],
  },
  {
    place: 'Christmas Lights',
    ground: 'night',
    text: 'Coloured lights and a Christmas tree',
    layers: [[christmasTree, 50, 52, 66], [lightBulb, 20, 32, 24], [sparkles, 80, 28, 28]],
  },
  { place: 'Fog', ground: 'fog', text: 'A street lost in fog', layers: [[houses, 50, 58, 52]] },
  {
    place: 'Dungeon',
    ground: 'underground',
    text: 'A barred door, chains and an old key in a dark cellar',
    layers: [[drawn.dungeonDoor, 50, 54, 84], [chains, 16, 36, 30], [oldKey, 84, 56, 28]],
  },
  {
    place: 'Department Store',
    ground: 'street',
    text: 'A great shop with bags of shopping',
    layers: [[departmentStore, 50, 44, 66], [shoppingBags, 70, 76, 34]],
  },
  {
    place: 'Marathon Runner',
    ground: 'street',
    text: 'A runner with a number and a medal',
    layers: [[personRunning, 44, 52, 66], [sportsMedal, 78, 28, 32]],
  },
  {
    place: 'Dinosaur Hall',
    ground: 'room',
    text: 'Two dinosaurs in a museum hall',
    layers: [[sauropod, 42, 46, 64], [tRex, 74, 72, 38]],
  },
  {
    place: 'Bee on a Rose',
    ground: 'garden',
    text: 'A bee on a red rose',
    layers: [[rose, 46, 56, 62], [honeybee, 72, 28, 36]],
  },
  {
    place: "Wizard's Railway Platform",
    ground: 'street',
    text: 'A wizard beside a steam train',
    layers: [[locomotive, 58, 54, 62], [manMage, 26, 60, 46]],
  },
];
