/** A `.tour` file that was dropped on the page, wherever that was, until the replay takes it. */
let file = $state.raw<File | null>(null);
let over = $state(false);
let left: ReturnType<typeof setTimeout> | undefined;

/** A drag without events for this long has left the window. */
const GONE_AFTER = 200;

const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

export const dropped = {
  /** Whether a file is being dragged over the page. */
  get over() {
    return over;
  },
  get file() {
    return file;
  },
  take(): File | null {
    const taken = file;
    file = null;
    return taken;
  },
};

export function dragOver(event: DragEvent): void {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  over = true;
  clearTimeout(left);
  left = setTimeout(() => (over = false), GONE_AFTER);
}

/** True when a file was dropped. */
export function drop(event: DragEvent): boolean {
  if (!holdsFiles(event)) return false;
  event.preventDefault();
  over = false;
  file = event.dataTransfer?.files[0] ?? null;
  return file !== null;
}
