import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';

const RELOADED = 'grandtour.reloaded';
const MIN_RELOAD_INTERVAL = 10_000;
const SERVICE_WORKER_DELAY = 5_000;
const RETRY_INTERVAL = 1_000;

let waiting = false;

/** Loads the page again as soon as the server answers: until then the browser would only show an error of its own. */
async function reloadWhenReachable() {
  if (waiting) return;
  waiting = true;
  const answers = () => fetch('/', { method: 'HEAD', cache: 'no-store' }).then(({ ok }) => ok, () => false);
  while (!(await answers())) await new Promise((done) => setTimeout(done, RETRY_INTERVAL));
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
}

// A part of the page cannot be fetched. Either there is no connection now, or the server was rebuilt while this page was
// open and the part has another name: load the new page, once.
addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last >= MIN_RELOAD_INTERVAL) void reloadWhenReachable();
});

// The files for reading rulebooks offline are loaded when nothing else is being loaded.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  const register = () => void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined);
  addEventListener('load', () => setTimeout(register, SERVICE_WORKER_DELAY));
}

export default mount(App, { target: document.getElementById('page')! });
