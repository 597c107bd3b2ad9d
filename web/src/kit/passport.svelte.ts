/** The passport of this browser, if its user has one. */
import type { Me, NewPassport, Picture } from './protocol';
import { recall, remember } from './stored';

interface Held {
  secret: string;
  id: string;
  name: string;
  picture: Picture;
}

let held = $state.raw<Held | null>(recall<Held | null>('passport', null));

export const passport = {
  get held(): Held | null {
    return held;
  },
  /** Keeps a passport that was made, or came from another device. */
  take({ secret, me }: NewPassport): void {
    held = { secret, id: me.id, name: me.name, picture: me.picture };
    remember('passport', held);
    remember('name', me.name);
  },
  /** Its name or picture has changed. */
  update(me: Me): void {
    if (held) passport.take({ secret: held.secret, me });
  },
  /** The server does not know it any more, or it was forgotten. */
  drop(): void {
    held = null;
    remember('passport', null);
  },
  /** A request with the passport, if there is one. */
  with<T extends object>(body: T): T {
    return held ? { ...body, passport: held.secret } : body;
  },
};

/** What to call this device in the list of devices. */
export function deviceName(): string {
  const agent = navigator.userAgent;
  const browser = /Edg\//.test(agent) ? 'Edge' : /Firefox\//.test(agent) ? 'Firefox' : /Chrome\//.test(agent) ? 'Chrome' : /Safari\//.test(agent) ? 'Safari' : 'A browser';
  const system = [
    [/iPhone|iPad/, 'iPhone or iPad'],
    [/Android/, 'Android'],
    [/Mac OS/, 'Mac'],
    [/Windows/, 'Windows'],
    [/Linux/, 'Linux'],
  ].find(([sign]) => (sign as RegExp).test(agent))?.[1] as string | undefined;
  return system ? `${browser} on ${system}` : browser;
}
