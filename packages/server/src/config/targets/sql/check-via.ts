// Checks that every chain of parents ends at a match, which decides to whom a row belongs. A circle has no end.
import { entryName, type TableConfig, type ViaConfig } from '../../../domain/target/target.ts';
import type { Problems } from '../fields.ts';

export function checkVia(
  tables: readonly TableConfig[],
  places: readonly string[],
  problems: Problems,
): void {
  const entriesOf = ({ parent, entries }: ViaConfig) =>
    entries ?? tables.filter(({ table }) => table === parent).map(entryName);
  const parents = new Map(
    tables.map((table) => [
      entryName(table),
      table.via.filter(({ parent }) => parent !== table.table).flatMap(entriesOf),
    ]),
  );
  const inCircle = new Set<string>();

  tables.forEach((table, i) => {
    if (table.via.some(({ parent }) => parent === table.table)) {
      problems.add(
        `${places[i]}.via`,
        'names the table itself; name a parent table, or find its rows by "match"',
      );
      return;
    }
    const name = entryName(table);
    const circle = circleThrough(name, parents);
    // Each cycle is reported once, at its first table.
    if (circle === undefined || circle.some((one) => inCircle.has(one))) return;
    for (const one of circle) inCircle.add(one);
    const inIt = tables.filter((one) => circle.includes(entryName(one)));
    problems.add(
      `${places[i]}.via`,
      `goes in a circle (${[...circle, name].join(' -> ')}); leave one of them out${wayOut(inIt)}`,
    );
  });

  function wayOut(inIt: readonly TableConfig[]): string {
    const repeated = inIt
      .flatMap(({ via }) => via)
      .find((via) => via.entries === undefined && entriesOf(via).length > 1);
    if (repeated !== undefined) {
      const names = entriesOf(repeated).map((one) => `"${one}"`);
      return `, or name the entries of ${repeated.parent} that are meant in "via": ${names.join(', ')}`;
    }
    const matched = inIt.find(({ match }) => match.length > 0);
    if (matched === undefined) return '';
    return `, or, where a column tells the rows that lead to the person from the others, list ${matched.table} twice with "where", once with "match" and once with "via", and let "via" of the other tables name the first of these entries`;
  }
}

/** The path through parents from a table back to itself. */
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
