// Foreign keys of periods (PERIOD, PostgreSQL 18): a row refers to rows whose periods contain its own, so equal values
// do not tell which rows refer.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { TableConfig, TablesWork, ViaConfig } from '../../../../domain/target/target.ts';
import type { Catalogue, ForeignKey } from '../../catalogue.ts';
import { isDetached } from '../../plan/detached-columns.ts';
import { toVia } from '../../plan/foreign-references.ts';
import { BY_HAND, problem } from '../line.ts';

export function checkPeriods(work: TablesWork, catalogue: Catalogue): CheckLine[] {
  const all = [...catalogue.values()].flatMap(({ referencedBy }) => referencedBy);
  const keys = all.filter(({ isOfPeriods }) => isOfPeriods === true);
  const isDeleted = (name: string) =>
    work.tables.some(({ table, action }) => table === name && action.kind === 'delete');
  return [
    ...work.tables.flatMap((table) =>
      table.via.flatMap((via) =>
        keys.filter((key) => isFollowed(table, via, key)).map((key) => followed(table, via, key)),
      ),
    ),
    ...keys
      .filter((key) => isDeleted(key.referenced) && (acts(key) || isDetached(work, key)))
      .map(letGo),
  ];
}

const acts = ({ onDelete }: ForeignKey) => onDelete !== 'no_action' && onDelete !== 'restrict';

/** In either direction, with the periods as part of the reference. */
function isFollowed({ table }: TableConfig, { parent, columns }: ViaConfig, key: ForeignKey) {
  const own = key.columns.at(-1) ?? '';
  const other = key.referencedColumns.at(-1) ?? '';
  return (
    (key.table === table && key.referenced === parent && columns[own] === other) ||
    (key.table === parent && key.referenced === table && columns[other] === own)
  );
}

function followed({ table }: TableConfig, { parent, columns }: ViaConfig, key: ForeignKey) {
  const isReverse = key.table === parent;
  const pairs = Object.entries(toVia(key).columns).map(([own, to]) =>
    isReverse ? `${to}: ${own}` : `${own}: ${to}`,
  );
  const period = Object.keys(columns).find((name) =>
    [key.columns.at(-1), key.referencedColumns.at(-1)].includes(name),
  );
  return problem(
    table,
    `is found by ${parent} with the period "${period}" (foreign key ${key.name}, PERIOD), and rows of a part of it would be left; leave the period out, via: { ${parent}: { ${pairs.join(', ')} } }: rows of somebody else's periods of the same ${key.referencedColumns[0]} are held then; or ${BY_HAND}`,
  );
}

function letGo({ name, table, referenced }: ForeignKey): CheckLine {
  return problem(
    table,
    `refers to ${referenced}, from which rows are deleted, by periods (foreign key ${name}, PERIOD), so it cannot be told which of its rows would change; take its columns from "detach" and actions from the key, and delete from ${table} too, or overwrite ${referenced} instead, or ${BY_HAND}`,
  );
}
