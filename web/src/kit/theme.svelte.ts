export type Theme = 'auto' | 'light' | 'dark';

// Kept as plain text, not JSON: theme.js reads it before anything else runs.
const KEY = 'grandtour.theme';

function stored(): Theme {
  try {
    const text = localStorage.getItem(KEY);
    return text === 'light' || text === 'dark' ? text : 'auto';
  } catch {
    return 'auto';
  }
}

let chosen = $state<Theme>(stored());

export const theme = {
  get chosen() {
    return chosen;
  },
  choose(next: Theme) {
    chosen = next;
    if (next === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // It holds until the page is closed.
    }
  },
};
