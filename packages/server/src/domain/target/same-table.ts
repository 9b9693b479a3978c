/** A name without a schema may mean a table in any schema; case may not matter. */
export function isSameTable(one: string, other: string): boolean {
  const [parts, others] = [partsOf(one), partsOf(other)];
  const [shorter, longer] = parts.length < others.length ? [parts, others] : [others, parts];
  return shorter.every((part, place) => part === longer[longer.length - shorter.length + place]);
}

const partsOf = (table: string) => table.toLowerCase().split('.');
