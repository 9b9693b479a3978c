// Names come from outside: an endpoint, a module or an operator may call a table `toString`, `constructor` or
// `__proto__`. So they are used as keys of objects without a prototype, which inherit no names.

/**
 * The prototype of this function has nothing to inherit; unlike Object.create(null), such objects are as fast
 * as any.
 */
const Named = function Named() {} as unknown as new () => object;
Named.prototype = Object.create(null);

export function byName<T>(entries: Iterable<readonly [string, T]> = []): Record<string, T> {
  const named = new Named() as Record<string, T>;
  for (const [name, value] of entries) named[name] = value;
  return named;
}

export function isEmpty(named: Readonly<Record<string, unknown>>): boolean {
  for (const _ in named) return false;
  return true;
}

/** Reads what JSON.stringify wrote of such an object. */
export function byNameFromJson<T>(json: string): Record<string, T> {
  return byName(Object.entries(JSON.parse(json) as Record<string, T>));
}
