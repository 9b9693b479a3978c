/** What a JSON value has at a path such as `user.active`; undefined if it has nothing there. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
