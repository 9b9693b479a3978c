// Names come from outside: an endpoint, a module or an operator may call a table `toString`, `constructor`
// or `__proto__`. So they are keys of objects without a prototype, which have no names of their own.

/** Its prototype has nothing to inherit; made so, and not by Object.create(null), it is as fast as any object. */
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

/** What JSON.stringify wrote of such an object. */
export function byNameFromJson<T>(json: string): Record<string, T> {
  return byName(Object.entries(JSON.parse(json) as Record<string, T>));
}
