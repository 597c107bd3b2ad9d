import accordion from 'icon:accordion';
import artist from 'icon:artist';
import artistPalette from 'icon:artist-palette';
import baguetteBread from 'icon:baguette-bread';
import blackCat from 'icon:black-cat';
import bone from 'icon:bone';
import books from 'icon:books';
import bouquet from 'icon:bouquet';
import bread from 'icon:bread';
import carouselHorse from 'icon:carousel-horse';
import cat from 'icon:cat';
import cheeseWedge from 'icon:cheese-wedge';
import chocolateBar from 'icon:chocolate-bar';
import classicalBuilding from 'icon:classical-building';
import cloud from 'icon:cloud';
import croissant from 'icon:croissant';
import cutOfMeat from 'icon:cut-of-meat';
import dashingAway from 'icon:dashing-away';
import dress from 'icon:dress';
import droplet from 'icon:droplet';
import firefighter from 'icon:firefighter';
import forkAndKnifeWithPlate from 'icon:fork-and-knife-with-plate';
import fountain from 'icon:fountain';
import framedPicture from 'icon:framed-picture';
import frenchFries from 'icon:french-fries';
import gemStone from 'icon:gem-stone';
import handbag from 'icon:handbag';
import hotBeverage from 'icon:hot-beverage';
import house from 'icon:house';
import manStanding from 'icon:man-standing';
import mirrorBall from 'icon:mirror-ball';
import motorScooter from 'icon:motor-scooter';
import musicalScore from 'icon:musical-score';
import nauseatedFace from 'icon:nauseated-face';
import nestingDolls from 'icon:nesting-dolls';
import olderPerson from 'icon:older-person';
import onion from 'icon:onion';
import passengerShip from 'icon:passenger-ship';
import pencil from 'icon:pencil';
import performingArts from 'icon:performing-arts';
import personBiking from 'icon:person-biking';
import personMountainBiking from 'icon:person-mountain-biking';
import poodle from 'icon:poodle';
import potOfFood from 'icon:pot-of-food';
import rat from 'icon:rat';
import skull from 'icon:skull';
import snail from 'icon:snail';
import sunflower from 'icon:sunflower';
import teddyBear from 'icon:teddy-bear';
import tennis from 'icon:tennis';
import thinkingFace from 'icon:thinking-face';
import trophy from 'icon:trophy';
import tulip from 'icon:tulip';
import wineGlass from 'icon:wine-glass';
import woman from 'icon:woman';
import womanDancing from 'icon:woman-dancing';
import yoYo from 'icon:yo-yo';
import { drawn } from './drawnParis';
import type { Scene } from './scenes';
import { pigeon } from './pigeon';

/** The places of Paris, row by row from the north-west corner; the centre bears the city's name. */
export const scenes: (Scene | null)[] = [
  { place: 'Baguette', ground: 'table', text: 'A long, crisp baguette', layers: [[baguetteBread, 50, 52, 66]] },
  {
    place: 'Glass Pyramid',
    ground: 'street',
    text: 'A pyramid of glass in a palace yard',
    layers: [[drawn.pyramid, 50, 52, 92]],
  },
  {
    place: 'Can-Can Dancer',
    ground: 'stage',
    text: 'A dancer throwing up her skirts',
    layers: [[womanDancing, 46, 50, 72], [dress, 76, 66, 36]],
  },
  {
    place: 'Bookstall by the River',
    ground: 'water',
    text: 'A green box of old books on the wall beside the river',
    layers: [[drawn.bookstall, 50, 52, 96]],
  },
  {
    place: 'Snails on a Plate',
    ground: 'table',
    text: 'Snails in their shells on a plate',
    layers: [[forkAndKnifeWithPlate, 50, 58, 70], [snail, 42, 48, 32], [snail, 60, 62, 28]],
  },
  {
    place: 'Gargoyle',
    ground: 'sky',
    text: 'A stone monster on a cathedral roof',
    layers: [[drawn.gargoyle, 50, 52, 92]],
  },
  { place: 'Poodle', ground: 'street', text: 'A trimmed, fluffy poodle', layers: [[poodle, 50, 52, 66]] },
  { place: 'Iron Tower', ground: 'sky', text: 'A tall iron tower', layers: [[drawn.eiffel, 50, 50, 94]] },
  {
    place: 'Perfume Bottle',
    ground: 'room',
    text: 'A small bottle that sprays perfume',
    layers: [[drawn.perfume, 48, 50, 80]],
  },
  {
    place: 'Metro Entrance',
    ground: 'street',
    text: 'Curved green ironwork over stairs going down',
    layers: [[drawn.metroArch, 50, 52, 88]],
  },
  {
    place: 'Mime',
    ground: 'street',
    text: 'A silent clown with a white face and a striped shirt',
    layers: [[drawn.mime, 50, 50, 88]],
  },
  { place: 'Croissant', ground: 'table', text: 'A golden croissant', layers: [[croissant, 50, 52, 66]] },
  {
    place: 'Bicycle Race',
    ground: 'street',
    text: 'Racers on bicycles and a golden cup',
    layers: [[personBiking, 34, 50, 48], [personMountainBiking, 66, 62, 48], [trophy, 76, 24, 28]],
  },
  {
    place: 'Street Painter',
    ground: 'street',
    text: 'A painter with a palette in the street',
    layers: [[artist, 42, 50, 62], [artistPalette, 74, 70, 36]],
  },
  {
    place: 'Stinking Cheese',
    ground: 'table',
    text: 'A wedge of cheese and a cloud of smell',
    layers: [[cheeseWedge, 46, 60, 54], [dashingAway, 72, 36, 34], [nauseatedFace, 24, 28, 30]],
  },
  {
    place: 'Opera House',
    ground: 'stage',
    text: 'A grand opera house with masks and notes',
    layers: [[classicalBuilding, 50, 56, 64], [performingArts, 74, 26, 32], [musicalScore, 26, 26, 30]],
  },
  { place: 'Carousel', ground: 'street', text: 'A painted horse on a carousel', layers: [[carouselHorse, 50, 52, 66]] },
  {
    place: 'Fashion Sketch',
    ground: 'room',
    text: 'A drawing of a dress, and a pencil',
    layers: [[dress, 44, 48, 62], [pencil, 72, 66, 40]],
  },
  {
    place: 'Pigeon Feeder',
    ground: 'garden',
    text: 'An old person feeding bread to pigeons',
    layers: [[olderPerson, 30, 44, 50], [pigeon, 68, 68, 44], [bread, 58, 34, 22]],
  },
  {
    place: 'River Boat',
    ground: 'water',
    text: 'A long boat gliding down the river',
    layers: [[passengerShip, 50, 50, 70]],
  },
  {
    place: 'Flower Market',
    ground: 'garden',
    text: 'Bunches of tulips, roses and sunflowers',
    layers: [[bouquet, 50, 42, 54], [tulip, 24, 70, 36], [sunflower, 76, 70, 36]],
  },
  {
    place: 'Triumphal Arch',
    ground: 'sky',
    text: 'A great stone arch in the middle of a square',
    layers: [[drawn.arch, 50, 52, 84]],
  },
  {
    place: 'Sewer Tunnel',
    ground: 'underground',
    text: 'A rat in a dark, dripping tunnel',
    layers: [[rat, 48, 60, 52], [droplet, 28, 26, 20], [droplet, 72, 32, 16]],
  },
  { place: 'Wine Glass', ground: 'table', text: 'A glass of red wine', layers: [[wineGlass, 50, 48, 70]] },
  null,
  {
    place: 'Onion Soup',
    ground: 'table',
    text: 'A steaming bowl of soup with onions',
    layers: [[potOfFood, 54, 58, 58], [onion, 26, 40, 36]],
  },
  {
    place: 'Catacomb Skulls',
    ground: 'underground',
    text: 'Skulls and bones in a dark cave',
    layers: [[skull, 30, 42, 42], [skull, 68, 38, 38], [skull, 50, 68, 44], [bone, 80, 76, 26]],
  },
  {
    place: 'Accordion Player',
    ground: 'street',
    text: 'A man playing an accordion',
    layers: [[manStanding, 36, 48, 64], [accordion, 62, 62, 46]],
  },
  {
    place: 'Windmill Cabaret',
    ground: 'night',
    text: 'A red windmill with dancers and lamps',
    layers: [[drawn.windmill, 50, 52, 90]],
  },
  {
    place: 'Philosopher at a Cafe',
    ground: 'room',
    text: 'A thinker with books and a cup of coffee',
    layers: [[thinkingFace, 42, 40, 54], [books, 76, 66, 38], [hotBeverage, 28, 78, 32]],
  },
  {
    place: 'Macarons',
    ground: 'table',
    text: 'Little round biscuits in many colours',
    layers: [[drawn.macarons, 50, 50, 78]],
  },
  {
    place: 'Love Locks Bridge',
    ground: 'water',
    text: 'The railing of a bridge hung with padlocks',
    layers: [[drawn.lockBridge, 50, 50, 100]],
  },
  {
    place: 'Toy Shop Window',
    ground: 'room',
    text: 'A teddy bear, dolls and a yo-yo behind glass',
    layers: [[teddyBear, 38, 46, 52], [nestingDolls, 74, 56, 42], [yoYo, 36, 82, 26]],
  },
  {
    place: 'Rose Window',
    ground: 'room',
    text: 'A round church window of coloured glass',
    layers: [[drawn.roseWindow, 50, 50, 86]],
  },
  {
    place: 'Luxury Handbag',
    ground: 'room',
    text: 'A costly handbag and a jewel',
    layers: [[handbag, 46, 50, 62], [gemStone, 78, 74, 30]],
  },
  {
    place: 'Rooftop Cats',
    ground: 'night',
    text: 'Cats on the roofs by night',
    layers: [[house, 50, 66, 64], [blackCat, 36, 34, 42], [cat, 70, 38, 40]],
  },
  {
    place: 'Hot-Air Balloon',
    ground: 'sky',
    text: 'A balloon with a basket in the clouds',
    layers: [[cloud, 20, 70, 34], [drawn.balloon, 54, 48, 84]],
  },
  {
    place: 'Cathedral Organ',
    ground: 'room',
    text: 'The pipes and keys of a church organ',
    layers: [[drawn.organ, 50, 50, 86]],
  },
  {
    place: 'Chestnut Seller',
    ground: 'street',
    text: 'A man roasting chestnuts over a fire',
    layers: [[manStanding, 24, 44, 62], [drawn.brazier, 60, 62, 66]],
  },
  {
    place: 'Thinker Statue',
    ground: 'garden',
    text: 'A bronze man lost in thought',
    layers: [[drawn.thinker, 50, 50, 90]],
  },
  { place: 'Scooter', ground: 'street', text: 'A motor scooter', layers: [[motorScooter, 50, 52, 66]] },
  {
    place: 'Garden Fountain',
    ground: 'garden',
    text: 'A fountain among flower beds',
    layers: [[fountain, 50, 48, 64], [tulip, 18, 78, 26], [tulip, 82, 78, 26]],
  },
  {
    place: 'Smiling Portrait',
    ground: 'room',
    text: 'A framed portrait of a woman with a faint smile',
    layers: [[framedPicture, 50, 50, 86], [woman, 50, 50, 46]],
  },
  {
    place: 'Chocolate Shop',
    ground: 'table',
    text: 'Bars of chocolate in a shop',
    layers: [[chocolateBar, 50, 52, 64]],
  },
  {
    place: 'Tennis on Clay',
    ground: 'clay',
    text: 'A tennis racket and ball on a red court',
    layers: [[tennis, 50, 48, 64]],
  },
  {
    place: 'Pipe-Covered Museum',
    ground: 'sky',
    text: 'A museum with coloured pipes all over its outside',
    layers: [[drawn.pipeMuseum, 50, 52, 88]],
  },
  {
    place: 'Steak and Fries',
    ground: 'table',
    text: 'A steak with a heap of fries',
    layers: [[cutOfMeat, 38, 58, 54], [frenchFries, 72, 50, 44]],
  },
  {
    place: 'White Hilltop Church',
    ground: 'garden',
    text: 'A white church with domes on top of a hill',
    layers: [[drawn.whiteChurch, 50, 52, 84]],
  },
  {
    place: "Firefighters' Ball",
    ground: 'night',
    text: 'Firefighters dancing under a mirror ball',
    layers: [[firefighter, 40, 58, 58], [mirrorBall, 74, 26, 40]],
  },
];
