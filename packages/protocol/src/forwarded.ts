// An extension of ours: which processors have forwarded a request, so that none gets it twice. Its place in the body is
// `extensions.unwrite.via`, a list of processor domains, the first one first.

/** A request that was forwarded so often is not forwarded again. */
export const MAX_FORWARDED = 10;

const DOMAIN = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/** Empty for what is no such list: extensions are not ours alone. */
export function forwardedVia(body: object): readonly string[] {
  const via = memberOf(memberOf(memberOf(body, 'extensions'), 'unwrite'), 'via');
  if (!Array.isArray(via) || via.length > MAX_FORWARDED) return [];
  const names: unknown[] = [...via];
  return names.every((name) => typeof name === 'string' && DOMAIN.test(name))
    ? (names as string[])
    : [];
}

export function forwardedBy(via: readonly string[]): Readonly<Record<string, object>> {
  return { unwrite: { via } };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
