import { note, ok } from '../sql/check/line.ts';
import type { Probe } from '../sql/check/probe.ts';
import { indexName, namesColumn, writeName, writeTable } from '../sql/check/write-name.ts';
import type { SqlRow } from '../sql/session.ts';
import { checkCompiled } from './check-compiled.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { matchedValue } from './sqlite-matching.ts';
import { checksOf } from './sqlite-rules.ts';

const KINDS: Readonly<Record<string, string>> = { view: 'a view', virtual: 'a virtual table' };

export const sqliteProbe: Probe = {
  async server(read) {
    const [row] = await read('SELECT sqlite_version() AS version');
    const lines = [ok('server', `SQLite ${row?.version}, this process's account`)];
    const [mode] = await read('PRAGMA journal_mode');
    if (mode?.journal_mode === 'wal')
      lines.push(
        note(
          'server',
          'writes a log beside the file (WAL), where erased rows stay until it is copied back',
        ),
      );
    return lines;
  },

  async otherKinds(read) {
    const rows = await read("SELECT name, type FROM pragma_table_list WHERE schema = 'main'");
    const others = rows.flatMap(({ name, type }): [string, string][] => {
      const kind = KINDS[String(type)];
      return kind === undefined
        ? []
        : [
            [String(name), kind],
            [`main.${name}`, kind],
          ];
    });
    return new Map(others);
  },

  tables: async () => [],
  named: async () => [],
  async constraints(read, table) {
    const [row] = await read(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND lower(name) = lower(?)",
      [table.replace(/^main\./i, '')],
    );
    // No statement returns their names.
    return checksOf(String(row?.sql ?? '')).map((expression) => ({
      name: `(${expression})`,
      expression,
    }));
  },
  typed: ({ type }, placeholder) =>
    /CHAR|CLOB|TEXT/i.test(type) ? `CAST(${placeholder} AS TEXT)` : placeholder,
  // A file has no accounts, but the statements that change it must compile.
  rights: checkCompiled,
  toTheLetter: (text) => `hex(${text})`,
  endCodes: (text) => ({
    first: `unicode(substr(${text}, 1, 1))`,
    last: `unicode(substr(${text}, -1, 1))`,
  }),
  explain: 'EXPLAIN QUERY PLAN ',
  explainsValues: false,
  explainsChangesIn: 'read',
  preferIndexes: null,
  asksWithTenant: true,

  async usesIndex(_read, { columns }, plan) {
    const searched = plan.map(searchedBy).filter((by) => by !== undefined);
    return columns.every(({ name }) =>
      searched.some(
        (by) => namesColumn(by, name) || by.includes('<expr>=') || by.includes('rowid='),
      ),
    );
  },

  adviseIndex({ table, columns, isCaseIgnored, tenant, place }) {
    const names = [...(tenant === null ? [] : [tenant]), ...columns.map(({ name }) => name)];
    const last = columns.at(-1)?.name;
    const written = (name: string) =>
      place === undefined || name !== last
        ? writeName(sqliteDialect, name)
        : matchedValue(place, (column) => writeName(sqliteDialect, column));
    const parts = names.map(
      (name) => written(name) + (isCaseIgnored && name === last ? ' COLLATE NOCASE' : ''),
    );
    const marks =
      place === undefined ? [] : [...(place.path ?? []), ...(place.trim ? ['trim'] : [])];
    return `CREATE INDEX ${indexName(table, [...names, ...marks.map(String)])} ON ${writeTable(sqliteDialect, table)} (${parts.join(', ')})`;
  },
};

/** From `SEARCH customers USING INDEX by_email (tenant=? AND email=?)`, the part in brackets. */
function searchedBy({ detail }: SqlRow): string | undefined {
  return /^SEARCH .*\((.*)\)$/.exec(String(detail))?.[1];
}
