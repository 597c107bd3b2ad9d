/** The browser's own notifications (Web Push), which come although no page of ours is open. */

export interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** False on plain http beyond localhost, and in browsers that have no such notifications. */
export const canPush = (): boolean => 'PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window;

function encoded(key: ArrayBuffer | null): string {
  const letters = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Asks for permission, and resolves with where this browser takes notices; null if it was refused. */
export async function subscribe(key: string): Promise<Subscription | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const worker = await navigator.serviceWorker.ready;
  const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return { endpoint: made.endpoint, p256dh: encoded(made.getKey('p256dh')), auth: encoded(made.getKey('auth')) };
}

export async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  const made = await worker?.pushManager.getSubscription();
  await made?.unsubscribe();
}
