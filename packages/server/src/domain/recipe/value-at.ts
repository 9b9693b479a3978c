/** What a JSON value has at a path such as `user.active`: null where the path ends in a null, undefined where nothing is there. */
export function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split('.')) {
    if (at === null) return null;
    if (typeof at !== 'object' || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** As text; undefined if it is no single value, or a number that JavaScript has rounded. */
export function plainText(value: unknown): string | undefined {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}
