// Information from PostgreSQL's catalogue besides the shapes of tables: indexes on lower(column).
import type { Catalogue } from '../sql/catalogue.ts';
import type { SqlSession } from '../sql/session.ts';

/** $1: as written, $2: quoted. */
const LOWER_INDEXES = `
  SELECT w.written, pg_catalog.pg_get_indexdef(i.indexrelid, k.place, true) AS expression
  FROM unnest($1::text[], $2::text[]) AS w (written, quoted)
  JOIN pg_catalog.pg_index i ON i.indrelid = to_regclass(w.quoted)
  CROSS JOIN LATERAL generate_series(1, i.indnkeyatts::int) AS k (place)
  WHERE i.indexprs IS NOT NULL AND i.indisvalid AND i.indpred IS NULL`;

// The names of these columns differ between versions.
const LOCALE = `
  SELECT concat_ws(' ', d.datctype, to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale') AS locale
  FROM pg_catalog.pg_database d WHERE d.datname = current_database()`;

/** In these locales I is not the upper case of i, so a search in lower case would miss rows. */
const ODD_LOCALE = /(?:^| )(?:tr|az|lt)(?:[-_. ]|$)|turkish|azeri|azerbaijani|lithuanian/i;

export async function findLowerIndexed(
  session: SqlSession,
  catalogue: Catalogue,
  quoteTable: (table: string) => string,
): Promise<Set<string>> {
  const names = [...catalogue.keys()];
  const { rows } = await session.query(LOWER_INDEXES, [names, names.map(quoteTable)]);
  const found = new Set<string>();
  for (const [table, { columns }] of catalogue) {
    const expressions = rows
      .filter(({ written }) => written === table)
      .map(({ expression }) => String(expression));
    for (const { name, isCaseless, collation } of columns.values()) {
      if (collation !== null && collation !== 'default') continue;
      const isServed =
        isCaseless === true ||
        (expressions.some((expression) => isLowerOf(expression, name)) &&
          !expressions.some((expression) => expression.includes('COLLATE "C"')));
      if (isServed) found.add(`${table}.${name}`);
    }
  }
  if (found.size === 0) return found;
  const locale = String((await session.query(LOCALE)).rows[0]?.locale);
  return ODD_LOCALE.test(locale) ? new Set() : found;
}

function isLowerOf(expression: string, column: string): boolean {
  const [, name] = /^lower\(\(*("(?:[^"]|"")+"|[^\s:"()]+)\)*(?:::text)?\)$/.exec(expression) ?? [];
  return name === column || name === `"${column.replaceAll('"', '""')}"`;
}
