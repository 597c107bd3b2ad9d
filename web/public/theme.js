// Runs before the first paint, so that a chosen theme does not flash the other one.
try {
  const theme = localStorage.getItem('grandtour.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is closed to us: the device's own setting holds.
}
