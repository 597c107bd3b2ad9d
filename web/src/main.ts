import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';

const RELOADED = 'grandtour.reloaded';
const SOON = 10_000;
const LATER = 5_000;

// The server was rebuilt while this page was open, and a part it asks for has another name now: load the new page, once.
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < SOON) return;
  event.preventDefault();
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
});

// What is needed to read rulebooks without a connection is fetched when nobody waits for anything else.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  addEventListener('load', () => setTimeout(() => void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined), LATER));

export default mount(App, { target: document.getElementById('page')! });
