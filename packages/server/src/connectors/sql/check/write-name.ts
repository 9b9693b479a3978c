// Names in statements that an operator is meant to copy: quoted only if necessary, so that they are easy to
// read.
import type { SqlDialect } from '../dialect.ts';
import { splitTableName } from '../table-name.ts';

const PLAIN = /^[a-z_][a-z0-9_]*$/;
// Reserved words of the three databases that are often used as names of tables and columns.
const RESERVED = new Set(
  `all analyse analyze and any as asc both by case cast check collate column condition constraint
  create cross current_user database default delete desc distinct else end exists false fetch for
  foreign from function grant group groups having in index insert interval into is join key keys
  lateral leading left like limit lock match not null of offset on or order outer over partition
  primary range rank read references release right row rows schema select session_user set some
  system table then to trailing trigger true union unique update usage user using values when where
  window with write`.split(/\s+/),
);

/** One name, which may have a point in it. */
export function writeName({ quote }: SqlDialect, name: string): string {
  return PLAIN.test(name) && !RESERVED.has(name) ? name : quote(name);
}

/** The name of a table, with its schema if it is written so in the plan. */
export function writeTable(dialect: SqlDialect, table: string): string {
  const { schema, name } = splitTableName(table);
  const written = writeName(dialect, name);
  return schema === null ? written : `${writeName(dialect, schema)}.${written}`;
}

/** Whether a text written by the database contains this column: `id` is not in `tenant_id`. */
export function namesColumn(text: string, column: string): boolean {
  return new RegExp(`(?<!\\w)${RegExp.escape(column)}(?!\\w)`).test(text);
}

/** Table and columns of an index to add, in a form that all three databases accept. */
export function indexName(table: string, columns: readonly string[]): string {
  return ['unwrite', table, ...columns]
    .join('_')
    .replaceAll(/\W+/g, '_')
    .toLowerCase()
    .slice(0, 60);
}
