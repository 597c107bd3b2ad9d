/** Values stored in this browser. If a private window forbids that, they last until the page is closed. */

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`grandtour.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(`grandtour.${key}`, JSON.stringify(value));
  } catch {
    // Nothing to do: it is remembered until the page is closed.
  }
}

/** A seat this browser holds. The secret is the seat: whoever shows it sits there. It is null for a seat of the passport,
 * which needs none: so a device that is signed off has nothing left. */
export interface HeldSeat {
  table: string;
  seat: number;
  secret: string | null;
  title: string;
  since: number;
  /** The secrets of all seats, at a table where this browser plays every one of them; `seat` is the one it shows. */
  all?: string[];
}

const held = new Map(recall<HeldSeat[]>('seats', []).map((seat) => [seat.table, seat]));

export const seats = {
  all: (): HeldSeat[] => [...held.values()].sort((a, b) => b.since - a.since),
  of: (table: string): HeldSeat | null => held.get(table) ?? null,
  /** The secret with which this browser takes its seat at a table; null for a spectator or with a passport. */
  secretAt(table: string): string | null {
    const seat = held.get(table);
    return seat?.all?.[seat.seat] ?? seat?.secret ?? null;
  },
  keep(seat: HeldSeat): void {
    held.set(seat.table, seat);
    remember('seats', seats.all().slice(0, 40));
  },
  /** Keeps a seat that was just taken, with the passport if there is one. */
  took(seat: HeldSeat): void {
    seats.keep(recall('passport', null) === null ? seat : { ...seat, secret: null });
  },
  forget(table: string): void {
    held.delete(table);
    remember('seats', seats.all());
  },
};

const noted = new Map(recall<[string, string][]>('seals', []));
const MAX_SEALS = 100;

/** The seals of matches that this browser saw running: nobody can change them afterwards. */
export const seals = {
  of: (table: string): string | null => noted.get(table) ?? null,
  /** The first one counts. */
  note(table: string, seal: string): void {
    if (noted.has(table)) return;
    noted.set(table, seal);
    remember('seals', [...noted].slice(-MAX_SEALS));
  },
};

/** Reads `#seat=K.SECRET`, keeps the seat and takes the secret out of the address bar. */
export function takeSeatFromAddress(table: string, title: string): void {
  const found = /^#seat=(\d+)\.([\w-]+)$/.exec(location.hash);
  if (!found) return;
  seats.keep({ table, seat: Number(found[1]), secret: found[2]!, title, since: Date.now() });
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** The link to a seat that is not the passport's. */
export function seatLink(seat: HeldSeat): string {
  return `${location.origin}/table/${seat.table}#seat=${seat.seat}.${seat.secret}`;
}

/** The link to a table, and who invites to it: the page says the name of the one in that seat. */
export const inviteLink = (table: string, by: number | null = null): string =>
  `${location.origin}/table/${table}${by === null ? '' : `#by=${by}`}`;

/** The seat of the one who sent the link, if it says so. */
export function inviter(): number | null {
  const found = /^#by=(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}

/** True when the text is on the clipboard. Plain http has no clipboard API, so there is the old way too. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  }
}
