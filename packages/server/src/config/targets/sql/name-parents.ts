// A reference names its parent by the table, or by one entry of a table that is listed several times.

import { didYouMean } from '../../../domain/did-you-mean.ts';
import { areBeside } from '../../../domain/target/beside.ts';
import { entryName, type TableConfig, type ViaConfig } from '../../../domain/target/target.ts';
import type { Problems } from '../fields.ts';

/** Sets the table in each reference, and its entries if some are named. */
export function nameParents(tables: readonly TableConfig[]): TableConfig[] {
  const names = new Set(tables.map(({ table }) => table));
  const entries = new Map(tables.map((table) => [entryName(table), table.table]));
  return tables.map((table) => ({
    ...table,
    via: together(
      table.via.map((via) => {
        const parent = names.has(via.parent) ? undefined : entries.get(via.parent);
        return parent === undefined ? via : { ...via, parent, entries: [via.parent] };
      }),
    ),
  }));
}

/** References by the same columns to several entries of one table are one reference to rows of any of them. */
function together(vias: readonly ViaConfig[]): ViaConfig[] {
  const groups = Map.groupBy(vias, (via) => JSON.stringify([via.parent, sorted(via.columns)]));
  return [...groups.values()].flatMap((group) => {
    const named = group.flatMap(({ entries }) => (entries === undefined ? [] : [entries]));
    if (named.length === 0) return group;
    const whole = group.find(({ entries }) => entries === undefined);
    const entries = [...new Set(named.flat())];
    return whole === undefined ? group.slice(0, 1).map((via) => ({ ...via, entries })) : [whole];
  });
}

function sorted(columns: ViaConfig['columns']): string[][] {
  return Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1));
}

export function checkParents(
  tables: readonly TableConfig[],
  places: readonly string[],
  problems: Problems,
): void {
  const names = tables.map(({ table }) => table);
  tables.forEach(({ via }, i) => {
    for (const { parent } of via.filter((it) => !names.includes(it.parent)))
      problems.add(`${places[i]}.via.${parent}`, unknown(parent, tables));
    for (const { parent, entries } of via) {
      const meant = tables.filter(
        (one) => one.table === parent && (entries?.includes(entryName(one)) ?? true),
      );
      const besides = meant.filter((one) => meant.some((other) => areBeside(one, other)));
      if (besides.length > 0)
        problems.add(
          `${places[i]}.via.${parent}`,
          `may lead to one row by several entries, and so to several people; name the one that says whose the row is: ${besides.map((one) => `"${entryName(one)}"`).join(' or ')}`,
        );
    }
  });
}

function unknown(parent: string, tables: readonly TableConfig[]): string {
  const written = parent.includes('(') ? (parent.split('(', 1)[0] ?? '').trimEnd() : parent;
  const entries = tables.filter(({ table, name }) => table === written && name !== undefined);
  if (entries.length > 0)
    return `is not an entry of ${written}; it has ${entries.map((one) => `"${entryName(one)}"`).join(', ')}`;
  if (written !== parent && tables.some(({ table }) => table === written))
    return `is not an entry of ${written}, which is listed once; write "${written}"`;
  return `is not a table of this target${didYouMean(
    parent,
    tables.map(({ table }) => table),
  )}`;
}
