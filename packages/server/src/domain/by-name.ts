// Names come from outside: an endpoint, a module or an operator may call a table `toString`, `constructor`
// or `__proto__`. So they are keys of objects without a prototype, which have no names of their own.

export function byName<T>(entries: Iterable<readonly [string, T]> = []): Record<string, T> {
  const named: Record<string, T> = Object.create(null);
  for (const [name, value] of entries) named[name] = value;
  return named;
}

/** What JSON.stringify wrote of such an object. */
export function byNameFromJson<T>(json: string): Record<string, T> {
  return byName(Object.entries(JSON.parse(json) as Record<string, T>));
}
