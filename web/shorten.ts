/** Shortens drawings: coordinates are rounded, and the rounding error is carried over to the next stroke. */

/** The number of arguments of each command of an SVG path. */
const TAKES: Record<string, number> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };
const TOKEN = /([a-z])|(-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)/gi;

/** The arguments of an arc, whose flags may be written without a space between them. */
function numbersOf(written: string, command: string): number[] {
  if (command !== 'a') return [...written.matchAll(TOKEN)].map((token) => Number(token[0]));
  const numbers: number[] = [];
  let rest = written;
  while ((rest = rest.replace(/^[\s,]+/, ''))) {
    const flag = numbers.length % 7 === 3 || numbers.length % 7 === 4;
    const found = (flag ? /^[01]/ : /^-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?/i).exec(rest);
    if (!found) throw new Error(`an arc is not understood: ${written}`);
    numbers.push(Number(found[0]));
    rest = rest.slice(found[0].length);
  }
  return numbers;
}

/** The same path with this many digits after the decimal point. */
export function shortenPath(path: string, digits: number): string {
  const unit = 10 ** digits;
  const round = (value: number) => Math.round(value * unit) / unit;
  const write = (value: number, kept = digits) => String(Number(value.toFixed(kept))).replace(/^(-?)0\./, '$1.');
  /** The position of the pen, and its position in the shortened path. */
  const [pen, short, start, shortStart] = [[0, 0], [0, 0], [0, 0], [0, 0]];
  let result = '';
  for (const [, letter, written] of path.matchAll(/([mlhvcsqtaz])([^mlhvcsqtaz]*)/gi)) {
    const command = letter!.toLowerCase();
    const relative = letter === command;
    if (command === 'z') {
      [pen[0], pen[1], short[0], short[1]] = [start[0]!, start[1]!, shortStart[0]!, shortStart[1]!];
      result += letter;
      continue;
    }
    const numbers = numbersOf(written!, command);
    const takes = TAKES[command]!;
    if (!numbers.length || numbers.length % takes) throw new Error(`a path is not understood: ${letter}${written}`);
    const out: string[] = [];
    for (let at = 0; at < numbers.length; at += takes) {
      const from = [pen[0]!, pen[1]!];
      const shortFrom = [short[0]!, short[1]!];
      for (let i = 0; i < takes; i++) {
        const value = numbers[at + i]!;
        if (command === 'a' && i < 5) {
          // Radii keep one more digit, because an arc that is too small for its ends is drawn differently.
          out.push(i < 2 ? write(value, digits + 1) : String(value));
          continue;
        }
        const axis = command === 'v' ? 1 : command === 'h' ? 0 : command === 'a' ? i - 5 : i % 2;
        const target = relative ? from[axis]! + value : value;
        const shortened = round(target);
        out.push(write(relative ? shortened - shortFrom[axis]! : shortened));
        if (i >= takes - (command === 'h' || command === 'v' ? 1 : 2)) {
          pen[axis] = target;
          short[axis] = shortened;
        }
      }
      if (command === 'm' && at === 0) {
        [start[0], start[1], shortStart[0], shortStart[1]] = [pen[0]!, pen[1]!, short[0]!, short[1]!];
      }
    }
    result += letter + out.join(' ').replaceAll(' -', '-');
  }
  return result;
}

/** The same drawing, with fewer digits in its paths. */
export const shortenDrawing = (body: string, digits: number): string =>
  body.replace(/ d="([^"]+)"/g, (_, path: string) => ` d="${shortenPath(path, digits)}"`);
