// A row belongs to a request by a chain of parents that ends at a match; a circle has no end.
import type { TableConfig } from '../../domain/target.ts';
import type { Problems } from './fields.ts';

export function checkVia(tables: readonly TableConfig[], place: string, problems: Problems): void {
  // A table may be listed several times: its parents are those of any entry.
  const parents = new Map<string, string[]>();
  for (const { table, via } of tables) {
    const others = via.map(({ parent }) => parent).filter((parent) => parent !== table);
    parents.set(table, [...(parents.get(table) ?? []), ...others]);
  }
  const inCircle = new Set<string>();

  tables.forEach(({ table, via }, i) => {
    if (via.some(({ parent }) => parent === table)) {
      problems.add(
        `${place}[${i}].via`,
        'names the table itself; name a parent table, or find its rows by "match"',
      );
      return;
    }
    const circle = circleThrough(table, parents);
    // Each circle is told once, at its first table.
    if (circle === undefined || circle.some((name) => inCircle.has(name))) return;
    for (const name of circle) inCircle.add(name);
    problems.add(
      `${place}[${i}].via`,
      `goes in a circle (${[...circle, table].join(' -> ')}); leave one of them out`,
    );
  });
}

/** The way by parents from a table back to it. */
function circleThrough(
  start: string,
  parents: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const seen = new Set<string>();
  const ways: (readonly string[])[] = [[start]];
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    for (const parent of parents.get(way.at(-1) ?? '') ?? []) {
      if (parent === start) return way;
      if (seen.has(parent)) continue;
      seen.add(parent);
      ways.push([...way, parent]);
    }
  }
  return undefined;
}
