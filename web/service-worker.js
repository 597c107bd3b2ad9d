// Caches the lobby and the rulebooks for offline use. Tables need the server and are never cached.
const CACHE = 'grandtour-1';
const FILES = [
  /* files */
];

async function fill() {
  const cache = await caches.open(CACHE);
  await cache.addAll(['/', '/theme.js', '/favicon.svg', ...FILES]);
  const list = await fetch('/api/games');
  if (!list.ok) return;
  await cache.put('/api/games', list.clone());
  const names = (await list.json()).map((game) => game.name);
  await Promise.all(names.map((name) => cache.add(`/api/games/${encodeURIComponent(name)}/rulebook`)));
}

/** Delete the files of earlier versions. */
async function tidy() {
  const cache = await caches.open(CACHE);
  const wanted = new Set(FILES);
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (pathname.startsWith('/assets/') && !wanted.has(pathname)) await cache.delete(url);
  }
}

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(fill());
});

addEventListener('activate', (event) => event.waitUntil(tidy()));

/** Fetch from the server and cache the response; if the server cannot be reached, use the cached one. */
async function freshFirst(request, kept) {
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      const cache = await caches.open(CACHE);
      await cache.put(kept, answer.clone());
    }
    return answer;
  } catch (error) {
    const found = await caches.match(kept);
    if (found) return found;
    throw error;
  }
}

async function keptFirst(request) {
  return (await caches.match(request)) ?? fetch(request);
}

const WANTS_NO_MORE = 'off';

/** Show a notice, unless its page is visible. */
async function notify({ title, body, url, tag }) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (pages.some((page) => page.visibilityState === 'visible' && new URL(page.url).pathname === url)) return;
  await registration.showNotification(title, {
    body,
    tag,
    icon: '/icon-192.png',
    data: { url },
    actions: [{ action: WANTS_NO_MORE, title: 'No more notices here' }],
  });
}

/** Open the page that a notice is about: focus it if it is open already, or else open a new one. */
async function show(url) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find((page) => new URL(page.url).pathname === url);
  await (open ? open.focus() : clients.openWindow(url));
}

async function stopNotices() {
  const subscription = await registration.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

addEventListener('push', (event) => {
  if (event.data) event.waitUntil(notify(event.data.json()));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(event.action === WANTS_NO_MORE ? stopNotices() : show(event.notification.data.url));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  // Every address of the page is the same document.
  if (request.mode === 'navigate') event.respondWith(freshFirst(request, '/'));
  else if (pathname.startsWith('/assets/')) event.respondWith(keptFirst(request));
  else if (/^\/api\/games(\/[^/]+\/rulebook)?$/.test(pathname)) event.respondWith(freshFirst(request, pathname));
});
