import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';

const RELOADED = 'grandtour.reloaded';
const SOON = 10_000;

// The house was rebuilt while this page was open, and a part it asks for has another name now: load the new page, once.
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (Date.now() - last < SOON) return;
  event.preventDefault();
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
});

export default mount(App, { target: document.getElementById('page')! });
