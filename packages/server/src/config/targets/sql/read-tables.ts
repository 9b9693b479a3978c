// The `tables` of an SQL target, in the order of erasing, and the checks between them.
import { isObject } from '../../../domain/is-object.ts';
import type {
  LeadConfig,
  TableConfig,
  TablesWork,
  ViaConfig,
} from '../../../domain/target/target.ts';
import { whenUnmatched } from '../common-fields.ts';
import { type Fields, type Problems, readFields } from '../fields.ts';
import { name, readNameMap, readNames } from '../read-names.ts';
import { checkTenants } from './check-tenants.ts';
import { checkVia } from './check-via.ts';
import { checkParents, nameParents } from './name-parents.ts';
import { LEAD, readAction } from './read-action.ts';
import { readDetach } from './read-detach.ts';
import { readMatch } from './read-match.ts';
import { tenancyWord } from './read-tenancy.ts';
import { readWhereBy } from './read-where.ts';
import { checkRepeated, nameEntries } from './repeated-tables.ts';
import { shared, tableFields } from './table-schema.ts';

export function readTablesWork(target: Fields): TablesWork {
  const place = `${target.place}.tables`;
  const given = Array.isArray(target.values.tables) ? target.values.tables : [];
  if (given.length === 0) {
    target.problem(
      'tables',
      'must be a list of tables, each item beginning with "- table: <name>"',
    );
  }
  const items = given.map((item, i) => ({ item, place: `${place}[${i}]` }));
  const [led, erased] = [items.filter(isLead), items.filter((one) => !isLead(one))];
  const read = erased.map((one) => readTable(one.item, one.place, target.problems));
  const leads = led.map((one) => readLead(one.item, one.place, target.problems));
  const tables = nameParents(nameEntries(read));
  const places = erased.map((one) => one.place);
  checkParents(tables, places, target.problems);
  checkRepeated(tables, places, target.problems);
  checkVia(tables, places, target.problems);
  checkTenants(tables, leads, { places, leadPlaces: led.map((one) => one.place) }, target);
  return {
    kind: 'tables',
    tables,
    ...(leads.length > 0 && { leads }),
    cascades: readNames(target, 'cascades'),
    triggers: readNames(target, 'triggers'),
    ...(target.has('detach') && { detach: readDetach(target) }),
  };
}

const isLead = ({ item }: { readonly item: unknown }) => isObject(item) && item.action === LEAD;

/** The places of the tables that are not leads, in the file. */
export function placesOfTables({ values }: Fields): string[] {
  const given = Array.isArray(values.tables) ? values.tables : [];
  return given.flatMap((item, i) => (isLead({ item }) ? [] : [`tables[${i}]`]));
}

function readLead(item: unknown, place: string, problems: Problems): LeadConfig {
  const table = readFields(item, place, problems);
  for (const field of Object.keys(tableFields))
    if (table.has(field) && !LEAD_FIELDS.includes(field))
      table.problem(
        field,
        'is not for a table with action: lead, which is only read; leave it out',
      );
  table.refuseOthersThan(Object.keys(tableFields));
  return readTenant(table);
}

const LEAD_FIELDS = ['table', 'tenant_column', 'tenant', 'action'];

/** What a row of the table is, and whose. */
function readTenant(table: Fields): LeadConfig {
  return {
    table: table.need('table', name, ''),
    tenantColumn: table.has('tenant_column') ? table.need('tenant_column', name, '') : null,
    ...(table.has('tenant') && { tenant: readReferences(table, 'tenant') }),
  };
}

function readTable(item: unknown, place: string, problems: Problems): TableConfig {
  const table = readFields(item, place, problems);
  table.refuseOthersThan(Object.keys(tableFields));
  const match = readMatch(table);
  const via = readReferences(table, 'via');
  if (!table.has('match') && !table.has('via')) {
    problems.add(
      place,
      'must say which rows belong to a request: by "match" (identity type to column), by "via" (a parent table), or both',
    );
  }
  const key = table.has('key') ? readNames(table, 'key') : null;
  if (key?.length === 0) table.problem('key', 'must name a column, or be left out');
  const config = {
    ...readTenant(table),
    ...readWhereBy(table),
    key,
    ...(table.has('tenancy') && { tenancy: table.read('tenancy', tenancyWord, 'none') }),
    match,
    via,
    action: readAction(table),
    shared: table.read('shared', shared, 'hold'),
    whenUnmatched: table.read('when_unmatched', whenUnmatched, 'hold'),
  };
  checkKey(config, table);
  checkWhereBy(config, table);
  return config;
}

/** One map is one reference by all its columns; a list of maps is several references. */
function readReferences(table: Fields, field: 'via' | 'tenant'): ViaConfig[] {
  const via = table.below(field);
  const parents = Object.keys(via.values);
  if (table.has(field) && parents.length === 0) table.problem(field, 'must name a parent table');
  return parents.flatMap((parent) => {
    const references = via.items(parent);
    if (references.length === 0) via.problem(parent, 'must name columns, or be left out');
    const isList = Array.isArray(via.values[parent]);
    return references.map((item, i) => {
      const place = `${via.place}.${parent}${isList ? `[${i}]` : ''}`;
      const columns = readNameMap(readFields(item, place, table.problems));
      checkReference(columns, place, table.problems);
      return { parent, columns };
    });
  });
}

function checkReference(columns: ViaConfig['columns'], place: string, problems: Problems): void {
  const pairs = Object.entries(columns);
  if (pairs.length === 0) {
    problems.add(place, 'must have { <column of this table>: <column of the parent> }');
  }
  const twice = pairs.find(([, to], i) => pairs.findIndex((pair) => pair[1] === to) < i);
  if (twice === undefined) return;
  const list = pairs.filter(([, to]) => to === twice[1]).map(([from, to]) => `{ ${from}: ${to} }`);
  problems.add(
    place,
    `refers to the column ${twice[1]} of the parent twice, which only a row with both would fit; for a row that has either, write a list: [ ${list.join(', ')} ]`,
  );
}

/** The row would move into another entry, or out of all. */
function checkWhereBy({ whereBy = {}, action }: TableConfig, table: Fields): void {
  if (action.kind !== 'overwrite') return;
  for (const column of Object.keys(action.columns))
    if (Object.hasOwn(whereBy, column))
      table.problem(
        `action.overwrite.${column}`,
        'refers to the row by which "where" tells rows apart; leave it out',
      );
}

/** Rows are identified by their key from the preview to the verification, so the key must not change. */
function checkKey({ key, action }: TableConfig, table: Fields): void {
  if (action.kind !== 'overwrite') return;
  for (const column of Object.keys(action.columns)) {
    if (key?.includes(column)) {
      table.problem(
        `action.overwrite.${column}`,
        'is part of the key, which identifies the row; leave it out',
      );
    }
  }
}
