/** What the build draws from map packages and the game's data; every place in the units of one drawing. */
declare module 'map:italy' {
  interface Spot {
    x: number;
    y: number;
  }
  const italy: {
    width: number;
    height: number;
    /** Everyone around, and Italy itself; those that are zones of the game say so. */
    countries: { name: string; zone: string | null; path: string }[];
    /** The outlines of all twenty regions; three have no city of the game and no name here. */
    shapes: { name: string | null; path: string }[];
    regions: { name: string; twice: boolean }[];
    /** How many regions score how many points. */
    bonus: [number, number][];
    cities: ({ name: string; region: string } & Spot)[];
    /** Where routes into zones end. */
    ends: ({ name: string; zone: string } & Spot)[];
    routes: { name: string; a: string; b: string; length: number; colour: string; waves: number; points: number }[];
    tickets: { name: string; a: string; b: string; points: number }[];
  };
  export default italy;
}
