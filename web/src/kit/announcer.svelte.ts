/** One polite live region for screen readers, with the same sentences as the log and the prompt. */
let lines = $state<{ id: number; text: string }[]>([]);
let next = 0;

export const announcer = {
  get lines() {
    return lines;
  },
  say(text: string) {
    if (!text) return;
    lines = [...lines.slice(-5), { id: next++, text }];
  },
};
