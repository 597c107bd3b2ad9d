type Key = string | number;
/** `[path, value]`, `[path]` for a key that is gone, or `[path, at, count, values]` for a part of a list. */
type Edit = unknown[];

/** The view after these edits (docs/protocol.md). What has not changed is shared with the view before, which stays as it is. */
export function patched(before: unknown, patch: Edit[]): unknown {
  return patch.reduce((value, edit) => edited(value, edit[0] as Key[], edit), before);
}

function edited(value: unknown, [key, ...rest]: Key[], edit: Edit): unknown {
  if (key === undefined) {
    if (edit.length === 2) return edit[1];
    const [, at, count, values] = edit as [Key[], number, number, unknown[]];
    return (value as unknown[]).toSpliced(at, count, ...values);
  }
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<Key, unknown>;
  if (edit.length === 1 && !rest.length) delete copy[key];
  else copy[key] = edited(copy[key], rest, edit);
  return copy;
}
