// The `tables` of an SQL target, in the order of erasing, and what they have to do with each other.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import type { TableConfig, TablesWork, ViaConfig } from '../../domain/target.ts';
import { didYouMean } from '../unknown-names.ts';
import { checkVia } from './check-via.ts';
import { type Fields, type Problems, readFields } from './fields.ts';
import { readAction } from './read-action.ts';
import { name, readNameMap, readNames } from './read-names.ts';

const NAMES = ['table', 'key', 'match', 'via', 'action'];

export function readTablesWork(target: Fields): TablesWork {
  const place = `${target.place}.tables`;
  const given = Array.isArray(target.values.tables) ? target.values.tables : [];
  if (given.length === 0) {
    target.problem(
      'tables',
      'must be a list of tables, each item beginning with "- table: <name>"',
    );
  }
  const tables = given.map((item, i) => readTable(item, `${place}[${i}]`, target.problems));
  checkNames(tables, place, target.problems);
  checkVia(tables, place, target.problems);
  return {
    kind: 'tables',
    tables,
    cascades: readNames(target, 'cascades'),
    triggers: readNames(target, 'triggers'),
  };
}

function readTable(item: unknown, place: string, problems: Problems): TableConfig {
  const table = readFields(item, place, problems);
  table.refuseOthersThan(NAMES);
  const match = readMatch(table);
  const via = readVia(table);
  if (!table.has('match') && !table.has('via')) {
    problems.add(
      place,
      'must say which rows belong to a request: by "match" (identity type to column), by "via" (a parent table), or both',
    );
  }
  const key = table.has('key') ? readNames(table, 'key') : null;
  if (key?.length === 0) table.problem('key', 'must name a column, or be left out');
  const config = {
    table: table.need('table', name, ''),
    key,
    match,
    via,
    action: readAction(table),
  };
  checkKey(config, table);
  return config;
}

function readMatch(table: Fields): TableConfig['match'] {
  const match = table.below('match');
  match.refuseOthersThan(IDENTITY_TYPES);
  if (table.has('match') && Object.keys(match.values).length === 0) {
    table.problem('match', `must have one of: ${IDENTITY_TYPES.join(', ')}`);
  }
  const given = IDENTITY_TYPES.filter((type) => type in match.values);
  return Object.fromEntries(given.map((type) => [type, match.need(type, name, '')]));
}

function readVia(table: Fields): ViaConfig[] {
  const via = table.below('via');
  const parents = Object.keys(via.values);
  if (table.has('via') && parents.length === 0) table.problem('via', 'must name a parent table');
  return parents.map((parent) => {
    const columns = readNameMap(via.below(parent));
    if (Object.keys(columns).length === 0) {
      via.problem(parent, 'must have { <column of this table>: <column of the parent> }');
    }
    return { parent, columns };
  });
}

/** Rows are named by their key from the preview to the verification, so it must stay. */
function checkKey({ key, action }: TableConfig, table: Fields): void {
  if (action.kind !== 'overwrite') return;
  for (const column of Object.keys(action.columns)) {
    if (key?.includes(column)) {
      table.problem(
        `action.overwrite.${column}`,
        'is part of the key, by which rows are found again',
      );
    }
  }
}

function checkNames(tables: readonly TableConfig[], place: string, problems: Problems): void {
  const names = tables.map(({ table }) => table);
  tables.forEach(({ table, via }, i) => {
    const first = names.indexOf(table);
    if (table !== '' && first < i) {
      problems.add(`${place}[${i}].table`, `is in tables[${first}] already; keep one`);
    }
    for (const { parent } of via.filter((it) => !names.includes(it.parent))) {
      problems.add(
        `${place}[${i}].via.${parent}`,
        `is not a table of this target${didYouMean(parent, names)}`,
      );
    }
  });
}
