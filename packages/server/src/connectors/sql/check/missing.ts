// Tables and columns that a plan names and the database does not have.
import { nearestName } from '../../../domain/did-you-mean.ts';
import type { CheckLine } from '../../../domain/target/connector.ts';
import type { Catalogue, TableShape } from '../catalogue.ts';
import type { SqlDialect } from '../dialect.ts';
import { BY_HAND, problem } from './line.ts';

/** A table that the account may not see at all can be known only from foreign keys. */
export function existing(catalogue: Catalogue, table: string): TableShape | undefined {
  const shape = catalogue.get(table);
  return shape === undefined || shape.columns.size === 0 ? undefined : shape;
}

/**
 * Another name in the plan for the same table, such as `users` for `public.users`: a catalogue reads each
 * table once, so both have the identical columns object.
 */
export function otherNameOf(
  table: string,
  names: readonly string[],
  catalogue: Catalogue,
): string | undefined {
  const columns = catalogue.get(table)?.columns;
  if (columns === undefined) return undefined;
  return names.find((name) => name !== table && catalogue.get(name)?.columns === columns);
}

export function missingTable(table: string, otherKinds: ReadonlyMap<string, string>): CheckLine {
  const kind = otherKinds.get(table);
  const bare = table.replaceAll(/["`[\]]/g, '');
  if (kind === undefined && bare !== table)
    return problem(
      table,
      `does not exist: quotes and brackets are no part of a name; write it as ${bare}`,
    );
  return kind === undefined
    ? problem(
        table,
        'does not exist, or the account has no rights on it; correct the name (with its schema), or grant the rights',
      )
    : problem(table, `is ${kind}, and only tables can be erased from; ${workaroundFor(kind)}`);
}

/** A virtual table would break if the tables behind it were changed directly. */
function workaroundFor(kind: string): string {
  return kind.includes('virtual') ? BY_HAND : 'name the tables behind it';
}

/** Suggests a name that is alike. */
export function missingColumn(
  { hidesColumns }: SqlDialect,
  shape: TableShape,
  column: string,
  use: string,
): CheckLine {
  const names = [...shape.columns.keys()];
  const near =
    names.find((name) => name.toLowerCase() === column.toLowerCase()) ?? nearestName(column, names);
  const remedy = near === undefined ? `correct ${use}` : `write it as "${near}" in ${use}`;
  const hidden = hidesColumns ? ', or the account has no rights on it' : '';
  return problem(shape.table, `has no column "${column}"${hidden}; ${remedy}`);
}
