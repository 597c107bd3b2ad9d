import baseball from 'icon:baseball';
import bathtub from 'icon:bathtub';
import bentoBox from 'icon:bento-box';
import bucket from 'icon:bucket';
import bulletTrain from 'icon:bullet-train';
import cherryBlossom from 'icon:cherry-blossom';
import closedUmbrella from 'icon:closed-umbrella';
import coin from 'icon:coin';
import convenienceStore from 'icon:convenience-store';
import drum from 'icon:drum';
import faceWithMedicalMask from 'icon:face-with-medical-mask';
import farmer from 'icon:farmer';
import friedShrimp from 'icon:fried-shrimp';
import hotBeverage from 'icon:hot-beverage';
import hotSprings from 'icon:hot-springs';
import kimono from 'icon:kimono';
import lotus from 'icon:lotus';
import loudspeaker from 'icon:loudspeaker';
import manWalking from 'icon:man-walking';
import megaphone from 'icon:megaphone';
import melon from 'icon:melon';
import microphone from 'icon:microphone';
import mirrorBall from 'icon:mirror-ball';
import mountFuji from 'icon:mount-fuji';
import musicalNotes from 'icon:musical-notes';
import officeBuilding from 'icon:office-building';
import owl from 'icon:owl';
import pancakes from 'icon:pancakes';
import partyPopper from 'icon:party-popper';
import personWalking from 'icon:person-walking';
import redPaperLantern from 'icon:red-paper-lantern';
import riceCracker from 'icon:rice-cracker';
import robot from 'icon:robot';
import seedling from 'icon:seedling';
import shintoShrine from 'icon:shinto-shrine';
import softIceCream from 'icon:soft-ice-cream';
import sparkles from 'icon:sparkles';
import steamingBowl from 'icon:steaming-bowl';
import sushi from 'icon:sushi';
import teacupWithoutHandle from 'icon:teacup-without-handle';
import teddyBear from 'icon:teddy-bear';
import toilet from 'icon:toilet';
import tokyoTower from 'icon:tokyo-tower';
import tram from 'icon:tram';
import womanWalking from 'icon:woman-walking';
import wrappedGift from 'icon:wrapped-gift';
import zzz from 'icon:zzz';
import { drawn } from './drawnTokyo';
import type { Scene } from './scenes';

/** The places of Tokyo, row by row from the north-west corner; the centre bears the city's name. */
export const scenes: (Scene | null)[] = [
  {
    place: 'Sushi Platter',
    ground: 'table',
    text: 'Rows of sushi on a tray',
    layers: [[sushi, 42, 48, 54], [friedShrimp, 72, 66, 38]],
  },
  {
    place: 'Bullet Train',
    ground: 'street',
    text: 'A white train with a long nose',
    layers: [[bulletTrain, 50, 52, 66]],
  },
  {
    place: 'Capsule Hotel',
    ground: 'night',
    text: 'Sleepers in beds like boxes, two by two',
    layers: [[drawn.capsuleHotel, 50, 52, 80], [zzz, 84, 18, 26]],
  },
  {
    place: 'Cherry Blossom',
    ground: 'garden',
    text: 'Pink cherry blossom',
    layers: [[cherryBlossom, 50, 44, 56], [cherryBlossom, 20, 70, 30], [cherryBlossom, 80, 72, 34]],
  },
  {
    place: 'Sumo Wrestlers',
    ground: 'room',
    text: 'Two huge wrestlers face to face',
    layers: [[drawn.sumo, 50, 50, 92]],
  },
  {
    place: 'Vending Machine',
    ground: 'street',
    text: 'A glowing machine full of drinks',
    layers: [[drawn.vending, 50, 52, 88]],
  },
  {
    place: 'Temple Lantern',
    ground: 'street',
    text: 'A great red paper lantern',
    layers: [[redPaperLantern, 50, 52, 66]],
  },
  {
    place: 'Red Lattice Tower',
    ground: 'sky',
    text: 'A red and white tower of steel',
    layers: [[tokyoTower, 50, 52, 66]],
  },
  {
    place: 'Crane Game',
    ground: 'room',
    text: 'A claw above a heap of plush toys',
    layers: [[drawn.clawGame, 50, 50, 92], [teddyBear, 36, 58, 26], [teddyBear, 62, 58, 26]],
  },
  {
    place: 'Koi Pond',
    ground: 'water',
    text: 'Orange carp among water lilies',
    layers: [[lotus, 24, 66, 30], [drawn.koi, 58, 70, 58], [drawn.koi, 40, 90, 34]],
  },
  {
    place: 'Karaoke Room',
    ground: 'room',
    text: 'A microphone and musical notes under a mirror ball',
    layers: [[microphone, 40, 54, 56], [musicalNotes, 72, 52, 32], [mirrorBall, 74, 20, 34]],
  },
  {
    place: 'Tea Ceremony',
    ground: 'room',
    text: 'A bowl of green tea and a kimono',
    layers: [[kimono, 34, 44, 52], [teacupWithoutHandle, 70, 66, 44]],
  },
  {
    place: 'Scramble Crossing',
    ground: 'street',
    text: 'People crossing a street in all directions',
    layers: [[drawn.scramble, 50, 50, 100], [personWalking, 26, 44, 40], [womanWalking, 56, 34, 38], [manWalking, 74, 60, 42]],
  },
  {
    place: 'Fluffy Pancakes',
    ground: 'table',
    text: 'A stack of thick pancakes with syrup',
    layers: [[pancakes, 50, 52, 66]],
  },
  { place: 'Ramen Bowl', ground: 'table', text: 'A steaming bowl of noodles', layers: [[steamingBowl, 50, 52, 66]] },
  {
    place: 'Owl Cafe',
    ground: 'night',
    text: 'An owl beside a cup of coffee',
    layers: [[owl, 44, 46, 60], [hotBeverage, 76, 74, 34]],
  },
  {
    place: 'Bento Box',
    ground: 'table',
    text: 'A lunch box with neat little dishes',
    layers: [[bentoBox, 50, 52, 66]],
  },
  { place: 'Robot', ground: 'room', text: 'A metal robot', layers: [[robot, 50, 50, 66]] },
  { place: 'Zen Garden', ground: 'garden', text: 'Rocks in raked gravel', layers: [[drawn.zenGarden, 50, 50, 100]] },
  {
    place: 'Tuna Auction',
    ground: 'room',
    text: 'A huge fish and a man calling prices',
    layers: [[drawn.tuna, 48, 58, 82], [loudspeaker, 78, 22, 32]],
  },
  {
    place: 'Arcade Cabinet',
    ground: 'night',
    text: 'A video game with a joystick and a space monster',
    layers: [[drawn.arcade, 50, 50, 88]],
  },
  {
    place: 'Very Tall Broadcasting Tower',
    ground: 'sky',
    text: 'A very tall, thin tower with an antenna',
    layers: [[drawn.tallTower, 50, 53, 92]],
  },
  { place: 'Taiko Drum', ground: 'stage', text: 'A great drum with two sticks', layers: [[drum, 50, 52, 66]] },
  {
    place: 'Umbrella Stand',
    ground: 'room',
    text: 'Furled umbrellas in a stand',
    layers: [[closedUmbrella, 34, 48, 56], [closedUmbrella, 56, 46, 56], [closedUmbrella, 74, 52, 50], [bucket, 54, 78, 36]],
  },
  null,
  {
    place: 'Paper Cranes',
    ground: 'room',
    text: 'Birds folded from coloured paper',
    layers: [[drawn.paperCrane, 50, 48, 86]],
  },
  {
    place: 'Capsule Toy Machine',
    ground: 'street',
    text: 'A globe of toys in plastic balls',
    layers: [[drawn.capsules, 50, 50, 88]],
  },
  {
    place: 'Fortune-Telling Slips',
    ground: 'garden',
    text: 'White paper slips tied to strings, and one unrolled',
    layers: [[drawn.fortuneSlips, 50, 50, 92]],
  },
  { place: 'Kimono', ground: 'room', text: 'A patterned silk kimono', layers: [[kimono, 50, 52, 68]] },
  {
    place: 'High-Tech Toilet',
    ground: 'room',
    text: 'A sparkling toilet with buttons',
    layers: [[toilet, 48, 52, 60], [sparkles, 76, 26, 32]],
  },
  {
    place: 'Baseball Cheer Squad',
    ground: 'garden',
    text: 'A ball, a megaphone and cheering fans',
    layers: [[megaphone, 40, 48, 52], [baseball, 72, 68, 36], [partyPopper, 78, 24, 28]],
  },
  {
    place: 'Rice Crackers',
    ground: 'table',
    text: 'A round rice cracker with seaweed',
    layers: [[riceCracker, 50, 52, 66]],
  },
  {
    place: 'Fireworks Festival',
    ground: 'night',
    text: 'Fireworks over a river by night',
    layers: [[drawn.riverShow, 50, 50, 100], [drawn.bursts, 43, 42, 86]],
  },
  { place: 'Bamboo Grove', ground: 'garden', text: 'Tall green bamboo', layers: [[drawn.bamboo, 50, 50, 100]] },
  {
    place: 'Convenience Store',
    ground: 'night',
    text: 'A small bright shop, open day and night',
    layers: [[convenienceStore, 50, 54, 72]],
  },
  {
    place: 'Shrine Gate',
    ground: 'garden',
    text: 'A red wooden gate before a shrine',
    layers: [[shintoShrine, 50, 52, 72]],
  },
  {
    place: 'Melon in a Gift Box',
    ground: 'table',
    text: 'A perfect melon wrapped as a gift',
    layers: [[wrappedGift, 34, 50, 50], [melon, 68, 62, 44]],
  },
  {
    place: 'Lucky Cat Figure',
    ground: 'room',
    text: 'A cat figure with a raised paw and a coin',
    layers: [[drawn.luckyCat, 46, 52, 84], [coin, 80, 78, 24]],
  },
  {
    place: 'Public Bath',
    ground: 'room',
    text: 'A steaming bath',
    layers: [[bathtub, 50, 62, 60], [hotSprings, 50, 30, 40]],
  },
  {
    place: 'Neon Alley',
    ground: 'night',
    text: 'A narrow lane of neon signs and lanterns by night',
    layers: [[drawn.neonSigns, 50, 50, 100]],
  },
  {
    place: 'Manga Shelf',
    ground: 'room',
    text: 'A shelf of comic books, one of them open',
    layers: [[drawn.mangaShelf, 50, 50, 92]],
  },
  {
    place: 'Taxi with Automatic Door',
    ground: 'street',
    text: 'A green taxi whose back door swings open by itself',
    layers: [[drawn.taxiOpen, 50, 50, 92]],
  },
  {
    place: 'Volcano on the Horizon',
    ground: 'sky',
    text: 'A snow-topped volcano far away',
    layers: [[mountFuji, 50, 54, 84]],
  },
  {
    place: 'Matcha Ice Cream',
    ground: 'table',
    text: 'Green ice cream in a cone',
    layers: [[softIceCream, 42, 46, 60], [teacupWithoutHandle, 74, 72, 36]],
  },
  {
    place: 'Masked Commuters',
    ground: 'room',
    text: 'People with masks on a train',
    layers: [[tram, 52, 44, 60], [faceWithMedicalMask, 30, 72, 36], [faceWithMedicalMask, 70, 74, 32]],
  },
  { place: 'Bonsai', ground: 'room', text: 'A tiny tree in a flat pot', layers: [[drawn.bonsai, 50, 50, 82]] },
  {
    place: 'Giant Lizard Statue',
    ground: 'sky',
    text: 'A giant lizard towering over the houses',
    layers: [[drawn.giantLizard, 50, 50, 94]],
  },
  {
    place: 'Faithful Dog Statue',
    ground: 'street',
    text: 'A bronze dog, waiting',
    layers: [[drawn.dogStatue, 50, 50, 88]],
  },
  {
    place: 'Rooftop Gardeners',
    ground: 'sky',
    text: 'People growing vegetables on a roof',
    layers: [[officeBuilding, 66, 62, 62], [farmer, 34, 48, 50], [seedling, 70, 20, 26]],
  },
];
