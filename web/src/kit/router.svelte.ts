/** A few pages, the browser's own history. */
let path = $state(location.pathname);

addEventListener('popstate', () => (path = location.pathname));

export const route = {
  get path() {
    return path;
  },
  /** `/table/abc` → `['table', 'abc']` */
  get parts() {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  },
};

export function go(to: string): void {
  history.pushState(null, '', to);
  path = location.pathname;
  scrollTo(0, 0);
}

/** Plain links to our own pages change the page without loading it again. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element).closest('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/')) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
