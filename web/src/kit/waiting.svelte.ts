/** Milliseconds without an answer until the page says that it waits, and until it says that the server is slow. */
const PENDING_AFTER = 1000;
const LATE_AFTER = 5000;

/** Requests that have no answer yet, and what the page should say about that. */
export class Waiting {
  busy = $state(false);
  delay = $state<'none' | 'pending' | 'late'>('none');

  #open = 0;
  #timers: ReturnType<typeof setTimeout>[] = [];

  async for<T>(answer: Promise<T>): Promise<T> {
    this.busy = true;
    this.#open++;
    if (this.#open === 1)
      this.#timers = [
        setTimeout(() => (this.delay = 'pending'), PENDING_AFTER),
        setTimeout(() => (this.delay = 'late'), LATE_AFTER),
      ];
    try {
      return await answer;
    } finally {
      this.#open--;
      if (this.#open === 0) {
        this.busy = false;
        this.delay = 'none';
        this.#timers.forEach(clearTimeout);
      }
    }
  }
}

/** What was sent by plain HTTP: opening a table, sitting down. Moves are a table's own. */
export const requests = new Waiting();
