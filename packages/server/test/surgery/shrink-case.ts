// Smaller cases than a given one. Each leaves something out; what depended on it goes too.
import {
  type Configuration,
  type DeclaredTable,
  type GeneratedCase,
  QUIET,
  type Table,
  type Try,
} from './generated-case.ts';
import { keepConstraints } from './make/keep-constraints.ts';
import { withoutTable } from './make/make-configuration.ts';

/** Larger steps first, so that little is tried twice. */
export function* smallerCases(from: GeneratedCase): Generator<GeneratedCase> {
  for (const requests of without(from.requests)) {
    if (requests.length > 0) yield { ...from, requests };
  }
  for (const tries of without(from.tries)) yield { ...from, tries };
  yield* fewerConfigurations(from);
  for (const { name } of from.tables) yield dropTable(from, name);
  yield* simplerTries(from);
  for (const { name } of from.tables) {
    for (const rows of without(from.rows[name] ?? [])) {
      yield tidy({ ...from, rows: { ...from.rows, [name]: rows } });
    }
  }
  for (const table of from.tables) {
    for (const smaller of simplerTables(table)) {
      const tables = from.tables.map((one) => (one === table ? smaller : one));
      yield tidy({ ...from, tables });
    }
  }
  yield* simplerConfigurations(from);
  for (const [at, request] of from.requests.entries()) {
    for (const identities of without(request.identities)) {
      if (identities.length === 0) continue;
      yield { ...from, requests: from.requests.with(at, { ...request, identities }) };
    }
  }
  yield* emptierRows(from);
}

function* without<T>(items: readonly T[]): Generator<T[]> {
  for (const at of items.keys()) yield items.filter((_, index) => index !== at);
}

function* fewerConfigurations(from: GeneratedCase): Generator<GeneratedCase> {
  for (const configurations of without(from.configurations)) {
    const [first, ...others] = configurations;
    if (first !== undefined) yield { ...from, configurations: [first, ...others] };
  }
}

function dropTable(from: GeneratedCase, name: string): GeneratedCase {
  const { [name]: _, ...rows } = from.rows;
  const tables = from.tables.filter((table) => table.name !== name);
  return tidy({ ...from, tables, rows });
}

function* simplerTries(from: GeneratedCase): Generator<GeneratedCase> {
  for (const [at, one] of from.tries.entries()) {
    const replace = (changes: Partial<Try>) => ({
      ...from,
      tries: from.tries.with(at, { ...one, ...changes }),
    });
    for (const key of [
      'changesBefore',
      'changesLookedUp',
      'changesBetween',
      'changesDuring',
      'changesAfter',
    ] as const) {
      for (const changes of without(one[key])) yield replace({ [key]: changes });
    }
    if (one.interruption !== 'none') yield replace({ interruption: QUIET.interruption });
    if (one.isReleased) yield replace({ isReleased: false });
  }
}

function* simplerTables(table: Table): Generator<Table> {
  for (const triggers of without(table.triggers)) yield { ...table, triggers };
  for (const references of without(table.references)) yield { ...table, references };
  for (const [at, reference] of table.references.entries()) {
    if (reference.onDelete === null) continue;
    yield { ...table, references: table.references.with(at, { ...reference, onDelete: null }) };
  }
  for (const unique of without(table.unique)) yield { ...table, unique };
  for (const columns of without(table.columns)) yield { ...table, columns };
  for (const [at, column] of table.columns.entries()) {
    if (column.type !== 'folded') continue;
    yield { ...table, columns: table.columns.with(at, { ...column, type: 'text' }) };
  }
}

function* simplerConfigurations(from: GeneratedCase): Generator<GeneratedCase> {
  for (const [at, configuration] of from.configurations.entries()) {
    const replace = (changed: Configuration): GeneratedCase => {
      const [first, ...others] = from.configurations.with(at, changed);
      return { ...from, configurations: [first ?? changed, ...others] };
    };
    for (const { table } of configuration.tables) yield replace(withoutTable(configuration, table));
    for (const tables of without(configuration.tables)) {
      const isListed = (name: string) => tables.some(({ table }) => table === name);
      const areAll = configuration.tables.every(({ table }) => isListed(table));
      if (areAll) yield replace({ ...configuration, tables });
    }
    for (const cascades of without(configuration.cascades))
      yield replace({ ...configuration, cascades });
    for (const detach of without(configuration.detach)) yield replace({ ...configuration, detach });
    for (const triggers of without(configuration.triggers))
      yield replace({ ...configuration, triggers });
    if (configuration.mode !== 'erase') yield replace({ ...configuration, mode: 'erase' });
    if (configuration.maxRowsPerDay !== null)
      yield replace({ ...configuration, maxRowsPerDay: null });
    if (configuration.tenancy.way === 'column') {
      const tables = configuration.tables.map((one) => ({ ...one, tenantBy: [] }));
      yield replace({ ...configuration, tables, leads: [], tenancy: { way: 'none' } });
    }
    for (const [index, declared] of configuration.tables.entries()) {
      for (const simpler of simplerDeclared(declared)) {
        yield replace({ ...configuration, tables: configuration.tables.with(index, simpler) });
      }
    }
  }
}

function* simplerDeclared(declared: DeclaredTable): Generator<DeclaredTable> {
  if (declared.action !== 'delete') yield { ...declared, action: 'delete' };
  if (Object.keys(declared.where).length > 0) yield { ...declared, where: {} };
  for (const simpler of simplerMatches(declared)) yield simpler;
  if (declared.key !== null) yield { ...declared, key: null };
  if (declared.shared !== 'hold') yield { ...declared, shared: 'hold' };
  if (declared.tenantColumn !== null) yield { ...declared, tenantColumn: null };
  for (const tenantBy of without(declared.tenantBy)) yield { ...declared, tenantBy };
  const ways = Object.keys(declared.match).length + declared.via.length;
  if (ways < 2) return;
  for (const via of without(declared.via)) yield { ...declared, via };
  for (const entries of without(Object.entries(declared.match))) {
    yield { ...declared, match: Object.fromEntries(entries) };
  }
}

/** Without blanks to ignore, one column less, one value less to write. */
function* simplerMatches(declared: DeclaredTable): Generator<DeclaredTable> {
  const { match, action } = declared;
  for (const [type, columns = []] of Object.entries(match)) {
    const replace = (changed: typeof columns) => ({
      ...declared,
      match: { ...match, [type]: changed },
    });
    for (const [at, column] of columns.entries()) {
      if (column.trim) yield replace(columns.with(at, { ...column, trim: false }));
    }
    for (const fewer of without(columns)) if (fewer.length > 0) yield replace(fewer);
  }
  if (typeof action !== 'object') return;
  for (const entries of without(Object.entries(action.overwrite))) {
    if (entries.length > 0)
      yield { ...declared, action: { overwrite: Object.fromEntries(entries) } };
  }
}

function* emptierRows(from: GeneratedCase): Generator<GeneratedCase> {
  for (const { name, columns } of from.tables) {
    const rows = from.rows[name] ?? [];
    for (const [at, row] of rows.entries()) {
      for (const column of columns.filter((one) => !one.notNull && one.name !== 'body')) {
        if ((row[column.name] ?? null) === null) continue;
        const emptier = rows.with(at, { ...row, [column.name]: null });
        yield tidy({ ...from, rows: { ...from.rows, [name]: emptier } });
      }
    }
  }
}

/** Without anything that names a table or a column that is not there any more. */
function tidy(from: GeneratedCase): GeneratedCase {
  const tables = from.tables.map((table) => tidyTable(from, table));
  const [first, ...others] = from.configurations.map((one) => tidyConfiguration(tables, one));
  return {
    ...from,
    tables,
    configurations: [first ?? from.configurations[0], ...others],
    rows: keepConstraints(from.database, tables, from.rows),
  };
}

const hasColumn = (tables: readonly Table[], name: string, column: string) =>
  tables.some((table) => table.name === name && table.columns.some((one) => one.name === column));

function tidyTable({ tables }: GeneratedCase, table: Table): Table {
  const has = (column: string) => table.columns.some(({ name }) => name === column);
  return {
    ...table,
    primaryKey: table.primaryKey.every(has) ? table.primaryKey : [],
    unique: table.unique.filter(({ columns }) => columns.every(has)),
    references: table.references.filter(({ parent, pairs }) =>
      pairs.every((pair) => has(pair.child) && hasColumn(tables, parent, pair.parent)),
    ),
    triggers: table.triggers.filter(({ to }) => tables.some(({ name }) => name === to)),
  };
}

function tidyConfiguration(tables: readonly Table[], from: Configuration): Configuration {
  const isThere = (name: string) => tables.some((table) => table.name === name);
  const missing = [...from.tables, ...from.leads].find(({ table }) => !isThere(table));
  if (missing !== undefined) return tidyConfiguration(tables, withoutTable(from, missing.table));
  const names = tables.flatMap(({ triggers }) => triggers.map(({ name }) => name));
  const declared = from.tables.map((one): DeclaredTable => {
    const has = (column: string) => hasColumn(tables, one.table, column);
    const match = Object.entries(one.match)
      .map(([type, columns]) => [type, columns.filter(({ column }) => has(column))] as const)
      .filter(([, columns]) => columns.length > 0);
    const isAlong = ({ parent, pairs }: DeclaredTable['via'][number]) =>
      pairs.every((pair) => has(pair.child) && hasColumn(tables, parent, pair.parent));
    const where = Object.fromEntries(Object.entries(one.where).filter(([column]) => has(column)));
    const [via, tenantBy] = [one.via.filter(isAlong), one.tenantBy.filter(isAlong)];
    return { ...one, where, match: Object.fromEntries(match), via, tenantBy };
  });
  const isColumn = (name: string) => {
    const [table = '', column = ''] = name.split('.');
    return hasColumn(tables, table, column);
  };
  return {
    ...from,
    tables: declared,
    cascades: from.cascades.filter(isThere),
    detach: from.detach.filter(isColumn),
    triggers: from.triggers.filter((name) => names.includes(name)),
  };
}
