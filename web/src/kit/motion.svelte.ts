import { cubicOut } from 'svelte/easing';
import { prefersReducedMotion } from 'svelte/motion';
import type { TransitionConfig } from 'svelte/transition';
import { settings } from './settings.svelte';
import type { Component } from 'svelte';

/** How long one thing travels. */
export const SWIFT = 250;

/** A place on the page: an element, its box, or the name in some element's `data-anchor`. */
export type Place = string | Element | DOMRect;

export interface Flight {
  from: Place;
  to: Place;
  // The kit draws whatever the game hands it.
  show: Component<any>;
  props: Record<string, unknown>;
}

export interface FlightNow {
  id: number;
  from: DOMRect;
  to: DOMRect;
  show: Flight['show'];
  props: Flight['props'];
  landed: () => void;
}

let flights = $state.raw<FlightNow[]>([]);
let next = 0;
const departures = new Map<string, DOMRect>();

/** Whether less or no motion is wanted: then nothing is animated. */
export const calm = (): boolean => prefersReducedMotion.current || settings.pace === 0 || document.hidden;

/** A duration in milliseconds at the speed that the player has chosen; 0 without animations. */
const paced = (milliseconds: number): number => (calm() ? 0 : milliseconds * settings.pace);

export const swift = (): number => paced(SWIFT);

/** The box of a place, or null when it is not on the page now. Two elements may have the same name (phone and wide screen): the visible one is used. */
function boxOf(place: Place): DOMRect | null {
  if (place instanceof DOMRect) return place;
  if (place instanceof Element) return place.getBoundingClientRect();
  for (const element of document.querySelectorAll(`[data-anchor="${CSS.escape(place)}"]`)) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) return box;
  }
  return null;
}

/** A drawing travels from one place to another; resolves when it has arrived. */
export function travel({ from, to, show, props }: Flight): Promise<void> {
  const start = boxOf(from);
  const end = boxOf(to);
  if (calm() || !start || !end) return Promise.resolve();
  return new Promise((resolve) => {
    const id = next++;
    const landed = () => {
      flights = flights.filter((flight) => flight.id !== id);
      resolve();
    };
    flights = [...flights, { id, from: start, to: end, show, props, landed }];
  });
}

export const pause = (milliseconds: number): Promise<void> =>
  calm() ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, paced(milliseconds)));

/** Records where the thing with this key starts from when it next appears. */
export function departs(key: string, from: Place): void {
  const box = boxOf(from);
  if (box) departures.set(key, box);
}

/** A transition: the thing appears where it departed and travels to where it now is. */
export function arrives(node: Element, key: string): TransitionConfig {
  const from = departures.get(key);
  departures.delete(key);
  if (!from || calm()) return { duration: 0 };
  const to = node.getBoundingClientRect();
  const dx = from.x + from.width / 2 - (to.x + to.width / 2);
  const dy = from.y + from.height / 2 - (to.y + to.height / 2);
  const scale = from.width / Math.max(to.width, 1);
  return {
    duration: paced(SWIFT * 1.4),
    easing: cubicOut,
    css: (t, u) =>
      `transform: translate(${dx * u}px, ${dy * u}px) scale(${t + scale * u}) rotate(${-6 * Math.sin(Math.PI * t)}deg); z-index: 5`,
  };
}

export const inFlight = {
  get all() {
    return flights;
  },
};
